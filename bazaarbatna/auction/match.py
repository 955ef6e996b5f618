"""The state machine of a match: sealed envelopes, opened together once all are in.

A round begins with the ask. Every buyer that is still there places one move; who places first
makes no difference to what happens. The last envelope opens the round.
"""

import msgspec

from bazaarbatna.auction import selling
from bazaarbatna.auction.events import (
    SIGNALS,
    ArenaEvent,
    ArenaMove,
    AskLowered,
    AttentionTurned,
    Bid,
    Bidding,
    Ended,
    Hold,
    Leave,
    Opened,
    Outcome,
    Placed,
    RoundRevealed,
    Sold,
    Take,
    TellsShown,
    action_of,
)
from bazaarbatna.auction.scenario import ArenaScenario, check_scenario
from bazaarbatna.bargain.episode import MAX_TEXT
from bazaarbatna.bargain.errors import BrokenLog, GameOver, IllegalMove, NotYourTurn
from bazaarbatna.bargain.quantities import MAX_PRICE, MIN_PRICE, Paise
from bazaarbatna.bargain.sealed import commitment
from bazaarbatna.bargain.tells import Tells


class ArenaState(msgspec.Struct, frozen=True, gc=False):
    """A position. Tuples with one entry per seat: ``bids``, ``present``, ``pending``.

    ``asks`` starts with the opening ask, ``rounds`` holds the opened envelopes of every round,
    ``fronts`` who was in front after each of them, ``best`` after the last one.
    """

    scenario: ArenaScenario
    round: int
    asks: tuple[Paise, ...]
    bids: tuple[Paise | None, ...]
    present: tuple[bool, ...]
    pending: tuple[ArenaMove | None, ...]
    rounds: tuple[tuple[Bidding, ...], ...] = ()
    words: tuple[str, ...] = ()
    best: int | None = None
    tells: Tells | None = None
    ended: Ended | None = None
    fronts: tuple[int | None, ...] = ()

    @property
    def ask(self) -> Paise:
        """The seller's price that any buyer may take in this round."""
        return self.asks[-1]

    def awaits(self, buyer: int) -> bool:
        """Whether this buyer's envelope is still missing."""
        return self.ended is None and self.present[buyer] and self.pending[buyer] is None

    @property
    def awaited(self) -> tuple[int, ...]:
        """The buyers whose envelopes are still missing."""
        return tuple(seat for seat in range(len(self.present)) if self.awaits(seat))


def start(scenario: ArenaScenario) -> tuple[ArenaState, tuple[ArenaEvent, ...]]:
    """Open a match: the anchor stands and every buyer is awaited."""
    check_scenario(scenario)
    opened = Opened(
        suite=scenario.suite,
        item=scenario.item,
        max_rounds=scenario.max_rounds,
        price=scenario.anchor,
        seller=scenario.seller,
        seats=scenario.seats,
        commitment=commitment(scenario.sealed, scenario.salt),
        persona=scenario.sealed.persona if scenario.persona_visible else None,
    )
    none = (None,) * len(scenario.seats)
    there = (True,) * len(scenario.seats)
    return ArenaState(scenario, 1, (scenario.anchor,), none, there, none), (opened,)


def place(
    state: ArenaState, buyer: int, move: ArenaMove
) -> tuple[ArenaState, tuple[ArenaEvent, ...]]:
    """Put a buyer's move into its envelope; the last one opens the round.

    Raises:
        GameOver: the match has ended.
        NotYourTurn: this buyer has left, or its envelope is closed already.
        IllegalMove: the move breaks a rule; the message holds nobody else's secret.
    """
    _check_turn(state, buyer)
    _check_move(state, buyer, move)
    placed = Placed(buyer, state.round, move)
    pending = (*state.pending[:buyer], move, *state.pending[buyer + 1 :])
    waiting = msgspec.structs.replace(state, pending=pending)
    if waiting.awaited:
        return waiting, (placed,)
    done, events = _open_envelopes(waiting)
    return done, (placed, *events)


def fold(scenario: ArenaScenario, events: tuple[ArenaEvent, ...] | list[ArenaEvent]) -> ArenaState:
    """Return the position that a log leads to; ``BrokenLog`` where an event breaks the rules."""
    if not events:
        raise BrokenLog("The log does not open this match.")
    state, expected = start(scenario)
    for event in events:
        if not expected:
            if not isinstance(event, Placed) or event.round != state.round:
                raise BrokenLog("Only a closed envelope can come here.")
            try:
                state, expected = place(state, event.buyer, event.move)
            except (GameOver, NotYourTurn, IllegalMove, IndexError) as error:
                raise BrokenLog(f"The log breaks a rule: {error}") from error
        if event != expected[0]:
            raise BrokenLog("The log tells something else than its own moves.")
        expected = expected[1:]
    return state


def _check_turn(state: ArenaState, buyer: int) -> None:
    if state.ended is not None:
        raise GameOver("The match has ended; nobody bids any more.")
    if not 0 <= buyer < len(state.present):
        raise NotYourTurn("There is no such seat.")
    if not state.present[buyer]:
        raise NotYourTurn("You have left this match.")
    if state.pending[buyer] is not None:
        raise NotYourTurn("Your envelope is closed; wait until the round is opened.")


def _check_move(state: ArenaState, buyer: int, move: ArenaMove) -> None:
    if not isinstance(move, Bid | Take | Hold | Leave):
        raise IllegalMove("A move is an offer, an acceptance, a hold or a walk.")
    if type(move.text) is not str or len(move.text) > MAX_TEXT:
        raise IllegalMove(f"A message is text of at most {MAX_TEXT} characters.")
    if move.signal is not None and move.signal not in SIGNALS:
        raise IllegalMove(f"A signal is one of {', '.join(SIGNALS)}.")
    budget = state.scenario.sealed.budgets[buyer]
    if isinstance(move, Take) and state.ask > budget:
        raise IllegalMove("The standing ask is above your budget.")
    if not isinstance(move, Bid):
        return
    if type(move.price) is not int or not MIN_PRICE <= move.price <= MAX_PRICE:
        raise IllegalMove("A price lies between 0.01 and 1,000,000,000.")
    if move.price > budget:
        raise IllegalMove("That bid is above your budget.")
    own = state.bids[buyer]
    if own is not None and move.price < own:
        raise IllegalMove("A bid stands: raise it, hold it or leave.")


def _open_envelopes(state: ArenaState) -> tuple[ArenaState, tuple[ArenaEvent, ...]]:
    scenario, round_ = state.scenario, state.round
    luck = selling.luck_of(scenario.sealed.seed, round_)
    bids = tuple(_standing(state, buyer) for buyer in range(len(state.bids)))
    opened = tuple(
        Bidding(buyer, action_of(move), bids[buyer], move.signal, move.text)
        for buyer, move in enumerate(state.pending)
        if move is not None
    )
    signals = tuple(move.signal if move is not None else None for move in state.pending)
    shares = selling.attention(state.ask, bids, signals)
    best = selling.front_runner(bids, shares, luck)
    after = msgspec.structs.replace(
        state,
        bids=bids,
        present=tuple(
            there and not isinstance(move, Leave)
            for there, move in zip(state.present, state.pending, strict=True)
        ),
        pending=(None,) * len(bids),
        rounds=(*state.rounds, opened),
        best=best,
        fronts=(*state.fronts, best),
    )
    revealed = RoundRevealed(round_, opened, best)
    if not any(after.present):
        return _end(after, (revealed,), "walk")
    turned = AttentionTurned(round_, shares)
    tells = selling.tells_of(scenario, round_, state.asks, luck)
    shown = msgspec.structs.replace(after, tells=tells)
    return _answer(shown, (revealed, turned, TellsShown(round_, tells)), shares, luck)


def _standing(state: ArenaState, buyer: int) -> Paise | None:
    match state.pending[buyer]:
        case Bid(price):
            return min(price, state.ask)
        case Take():
            return state.ask
        case Hold():
            return state.bids[buyer]
        case _:
            return None


def _answer(
    state: ArenaState,
    events: tuple[ArenaEvent, ...],
    shares: tuple[float, ...],
    luck: selling.Luck,
) -> tuple[ArenaState, tuple[ArenaEvent, ...]]:
    scenario, round_ = state.scenario, state.round
    bid = None if state.best is None else state.bids[state.best]
    if bid is not None and selling.sells(scenario, round_, state.ask, bid, luck):
        assert state.best is not None
        gave_in = bid > selling.RULES.capitulation * scenario.anchor
        words = selling.line(scenario, round_, "accept")
        sold = Sold(round_, state.best, bid, gave_in, words)
        return _end(state, (*events, sold), "deal", state.best, bid)
    if round_ == scenario.max_rounds:
        return _end(state, events, "expired")
    ask = selling.next_ask(scenario, round_, state.ask, bid, shares)
    kind = selling.kind_of_line(scenario, round_, state.ask, ask)
    words = selling.line(scenario, round_, kind, ask)
    lowered = AskLowered(round_, ask, words)
    moved = msgspec.structs.replace(
        state, round=round_ + 1, asks=(*state.asks, ask), words=(*state.words, words)
    )
    return moved, (*events, lowered)


def _end(
    state: ArenaState,
    events: tuple[ArenaEvent, ...],
    outcome: Outcome,
    winner: int | None = None,
    price: Paise | None = None,
) -> tuple[ArenaState, tuple[ArenaEvent, ...]]:
    scenario = state.scenario
    sealed = scenario.sealed
    shares = [0.0] * len(scenario.seats)
    seller_share = 0.0
    if winner is not None and price is not None:
        width = sealed.budgets[winner] - sealed.reservation
        shares[winner] = (sealed.budgets[winner] - price) / width if width else 0.5
        seller_share = 1.0 - shares[winner]
    ended = Ended(
        outcome=outcome,
        round=state.round,
        opened=sealed,
        salt=scenario.salt,
        winner=winner,
        price=price,
        shares=tuple(shares),
        seller_share=seller_share,
    )
    return msgspec.structs.replace(state, ended=ended), (*events, ended)
