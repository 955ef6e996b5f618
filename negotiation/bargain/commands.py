"""What a person asks for, turned into events: reading words, moving, noticing tells.

Pure: a position and a command in, a position and events out. ``sessions`` stores them.
"""

from typing import Literal

import msgspec
from django.utils.translation import gettext

from negotiation.bargain.shops import shop_of
from negotiation.engine.episode import MAX_TEXT, State, apply, say, show_tells
from negotiation.engine.errors import GameOver, IllegalMove, NotYourTurn
from negotiation.engine.events import Ended, Event
from negotiation.engine.moves import Accept, Move, Offer, Walk
from negotiation.engine.quantities import Paise, Side, to_rupees
from negotiation.errors import NoPrice, TwoPrices
from negotiation.money import rupees_text
from negotiation.readers import Intent, SaleContext, reader


def context_of(state: State, side: Side, typing_s: float | None = None) -> SaleContext:
    """Return what a reader may know before a side speaks words that took ``typing_s`` seconds."""
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
    """Add what a seller's move, made after event ``seq``, lets the buyer notice."""
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


MAX_SAID = 8
"""Messages without a price that a person may send in one round: talk is welcome, not endless."""


class Say(msgspec.Struct, frozen=True):
    """Free text; a price or an acceptance may stand in it."""

    text: str


Command = Say | Offer | Accept | Walk


class Note(msgspec.Struct, frozen=True):
    """Something the person should hear although the command was carried out."""

    code: Literal["no-price", "field-wins"]
    detail: str


class Answer(msgspec.Struct, frozen=True):
    """What a command leads to."""

    state: State
    events: tuple[Event, ...]
    note: Note | None = None


def carry_out(
    state: State,
    seq: int,
    command: Command,
    typing_s: float | None = None,
    side: Side = "seller",
    *,
    rival: str = "",
    chat: bool = True,
) -> Answer:
    """Do what the person who plays ``side`` asks for after event ``seq``.

    ``rival`` is what a person opposite is called; without ``chat`` only prices count at the table.

    Raises:
        GameOver, NotYourTurn, IllegalMove: against the rules; nothing changed.
        TwoPrices: the words could mean several prices, or name one that nobody would answer.
        NoPrice: neither words nor a price.
    """
    _check_turn(state, side, rival or opponent_name(state, side))
    _check_length(command.text)
    context = context_of(state, side, typing_s)
    if not chat:
        command = _wordless(state, command, context)
    if not isinstance(command, Say):
        return _move(state, seq, command, context, _which_wins(state, command, context))
    intent = reader().intent(command.text, context)
    match intent.kind:
        case "price":
            assert intent.price is not None
            _ask_whether_it_may_end(state, intent.price, context)
            return _move(state, seq, Offer(intent.price, command.text), context)
        case "accept":
            return _move(state, seq, Accept(command.text), context)
        case "ambiguous":
            raise TwoPrices(intent.question, intent.candidates, context.currency)
        case "none":
            return _talk(state, seq, command.text, context, rival or opponent_name(state, side))


def _wordless(state: State, command: Command, context: SaleContext) -> Command:
    """Keep the price, the acceptance or the walk, and leave out what was said with it."""
    if not isinstance(command, Say):
        return msgspec.structs.replace(command, text="")
    intent = reader().intent(command.text, context)
    if intent.kind == "price" and intent.price is not None:
        _ask_whether_it_may_end(state, intent.price, context)
        return Offer(intent.price)
    if intent.kind == "accept":
        return Accept()
    if intent.kind == "ambiguous":
        raise TwoPrices(intent.question, intent.candidates, context.currency)
    raise NoPrice(gettext("Only prices count at this table: name one, accept or walk."))


def opponent_name(state: State, side: Side) -> str:
    """Name the opponent in an answer to whoever plays ``side``."""
    if side == "seller":
        return gettext("Sauda")
    return shop_of(f"seller:{state.scenario.sealed.persona}").keeper


def _check_turn(state: State, side: Side, rival: str) -> None:
    if state.ended is not None:
        raise GameOver(gettext("The game has ended; nobody moves any more."))
    if state.to_move != side:
        raise NotYourTurn(
            gettext("It is %(who)s's turn; the answer comes in a moment.") % {"who": rival}
        )


def _ask_whether_it_may_end(state: State, price: Paise, context: SaleContext) -> None:
    """Ask back where words would end the game without a deal; the price field is taken at once."""
    bid = state.standing_bid
    is_last = state.round == state.scenario.max_rounds
    if context.side != "seller" or not is_last or bid is None or price <= bid:
        return
    question = gettext("The last round: nobody answers %(ask)s. Take %(bid)s, or end it like this?")
    named = {"ask": _text(state, price), "bid": _text(state, bid)}
    raise TwoPrices(question % named, (bid, price), context.currency)


def _check_length(text: str) -> None:
    # Before anything reads the words: a reader's time must not depend on a bad sender.
    if len(text) > MAX_TEXT:
        raise IllegalMove(
            gettext("A message has at most %(most)d characters; yours has %(count)d.")
            % {"most": MAX_TEXT, "count": len(text)}
        )


def _check_bid(state: State, move: Move, context: SaleContext) -> None:
    last = state.standing_bid
    if context.side != "buyer" or not isinstance(move, Offer) or last is None:
        return
    # The rules of the game allow it, but whoever takes a word back bargains in bad faith.
    if move.price < last:
        raise IllegalMove(
            gettext("A bid never goes down: yours stands at %(price)s.")
            % {"price": _text(state, last)}
        )


def _move(
    state: State, seq: int, move: Move, context: SaleContext, note: Note | None = None
) -> Answer:
    _check_bid(state, move, context)
    moved, events = apply(state, context.side, move)
    if context.side == "seller":
        moved, events = notice_move(state, moved, events, seq, move, context)
    return Answer(moved, events, note)


def _talk(state: State, seq: int, text: str, context: SaleContext, rival: str) -> Answer:
    side = context.side
    if not text:
        raise NoPrice(gettext("Say something, or name a price."))
    said = sum(
        turn.actor == side and turn.kind == "message" and turn.round == state.round
        for turn in state.turns
    )
    if said >= MAX_SAID:
        raise IllegalMove(
            gettext("You have talked %(count)d times in this round: name a price, accept or walk.")
            % {"count": MAX_SAID}
        )
    spoken, events = say(state, side, text)
    if side == "seller":
        spoken, events = notice_words(spoken, events, seq, text, context)
    return Answer(spoken, events, _no_price(state, side, rival))


def _no_price(state: State, side: Side, rival: str) -> Note:
    own = state.standing_ask if side == "seller" else state.standing_bid
    if not own:
        words = gettext("%(who)s heard you, but there was no price: name one to make a bid.")
    elif side == "seller":
        words = gettext("%(who)s heard you, but there was no price: your ask stays at %(price)s.")
    else:
        words = gettext("%(who)s heard you, but there was no price: your bid stays at %(price)s.")
    price = _text(state, own) if own else ""
    return Note("no-price", words % {"who": rival, "price": price})


def _which_wins(state: State, move: Move, context: SaleContext) -> Note | None:
    if not isinstance(move, Offer) or not move.text:
        return None
    named = _named(reader().intent(move.text, context))
    if not named or move.price in named:
        return None
    price = _text(state, move.price)
    first, *others = (_text(state, other) for other in named[:2])
    said = (
        gettext("%(one)s and %(other)s") % {"one": first, "other": others[0]} if others else first
    )
    words = gettext("Your words say %(said)s, your price field %(price)s: the field counts.")
    return Note("field-wins", words % {"said": said, "price": price})


def _named(intent: Intent) -> tuple[Paise, ...]:
    if intent.kind == "price" and intent.price is not None:
        return (intent.price,)
    return intent.candidates


def _text(state: State, price: Paise) -> str:
    return rupees_text(to_rupees(price), state.scenario.item.currency)
