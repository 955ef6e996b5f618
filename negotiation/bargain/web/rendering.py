"""From wire frames to HTML: the same templates draw a live game, a reload and a replay."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from bazaarbatna.bargain.errors import BrokenLog
from bazaarbatna.bargain.quantities import to_rupees
from bazaarbatna.money import rupees_text
from negotiation.bargain.game import position_of
from negotiation.bargain.house import others_of
from negotiation.bargain.opponent import goodbye
from negotiation.bargain.pairs import match_of
from negotiation.bargain.scenarios import stored_scenario
from negotiation.bargain.terms import terms_of
from negotiation.bargain.web.bubbles import Frame, Tell, bubble_of, closing_words, currency_of
from negotiation.bargain.web.listing_search import next_listing
from negotiation.bargain.web.outcome import moved_by
from negotiation.bargain.web.seats import BUYING, SELLING, Cast, Seat, facing, looking_on, seat_of
from negotiation.bargain.web.signals import signal_rows
from negotiation.bargain.web.table import Table, table_of
from negotiation.bargain.web.thumbs import Thumb, is_spoken_by, thumbs_of
from negotiation.charts.price_path import price_path
from negotiation.models import Game
from negotiation.portraits.moods import mood_of
from negotiation.sentences import sentences

say = sentences(__file__)

DRAWN_WITH_TURN = ("tells", "withdrawn")
"""Kinds of events that change how an earlier turn is drawn, and have no item of their own."""


def event_html(
    frame: Frame,
    frames: Sequence[Frame],
    game: Game,
    *,
    cast: Cast | None = None,
    thumbs: Mapping[int, Thumb] | None = None,
) -> str:
    """Draw one item of the transcript as safe HTML, "" when the frame has none of its own.

    A ``tells`` frame draws the turn it belongs to again, now with its words underlined, and a
    ``withdrawn`` frame without its price: the element has the id ``event-<of_seq>``. ``cast`` is by
    default as the owner calls both sides. ``thumbs``, by number of the line, stand on the owner's
    own page: nobody rates elsewhere.
    """
    shown = _drawn_with(frame, frames)
    if shown is None:
        return ""
    named = cast or seat_of(game).cast
    event = shown["event"]
    if event["kind"] == "ended":
        ending = {"ended": event, "seq": shown["seq"], "currency": currency_of(frames)}
        ending["closed"] = closing_words(frames, named)
        ending["leaver"] = named.name(event["by"]) if event["by"] else ""
        ending |= {"who": named.name("buyer"), "goodbye": _goodbye(game)}
        return render_to_string("negotiation/_ending.html", ending)
    if event["kind"] == "message" and not event["text"] and "taken_back" not in event:
        return ""  # nothing was said: a price was taken back there, or words were forgotten
    bubble = bubble_of(shown, frames, named)
    context: dict[str, object] = {"bubble": bubble}
    if thumbs is not None and is_spoken_by(
        bubble.kind, bubble.actor, event.get("text", ""), seat_of(game).rival_side
    ):
        url = reverse(f"{seat_of(game).page}-thumb", args=[game.pk, bubble.seq])
        picture = f"{reverse('replay-card', args=[game.pk])}?seq={bubble.seq}"
        context["rated"] = {
            "seq": bubble.seq,
            "url": url,
            "thumb": thumbs.get(bubble.seq),
            # Of a game of the day a line would tell what others are still to hear.
            "picture": "" if game.is_daily else picture,
        }
    return render_to_string("negotiation/_event.html", context)


def _goodbye(game: Game) -> str:
    # A game that is not stored, such as the landing page's, has no position to look up.
    if game.kind != "sell" or game.is_pair or game._state.adding:
        return ""
    if not terms_of(game).chat or not terms_of(game).tells_all:
        return ""
    try:
        state = position_of(game).state
    except BrokenLog:
        return ""  # by rules that are gone: shown as it is, and nothing is drawn from it
    return goodbye(state, game.policy, game.language)


def events_html(
    new: Sequence[Frame],
    frames: Sequence[Frame],
    game: Game,
    thumbs: Mapping[int, Thumb] | None = None,
) -> Iterator[str]:
    """Draw one item for each new frame, as ``event_html`` does; a turn and its tells look alike."""
    drawn: dict[int, str] = {}
    for frame in new:
        seq = (_drawn_with(frame, frames) or frame)["seq"]
        if seq not in drawn:
            drawn[seq] = event_html(frame, frames, game, thumbs=thumbs)
        yield drawn[seq]


def transcript_html(frames: Sequence[Frame], game: Game) -> SafeString:
    """Draw the whole transcript for its owner, each turn once and with its tells."""
    turns = [frame for frame in frames if frame["event"]["kind"] not in DRAWN_WITH_TURN]
    items = events_html(turns, frames, game, thumbs_of(game))
    # Every item comes from a template, which has escaped what people wrote.
    return mark_safe("".join(items))  # noqa: S308


def panels_html(frames: Sequence[Frame], game: Game, audience: str) -> dict[str, str]:
    """Draw what stands around the transcript: safe HTML by id, each value one element.

    ``audience``, who may see the frames, is the owner's seat; others get no panel with the owner's
    own numbers.
    """
    table = table_of(frames, seat_of(game))
    return {
        "sale-standing": standing_html(frames, game, table),
        "sale-actions": _actions(game, table),
        "sale-chart": f'<div id="sale-chart">{price_path(frames)}</div>',
        "sale-reading": reading_html(frames, table, hidden=not terms_of(game).tells),
        "sale-coach": _coach(frames, game, table),
        "sale-outcome": _outcome(frames, game, table, audience),
    }


def standing_html(frames: Sequence[Frame], game: Game, table: Table) -> str:
    """Draw both prices, the opponent's face, and the row of rounds."""
    context = {
        "table": table,
        "who": _face_of(game, table),
        # What a person feels is theirs to say: the page makes up nothing.
        "mood": "" if table.seat.is_person else mood_of(frames, table.seat.rival_side),
    }
    return render_to_string("negotiation/_standing.html", context)


def _face_of(game: Game, table: Table) -> str:
    if table.seat.is_person:
        return f"person:{table.seat.rival}"
    return "sauda" if table.seat.is_seller else game.policy


def placed(panels: Mapping[str, str], prefix: str = "sale-") -> dict[str, SafeString]:
    """Name drawn panels as the templates of whole pages do."""
    # They come from templates, which have escaped what people wrote.
    return {name.removeprefix(prefix): mark_safe(html) for name, html in panels.items()}  # noqa: S308


def _actions(game: Game, table: Table) -> str:
    # Nobody is led into a price that the own brief forbids, or that nobody would answer.
    is_unanswered = table.seat.is_seller and not table.rounds_left
    barred = _loses(game, table)
    suits = table.rival is not None and not barred
    price = "" if table.rival is None else rupees_text(table.rival, table.currency)
    context = {
        "table": table,
        "seat": table.seat,
        "walking": table.seat.walk_loses.format(price=price) if suits else table.seat.walk_warning,
        "chips": table.seat.chips if terms_of(game).chat else (),
        "barred": barred,
        "middle": None if is_unanswered or _loses(game, table, table.middle) else table.middle,
    }
    return render_to_string("negotiation/_actions.html", context)


def _loses(game: Game, table: Table, price: float | None = None) -> bool:
    """Whether a price, else the one on the table, lies beyond the person's own limit."""
    price = table.rival if price is None else price
    sealed = position_of(game).state.scenario.sealed
    if price is None:
        return False
    if table.seat.is_seller:
        return price < to_rupees(sealed.reservation)
    return price > to_rupees(sealed.budget)


def _drawn_with(frame: Frame, frames: Sequence[Frame]) -> Frame | None:
    if frame["event"]["kind"] not in DRAWN_WITH_TURN:
        return frame
    of_seq = frame["event"]["of_seq"]
    # Sequence numbers count from 1; 0 means tells without words.
    return frames[of_seq - 1] if 0 < of_seq <= len(frames) else None


def reading_html(
    frames: Sequence[Frame], table: Table, cast: Cast | None = None, *, hidden: bool = False
) -> str:
    """Draw what the last turn that was read let show; names as in the transcript.

    ``hidden``: nobody is shown that at this table.
    """
    seat = table.seat
    rows = signal_rows(table.signals, seat.gives_way) if table.signals is not None else ()
    unseen = ", ".join(row.label.lower() for row in rows if not row.observable)
    read = moved_by(frames)
    context = {
        "seat": seat,
        "belief": read[-1] if read else None,
        "rows": [row for row in rows if row.observable],
        "hidden": unseen,
        "is_off": hidden,
        "is_over": table.ended is not None,
        "tells": _last_tells(frames, cast or seat.cast),
    }
    return render_to_string("negotiation/_reading.html", context)


def _last_tells(frames: Sequence[Frame], cast: Cast) -> tuple[Tell, ...]:
    for frame in reversed(frames):
        if frame["event"]["kind"] == "tells":
            spoken = _drawn_with(frame, frames)
            return bubble_of(spoken, frames, cast).tells if spoken else ()
    return ()


def _coach(frames: Sequence[Frame], game: Game, table: Table) -> str:
    """Draw what to try next: a page shows it in its person's first game only."""
    own = [frame["event"]["kind"] for frame in frames[1:] if _is_own(frame, table)]
    terms = terms_of(game)
    # Said something, offered a price, then accept or walk; whoever skips a step knows it, and
    # nobody is told to leave who has gone on or may well take what is on the table.
    step = 3 if "offer" in own else 2 if "message" in own or not terms.chat else 1
    is_over = table.ended or own.count("offer") > 1 or (step == 3 and not _loses(game, table))
    # Nobody is told to do what cannot be done yet; a house that thinks is soon through.
    greets = table.seat.is_person and terms.talks_freely
    may = table.is_own_turn or (greets if step == 1 else not table.seat.is_person)
    context = {
        "coach": None if is_over or not may else step,
        "seat": table.seat,
        "end": reverse(f"{table.seat.page}-coached", args=[game.pk]),
    }
    return render_to_string("negotiation/_coach.html", context)


def _is_own(frame: Frame, table: Table) -> bool:
    return bool(frame["event"].get("actor") == table.seat.side)


def _outcome(frames: Sequence[Frame], game: Game, table: Table, audience: str) -> str:
    from negotiation.bargain.web.outcome import outcome_of, told_of

    context: dict[str, object] = {"seat": table.seat, "game": game, "outcome": None}
    context["terms"] = terms = terms_of(game)
    if table.ended is None or audience != table.seat.side:
        return render_to_string("negotiation/_outcome.html", context)
    scenario = stored_scenario(game)
    if not terms.tells_all:
        context["outcome"] = told_of(frames, scenario, table.seat, terms.reveal)
    else:
        share = frames[-1]["event"][f"{table.seat.side}_share"]
        others = others_of(game, share)
        context["outcome"] = outcome_of(
            frames, scenario, table.seat, others, in_room=bool(terms.back)
        )
        context["next"] = next_listing(game)
        context["match"] = match_of(game) if game.is_pair else None
    return render_to_string("negotiation/_outcome.html", context)


WATCHED_SALE = looking_on(SELLING, "watched_sale")
WATCHED_PURCHASE = looking_on(BUYING, "watched_purchase")


def guest_seat(game: Game) -> Seat:
    """Return the words of a game's page for its guests: nobody there is "you"."""
    own = seat_of(game)
    return facing(WATCHED_SALE if own.is_seller else WATCHED_PURCHASE, own.rival, get_language())


def guest_cast(seat: Seat) -> Cast:
    """Name both sides for somebody who looks on."""
    if seat.side == "seller":
        return Cast(say("the_seller"), seat.rival, "seller", is_reader=False)
    return Cast(seat.rival, say("the_buyer"), "buyer", is_reader=False)


def guest_page(game: Game, frames: Sequence[Frame]) -> dict[str, Any]:
    """Gather a shared game's page; of its row only seat, policy, goods and photo are read."""
    seat = guest_seat(game)
    items = (guest_item(game, one, frames) for one in frames if one["event"]["kind"] != "tells")
    return {
        "seat": seat,
        # Whatever speaks for her, it is Sauda who buys.
        "who": "sauda" if seat.is_seller else game.policy,
        "thing": {"title": game.title, "category": game.category, "photo": game.photo},
        "opened": frames[0]["event"],
        "table": table_of(frames, seat),
        "panels": placed(guest_panels(game, frames)),
        # Items come from templates, which have escaped what people wrote.
        "transcript": mark_safe("".join(items)),  # noqa: S308
    }


def guest_item(game: Game, frame: Frame, frames: Sequence[Frame]) -> str:
    """Draw one item of the transcript as a guest reads it."""
    return event_html(frame, frames, game, cast=guest_cast(guest_seat(game)))


def guest_panels(game: Game, frames: Sequence[Frame]) -> dict[str, str]:
    """Draw what stands around the transcript: no button, no limit, no share."""
    table = table_of(frames, guest_seat(game))
    return {
        "sale-standing": standing_html(frames, game, table),
        "sale-chart": SafeString(f'<div id="sale-chart">{price_path(frames)}</div>'),
        "sale-reading": reading_html(frames, table, guest_cast(table.seat)),
        "sale-outcome": render_to_string("negotiation/_watch_end.html", {"table": table}),
    }
