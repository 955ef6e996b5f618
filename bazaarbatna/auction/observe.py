"""What one buyer may see, and matches played by buyers who see nothing else.

Of the other bids a buyer learns one thing, that somebody offered more.
"""

from collections.abc import Callable, Sequence

import msgspec

from bazaarbatna.auction.events import ArenaEvent, ArenaMove, Bidding, Signal
from bazaarbatna.auction.match import ArenaState, place, start
from bazaarbatna.auction.scenario import ArenaScenario
from bazaarbatna.bargain.episode import Turn
from bazaarbatna.bargain.observe import REMEMBERED_TURNS, BuyerObservation
from bazaarbatna.bargain.quantities import Paise
from bazaarbatna.bargain.scenario import Item
from bazaarbatna.bargain.tells import Tells

OUTBID = "Someone offered more."
"""What the seller tells everyone but the front runner."""


class ArenaObservation(msgspec.Struct, frozen=True, gc=False):
    """One buyer's view. Prices in paise; ``asks`` starts with the opening ask.

    ``bids`` are the own ones, one for each round since the first (a bid that is held comes again),
    ``outbid`` says that somebody else is in front, ``rivals`` counts the others still there,
    ``signals`` are what they signalled in the last round (a bluff looks like competing),
    ``outbid_rounds`` counts the last rounds in a row in which somebody else was in front.
    """

    suite: str
    item: Item
    buyer: int
    round: int
    max_rounds: int
    asks: tuple[Paise, ...]
    bids: tuple[Paise, ...]
    budget: Paise
    persona: str | None
    tells: Tells | None
    outbid: bool
    rivals: int
    signals: tuple[Signal, ...]
    turns: tuple[Turn, ...]
    done: bool
    outcome: str | None
    outbid_rounds: int = 0

    @property
    def standing_ask(self) -> Paise:
        """The price the buyer can take now."""
        return self.asks[-1]

    @property
    def own_bid(self) -> Paise | None:
        """The own bid that stands, if any."""
        return self.bids[-1] if self.bids else None

    @property
    def leads(self) -> bool:
        """Whether the own bid stands and nobody else's is in front."""
        return bool(self.bids) and not self.outbid

    @property
    def rounds_left(self) -> int:
        """Rounds that remain after this one."""
        return self.max_rounds - self.round


def claimed(signal: Signal | None) -> Signal | None:
    """Return a sign as the others see it: a bluff looks like competing."""
    return "compete" if signal == "bluff" else signal


def observe(state: ArenaState, buyer: int) -> ArenaObservation:
    """Return what one buyer sees of a position: nobody else's bid, budget or words."""
    scenario = state.scenario
    last = state.rounds[-1] if state.rounds else ()
    heard = (claimed(bid.signal) for bid in last if bid.buyer != buyer)
    return ArenaObservation(
        suite=scenario.suite,
        item=scenario.item,
        buyer=buyer,
        round=state.round,
        max_rounds=scenario.max_rounds,
        asks=state.asks,
        bids=tuple(
            bid.price
            for opened in state.rounds
            for bid in opened
            if bid.buyer == buyer and bid.price is not None
        ),
        budget=scenario.sealed.budgets[buyer],
        persona=scenario.sealed.persona if scenario.persona_visible else None,
        tells=state.tells,
        outbid=state.best is not None and state.best != buyer,
        rivals=sum(state.present) - state.present[buyer],
        signals=tuple(sign for sign in heard if sign is not None),
        turns=_turns(state, buyer)[-REMEMBERED_TURNS:],
        done=state.ended is not None,
        outcome=state.ended.outcome if state.ended else None,
        outbid_rounds=_outbid_rounds(state, buyer),
    )


def as_duel(seen: ArenaObservation) -> BuyerObservation:
    """Return a match as the two-sided game that every buyer knows how to play."""
    return BuyerObservation(
        suite=seen.suite,
        item=seen.item,
        round=seen.round,
        max_rounds=seen.max_rounds,
        asks=seen.asks,
        bids=seen.bids,
        budget=seen.budget,
        deadline=None,
        persona=seen.persona,
        tells=seen.tells,
        turns=seen.turns,
        career=None,
        done=seen.done,
        outcome=seen.outcome,
    )


def _turns(state: ArenaState, buyer: int) -> tuple[Turn, ...]:
    turns: list[Turn] = []
    for number, opened in enumerate(state.rounds, start=1):
        own = next((bid for bid in opened if bid.buyer == buyer), None)
        if own is not None:
            turns.append(Turn("buyer", number, _kind(own), own.price, own.text))
        if number < len(state.asks):
            words = state.words[number - 1]
            if state.fronts[number - 1] not in (None, buyer):
                words = f"{OUTBID} {words}"
            turns.append(Turn("seller", number, "offer", state.asks[number], words))
    return tuple(turns)


def _outbid_rounds(state: ArenaState, buyer: int) -> int:
    count = 0
    for front in reversed(state.fronts):
        if front in (None, buyer):
            break
        count += 1
    return count


def _kind(own: Bidding) -> str:
    if own.action != "hold":
        return own.action
    return "message" if own.price is None else "offer"


Player = Callable[[ArenaObservation], ArenaMove]
"""A buyer: answers its own view with a legal move; keeps nothing between rounds."""

MakePlayer = Callable[[int], Player]


def play_match(
    scenario: ArenaScenario, make_player: MakePlayer, *, order: Sequence[int] | None = None
) -> tuple[ArenaEvent, ...]:
    """Play a match from its opening to its end and return its log.

    ``order`` is that in which the seats close their envelopes; it changes nothing but the log's
    order. Same scenario and same players give the same bytes on every machine.
    """
    state, opening = start(scenario)
    players = tuple(make_player(seat) for seat in range(len(scenario.seats)))
    return (*opening, *play_on(state, players, order=order)[1])


def play_on(
    state: ArenaState, players: Sequence[Player], *, order: Sequence[int] | None = None
) -> tuple[ArenaState, tuple[ArenaEvent, ...]]:
    """Play on from any position; return the last one and the events after ``state``."""
    events: list[ArenaEvent] = []
    while state.ended is None:
        state, happened = play_round(state, players, order=order)
        events += happened
    return state, tuple(events)


def play_round(
    state: ArenaState, players: Sequence[Player], *, order: Sequence[int] | None = None
) -> tuple[ArenaState, tuple[ArenaEvent, ...]]:
    """Close the envelopes that are still missing in this round, which opens them all."""
    events: list[ArenaEvent] = []
    awaited = state.awaited
    for seat in awaited if order is None else [seat for seat in order if seat in awaited]:
        state, happened = place(state, seat, players[seat](observe(state, seat)))
        events += happened
    return state, tuple(events)
