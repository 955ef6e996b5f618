"""What an evaluation is going to play, checked before anything is played, and what is pinned."""

import hashlib
import math
from collections.abc import Iterable

import msgspec

from bazaarbatna.bargain.errors import UnknownSuite
from bazaarbatna.bargain.people.suites import HELD_OUT_MIXTURE, MIXTURE, PATHS, suites_of_families
from bazaarbatna.bargain.people.suites import NUMBER as PEOPLE_NUMBER
from bazaarbatna.bargain.suites import NUMBER, VARIANTS
from bazaarbatna.bargain.tasks import SUITES
from bazaarbatna.players.simple import CONCEDERS
from negotiation.policies import Entry, UnknownPolicy, policies
from training.evaluation import BadPlan
from training.evaluation.ceilings.players import is_known_in, player
from training.evaluation.playing import Unit, source_of

FORMAT = "evaluation@1"
MOST_EPISODES = 100_000
MOST_BARGAINS = 5_000_000  # Of all policies in all suites
MOST_SEED = 2**40
FINGERPRINTED = 5  # Scenarios of a suite that its fingerprint is made of


class PolicyFact(msgspec.Struct, frozen=True):
    """A policy of a plan."""

    name: str
    version: str
    title: str
    kind: str


class SuiteFact(msgspec.Struct, frozen=True):
    """A suite of a plan and what is pinned of it.

    ``seller`` is the version label of the pinned opponent, of a market that of all other labs;
    ``fingerprint`` 12 digits of the SHA-256 of its first scenarios. Games have the seeds ``seed ..
    seed + games - 1``; ``bargains`` are rows per policy.
    """

    id: str
    title: str
    seller: str
    fingerprint: str
    games: int
    bargains: int


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that decides the result; ``commit`` is the code's version."""

    format: str = FORMAT
    policies: tuple[PolicyFact, ...]
    suites: tuple[SuiteFact, ...]
    seed: int
    episodes: int
    commit: str = ""

    @property
    def bargains(self) -> int:
        """Bargains in all."""
        return len(self.policies) * sum(one.bargains for one in self.suites)

    def units(self) -> list[Unit]:
        """List the pieces of work in the canonical order: suite, policy, seed."""
        return [
            Unit(buyer.name, one.id, seed)
            for one in self.suites
            for buyer in self.policies
            for seed in range(self.seed, self.seed + one.games)
        ]


def make_plan(
    policy_names: list[str],
    suite_names: list[str],
    *,
    episodes: int = 200,
    seed: int = 0,
    variant: str = "sampled",
    commit: str = "",
) -> Plan:
    """Check what was asked and write it down; BadPlan says what would be right.

    Args:
        policy_names: registered buyers; "rules" stands for all that play by rule, "all" for all.
        suite_names: as in ``suites_of``.
        episodes: bargains per policy and suite, reached in whole games.
        seed: of the first game.
        variant: "sampled" or "fixed".
        commit: version of the code.
    """
    _check_number("--episodes", episodes, 1, MOST_EPISODES)
    _check_number("--seed", seed, 0, MOST_SEED)
    return plan_of(
        buyers_of(policy_names),
        [suite_fact(one, episodes) for one in suites_of(suite_names, variant)],
        episodes=episodes,
        seed=seed,
        commit=commit,
    )


def plan_of(
    players: Iterable[Entry | PolicyFact],
    suites: Iterable[SuiteFact],
    *,
    episodes: int,
    seed: int,
    commit: str = "",
) -> Plan:
    """Write down what known policies play in known suites.

    BadPlan: a number is out of range, it is more than one run has, or a suite has no such bound.
    """
    _check_number("--episodes", episodes, 1, MOST_EPISODES)
    _check_number("--seed", seed, 0, MOST_SEED)
    plan = Plan(
        policies=tuple(PolicyFact(e.name, e.version, e.title, e.kind) for e in players),
        suites=tuple(suites),
        seed=seed,
        episodes=episodes,
        commit=commit,
    )
    if plan.bargains > MOST_BARGAINS:
        raise BadPlan(
            f"That would be {plan.bargains:,} games; one run has at most {MOST_BARGAINS:,}. "
            "Ask for fewer episodes, policies or suites."
        )
    for one in plan.suites:
        for who in plan.policies:
            if not is_known_in(who.name, one.id):
                raise BadPlan(f"Nobody knows a {who.name} in {one.id}; leave one of both out.")
    return plan


def suite_fact(id_: str, episodes: int) -> SuiteFact:
    """Pin a suite as it is now."""
    source = source_of(id_)
    scenarios = [source.deal(seed) for seed in range(FINGERPRINTED)]
    text = msgspec.json.encode((source.row, scenarios), order="sorted")
    games = math.ceil(episodes / source.episodes)
    return SuiteFact(
        id=id_,
        title=source.title,
        seller=scenarios[0].seller,
        fingerprint=hashlib.sha256(text).hexdigest()[:12],
        games=games,
        bargains=games * source.episodes,
    )


def buyers_of(names: Iterable[str]) -> list[Entry]:
    """Look up the buyers that words stand for, each once; BadPlan."""
    found: dict[str, Entry] = {}
    for name in names:
        for entry in named(name):
            found.setdefault(entry.name, entry)
    if not found:
        raise BadPlan("Name at least one policy, for example --policies sauda,rules:smart.")
    return list(found.values())


def named(name: str) -> list[Entry]:
    """Look up the buyers that a word stands for: a name, "rules", "conceders" or "all"; BadPlan."""
    if name == "conceders":
        return [player(one) for one in CONCEDERS]
    if name in ("all", "rules"):
        return [e for e in policies("buyer") if is_itself(e) and (name == "all" or _by_rule(e))]
    try:
        entry = player(name)
    except UnknownPolicy as unknown:
        raise BadPlan(str(unknown.args[0])) from unknown
    if entry.side != "buyer":
        raise BadPlan(f"{name} sells; only policies that buy are evaluated here.")
    if _is_stood_in_for(entry):
        itself = entry.version.split("@")[0]
        raise BadPlan(
            f"{name} speaks through a model only in live games; here {itself} would play for it, "
            f"under a name that is not its own. Evaluate {itself}."
        )
    return [entry]


def is_itself(entry: Entry) -> bool:
    """Whether it is no "sauda:hf": "sauda" before another backend, which nobody asks here."""
    return entry.version.split("@")[0] == entry.name


def _is_stood_in_for(entry: Entry) -> bool:
    return entry.kind == "model" and not is_itself(entry)


def _by_rule(entry: Entry) -> bool:
    return entry.backend == "rules"


def suites_of(names: Iterable[str], variant: str) -> list[str]:
    """Find the ids of suites by ids or names in the variant, each once; BadPlan.

    "all" means all of the variant, "people" and "people-held-out" the families of sellers who
    answer, "paths" the assumptions about those who follow people's prices.
    """
    if variant not in VARIANTS:
        raise BadPlan(f"--variant is one of {', '.join(VARIANTS)}, not {variant[:40]!r}.")
    found: dict[str, None] = {}
    for name in names:
        if name == "all":
            found |= dict.fromkeys(f"{row.name}@{variant}-{NUMBER}" for row in SUITES)
        elif families := suites_of_families(name):
            found |= dict.fromkeys(families)
        else:
            found[_id_of(name, variant)] = None
    if not found:
        raise BadPlan("Name at least one suite, for example --suites single_deal, or all.")
    return list(found)


def _id_of(name: str, variant: str) -> str:
    is_of_people = name.startswith((f"{MIXTURE}-", f"{PATHS}-"))
    number = PEOPLE_NUMBER if is_of_people else f"{variant}-{NUMBER}"
    id_ = name if "@" in name else f"{name}@{number}"
    try:
        source_of(id_)
    except UnknownSuite as unknown:
        known = ", ".join((*(row.name for row in SUITES), MIXTURE, HELD_OUT_MIXTURE, PATHS))
        raise BadPlan(f"There is no suite {name[:60]!r}. Known: {known}, or all.") from unknown
    return id_


def _check_number(name: str, value: object, least: int, most: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        shown = str(value)[:40]
        raise BadPlan(f"{name} is a whole number from {least} to {most}, not {shown}.")
