"""Lets evaluations play the GPU market."""

import hashlib
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from bazaarbatna.bargain.errors import UnknownSuite
from bazaarbatna.market import TASKS, Normaliser, UnknownTask, play_scored
from bazaarbatna.market.policies.registry import make_policy
from negotiation.code_version import ROOMS
from negotiation.sentences import sentences
from training.evaluation import BadPlan
from training.evaluation.domain import Column, Domain, Figure, Look, Shown, Tick, register_domain
from training.evaluation.markets.players import (
    ALL_RULES,
    HELD_OUT,
    LEARNER,
    PREFIX,
    REWARDS,
    SUITES,
    MarketSuite,
    deal,
    others_version,
    player_fact,
    players_of,
    suite_of,
    tasks_named,
)
from training.evaluation.markets.summary import SUMMING, MarketRow, MarketSummary, row_of
from training.evaluation.plan import FINGERPRINTED, Plan, PolicyFact, SuiteFact, plan_of
from training.evaluation.playing import PlayedOf, Unit, Way

say = sentences(__file__)

_RETURN = Figure(digits=3, spread=True)

LOOK = Look(
    means="Mean over {suites} tasks, {rows} markets each; 95 % intervals of returns",
    columns=(
        Column("return", "reward", _RETURN),
        Column("over best plan", "over_best", _RETURN),
        Column("utility", "utility", Figure()),
        Column("jobs done %", "finished", Figure(times=100)),
        Column("contracts", "contracts", Figure(digits=2)),
        Column("coalitions", "coalitions", Figure(digits=2)),
        Column("refused", "refusals", Figure(digits=2)),
    ),
    suites="Return per task",
    name=lambda suite: suite.title.lower(),
    figure=_RETURN,
    gaps="Each minus the next, in the same worlds (return)",
)


class Market(Domain):
    """Labs that trade compute; the policy plays the first lab, archetypes all others."""

    prefix = PREFIX
    kind = "market"
    unit = say.text("markets")
    player = say.text("policy")
    players = say.text("policies")
    row = MarketRow
    summary = MarketSummary
    summing = SUMMING
    look = LOOK
    first_seed = HELD_OUT
    lead = "reward"
    lead_words = say.text("hundredths_of_return")
    shown = (
        Shown(say.text("return"), "reward", "number"),
        Shown(say.text("over_the_best_plan"), "over_best", "number"),
        Shown(say.text("utility_credits"), "utility", "number"),
        Shown(say.text("jobs_done"), "finished"),
        Shown(say.text("contracts"), "contracts", "number"),
        Shown(say.text("coalitions"), "coalitions", "number"),
        Shown(say.text("refused"), "refusals", "number"),
    )
    rooms = (*ROOMS, "arena/gpu_market", "training/evaluation/markets")

    def knows(self, suite: str) -> bool:
        """Take "market" and what begins with "market:"."""
        return suite == PREFIX[:-1] or suite.startswith(PREFIX)

    def make_plan(
        self,
        policies: list[str],
        suites: list[str],
        *,
        episodes: int,
        seed: int,
        variant: str | None,
        commit: str,
    ) -> Plan:
        """Check what was asked and write it down.

        Suites are ids, "market" for all tasks, or "market:" and a task; ``variant`` is the reward
        mix of those named without one. ``seed`` counts the held-out seeds passed over.
        """
        if seed < 0:
            raise BadPlan("--seed counts held-out seeds to pass over: a whole number from 0.")
        return plan_of(
            players_of(policies),
            [self.fact(one, episodes) for one in _ids(suites, variant)],
            episodes=episodes,
            seed=self.first_seed + seed,
            commit=commit,
        )

    def policy(self, name: str) -> PolicyFact:
        """Describe a policy as it is now."""
        return player_fact(name)

    def fact(self, suite: str, episodes: int) -> SuiteFact:
        """Pin the task, how its worlds are drawn, and what their best plans are worth."""
        row = suite_of(suite)
        dealt = [deal(suite, HELD_OUT + seed) for seed in range(FINGERPRINTED)]
        text = msgspec.json.encode((row.task, dealt), order="sorted")
        return SuiteFact(
            id=suite,
            title=row.title,
            seller=others_version(),
            fingerprint=hashlib.sha256(text).hexdigest()[:12],
            games=episodes,
            bargains=episodes,
        )

    def rows_in(self, suite: str) -> int:
        """Count: a game is one market."""
        return 1

    def way(self, policy: str) -> Way:
        """Let every process play."""
        return Way()

    def play(
        self, policy: str, suite: str, seeds: Sequence[int], tick: Tick | None = None
    ) -> Iterator[PlayedOf[MarketRow]]:
        """Play one market per seed, each with a player of its own."""
        version, others = player_fact(policy).version, others_version()
        for seed in seeds:
            if tick is not None:
                tick()
            world, best = deal(suite, seed)
            scored = play_scored(
                world,
                make_policy(policy, seed),
                lab=LEARNER,
                normaliser=_fixed(best),
            )
            row = row_of(
                scored,
                suite=suite,
                seed=seed,
                policy=policy,
                policy_version=version,
                others=others,
                best=best,
                lab=LEARNER,
            )
            yield PlayedOf(Unit(policy, suite, seed), (row,))

    def words_of_policies(self) -> Iterator[tuple[str, list[str]]]:
        """List the word for all scripted policies."""
        yield ALL_RULES, [one.name for one in players_of([ALL_RULES])]

    def words_of_suites(self) -> Iterator[tuple[str, list[str]]]:
        """List the words for all tasks under a reward mix."""
        for reward in REWARDS:
            yield f"market --reward {reward}", _ids(["market"], reward)


def _fixed(best: int) -> Normaliser:
    # Found when the world was dealt: a solver takes its time.
    return lambda world, lab: float(best)


def plug_in() -> None:
    """Let policies of the market be evaluated; safe to call twice."""
    register_domain(Market())


def _ids(names: Iterable[str], reward: str | None) -> list[str]:
    mix = next((one for one in SUITES if one.reward == (reward or "default")), None)
    if mix is None:
        raise BadPlan(f"--reward is one of {', '.join(REWARDS)}, not {str(reward)[:40]!r}.")
    found: dict[str, None] = {}
    for name in names:
        try:
            found |= dict.fromkeys(_ids_of(name, mix))
        except (UnknownSuite, UnknownTask) as unknown:
            known = ", ".join(f"{PREFIX}{one.name}" for one in TASKS)
            raise BadPlan(
                f"There is no suite {name[:60]!r} of the market. Known: {known}; market for all."
            ) from unknown
    return list(found)


def _ids_of(name: str, mix: MarketSuite) -> list[str]:
    if "@" in name:
        return [suite_of(name).id]
    return [MarketSuite(task, mix.reward).id for task in tasks_named(name)]
