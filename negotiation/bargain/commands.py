"""What a person asks for, turned into events: reading words, moving, taking back, noticing tells.

Pure: a position and a command in, a position and events out. ``sessions`` stores them.
"""

import re
from collections.abc import Sequence
from typing import Any, Literal

import msgspec

from bazaarbatna.bargain.episode import MAX_TEXT, State, apply, say, show_tells, withdraw
from bazaarbatna.bargain.errors import GameOver, IllegalMove, NotYourTurn
from bazaarbatna.bargain.events import Ended, Event, OfferMade, OfferWithdrawn, TellsShown
from bazaarbatna.bargain.moves import Accept, Move, Offer, Walk
from bazaarbatna.bargain.quantities import Paise, Side, other, to_rupees
from bazaarbatna.money import rupees_text
from negotiation.bargain.shops import shop_of
from negotiation.errors import NoPrice, TwoPrices
from negotiation.games.wire_errors import named_prices
from negotiation.readers import Intent, SaleContext, reader
from negotiation.sentences import sentences

_say = sentences(__file__)

MOST = 3
"""Prices that a side may take back in one round."""


def last_offer(events: Sequence[Event], side: Side) -> int:
    """Return the number of the own price that nobody has answered yet; 0: there is none (left)."""
    for seq in range(len(events), 0, -1):
        event = events[seq - 1]
        if isinstance(event, TellsShown):
            continue
        if not isinstance(event, OfferMade) or event.actor != side:
            return 0
        return seq if _taken_back(events, side, event.round) < MOST else 0
    return 0


def _taken_back(events: Sequence[Event], side: Side, round_: int) -> int:
    return sum(
        isinstance(event, OfferWithdrawn) and (event.actor, event.round) == (side, round_)
        for event in events
    )


_BARE = re.compile(r"[\d\s,.₹$/=-]*")


def is_bare_price(text: str) -> bool:
    """Whether a line holds a number and nothing that could be misheard.

    >>> is_bare_price(" ₹4,800/- "), is_bare_price("4800 final")
    (True, False)
    """
    return _BARE.fullmatch(text) is not None


def confirmed(text: str, asked: tuple[Paise, ...], currency: str) -> Paise | None:
    """Return the price that a line says yes to; None where it says something else.

    Raises TwoPrices where several were asked about: a bare yes chooses none of them.
    """
    if not asked or reader().besides_yes(text) is None:
        return None
    if len(asked) > 1:
        raise TwoPrices(_say("which_one_choose_a_price"), asked, currency)
    return asked[0]


def context_of(state: State, side: Side, typing_s: float | None = None) -> SaleContext:
    """Return what a reader may know before a side speaks words that took ``typing_s`` seconds."""
    return SaleContext(
        asks=state.asks,
        bids=state.bids,
        turns=state.turns,
        condition=state.scenario.item.condition,
        title=state.scenario.item.title,
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
    """Free text; a price or an acceptance may stand in it.

    ``asked`` are the prices in paise that the person was asked about just before: "haan" takes one,
    and says the line that was asked about, ``meant``.
    """

    text: str
    asked: tuple[Paise, ...] = ()
    meant: str = ""


class Withdraw(msgspec.Struct, frozen=True):
    """Take the own last price back: it was not what the person meant."""

    text: str = ""


Command = Say | Offer | Accept | Walk | Withdraw


class Note(msgspec.Struct, frozen=True):
    """Something the person should hear although the command was carried out."""

    code: Literal["no-price", "field-wins", "taken-back"]
    detail: str
    candidates: tuple[Paise, ...] = ()
    currency: str = ""

    def to_frame(self) -> dict[str, Any]:
        """Show it as an answer on the wire, as a refusal is: prices with their text."""
        told: dict[str, Any] = {"code": self.code, "detail": self.detail}
        if self.candidates:
            told["candidates"] = named_prices(self.candidates, self.currency)
        return told


class Answer(msgspec.Struct, frozen=True):
    """What a command leads to."""

    state: State
    events: tuple[Event, ...]
    note: Note | None = None


def _or_confirmed(command: Say, context: SaleContext) -> Say | Offer:
    price = confirmed(command.text, command.asked, context.currency)
    if price is None:
        return command
    if command.meant:
        words = f"{command.meant} {reader().besides_yes(command.text) or ''}".strip()
    else:
        # A bare "yes" would be heard, and answered, as a yes to the other side's price.
        words = f"{command.text}, {to_rupees(price):g}"
    return Offer(price, words[:MAX_TEXT])


def carry_out(
    state: State,
    seq: int,
    command: Command,
    typing_s: float | None = None,
    side: Side = "seller",
    *,
    rival: str = "",
    chat: bool = True,
    unanswered: int = 0,
    talks_freely: bool = False,
) -> Answer:
    """Do what the person who plays ``side`` asks for after event ``seq``.

    ``rival`` is what a person opposite is called; without ``chat`` only prices count at the table.
    ``unanswered`` is the number of the own price that can still be taken back, 0: none.
    ``talks_freely``: words, but no price, may be said while the other side is to move.

    Raises:
        GameOver, NotYourTurn, IllegalMove: against the rules; nothing changed.
        TwoPrices: the words could mean several prices, or name one that nobody would answer.
        NoPrice: neither words nor a price.
    """
    rival = rival or opponent_name(state, side)
    _check_length(command.text)
    if isinstance(command, Withdraw):
        return _take_back(state, side, rival, unanswered)
    context = context_of(state, side, typing_s)
    if isinstance(command, Say) and state.to_move == other(side):
        if unanswered and _replaces(state, command.text, side):
            return _correct(state, seq, command, typing_s, side, rival, chat, unanswered)
        if talks_freely:
            return _talk_meanwhile(state, seq, command.text, context, rival)
    _check_turn(state, side, rival)
    if isinstance(command, Say):
        command = _or_confirmed(command, context)
    if not chat:
        command = _wordless(state, command, context)
    if not isinstance(command, Say):
        return _move(state, seq, command, context, _which_wins(state, command, context))
    return _hear(state, seq, command, context, rival)


def _hear(state: State, seq: int, command: Say, context: SaleContext, rival: str) -> Answer:
    """Do what words ask for that are said in turn."""
    intent = reader().intent(command.text, context)
    match intent.kind:
        case "price":
            assert intent.price is not None
            _check_not_too_late(state, intent.price, command.text, context, rival)
            _ask_whether_it_may_end(state, intent.price, context)
            _ask_about_leap(state, intent.price, command.text, context)
            return _move(state, seq, Offer(intent.price, command.text), context)
        case "accept":
            return _move(state, seq, Accept(command.text), context)
        case "ambiguous":
            raise TwoPrices(intent.question, intent.candidates, context.currency)
        case "none":
            return _talk(state, seq, command.text, context, rival)


def _replaces(state: State, text: str, side: Side) -> bool:
    return reader().correction(text) is not None or is_bare_price(text)


def _take_back(state: State, side: Side, rival: str, unanswered: int) -> Answer:
    if not unanswered and state.ended is None:
        raise IllegalMove(_say("only_your_last_price_can_be", who=rival, most=MOST))
    back, events = withdraw(state, side, unanswered)
    gone = _text(state, state.asks[-1] if side == "seller" else state.bids[-1])
    own = back.standing_ask if side == "seller" else back.standing_bid
    if own is None:
        told = _say("price_is_taken_back_name_the", price=gone)
    else:
        told = _say("price_is_taken_back_own_stands", price=gone, own=_text(state, own))
    return Answer(back, events, Note("taken-back", told))


def _correct(
    state: State,
    seq: int,
    said: Say,
    typing_s: float | None,
    side: Side,
    rival: str,
    chat: bool,
    unanswered: int,
) -> Answer:
    """Replace the last price by the one of a line such as "no, I said 4,800"."""
    back = _take_back(state, side, rival, unanswered)
    meant = reader().correction(said.text)
    if meant == "":
        return back
    named = state.standing_ask if side == "seller" else state.standing_bid
    context = context_of(back.state, side, typing_s)
    intent = reader().intent(said.text, context)
    if intent.kind != "price":
        bare = reader().intent(meant or said.text, context)
        theirs = state.standing_bid if side == "seller" else state.standing_ask
        if (bare.price and bare.price in (named, theirs)) or bare.candidates == (theirs,):
            return back  # "not 4,000", "I said yes by mistake": what was wrong is gone
        intent = bare if bare.kind == "price" or intent.kind == "none" else intent
    if intent.kind == "ambiguous":
        # What was wrong is gone, whatever was meant instead.
        return msgspec.structs.replace(
            back,
            note=Note("taken-back", intent.question, intent.candidates, context.currency),
        )
    if intent.kind != "price" or intent.price is None or intent.price == named:
        raise _not_your_turn(rival)
    offer = Offer(intent.price, said.text if chat else "")
    made = _move(back.state, seq + 1, offer, context)
    return Answer(made.state, (*back.events, *made.events), made.note)


def _check_not_too_late(
    state: State, price: Paise, text: str, context: SaleContext, rival: str
) -> None:
    """Say why a price cannot be corrected any more, where a line wants to."""
    own = state.standing_ask if context.side == "seller" else state.standing_bid
    if own is None or reader().correction(text) is None:
        return
    if price > own if context.side == "seller" else price < own:
        raise IllegalMove(
            _say("who_has_answered_your_price_already", who=rival, price=_text(state, own))
        )


def _wordless(state: State, command: Say | Move, context: SaleContext) -> Move:
    """Keep the price, the acceptance or the walk, and leave out what was said with it."""
    if not isinstance(command, Say):
        return msgspec.structs.replace(command, text="")
    intent = reader().intent(command.text, context)
    if intent.kind == "price" and intent.price is not None:
        _ask_whether_it_may_end(state, intent.price, context)
        _ask_about_leap(state, intent.price, command.text, context)
        return Offer(intent.price)
    if intent.kind == "accept":
        return Accept()
    if intent.kind == "ambiguous":
        raise TwoPrices(intent.question, intent.candidates, context.currency)
    raise NoPrice(_say("only_prices_count_at_this_table"))


def opponent_name(state: State, side: Side) -> str:
    """Name the opponent in an answer to whoever plays ``side``."""
    if side == "seller":
        return _say("sauda")
    return shop_of(f"seller:{state.scenario.sealed.persona}").keeper


def _check_turn(state: State, side: Side, rival: str) -> None:
    if state.ended is not None:
        raise GameOver(_say("the_game_has_ended_nobody_moves"))
    if state.to_move != side:
        raise _not_your_turn(rival)


def _not_your_turn(rival: str) -> NotYourTurn:
    return NotYourTurn(_say("it_is_who_s_turn_the", who=rival))


def _ask_whether_it_may_end(state: State, price: Paise, context: SaleContext) -> None:
    """Ask back where words would end the game without a deal; the price field is taken at once."""
    bid = state.standing_bid
    is_last = state.round == state.scenario.max_rounds
    if context.side != "seller" or not is_last or bid is None or price <= bid:
        return
    question = _say("the_last_round_nobody_answers_ask")
    named = {"ask": _text(state, price), "bid": _text(state, bid)}
    raise TwoPrices(question % named, (bid, price), context.currency)


NEARLY_ALL, NOT_LITTLE = 0.75, 0.1
"""A step of more than these shares of the way to the other side and of the own price is a leap."""

LONG = 1 / 3
"""So is a first step of more than this share of the own price."""

A_TRIFLE = 0.01
"""No step of less than this share of the own price is a leap, however little was walked before."""


def is_leap(price: int, own: Sequence[int], others: Sequence[int], side: Side) -> bool:
    """Whether a price gives nearly all of the way, or more than both have walked before it.

    ``own`` and ``others``: prices that stood so far, the latest last; a first price is no leap.

    >>> is_leap(150, [1800], [1200], "seller"), is_leap(1600, [1800], [1200], "seller")
    (True, False)
    >>> is_leap(1550, [1800, 1700], [1200], "seller"), is_leap(1785, [1800, 1796], [], "seller")
    (True, False)
    """
    if not own:
        return False
    way = -1 if side == "seller" else 1
    step, walked = way * (price - own[-1]), abs(own[0] - own[-1])
    if walked and others:
        walked += abs(others[0] - others[-1])
    gap = abs(own[-1] - others[-1]) if others else None
    gives_in = gap is not None and step > NEARLY_ALL * gap and step > NOT_LITTLE * own[-1]
    return gives_in or step > max(walked or LONG * own[-1], A_TRIFLE * own[-1])


def is_unsure_leap(price: Paise, text: str, context: SaleContext) -> bool:
    """Whether words move their speaker far by a price that may be misheard: bare ones are meant."""
    own, others = context.asks, context.bids
    if context.side == "buyer":
        own, others = others, own
    if not is_leap(price, own, others, context.side):
        return False
    return not (is_bare_price(text) or reader().is_plain(text, price, context))


def _ask_about_leap(state: State, price: Paise, text: str, context: SaleContext) -> None:
    if is_unsure_leap(price, text, context):
        raise TwoPrices(
            _say("is_price_your_price_then_write", price=_text(state, price)),
            (price,),
            context.currency,
        )


def _check_length(text: str) -> None:
    # Before anything reads the words: a reader's time must not depend on a bad sender.
    if len(text) > MAX_TEXT:
        raise IllegalMove(_say("a_message_has_at_most_most", most=MAX_TEXT, count=len(text)))


def _check_bid(state: State, move: Move, context: SaleContext) -> None:
    last = state.standing_bid
    if context.side != "buyer" or not isinstance(move, Offer) or last is None:
        return
    # The rules of the game allow it, but whoever takes a word back bargains in bad faith.
    if move.price < last:
        raise IllegalMove(_say("a_bid_never_goes_down_yours", price=_text(state, last)))


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
        raise NoPrice(_say("say_something_or_name_a_price"))
    said = sum(
        turn.actor == side and turn.kind == "message" and turn.round == state.round
        for turn in state.turns
    )
    if said >= MAX_SAID:
        raise IllegalMove(_say("you_have_talked_count_times_in", count=MAX_SAID))
    spoken, events = say(state, side, text)
    if side == "seller":
        spoken, events = notice_words(spoken, events, seq, text, context)
    return Answer(spoken, events, _no_price(state, side, rival))


def _talk_meanwhile(state: State, seq: int, text: str, context: SaleContext, rival: str) -> Answer:
    # A price would be no bid yet, and who hears it may take it for one.
    if reader().intent(text, context).kind != "none":
        raise NotYourTurn(_say("a_price_waits_for_your_turn", who=rival))
    return msgspec.structs.replace(_talk(state, seq, text, context, rival), note=None)


def _no_price(state: State, side: Side, rival: str) -> Note:
    own = state.standing_ask if side == "seller" else state.standing_bid
    if not own:
        words = _say("who_heard_you_but_there_was")
    elif side == "seller":
        words = _say("who_heard_you_but_there_was_2")
    else:
        words = _say("who_heard_you_but_there_was_3")
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
    said = _say("one_and_other", one=first, other=others[0]) if others else first
    return Note("field-wins", _say("your_words_say_said_your_price", said=said, price=price))


def _named(intent: Intent) -> tuple[Paise, ...]:
    if intent.kind == "price" and intent.price is not None:
        return (intent.price,)
    return intent.candidates


def _text(state: State, price: Paise) -> str:
    return rupees_text(to_rupees(price), state.scenario.item.currency)
