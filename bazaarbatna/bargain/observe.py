"""What each side may see of a position: the only way from a state to a policy."""

import msgspec

from bazaarbatna.bargain.episode import State, Turn
from bazaarbatna.bargain.quantities import Paise, Side
from bazaarbatna.bargain.scenario import Item, SellerRules
from bazaarbatna.bargain.tells import Tells

REMEMBERED_TURNS = 6


class CareerSummary(msgspec.Struct, frozen=True):
    """What earlier games of the same pair left behind; rate and mean share are 0..1."""

    games: int = 0
    deals: int = 0
    capitulation_rate: float = 0.0
    mean_buyer_share: float = 0.0


class BuyerObservation(msgspec.Struct, frozen=True, gc=False):
    """The buyer's view. Prices in paise; ``asks`` starts with the opening ask.

    ``earlier`` are the buyer's own words from before the ``turns``, so that it repeats none;
    ``before`` those of the last games with the same person, which may well come last;
    ``language`` is that of the page a person reads opposite ("hi"), "" where nobody does.
    """

    suite: str
    item: Item
    round: int
    max_rounds: int
    asks: tuple[Paise, ...]
    bids: tuple[Paise, ...]
    budget: Paise
    deadline: int | None
    persona: str | None
    tells: Tells | None
    turns: tuple[Turn, ...]
    career: CareerSummary | None
    done: bool
    outcome: str | None
    earlier: tuple[str, ...] = ()
    before: tuple[str, ...] = ()
    language: str = ""

    @property
    def rounds_left(self) -> int:
        """Rounds that remain after this one."""
        return self.max_rounds - self.round

    @property
    def opening_ask(self) -> Paise:
        """The anchor."""
        return self.asks[0]

    @property
    def standing_ask(self) -> Paise:
        """The price the buyer can take now."""
        return self.asks[-1]

    @property
    def own_last_bid(self) -> Paise | None:
        """The buyer's own standing bid, if any."""
        return self.bids[-1] if self.bids else None

    @property
    def last_concession(self) -> int:
        """How many paise the seller's last ask came down (negative: it went up)."""
        return self.asks[-2] - self.asks[-1] if len(self.asks) > 1 else 0


class SellerObservation(msgspec.Struct, frozen=True, gc=False):
    """The seller's view, prices in paise; the other fields as in the buyer's."""

    suite: str
    item: Item
    round: int
    max_rounds: int
    asks: tuple[Paise, ...]
    bids: tuple[Paise, ...]
    reservation: Paise
    cost: Paise
    persona: str
    rules: SellerRules
    turns: tuple[Turn, ...]
    done: bool
    outcome: str | None
    earlier: tuple[str, ...] = ()
    before: tuple[str, ...] = ()
    language: str = ""

    @property
    def standing_ask(self) -> Paise:
        """The seller's own price that stands."""
        return self.asks[-1]

    @property
    def standing_bid(self) -> Paise | None:
        """The bid the seller can take now, if any."""
        return self.bids[-1] if self.bids else None


Observation = BuyerObservation | SellerObservation


def observe_buyer(state: State, career: CareerSummary | None = None) -> BuyerObservation:
    """Show the position to the buyer: no reservation price, no cost, no hidden persona."""
    scenario = state.scenario
    sealed = scenario.sealed
    return BuyerObservation(
        suite=scenario.suite,
        item=scenario.item,
        round=state.round,
        max_rounds=scenario.max_rounds,
        asks=state.asks,
        bids=state.bids,
        budget=sealed.budget,
        deadline=sealed.deadline,
        persona=sealed.persona if scenario.persona_visible else None,
        tells=state.tells,
        turns=state.turns[-REMEMBERED_TURNS:],
        career=career,
        done=state.ended is not None,
        outcome=state.ended.outcome if state.ended else None,
    )


def observe_seller(state: State) -> SellerObservation:
    """Show the position to the seller: no budget, no deadline of the buyer."""
    scenario = state.scenario
    return SellerObservation(
        suite=scenario.suite,
        item=scenario.item,
        round=state.round,
        max_rounds=scenario.max_rounds,
        asks=state.asks,
        bids=state.bids,
        reservation=scenario.sealed.reservation,
        cost=scenario.sealed.cost,
        persona=scenario.sealed.persona,
        rules=scenario.rules,
        turns=state.turns[-REMEMBERED_TURNS:],
        done=state.ended is not None,
        outcome=state.ended.outcome if state.ended else None,
    )


def observe(state: State, side: Side) -> BuyerObservation | SellerObservation:
    """Show the position to one side of a game with a person: it knows all that it has said."""
    seen = observe_buyer(state) if side == "buyer" else observe_seller(state)
    forgotten = state.turns[:-REMEMBERED_TURNS]
    if not forgotten:
        return seen
    earlier = tuple(one.text for one in forgotten if one.actor == side and one.text)
    return msgspec.structs.replace(seen, earlier=earlier)
