"""What a seller's turn lets the buyer notice, put where it belongs in the log."""

from negotiation.engine.episode import State, show_tells
from negotiation.engine.events import Ended, Event
from negotiation.engine.moves import Move, Offer
from negotiation.engine.quantities import Side
from negotiation.readers import SaleContext, reader


def context_of(state: State, side: Side, typing_s: float | None = None) -> SaleContext:
    """Return what a reader may know of a position.

    Args:
        state: the position before the words.
        side: who speaks.
        typing_s: seconds spent on writing, None if unknown.
    """
    return SaleContext(
        asks=state.asks,
        bids=state.bids,
        turns=state.turns,
        condition=state.scenario.item.condition,
        typing_s=typing_s,
        currency=state.scenario.item.currency,
        side=side,
    )


def notice_move(
    before: State,
    after: State,
    events: tuple[Event, ...],
    seq: int,
    move: Move,
    context: SaleContext,
) -> tuple[State, tuple[Event, ...]]:
    """Add what a seller's move lets the buyer notice.

    Args:
        before: the position before the move.
        after: the position it led to.
        events: what the move caused, in order.
        seq: number of the last event before the move.
        move: the move.
        context: what the reader may know.

    Returns:
        The position and the events with the tells among them.
    """
    ask = move.price if isinstance(move, Offer) else None
    if ask is None and not move.text:
        return after, events
    reading = reader().tells(move.text, context, ask)
    # The move may have begun the next round; what was noticed belongs to the round of the words.
    _, tells = show_tells(before, "seller", reading.tells, reading.spans, seq + 1)
    shown, _ = show_tells(after, "seller", reading.tells)
    # The log of a finished game ends with its end: what was noticed stands before it.
    ending = events[1:] if isinstance(events[-1], Ended) else ()
    return shown, (events[0], *tells, *ending)


def notice_words(
    spoken: State, events: tuple[Event, ...], seq: int, text: str, context: SaleContext
) -> tuple[State, tuple[Event, ...]]:
    """Add what a seller's mere words let the buyer notice; see ``notice_move``."""
    reading = reader().tells(text, context, None)
    shown, tells = show_tells(spoken, "seller", reading.tells, reading.spans, seq + 1)
    return shown, (*events, *tells)
