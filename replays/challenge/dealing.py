"""The cards of a finished game, dealt to friends: who may send them, and who may play them."""

import secrets
from collections.abc import Iterable

import msgspec
from django.db import IntegrityError, transaction
from django.db.models import Q

from bazaarbatna.bargain.quantities import to_rupees
from negotiation.bargain import sessions
from negotiation.bargain.scenarios import stored_scenario
from negotiation.bargain.sessions import side_of
from negotiation.errors import SessionError, UnknownGame
from negotiation.limits import spend
from negotiation.models import CHALLENGE, Game
from negotiation.sentences import sentences
from replays.grade.ahead import is_own_haggle
from replays.models import Challenge, ChallengeTry

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


say = sentences(__file__)

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
        raise CardsOpen(say("this_replay_is_public_so_its"))
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
