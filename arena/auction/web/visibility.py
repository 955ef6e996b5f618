"""Who may see which event of a match, and in what shape: the only way from its log to a screen.

The table at the end has one row per kind of event and one column per audience. Sealed values leave
through one door, the ``ended`` event, which exists only when the match is over. While a person
plays, the rivals' envelopes stay shut for every live viewer: a spectator could tell.
"""

from collections.abc import Callable, Sequence
from typing import Any, Literal

import msgspec

from arena.auction.web.records import actor, event_from
from arena.auction.web.what_if import remarks_of
from bazaarbatna.auction.events import (
    AskLowered,
    AttentionTurned,
    Bid,
    Bidding,
    Ended,
    Opened,
    Placed,
    RoundRevealed,
    Sold,
    TellsShown,
    action_of,
)
from bazaarbatna.auction.observe import claimed
from bazaarbatna.auction.scenario import ArenaScenario
from bazaarbatna.bargain.quantities import Paise, to_rupees
from bazaarbatna.bargain.sealed import committed_text
from negotiation.games.event_log import log_rows, promise_of, served_by, stored_scenario
from negotiation.models import EventRow, Game

Audience = Literal["open", "sealed", "seat", "replay"]
"""``open``: a spectator of a match without people; ``sealed``: of one with people; ``seat``: a
person at the table; ``replay``: anybody, once the match is over."""

AUDIENCES: tuple[Audience, ...] = ("open", "sealed", "seat", "replay")

Frame = dict[str, Any]


class Viewer(msgspec.Struct, frozen=True):
    """Somebody who looks at a match; ``seat`` is the number of the own chair (audience "seat")."""

    audience: Audience
    seat: int | None = None


class Glass(msgspec.Struct, frozen=True):
    """What an event is looked at through."""

    scenario: ArenaScenario
    game_id: str
    viewer: Viewer


Shape = Callable[[Any, EventRow, Glass], Frame]


def viewer_of(game: Game, scenario: ArenaScenario, seat: int | None) -> Viewer:
    """Return as what somebody may look at a match now, by its row as read before the events are."""
    if game.status == Game.Status.ENDED:
        return Viewer("replay", seat)
    if seat is not None:
        return Viewer("seat", seat)
    return Viewer("sealed" if scenario.is_sealed_to_viewers else "open")


def frames(game: Game, viewer: Viewer, after: int = 0) -> list[Frame]:
    """Return the log after a sequence number as wire frames, prices in rupees."""
    if viewer.audience == "replay" and game.status != Game.Status.ENDED:
        return []
    rows = log_rows(game.pk, after)
    return _shown(rows, stored_scenario(game.pk, ArenaScenario), viewer) if rows else []


def _shown(rows: Sequence[EventRow], scenario: ArenaScenario, viewer: Viewer) -> list[Frame]:
    made = []
    for row in rows:
        shape = VISIBLE[row.kind][viewer.audience]
        event = shape(event_from(row.payload), row, Glass(scenario, row.game_id, viewer))
        made.append({"type": "event", "seq": row.seq, "event": {"kind": row.kind, **event}})
    return made


def _opened(event: Opened, row: EventRow, glass: Glass) -> Frame:
    viewer = glass.viewer
    over = viewer.audience == "replay"
    budget = glass.scenario.sealed.budgets[viewer.seat] if viewer.seat is not None else None
    return {
        "actor": "seller",
        "price": to_rupees(event.price),
        "item": msgspec.to_builtins(event.item),
        "max_rounds": event.max_rounds,
        "suite": event.suite,
        # The label names the persona.
        "seller": event.seller if over or event.persona else None,
        "persona": event.persona,
        "commitment": event.commitment,
        "sealed": glass.scenario.is_sealed_to_viewers,
        "buyers": [
            {
                "actor": actor(index),
                "name": seat.name,
                "policy": seat.policy,
                "version": seat.version,
                "person": seat.person,
                **({"you": True} if index == viewer.seat else {}),
            }
            for index, seat in enumerate(event.seats)
        ],
        **({} if budget is None else {"budget": to_rupees(budget)}),
    }


def _closed(event: Placed, row: EventRow, glass: Glass) -> Frame:
    return {"actor": actor(event.buyer), "round": event.round}


def _served(event: Placed, row: EventRow, glass: Glass) -> Frame:
    return {**_closed(event, row, glass), **served_by(row)}


def _envelope(event: Placed, row: EventRow, glass: Glass) -> Frame:
    move = event.move
    return {
        **_served(event, row, glass),
        "action": action_of(move),
        "price": _rupees(move.price if isinstance(move, Bid) else None),
        "text": move.text,
        "signal": move.signal,
    }


def _own_envelope(event: Placed, row: EventRow, glass: Glass) -> Frame:
    is_own = event.buyer == glass.viewer.seat
    return (_envelope if is_own else _closed)(event, row, glass)


def _round(event: RoundRevealed, row: EventRow, glass: Glass) -> Frame:
    return {
        "round": event.round,
        "best": None if event.best is None else actor(event.best),
        "bids": [_bid(bid) for bid in event.bids],
    }


def _sealed_round(event: RoundRevealed, row: EventRow, glass: Glass) -> Frame:
    own = glass.viewer.seat
    return {
        "round": event.round,
        "best": None,
        "bids": [_bid(bid) if bid.buyer == own else _shut(bid, glass) for bid in event.bids],
    }


def _seat_round(event: RoundRevealed, row: EventRow, glass: Glass) -> Frame:
    outbid = event.best is not None and event.best != glass.viewer.seat
    return {**_sealed_round(event, row, glass), "outbid": outbid}


def _bid(bid: Bidding) -> Frame:
    return {
        "actor": actor(bid.buyer),
        "action": bid.action,
        "price": _rupees(bid.price),
        "signal": bid.signal,
        "text": bid.text,
    }


def _shut(bid: Bidding, glass: Glass) -> Frame:
    # Whether a rival bid, took the ask or held would already tell something about its limits.
    stays = "walk" if bid.action == "walk" else "in"
    # A person's words were said to the table; a model's own may tell what it did.
    said = {"text": bid.text} if bid.text and glass.scenario.seats[bid.buyer].person else {}
    return {"actor": actor(bid.buyer), "action": stays, "signal": claimed(bid.signal), **said}


def _attention(event: AttentionTurned, row: EventRow, glass: Glass) -> Frame:
    shares = {actor(seat): share for seat, share in enumerate(event.shares)}
    return {"round": event.round, "shares": shares}


def _turned_away(event: AttentionTurned, row: EventRow, glass: Glass) -> Frame:
    # The shares are the fourth powers of the bids: they would tell them all.
    return {"round": event.round, "shares": None}


def _tells(event: TellsShown, row: EventRow, glass: Glass) -> Frame:
    signals = msgspec.to_builtins(event.tells)
    return {"actor": "seller", "round": event.round, "signals": signals}


def _ask(event: AskLowered, row: EventRow, glass: Glass) -> Frame:
    price = to_rupees(event.price)
    return {"actor": "seller", "round": event.round, "price": price, "text": event.text}


def _sold(event: Sold, row: EventRow, glass: Glass) -> Frame:
    return {
        "actor": "seller",
        "buyer": actor(event.buyer),
        "round": event.round,
        "price": to_rupees(event.price),
        "capitulated": event.capitulated,
        "text": event.text,
    }


def _ended(event: Ended, row: EventRow, glass: Glass) -> Frame:
    sealed = event.opened
    return {
        "outcome": event.outcome,
        "round": event.round,
        "winner": None if event.winner is None else actor(event.winner),
        "price": _rupees(event.price),
        "shares": {actor(seat): share for seat, share in enumerate(event.shares)},
        "seller_share": event.seller_share,
        "opened": {
            "reservation": to_rupees(sealed.reservation),
            "cost": to_rupees(sealed.cost),
            "persona": sealed.persona,
            "seed": sealed.seed,
            "budgets": {actor(seat): to_rupees(own) for seat, own in enumerate(sealed.budgets)},
        },
        "salt": event.salt,
        "commitment": promise_of(glass.game_id),
        "committed_text": committed_text(sealed, event.salt),
        "remarks": remarks_of(glass.game_id, row.seq),
        "replay": f"/replays/{glass.game_id}/",
    }


def _rupees(price: Paise | None) -> float | None:
    return None if price is None else to_rupees(price)


VISIBLE: dict[str, dict[Audience, Shape]] = {
    "opened": {"open": _opened, "sealed": _opened, "seat": _opened, "replay": _opened},
    "placed": {"open": _served, "sealed": _closed, "seat": _own_envelope, "replay": _envelope},
    "round": {"open": _round, "sealed": _sealed_round, "seat": _seat_round, "replay": _round},
    "attention": {
        "open": _attention,
        "sealed": _turned_away,
        "seat": _turned_away,
        "replay": _attention,
    },
    "tells": {"open": _tells, "sealed": _tells, "seat": _tells, "replay": _tells},
    "offer": {"open": _ask, "sealed": _ask, "seat": _ask, "replay": _ask},
    "accept": {"open": _sold, "sealed": _sold, "seat": _sold, "replay": _sold},
    "ended": {"open": _ended, "sealed": _ended, "seat": _ended, "replay": _ended},
}
