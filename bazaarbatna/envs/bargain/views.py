"""What the buyer sees, and how a bargain ended, as JSON in rupees: the same in every protocol."""

import msgspec

from bazaarbatna.bargain.episode import Turn
from bazaarbatna.bargain.events import Opened, Termination
from bazaarbatna.bargain.log import Log
from bazaarbatna.bargain.observe import BuyerObservation, CareerSummary
from bazaarbatna.bargain.quantities import Side, to_rupees
from bazaarbatna.bargain.rewards import normalised_surplus
from bazaarbatna.bargain.scenario import Item, SealedValues
from bazaarbatna.bargain.scoring import Label, score
from bazaarbatna.bargain.tells import Tells


class Result(msgspec.Struct, frozen=True):
    """A finished bargain; prices in rupees, shares 0..1.

    Attributes:
        game: which bargain of its game it was, counted from 1.
        outcome: ``deal``, ``walk`` or ``expired``.
        by: who accepted or walked.
        round: in which round it ended.
        price: the deal price, if any.
        buyer_share: the buyer's part of the zone of possible agreement; 0 without a deal.
        seller_share: the seller's part.
        surplus: normalised surplus of the buyer between budget and cost, 0..1.
        label: ``buyer win``, ``seller win``, ``tie``, ``mutual loss`` or ``rational walk``.
        reservation_price: the least that the seller would have taken.
        cost: what the item was worth to the seller.
        budget: the most that the buyer could pay.
        persona: how the seller behaved.
        seller: version label of the seller; results of different versions are never mixed.
        commitment: the SHA-256 that was shown before the first move.
        opened: the committed values as they were sealed, prices in paise.
        salt: with ``opened`` it gives the commitment again.
    """

    game: int
    outcome: Termination
    by: Side | None
    round: int
    price: float | None
    buyer_share: float
    seller_share: float
    surplus: float
    label: Label
    reservation_price: float
    cost: float
    budget: float
    persona: str
    seller: str
    commitment: str
    opened: SealedValues
    salt: str

    def __repr__(self) -> str:
        return f"Result({self.outcome!r}, round={self.round})"


def to_result(log: Log, game: int) -> Result:
    """Return how a bargain ended; ``game`` is its place, counted from 1."""
    scored, ended, sealed = score(log), log.ended, log.scenario.sealed
    opening = log.events[0]
    assert ended is not None
    assert isinstance(opening, Opened)
    price = ended.price
    return Result(
        game=game,
        outcome=ended.outcome,
        by=ended.by,
        round=ended.round,
        price=None if price is None else to_rupees(price),
        buyer_share=ended.buyer_share,
        seller_share=ended.seller_share,
        surplus=0.0 if price is None else normalised_surplus(sealed.budget, sealed.cost, price),
        label=scored.label,
        reservation_price=to_rupees(sealed.reservation),
        cost=to_rupees(sealed.cost),
        budget=to_rupees(sealed.budget),
        persona=sealed.persona,
        seller=log.scenario.seller,
        commitment=opening.commitment,
        opened=sealed,
        salt=log.scenario.salt,
    )


class TurnView(msgspec.Struct, frozen=True, gc=False):
    """One of the last turns, with its words; ``price`` in rupees."""

    actor: Side
    round: int
    action: str
    price: float | None
    message: str


class View(msgspec.Struct, frozen=True, gc=False):
    """The bargain on the table from the buyer's seat; prices in rupees.

    Attributes:
        task: name of the suite, for example ``single_deal``.
        variant: ``fixed`` or ``sampled``; empty where sellers are of the population.
        suite: the suite's full id, under which results are published.
        game: which bargain of the game this is, counted from 1.
        games: how many bargains the game has.
        item: what is for sale.
        round: counted from 1.
        max_rounds: after that round the bargain expires.
        rounds_left: rounds after this one.
        opening_ask: the seller's first price.
        standing_ask: the price that ``accept`` takes.
        own_last_bid: the buyer's standing bid, if any.
        budget: the most that the buyer may pay; the seller does not see it.
        deadline: round after which a deal is worth half, if there is one.
        last_concession: how far the last ask came down; below 0 it went up.
        may_accept: the standing ask is within the budget.
        persona: how the seller behaves, where the task says so.
        tells: what could be noticed in the seller's last turn, with noise.
        turns: the last six turns, oldest first.
        career: what the seller remembers of the buyer, in suites with a career.
        done: all bargains are over.
        outcome: how this bargain ended; null while it goes on.
        result: the bargain that the last step ended, with its hidden values open.
    """

    task: str
    variant: str
    suite: str
    game: int
    games: int
    item: Item
    round: int
    max_rounds: int
    rounds_left: int
    opening_ask: float
    standing_ask: float
    own_last_bid: float | None
    budget: float
    deadline: int | None
    last_concession: float
    may_accept: bool
    persona: str | None
    tells: Tells | None
    turns: tuple[TurnView, ...]
    career: CareerSummary | None
    done: bool
    outcome: str | None
    result: Result | None


def to_view(
    seen: BuyerObservation, game: int, games: int, done: bool, result: Result | None = None
) -> View:
    """Return an observation of the engine as JSON shows it; ``game`` is counted from 1."""
    task, variant = name_parts(seen.suite)
    bid = seen.own_last_bid
    return View(
        task=task,
        variant=variant,
        suite=seen.suite,
        game=game,
        games=games,
        item=seen.item,
        round=seen.round,
        max_rounds=seen.max_rounds,
        rounds_left=seen.rounds_left,
        opening_ask=to_rupees(seen.opening_ask),
        standing_ask=to_rupees(seen.standing_ask),
        own_last_bid=None if bid is None else to_rupees(bid),
        budget=to_rupees(seen.budget),
        deadline=seen.deadline,
        last_concession=to_rupees(seen.last_concession),
        may_accept=not seen.done and seen.standing_ask <= seen.budget,
        persona=seen.persona,
        tells=seen.tells,
        turns=tuple(map(_turn, seen.turns)),
        career=seen.career,
        done=done,
        outcome=seen.outcome,
        result=result,
    )


def name_parts(suite_id: str) -> tuple[str, str]:
    """Split a suite's id into its name and variant."""
    name, _, rest = suite_id.partition("@")
    variant = rest.rpartition("-")[0]
    # Suites of the population have a number and no variants.
    return name, "" if rest[:1].isdigit() else variant


def _turn(turn: Turn) -> TurnView:
    price = None if turn.price is None else to_rupees(turn.price)
    return TurnView(turn.actor, turn.round, turn.kind, price, turn.text)
