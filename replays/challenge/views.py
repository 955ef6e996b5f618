"""The pages of a challenge: the link, the way to play, and both results side by side."""

import secrets
from collections.abc import Iterable
from typing import Any

import msgspec
from django.db import IntegrityError, transaction
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from bazaarbatna.bargain.quantities import to_rupees
from negotiation.bargain import opponent_turns, sessions
from negotiation.bargain.scenarios import stored_scenario
from negotiation.bargain.sessions import side_of
from negotiation.bargain.shops import shop_of
from negotiation.bargain.web.seats import seat_of
from negotiation.errors import SessionError, UnknownGame
from negotiation.games.visitors import visitor
from negotiation.games.wire_errors import REFUSALS, refusal, status_of
from negotiation.limits import request_key, spend
from negotiation.models import CHALLENGE, Game
from replays.grade.ahead import is_own_haggle
from replays.models import Challenge, ChallengeTry

KINDS = ("sell", "buy")


class CardsKnown(SessionError):
    """You have played these cards, so you know what she holds."""

    code = "cards-known"
    status = 409


class CardsOpen(SessionError):
    """A replay with these cards is public by now: everybody can see them."""

    code = "cards-open"
    status = 409


def may_send(game: Game, visitor: str) -> bool:
    """Whether a visitor played this finished game blind, and may send its cards on."""
    is_own = is_own_haggle(game, visitor) and game.kind in KINDS
    return is_own and game.status == Game.Status.ENDED and not game.is_daily


def send(game: Game, visitor: str) -> Challenge:
    """Return the challenge with a game's cards; of a rematch it is that of the first game.

    UnknownGame: the game is not the visitor's, goes on, or is one of a day. CardsOpen.
    """
    if not may_send(game, visitor):
        raise UnknownGame
    first = game.rematch_of or game
    known = Challenge.objects.filter(game=first).first()
    if known is not None:
        return known
    if is_open(first):
        raise CardsOpen(
            gettext("This replay is public, so its cards are. Make it private, then send them.")
        )
    return Challenge.objects.get_or_create(game=first)[0]


def try_of(challenge: Challenge, visitor: str) -> ChallengeTry | None:
    """Return a visitor's game with these cards."""
    tries = ChallengeTry.objects.filter(challenge=challenge, visitor=visitor)
    return tries.select_related("game").first() if visitor else None


def begin(challenge: Challenge, visitor: str, client: str) -> Game:
    """Deal a friend the cards, once; who has begun gets that game back.

    CardsKnown, CardsOpen; RateLimited.
    """
    own = try_of(challenge, visitor)
    if own is not None:
        return own.game
    family = family_of(challenge.game)
    if any(game.owner == visitor for game in family):
        raise CardsKnown
    if any(game.share_replay for game in family):
        raise CardsOpen
    spend("games", client)
    try:
        with transaction.atomic():
            game = _dealt(challenge, visitor, client)
            ChallengeTry.objects.create(challenge=challenge, visitor=visitor, game=game)
    except IntegrityError:
        # Another tab was faster: there is one game, and that is it.
        own = try_of(challenge, visitor)
        if own is None:
            raise
        return own.game
    return game


def is_open(game: Game) -> bool:
    """Whether everybody can look the cards of a game up."""
    return any(one.share_replay for one in family_of(game))


def family_of(game: Game) -> list[Game]:
    """List the games with the cards of a game, from the first one on: copies and what-ifs."""
    found = {game.pk: game for game in (_first_of(game),)}
    ids: Iterable[str] = list(found)
    while ids:
        below = Game.objects.filter(
            Q(rematch_of__in=ids) | Q(parent__in=ids) | Q(challenge_try__challenge__game__in=ids)
        ).only("owner", "share_replay")
        new = {one.pk: one for one in below if one.pk not in found}
        found |= new
        ids = list(new)
    return list(found.values())


def _first_of(game: Game) -> Game:
    first = game.rematch_of or game
    own = ChallengeTry.objects.filter(game=first).select_related("challenge__game").first()
    return _first_of(own.challenge.game) if own is not None else first


def _dealt(challenge: Challenge, visitor: str, client: str) -> Game:
    first = challenge.game
    scenario = msgspec.structs.replace(stored_scenario(first), salt=secrets.token_hex(16))
    return sessions.open_dealt(
        visitor,
        scenario,
        first.policy,
        client=client,
        kind=first.kind,
        seat=first.seat,
        suite=f"{CHALLENGE}{challenge.token}",
        listing=first.listing,
        zone_promised=first.zone_promised,
    )


Whose = str
"""``you``, ``sender``, or ``friend``."""


class Result(msgspec.Struct, frozen=True):
    """How a game with the cards ended: ``share`` of the zone, 0..1; ``kept`` and ``price`` rupees.

    ``number`` counts friends from 1; ``is_best``: nobody here kept more.
    """

    whose: Whose
    number: int
    outcome: str
    share: float
    kept: float
    price: float | None
    rounds: int
    is_best: bool = False


class Table(msgspec.Struct, frozen=True):
    """Finished games with the same cards; ``zone`` in rupees, 0 where no price suited both."""

    results: tuple[Result, ...]
    zone: float
    playing: int
    currency: str


def table_of(challenge: Challenge, reader: str) -> Table | None:
    """Return what a reader may see: nothing before the own end; a friend sees no other friend."""
    first = challenge.game
    tries = list(challenge.tries.select_related("game"))
    own = next((one for one in tries if one.visitor == reader), None)
    is_sender = bool(reader) and first.owner == reader
    if not is_sender and (own is None or own.game.status != Game.Status.ENDED):
        return None
    shown = tries if is_sender else [one for one in tries if one is own]
    scenario = stored_scenario(first)
    zone = to_rupees(max(scenario.zopa, 0))
    ended = [one for one in shown if one.game.status == Game.Status.ENDED]
    results = [_result("you" if is_sender else "sender", 0, first, zone)]
    for number, one in enumerate(ended, start=1):
        results.append(_result("friend" if is_sender else "you", number, one.game, zone))
    best = max(one.share for one in results)
    return Table(
        results=tuple(
            msgspec.structs.replace(one, is_best=one.share == best and one.outcome == "deal")
            for one in results
        ),
        zone=zone,
        playing=len(shown) - len(ended),
        currency=scenario.item.currency,
    )


def _result(whose: Whose, number: int, game: Game, zone: float) -> Result:
    share = game.buyer_share if side_of(game) == "buyer" else game.seller_share
    return Result(
        whose=whose,
        number=number,
        outcome=game.outcome,
        share=share or 0.0,
        kept=round(zone * (share or 0.0), 2),
        price=None if game.deal_price is None else game.deal_price / 100,
        rounds=game.rounds_used or 0,
    )


@require_POST
def new(request: HttpRequest, game_id: str) -> HttpResponse:
    """Make the link that deals an own finished game's cards; for htmx, show it in place."""
    game = Game.objects.filter(pk=game_id).select_related("rematch_of").first()
    try:
        if game is None:
            raise UnknownGame
        challenge = send(game, visitor(request))
    except UnknownGame:
        raise Http404 from None
    except CardsOpen as wrong:
        if getattr(request, "htmx", False):
            return render(request, "challenge/_link.html", {"problem": wrong.args[0]})
        return redirect("replay", game_id)
    if not getattr(request, "htmx", False):
        return redirect("challenge", challenge.token)
    return render(request, "challenge/_link.html", _linked(request, challenge))


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def challenge(request: HttpRequest, token: str) -> HttpResponse:
    """Invite a friend, show whoever has played how both did; a post deals the cards, once."""
    found = _challenge_or_404(token)
    if request.method != "POST":
        return _show(request, found)
    try:
        game = begin(found, visitor(request), request_key(request))
    except REFUSALS as wrong:
        return _show(request, found, refusal(wrong)["detail"], status_of(wrong))
    opponent_turns.start_turn_from_thread(game.pk)
    return redirect(seat_of(game).page, game.pk)


@never_cache
@require_safe
def end(request: HttpRequest, game_id: str) -> HttpResponse:
    """Show both results as a part of the sheet after a game with these cards."""
    own = ChallengeTry.objects.filter(game=game_id, visitor=visitor(request))
    tried = own.select_related("challenge__game").first()
    found = tried.challenge if tried is not None else None
    if found is None:
        sent = Challenge.objects.filter(game=game_id, game__owner=visitor(request))
        found = sent.select_related("game").first()
    if found is None or not visitor(request):
        raise Http404
    if not getattr(request, "htmx", False):
        return redirect("challenge", found.token)
    context = {"table": table_of(found, visitor(request)), **_linked(request, found)}
    return render(request, "challenge/_end.html", context)


def _show(
    request: HttpRequest, found: Challenge, problem: str = "", status: int = 200
) -> HttpResponse:
    owner, game = visitor(request), found.game
    own = try_of(found, owner)
    is_sender = bool(owner) and game.owner == owner
    scenario = stored_scenario(game)
    context: dict[str, Any] = {
        "state": "sender" if is_sender else _state_of(own),
        "own": own.game if own is not None else None,
        "first": game,
        "seat": seat_of(game),
        "keeper": shop_of(game.policy).keeper if game.seat == Game.Seat.BUYER else "",
        "item": scenario.item,
        "asking": to_rupees(scenario.anchor),
        "table": table_of(found, owner),
        "problem": problem,
        "closed": own is None and not is_sender and is_open(game),
        "may_send": own is not None and may_send(own.game, owner),
        **_linked(request, found),
    }
    return render(request, "challenge/challenge.html", context, status=status)


def _state_of(own: ChallengeTry | None) -> str:
    if own is None:
        return "new"
    return "done" if own.game.status == Game.Status.ENDED else "playing"


def _linked(request: HttpRequest, found: Challenge) -> dict[str, Any]:
    url = request.build_absolute_uri(reverse("challenge", args=[found.token]))
    return {"challenge": found, "url": url}


def _challenge_or_404(token: str) -> Challenge:
    found = Challenge.objects.filter(pk=token).select_related("game__listing").first()
    if found is None:
        raise Http404
    return found
