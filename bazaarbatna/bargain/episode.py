"""The state machine of one bargaining game.

The seller's opening ask stands when the game starts. Each round the buyer moves, then the seller
answers. ``apply`` is the checked door for people and agents, ``advance`` the fast one for rollouts.
"""

import msgspec

from bazaarbatna.bargain.errors import BrokenLog, GameOver, IllegalMove, NotYourTurn
from bazaarbatna.bargain.events import (
    Ended,
    Event,
    MessageSent,
    OfferAccepted,
    OfferMade,
    OfferWithdrawn,
    Opened,
    TellsShown,
    Termination,
    WalkedAway,
)
from bazaarbatna.bargain.moves import Accept, Move, MoveKind, Offer, Walk
from bazaarbatna.bargain.quantities import MAX_PRICE, MIN_PRICE, Paise, Side, other
from bazaarbatna.bargain.scenario import Scenario, check_scenario
from bazaarbatna.bargain.sealed import commitment
from bazaarbatna.bargain.tells import Tells, TellSpan

MAX_TEXT = 2000
"""Longest message in characters that a move may carry."""


class Turn(msgspec.Struct, frozen=True, gc=False):
    """One move as both sides remember it; ``price`` in paise is None for a walk or mere words."""

    actor: Side
    round: int
    kind: str
    price: Paise | None
    text: str


class State(msgspec.Struct, frozen=True, gc=False):
    """A position. ``asks`` starts with the anchor; ``to_move`` is None after the end."""

    scenario: Scenario
    round: int
    to_move: Side | None
    asks: tuple[Paise, ...]
    bids: tuple[Paise, ...]
    turns: tuple[Turn, ...]
    tells: Tells | None
    ended: Ended | None

    @property
    def standing_ask(self) -> Paise:
        """The seller's price that the buyer may take now."""
        return self.asks[-1]

    @property
    def standing_bid(self) -> Paise | None:
        """The buyer's price that the seller may take now, if any."""
        return self.bids[-1] if self.bids else None


def start(scenario: Scenario) -> tuple[State, tuple[Event, ...]]:
    """Open a game: the anchor stands and the buyer is to move; raises ``InvalidPrice``."""
    check_scenario(scenario)
    sealed = scenario.sealed
    opened = Opened(
        suite=scenario.suite,
        item=scenario.item,
        max_rounds=scenario.max_rounds,
        price=scenario.anchor,
        seller=scenario.seller,
        commitment=commitment(sealed, scenario.salt),
        persona=sealed.persona if scenario.persona_visible else None,
    )
    state = State(scenario, 1, "buyer", (scenario.anchor,), (), (), None, None)
    return state, (opened,)


def legal_moves(state: State, side: Side) -> tuple[MoveKind, ...]:
    """Name the kinds of move that ``side`` may make now; empty when it is not its turn."""
    if state.to_move != side:
        return ()
    if side == "buyer":
        may_accept = state.standing_ask <= state.scenario.sealed.budget
    else:
        bid = state.standing_bid
        may_accept = bid is not None and bid >= state.scenario.sealed.reservation
    return ("offer", "accept", "walk") if may_accept else ("offer", "walk")


def highest_ask(state: State) -> Paise:
    """Return the highest price in paise the seller may name now."""
    return Paise(int(state.standing_ask * (1 + state.scenario.rules.bluff_raise)))


def apply(state: State, side: Side, move: Move) -> tuple[State, tuple[Event, ...]]:
    """Make a move after checking it against every rule.

    Raises:
        GameOver, NotYourTurn, IllegalMove: the message never holds the other side's secrets.
    """
    _check_turn(state, side)
    if not isinstance(move, Offer | Accept | Walk):
        raise IllegalMove("A move is an offer, an acceptance or a walk.")
    _check_text(move.text)
    if isinstance(move, Offer):
        _check_price(state, side, move.price)
    elif isinstance(move, Accept) and "accept" not in legal_moves(state, side):
        raise IllegalMove(_why_no_accept(state, side))
    return advance(state, move)


def advance(state: State, move: Move) -> tuple[State, tuple[Event, ...]]:
    """Make a move of the side whose turn it is, unchecked: only for moves known to be legal."""
    side = state.to_move
    assert side is not None
    # Not a match statement: class patterns cost three times as much as isinstance here.
    if isinstance(move, Offer):
        if _crosses(state, side, move.price):
            return _close(state, side, move.text)
        return _offer(state, side, move.price, move.text)
    if isinstance(move, Accept):
        return _close(state, side, move.text)
    walked = WalkedAway(side, state.round, move.text)
    turn = Turn(side, state.round, "walk", None, move.text)
    return _end(state, turn, walked, "walk", side, None)


def say(state: State, side: Side, text: str) -> tuple[State, tuple[Event, ...]]:
    """Speak without moving; words need no turn. Raises ``GameOver``, ``IllegalMove`` (too long)."""
    if state.ended is not None:
        raise GameOver("The game has ended; nobody moves any more.")
    _check_text(text)
    turn = Turn(side, state.round, "message", None, text)
    spoken = msgspec.structs.replace(state, turns=(*state.turns, turn))
    return spoken, (MessageSent(side, state.round, text),)


def withdraw(state: State, side: Side, of_seq: int) -> tuple[State, tuple[Event, ...]]:
    """Take the price of event ``of_seq`` back: what stood before stands, and ``side`` is to move.

    Only the last price, and only before the other side has said or done anything: whoever was
    answered has learned something by it. Its words stay as mere words.

    Raises:
        GameOver, IllegalMove: the other side was faster, or there is no such price.
    """
    if state.ended is not None:
        raise GameOver("The game has ended; nobody moves any more.")
    last = state.turns[-1] if state.turns else None
    if last is None or last.price is None or (last.actor, last.kind) != (side, "offer"):
        raise IllegalMove("Only the last price can be taken back, and only before it is answered.")
    # Two turns, as in a log that is settled: it leads to the same position.
    words, silence = (Turn(side, last.round, "message", None, text) for text in (last.text, ""))
    turns = (*state.turns[:-1], words, silence)
    asks = state.asks[:-1] if side == "seller" else state.asks
    bids = state.bids[:-1] if side == "buyer" else state.bids
    back = State(state.scenario, last.round, side, asks, bids, turns, state.tells, None)
    return back, (OfferWithdrawn(side, last.round, last.price, of_seq),)


def show_tells(
    state: State,
    side: Side,
    tells: Tells,
    spans: tuple[TellSpan, ...] = (),
    of_seq: int = 0,
) -> tuple[State, tuple[Event, ...]]:
    """Record what ``side`` let the other notice; changes no price and no turn."""
    event = TellsShown(side, state.round, tells, spans, of_seq)
    if side == "buyer":
        return state, (event,)
    shown = State(
        state.scenario,
        state.round,
        state.to_move,
        state.asks,
        state.bids,
        state.turns,
        tells,
        state.ended,
    )
    return shown, (event,)


def fold(scenario: Scenario, events: tuple[Event, ...] | list[Event]) -> State:
    """Rebuild the position from the log; ``BrokenLog`` where it is no game of this scenario."""
    if not events:
        raise BrokenLog("The log does not open this game.")
    state, expected = start(scenario)
    for event in events:
        state, expected = follow(state, expected, event)
    return state


def follow(
    state: State, expected: tuple[Event, ...], event: Event
) -> tuple[State, tuple[Event, ...]]:
    """Take one event of a log; ``start`` gives the first ``state`` and ``expected``.

    ``expected`` are events that must come first because the last move, whose consequences are in
    the ``state`` already, caused them. Raises ``BrokenLog``.
    """
    if isinstance(event, TellsShown) and _may_show_tells(state, expected, event.round):
        return show_tells(state, event.actor, event.tells)[0], expected
    if not expected:
        try:
            state, expected = _cause(state, event)
        except IllegalMove as error:
            raise BrokenLog(f"The log breaks a rule: {error}") from error
    if event != expected[0]:
        raise BrokenLog("The log tells something else than its own moves.")
    return state, expected[1:]


def _cause(state: State, event: Event) -> tuple[State, tuple[Event, ...]]:
    match event:
        case OfferMade(actor, _, price, text):
            return apply(state, actor, Offer(price, text))
        case OfferAccepted(actor, _, _, text):
            return apply(state, actor, Accept(text))
        case WalkedAway(actor, _, text):
            return apply(state, actor, Walk(text))
        case MessageSent(actor, _, text):
            return say(state, actor, text)
        case OfferWithdrawn(actor, _, _, of_seq):
            return withdraw(state, actor, of_seq)
        case TellsShown() | Ended():
            raise BrokenLog("The log shows tells or ends a game where no move does.")
        case Opened():
            raise BrokenLog("A game opens only once.")


def _may_show_tells(state: State, expected: tuple[Event, ...], round_: int) -> bool:
    # The words may have begun the next round or ended the game: their tells still belong to them.
    spoken = state.turns[-1].round if state.turns else 1
    return round_ in (state.round, spoken) and (not expected or isinstance(expected[0], Ended))


def _check_turn(state: State, side: Side) -> None:
    if state.ended is not None:
        raise GameOver("The game has ended; nobody moves any more.")
    if state.to_move != side:
        raise NotYourTurn(f"It is the {other(side)}'s turn.")


def _check_text(text: str) -> None:
    if type(text) is not str:
        raise IllegalMove("A message is text.")
    if len(text) > MAX_TEXT:
        raise IllegalMove(f"A message has at most {MAX_TEXT} characters; yours has {len(text)}.")


def _check_price(state: State, side: Side, price: Paise) -> None:
    if type(price) is not int:
        raise IllegalMove("A price inside the game is a whole number of paise.")
    if not MIN_PRICE <= price <= MAX_PRICE:
        raise IllegalMove("A price lies between 0.01 and 1,000,000,000.")
    sealed = state.scenario.sealed
    if side == "buyer":
        if price > sealed.budget:
            raise IllegalMove("That bid is above your budget.")
    elif price < sealed.reservation:
        raise IllegalMove("That ask is below your floor.")
    elif price > highest_ask(state):
        raise IllegalMove("An ask never goes up: name your standing ask or less.")


def _why_no_accept(state: State, side: Side) -> str:
    if side == "buyer":
        return "The standing ask is above your budget."
    if state.standing_bid is None:
        return "There is no bid to accept yet."
    return "The standing bid is below your floor."


def _crosses(state: State, side: Side, price: Paise) -> bool:
    if side == "buyer":
        return price >= state.standing_ask
    bid = state.standing_bid
    return bid is not None and price <= bid


def _offer(state: State, side: Side, price: Paise, text: str) -> tuple[State, tuple[Event, ...]]:
    scenario = state.scenario
    event = OfferMade(side, state.round, price, text)
    turns = (*state.turns, Turn(side, state.round, "offer", price, text))
    if side == "buyer":
        bids = (*state.bids, price)
        moved = State(scenario, state.round, "seller", state.asks, bids, turns, state.tells, None)
        return moved, (event,)
    asks = (*state.asks, price)
    if state.round < scenario.max_rounds:
        moved = State(
            scenario, state.round + 1, "buyer", asks, state.bids, turns, state.tells, None
        )
        return moved, (event,)
    ended = _ended(state, "expired", None, None)
    done = State(scenario, state.round, None, asks, state.bids, turns, state.tells, ended)
    return done, (event, ended)


def _close(state: State, side: Side, text: str) -> tuple[State, tuple[Event, ...]]:
    price = state.standing_ask if side == "buyer" else state.standing_bid
    if price is None:
        raise BrokenLog("There is no standing price to accept.")
    turn = Turn(side, state.round, "accept", price, text)
    accepted = OfferAccepted(side, state.round, price, text)
    return _end(state, turn, accepted, "deal", side, price)


def _end(
    state: State,
    turn: Turn,
    event: Event,
    outcome: Termination,
    by: Side,
    price: Paise | None,
) -> tuple[State, tuple[Event, ...]]:
    ended = _ended(state, outcome, by, price)
    turns = (*state.turns, turn)
    done = State(
        state.scenario, state.round, None, state.asks, state.bids, turns, state.tells, ended
    )
    return done, (event, ended)


def _ended(state: State, outcome: Termination, by: Side | None, price: Paise | None) -> Ended:
    scenario = state.scenario
    share = 0.0
    if price is not None:
        # A deal is within both limits, so a zone of width 0 has nothing to share: half each.
        share = (scenario.sealed.budget - price) / scenario.zopa if scenario.zopa else 0.5
    return Ended(
        outcome=outcome,
        round=state.round,
        opened=scenario.sealed,
        salt=scenario.salt,
        by=by,
        price=price,
        buyer_share=share,
        seller_share=1.0 - share if price is not None else 0.0,
    )
