"""What may be said about policies of the market: cards, means over tasks, paired differences."""

import hashlib
from collections import Counter

import msgspec

from bazaarbatna.intervals import DECIMALS, Interval
from bazaarbatna.market import CODES, COLUMNS, MarketScenario, Reward, Scored, State
from bazaarbatna.market.events import ActionRefused
from bazaarbatna.market.quantities import LAB_IDS
from bazaarbatna.market.rewards import LEAST_BEST
from training.evaluation.rows import Row
from training.evaluation.summing import (
    MILLION,
    Counted,
    Counting,
    Intervals,
    Paired,
    ResultOf,
    SummaryOf,
    Summing,
)

TOLERANCE = 2e-5
"""Sums of eleven rounded columns over nine steps may be that far from the rounded total."""

PENALTIES = ("invalid_action_penalty", "spam_penalty", "breach_penalty", "judge_argument")
"""What the default mix adds to the change of true utility."""

_encoder = msgspec.json.Encoder(order="sorted")
FORMAT = "market-evaluation-summary@1"
CREDIT = 100

COUNTED = (
    "value",
    "energy",
    "paid",
    "received",
    "utility",
    "jobs",
    "finished",
    "contracts",
    "coalitions",
    "breaches",
    "rounds",
    "turns",
)
"""Whole numbers of a row that are summed as they are."""

RATES: dict[str, tuple[str, str, int]] = {
    "reward": ("normalized_reward", "n", MILLION),
    "over_best": ("over_best", "n", MILLION),
    "utility": ("utility", "n", CREDIT),
    "finished": ("finished", "jobs", 1),
    "contracts": ("contracts", "n", 1),
    "coalitions": ("coalitions", "n", 1),
    "breaches": ("breaches", "n", 1),
    "refusals": ("refusals", "n", 1),
    "rounds": ("rounds", "n", 1),
    "turns": ("turns", "n", 1),
    **{name: (name, "n", MILLION) for name in COLUMNS},
}
"""Every number of a card: what is summed, over what, in which unit."""


class MarketRow(Row, frozen=True, kw_only=True):
    """One market of one policy. Money in hundredths of a credit.

    Attributes:
        others: version label of the archetypes that play the other labs.
        world: 12 digits of the SHA-256 of everything that was drawn before the first action.
        best: what the best plan was worth, by the normaliser of the suite.
        value: of finished jobs, and the ``energy`` they cost.
        utility: value less energy and payments, plus receipts.
        over_best: utility over ``best``, which counts as ten credits at least.
        jobs: at the end; how many of them it ``finished``.
        columns: the eleven reward columns, each summed over the episode.
        cut: steps whose reward was cut off at -1 or 1.
        digest: SHA-256 of all events as JSON, one a line.
    """

    others: str
    world: str
    labs: int
    rounds: int
    turns: int
    best: int
    value: int
    energy: int
    paid: int
    received: int
    utility: int
    over_best: float
    jobs: int
    finished: int
    contracts: int
    coalitions: int
    breaches: int
    refused: dict[str, int]
    columns: Reward
    cut: int
    digest: str

    @property
    def opponent(self) -> str:
        """The archetypes' version label."""
        return self.others

    @property
    def dealt(self) -> tuple[int, ...]:
        """The world, and what its best plan is worth."""
        return int(self.world, 16), self.best

    def contradiction(self) -> str | None:
        """Name a number that does not follow from the others; None when all do."""
        expected = {
            "utility": self.value - self.energy - self.paid + self.received,
            "over_best": _over(self.utility, self.best),
            "finished": min(max(self.finished, 0), self.jobs),
            "turns": min(max(self.turns, 0), self.rounds),
        }
        wrong = (key for key, value in expected.items() if getattr(self, key) != value)
        return next(wrong, None) or _wrong_return(self)


class MarketCard(msgspec.Struct, frozen=True, kw_only=True):
    """A policy in one task, or its mean over tasks.

    Attributes:
        n: markets; ``games`` of them were drawn from: the intervals rest on those.
        reward: mean return of an episode, the sum of ``normalized_reward``.
        over_best: mean true utility over the value of the best plan; ``utility`` in credits.
        finished: finished jobs per job; other numbers of a market are means.
        refused: refused actions in all, by code.
        columns: the mean sums of the eleven reward columns.
    """

    n: int
    games: int
    reward: Interval | None
    over_best: Interval | None
    utility: Interval | None
    finished: Interval | None
    contracts: Interval | None
    coalitions: Interval | None
    breaches: Interval | None
    refusals: Interval | None
    refused: dict[str, int]
    rounds: Interval | None
    turns: Interval | None
    columns: dict[str, Interval | None]


class MarketDifference(Paired, frozen=True, kw_only=True):
    """One policy minus another in the same worlds."""

    reward: Interval | None
    over_best: Interval | None


MarketResult = ResultOf[MarketCard]
MarketSummary = SummaryOf[MarketCard, MarketDifference]


def row_of(
    scored: Scored,
    *,
    suite: str,
    seed: int,
    policy: str,
    policy_version: str,
    others: str,
    best: int,
    lab: int = 0,
) -> MarketRow:
    """Sum up a market that has ended."""
    state, name = scored.state, LAB_IDS[lab]
    tally = state.tallies[lab]
    refused = Counter(
        event.code
        for event in scored.events
        if isinstance(event, ActionRefused) and event.lab == name
    )
    return MarketRow(
        suite=suite,
        seed=seed,
        game=0,
        policy=policy,
        policy_version=policy_version,
        others=others,
        world=digest_of_world(state.scenario),
        labs=len(state.budgets),
        rounds=state.scenario.rounds,
        turns=len(scored.rewards),
        best=best,
        value=tally.value,
        energy=tally.energy,
        paid=tally.paid,
        received=tally.received,
        utility=tally.utility,
        over_best=_over(tally.utility, best),
        jobs=len(state.jobs[lab]),
        finished=tally.finished,
        contracts=tally.trades,
        coalitions=_memberships(state, name),
        breaches=tally.breaches,
        refused=dict(sorted(refused.items())),
        columns=summed(scored.rewards),
        cut=sum(_is_cut(step) for step in scored.rewards),
        digest=hashlib.sha256(b"\n".join(map(_encoder.encode, scored.events))).hexdigest(),
    )


def digest_of_world(scenario: MarketScenario) -> str:
    """Return 12 digits that stand for everything that was drawn, hidden values too."""
    return hashlib.sha256(_encoder.encode(scenario)).hexdigest()[:12]


def summed(rewards: tuple[Reward, ...]) -> Reward:
    """Add up columns over the steps of an episode, to millionths."""
    # Adding zero turns a rounded -0.0 into 0.0.
    return Reward(
        **{
            name: round(sum(getattr(step, name) for step in rewards), DECIMALS) + 0.0
            for name in COLUMNS
        }
    )


def _wrong_return(row: MarketRow) -> str | None:
    if row.cut:
        return None
    columns = row.columns
    if "@default-" in row.suite:
        # Columns are not saturated, the return is.
        told = min(max(row.over_best, -1.0), 1.0)
        told += sum(getattr(columns, name) for name in PENALTIES)
    else:
        told = sum(getattr(columns, name) for name in COLUMNS[:-1])
    return "return" if abs(told - columns.normalized_reward) > TOLERANCE else None


def _over(utility: int, best: int) -> float:
    return round(utility / max(best, LEAST_BEST), DECIMALS) + 0.0


def _is_cut(step: Reward) -> bool:
    return abs(step.normalized_reward) >= 1.0


def _memberships(state: State, name: str) -> int:
    return sum(name in coalition.members for coalition in state.coalitions)


def _card(counted: Counted, games: int, rates: Intervals) -> MarketCard:
    return MarketCard(
        n=int(counted["n"]),
        games=games,
        refused={code: int(counted[code]) for code in CODES if counted[code]},
        columns={name: rates[name] for name in COLUMNS},
        **{name: rate for name, rate in rates.items() if name not in COLUMNS},
    )


def _numbers(row: MarketRow) -> tuple[int, ...]:
    return (
        1,
        *(getattr(row, name) for name in COUNTED),
        round(MILLION * row.over_best),
        sum(row.refused.values()),
        *(round(MILLION * getattr(row.columns, name)) for name in COLUMNS),
        *(row.refused.get(code, 0) for code in CODES),
    )


MARKETS = Counting(("n", *COUNTED, "over_best", "refusals", *COLUMNS, *CODES), _numbers)


SUMMING = Summing(
    format=FORMAT, counting=MARKETS, rates=RATES, card=_card, difference=MarketDifference
)
