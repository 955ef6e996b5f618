"""Who may see a replay, as its owner decides, and what a shared link says about it elsewhere."""

import hashlib
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import msgspec
from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.translation import get_language, gettext
from django.views.decorators.http import require_POST, require_safe

from negotiation.bargain.web.bubbles import Frame
from negotiation.errors import SessionError
from negotiation.games.visitors import visitor
from negotiation.models import Game
from negotiation.sentences import sentences
from negotiation.words import clean_line
from replays.finished import finished, replay_frames
from replays.preview.canvas import HEIGHT, WIDTH
from replays.preview.card import Card, card_of, draw
from replays.preview.lines import draw_lines, exchange_of
from replays.sealed_days import is_sealed

say = sentences(__file__)

Shown = TypeVar("Shown", bound=msgspec.Struct)

LONGEST_SEQ = 9  # digits of a number of an event
OWN_KINDS = (Game.Source.PERSON, Game.Source.WHAT_IF, Game.Source.IMPORT)  # of one person


class NotYours(SessionError):
    """Only who played a game decides who sees it."""

    code = "not-yours"
    status = 403


class ParentIsPrivate(SessionError):
    """A game that this what-if comes from is private, so this one stays private too."""

    code = "parent-is-private"
    status = 409


class StillSealed(SessionError):
    """This game is sealed for others until its day is over; share your card instead."""

    code = "still-sealed"
    status = 409


class Share(msgspec.Struct, frozen=True):
    """What the page says about sharing. All addresses are whole ones."""

    url: str
    moment: str
    image: str
    public: bool
    may_change: bool
    card: Card
    words: str
    width: int = WIDTH
    height: int = HEIGHT


def share_context(
    request: HttpRequest, game: Game, here: Any, frames: Sequence[Frame]
) -> dict[str, Share]:
    """Return the share panel and what the head of the page tells other sites."""
    card = card_of(game, frames)
    url = request.build_absolute_uri(reverse("replay", args=[game.pk]))
    asked = here is not None and "seq" in request.GET
    return {
        "share": Share(
            url=url,
            moment=f"{url}?seq={here.seq}" if here is not None else url,
            image=request.build_absolute_uri(reverse("replay-card", args=[game.pk])),
            public=game.share_replay,
            may_change=_is_changeable(game, visitor(request)) and not is_sealed(game),
            card=card,
            words=f"{here.words}. {card.description}" if asked else card.description,
        )
    }


def _is_changeable(game: Game, reader: str) -> bool:
    if game.is_pair or (game.terms and not game.is_daily):
        # Another person's game, too, or one of a table that has rules of its own about that.
        return False
    return bool(reader) and game.owner == reader and game.source in OWN_KINDS


LONGEST_NAME = 24


def publish(game: Game, reader: str, name: str | None = None) -> None:
    """Let everybody see a replay, signed with what its player wrote; None: as it was, "" unsigned.

    NotYours; ParentIsPrivate: for some what-ifs; StillSealed: dealt the cards of a day not over.
    """
    _check_owner(game, reader)
    if is_sealed(game):
        raise StillSealed
    above = game.parent
    # All the way up: a what-if of a what-if shows the first game's moves and limits too.
    while above is not None:
        if not above.share_replay and above.owner != reader:
            raise ParentIsPrivate
        above = above.parent
    if name is not None:
        game.names = {game.seat: clean_line(name)[:LONGEST_NAME]}
    Game.objects.filter(pk=game.pk).update(share_replay=True, names=game.names)


def withdraw(game: Game, reader: str) -> None:
    """Keep a replay private again, with all what-ifs that show a part of it; ``NotYours``."""
    _check_owner(game, reader)
    with transaction.atomic():
        below = [game.pk]
        while below:
            Game.objects.filter(pk__in=below).update(share_replay=False, names={})
            forks = Game.objects.filter(parent__in=below, share_replay=True)
            below = list(forks.values_list("pk", flat=True))


def _check_owner(game: Game, reader: str) -> None:
    if not _is_changeable(game, reader):
        raise NotYours


DONE = {
    True: say.text("everybody_with_the_link_can_see"),
    False: say.text("only_you_see_this_replay_now"),
}


@require_safe
def card_image(request: HttpRequest, game_id: str) -> HttpResponse:
    """Send the preview image to whoever may see the replay; with ``seq`` that of one exchange."""
    game = finished(request, game_id)
    asked = request.GET.get("seq")
    if asked is None:
        return send_card(request, card_of(game, replay_frames(game)), draw)
    is_number = asked.isascii() and asked.isdigit() and len(asked) <= LONGEST_SEQ
    found = exchange_of(game, replay_frames(game), int(asked)) if is_number else None
    if found is None:
        raise Http404(gettext("Nothing was said there."))
    return send_card(request, found, draw_lines)


def send_card(
    request: HttpRequest, card: Shown, draw: Callable[[Shown, str], bytes]
) -> HttpResponse:
    """Send the image of a card; what the browser has already is not sent again.

    It is named by its own bytes: a digest of the card would tell two apart that look alike, by
    what a card knows and does not show.
    """
    image = draw(card, get_language() or "")
    etag = f'"{hashlib.sha256(image).hexdigest()[:32]}"'
    response = get_conditional_response(request, etag=etag)
    if response is None:
        response = HttpResponse(image, content_type="image/png")
    response["ETag"] = etag
    # Private: a replay can be taken back, so no shared cache may keep its image.
    response["Cache-Control"] = "private, no-cache"
    patch_vary_headers(response, ["Accept-Language", "Cookie"])
    return response


@require_POST
def share(request: HttpRequest, game_id: str) -> HttpResponse:
    """Make an own replay public (``public=1``) or private again; for htmx, show its link here."""
    game = finished(request, game_id)
    public = request.POST.get("public") == "1"
    is_part = bool(getattr(request, "htmx", False))
    try:
        if public:
            publish(game, visitor(request), request.POST.get("name"))
        else:
            withdraw(game, visitor(request))
    except (NotYours, ParentIsPrivate, StillSealed) as wrong:
        if is_part:
            return render(request, "replays/_share_end.html", {"problem": wrong.detail})
        messages.error(request, wrong.detail)
    else:
        if is_part:
            game.share_replay = public
            shown = share_context(request, game, None, replay_frames(game))
            context = {"game": game, "signed": game.names.get(game.seat, ""), **shown}
            return render(request, "replays/_share_end.html", context)
        messages.success(request, gettext(DONE[public]))
        if public:
            return redirect(f"{reverse('replay', args=[game.pk])}?shared=1")
    return redirect("replay", game.pk)
