"""What a seller asks for, turned into events: reading words, moving, noticing tells.

Pure: a position and a command in, a position and events out. ``sessions`` stores them.
"""

from typing import Literal

import msgspec

from negotiation.engine.episode import MAX_TEXT, State, apply, say, show_tells
from negotiation.engine.errors import GameOver, IllegalMove, NotYourTurn
from negotiation.engine.events import Ended, Event
from negotiation.engine.moves import Accept, Move, Offer, Walk
from negotiation.engine.quantities import Paise, to_rupees
from negotiation.errors import NoPrice, TwoPrices
from negotiation.money import rupees_text
from negotiation.readers import Intent, SaleContext, reader

MAX_SAID = 3
"""Messages without a price that a seller may send in one round."""


class Say(msgspec.Struct, frozen=True):
    """Free text; a price or an acceptance may stand in it."""

    text: str


Command = Say | Offer | Accept | Walk


class Note(msgspec.Struct, frozen=True):
    """Something the seller should hear although the command was carried out."""

    code: Literal["no-price", "field-wins"]
    detail: str


class Answer(msgspec.Struct, frozen=True):
    """What a command leads to."""

    state: State
    events: tuple[Event, ...]
    note: Note | None = None


def carry_out(state: State, seq: int, command: Command, typing_s: float | None = None) -> Answer:
    """Do what the seller asks for.

    Args:
        state: the position.
        seq: number of the last event in the log.
        command: words or a move.
        typing_s: seconds the seller took to write, None if unknown.

    Raises:
        GameOver, NotYourTurn, IllegalMove: against the rules; nothing changed.
        TwoPrices: the words could mean several prices.
        NoPrice: neither words nor a price.
    """
    _check_turn(state)
    _check_length(command.text)
    context = _context(state, typing_s)
    if not isinstance(command, Say):
        return _move(state, seq, command, context, _which_wins(state, command, context))
    intent = reader().intent(command.text, context)
    match intent.kind:
        case "price":
            assert intent.price is not None
            return _move(state, seq, Offer(intent.price, command.text), context)
        case "accept":
            return _move(state, seq, Accept(command.text), context)
        case "ambiguous":
            raise TwoPrices(intent.question, intent.candidates, context.currency)
        case "none":
            return _talk(state, seq, command.text, context)


def _check_turn(state: State) -> None:
    if state.ended is not None:
        raise GameOver("The game has ended; nobody moves any more.")
    if state.to_move != "seller":
        raise NotYourTurn("It is Sauda's turn; she will answer in a moment.")


def _check_length(text: str) -> None:
    # Before anything reads the words: a reader's time must not depend on a bad sender.
    if len(text) > MAX_TEXT:
        raise IllegalMove(f"A message has at most {MAX_TEXT} characters; yours has {len(text)}.")


def _context(state: State, typing_s: float | None) -> SaleContext:
    return SaleContext(
        asks=state.asks,
        bids=state.bids,
        turns=state.turns,
        condition=state.scenario.item.condition,
        typing_s=typing_s,
        currency=state.scenario.item.currency,
    )


def _move(
    state: State, seq: int, move: Move, context: SaleContext, note: Note | None = None
) -> Answer:
    moved, events = apply(state, "seller", move)
    ask = move.price if isinstance(move, Offer) else None
    if ask is None and not move.text:
        return Answer(moved, events, note)
    reading = reader().tells(move.text, context, ask)
    # The move may have begun the next round; what was noticed belongs to the round of the words.
    _, tells = show_tells(state, "seller", reading.tells, reading.spans, seq + 1)
    shown, _ = show_tells(moved, "seller", reading.tells)
    # The log of a finished game ends with its end: what was noticed stands before it.
    ending = events[1:] if isinstance(events[-1], Ended) else ()
    return Answer(shown, (events[0], *tells, *ending), note)


def _talk(state: State, seq: int, text: str, context: SaleContext) -> Answer:
    if not text:
        raise NoPrice("Say something, or name a price.")
    said = sum(
        turn.actor == "seller" and turn.kind == "message" and turn.round == state.round
        for turn in state.turns
    )
    if said >= MAX_SAID:
        raise IllegalMove(
            f"You have talked {MAX_SAID} times in this round: name a price, accept or walk."
        )
    spoken, events = say(state, "seller", text)
    reading = reader().tells(text, context, None)
    shown, tells = show_tells(spoken, "seller", reading.tells, reading.spans, seq + 1)
    ask = _text(state, state.standing_ask)
    note = Note("no-price", f"Sauda heard you, but there was no price: your ask stays at {ask}.")
    return Answer(shown, (*events, *tells), note)


def _which_wins(state: State, move: Move, context: SaleContext) -> Note | None:
    if not isinstance(move, Offer) or not move.text:
        return None
    named = _named(reader().intent(move.text, context))
    if not named or move.price in named:
        return None
    price = _text(state, move.price)
    others = " and ".join(_text(state, other) for other in named[:2])
    return Note(
        "field-wins", f"Your words say {others}, your price field {price}: the field counts."
    )


def _named(intent: Intent) -> tuple[Paise, ...]:
    if intent.kind == "price" and intent.price is not None:
        return (intent.price,)
    return intent.candidates


def _text(state: State, price: Paise) -> str:
    return rupees_text(to_rupees(price), state.scenario.item.currency)
