"""Who may see which event, and in what shape: the only way from the log to a screen.

The table below has one row per kind of event and one column per audience. A game's sealed values
leave through one door, the ``ended`` event, which exists only when the game is over; ``_as_agreed``
is where a table that tells less keeps them back.
"""

from collections.abc import Callable
from typing import Any, Literal

import msgspec

from bazaarbatna.bargain.events import (
    Ended,
    MessageSent,
    OfferAccepted,
    OfferMade,
    OfferWithdrawn,
    Opened,
    TellsShown,
    WalkedAway,
)
from bazaarbatna.bargain.quantities import to_rupees
from bazaarbatna.bargain.sealed import committed_text
from negotiation.bargain.terms import USUAL, Terms, terms_of
from negotiation.games.event_log import from_payload, log_rows, promise_of, served_by
from negotiation.models import EventRow, Game
from negotiation.plans import frame_of

Audience = Literal["seller", "buyer", "replay", "guest"]
"""``seller`` and ``buyer``: the owner in that seat, live and after. ``replay``: whoever may open
the finished game. ``guest``: whoever was given the link to look on; a guest never sees a sealed
value, and no share either, since a price and a share give a limit away."""

Frame = dict[str, Any]
Shape = Callable[[Any, EventRow, Game], Frame]


def frame(row: EventRow, game: Game, audience: Audience) -> Frame | None:
    """Show one event to an audience, prices in rupees; None where it sees nothing."""
    terms = terms_of(game) if audience in ("seller", "buyer") else USUAL
    shape = VISIBLE[row.kind][audience]
    if audience == "replay" and game.status != Game.Status.ENDED:
        return None
    if row.kind == "tells" and not terms.tells:
        return None
    event = _as_agreed(shape(from_payload(row.payload), row, game), terms)
    return {"type": "event", "seq": row.seq, "event": {"kind": row.kind, **event}}


NAMES_WHO = frozenset(
    ("backend", "policy_version", "latency_ms", "plan", "persona", "seller", "suite", "certificate")
)
"""What an event tells of who sits opposite."""


TOLD = ("outcome", "by", "round", "price")
"""What the end tells at any table."""


def _as_agreed(event: Frame, terms: Terms) -> Frame:
    """Leave out what those at a table are not told: who sits opposite, what was sealed."""
    if "opened" in event and not terms.tells_all:
        return {name: event[name] for name in TOLD}
    if terms.persona_told:
        return event
    shown = {name: value for name, value in event.items() if name not in NAMES_WHO}
    if "opened" in shown:
        # The sealed text names the persona, too; whoever runs the table has it in the replay.
        shown |= {"opened": {**shown["opened"], "persona": ""}, "committed_text": "", "salt": ""}
    return shown


def frames(game: Game, audience: Audience, after: int = 0) -> list[Frame]:
    """Show the log after a sequence number to an audience.

    A price that was taken back is no price any more: its event is shown as mere words, as soon as
    the one that takes it back stands in what is shown.
    """
    rows = log_rows(game.pk, after)
    shown = (frame(row, game, audience) for row in rows)
    log = [one for one in shown if one is not None]
    events = (from_payload(row.payload) for row in rows if row.kind == "withdrawn")
    gone = {event.of_seq for event in events if isinstance(event, OfferWithdrawn)}
    return [_as_words(one, audience) if one["seq"] in gone else one for one in log]


def _as_words(shown: Frame, audience: Audience) -> Frame:
    event = dict(shown["event"])
    price = event.pop("price")
    told = {} if audience == "replay" else {"taken_back": price}
    return {**shown, "event": {**event, **told, "kind": "message"}}


def _opened(event: Opened, row: EventRow, game: Game) -> Frame:
    return {
        "actor": "seller",
        "price": to_rupees(event.price),
        "item": msgspec.to_builtins(event.item),
        "max_rounds": event.max_rounds,
        "suite": event.suite,
        "seller": event.seller,
        "persona": event.persona,
        "commitment": event.commitment,
    }


def _opened_for_guest(event: Opened, row: EventRow, game: Game) -> Frame:
    shown = _opened(event, row, game)
    return {name: shown[name] for name in ("actor", "price", "item", "max_rounds")}


def _priced(event: OfferMade | OfferAccepted, row: EventRow, game: Game) -> Frame:
    return {
        "actor": event.actor,
        "round": event.round,
        "price": to_rupees(event.price),
        "text": event.text,
        **served_by(row),
        **frame_of(row.plan),
    }


def _withdrawn(event: OfferWithdrawn, row: EventRow, game: Game) -> Frame:
    price = to_rupees(event.price)
    return {"actor": event.actor, "round": event.round, "price": price, "of_seq": event.of_seq}


def _silence(event: OfferWithdrawn, row: EventRow, game: Game) -> Frame:
    """Show that nothing was said: in a replay nobody has ever named that price."""
    return {"kind": "message", "actor": event.actor, "round": event.round, "text": ""}


def _spoken(event: WalkedAway | MessageSent, row: EventRow, game: Game) -> Frame:
    told = {"actor": event.actor, "round": event.round, "text": event.text}
    return {**told, **served_by(row), **frame_of(row.plan)}


def _for_guest(shape: Shape) -> Shape:
    """Leave out why a thing was said: a guest looks on and is not answered."""

    def shown(event: Any, row: EventRow, game: Game) -> Frame:
        return {name: value for name, value in shape(event, row, game).items() if name != "plan"}

    return shown


def _tells(event: TellsShown, row: EventRow, game: Game) -> Frame:
    return {
        "actor": event.actor,
        "round": event.round,
        "of_seq": event.of_seq,
        "signals": msgspec.to_builtins(event.tells),
        "spans": [msgspec.to_builtins(span) for span in event.spans],
    }


def _ended(event: Ended, row: EventRow, game: Game) -> Frame:
    shown = {**ending(event, promise_of(game.pk)), "replay": f"/replays/{game.pk}/"}
    return {**shown, "certificate": game.certificate} if game.certificate else shown


def _ended_for_guest(event: Ended, row: EventRow, game: Game) -> Frame:
    shown = _outcome(event)
    return {**shown, "replay": f"/replays/{game.pk}/"} if game.share_replay else shown


def _outcome(event: Ended) -> Frame:
    return {
        "outcome": event.outcome,
        "by": event.by,
        "round": event.round,
        "price": None if event.price is None else to_rupees(event.price),
    }


def ending(event: Ended, promise: str) -> Frame:
    """Show the end of a game, its sealed values opened; ``promise`` is what was shown before it."""
    sealed = event.opened
    return {
        **_outcome(event),
        "buyer_share": event.buyer_share,
        "seller_share": event.seller_share,
        "opened": {
            "reservation": to_rupees(sealed.reservation),
            "cost": to_rupees(sealed.cost),
            "budget": to_rupees(sealed.budget),
            "persona": sealed.persona,
            "deadline": sealed.deadline,
            "seed": sealed.seed,
        },
        "salt": event.salt,
        "commitment": promise,
        "committed_text": committed_text(sealed, event.salt),
    }


def _row(
    shape: Shape, *, replay: Shape | None = None, guest: Shape | None = None
) -> dict[Audience, Shape]:
    return {"seller": shape, "buyer": shape, "replay": replay or shape, "guest": guest or shape}


VISIBLE: dict[str, dict[Audience, Shape]] = {
    "opened": _row(_opened, guest=_opened_for_guest),
    "offer": _row(_priced, guest=_for_guest(_priced)),
    "withdrawn": _row(_withdrawn, replay=_silence),
    "accept": _row(_priced, guest=_for_guest(_priced)),
    "walk": _row(_spoken, guest=_for_guest(_spoken)),
    "message": _row(_spoken, guest=_for_guest(_spoken)),
    "tells": _row(_tells),
    "ended": _row(_ended, guest=_ended_for_guest),
}
"""Kind of event -> audience -> shape."""
