"""What the buyer sees, as JSON in rupees: the one observation of every protocol here."""

import msgspec

from negotiation.engine.episode import Turn
from negotiation.engine.observe import BuyerObservation, CareerSummary
from negotiation.engine.quantities import Side, to_rupees
from negotiation.engine.scenario import Item
from negotiation.engine.tells import Tells
from negotiation.environment.results import Result


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
    """Show an observation of the engine.

    Args:
        seen: the buyer's observation.
        game: which bargain it is of, counted from 1.
        games: how many there are.
        done: all of them are over.
        result: the bargain that the last step ended.
    """
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
    """Split a suite's id into its name and variant.

    >>> name_parts("career_10@sampled-1")
    ('career_10', 'sampled')
    >>> name_parts("people@1-rounds-4")
    ('people', '')
    """
    name, _, rest = suite_id.partition("@")
    variant = rest.rpartition("-")[0]
    # Suites of the population have a number and no variants.
    return name, "" if rest[:1].isdigit() else variant


def _turn(turn: Turn) -> TurnView:
    price = None if turn.price is None else to_rupees(turn.price)
    return TurnView(turn.actor, turn.round, turn.kind, price, turn.text)
