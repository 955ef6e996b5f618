"""Who can be evaluated in the market, with a version that follows from how it plays."""

import hashlib
from collections.abc import Iterable
from functools import lru_cache

import msgspec

from arena.gpu_market.engine import Malformed, MarketAction, Observation
from arena.gpu_market.engine.playing import Player, play_market
from arena.gpu_market.policies.registry import EXPLOITS, POLICIES, make_policy, names
from arena.gpu_market.trained.seat import TRAINED_LABS
from negotiation.policies import UnknownPolicy
from training.evaluation.errors import BadPlan
from training.evaluation.plan import PolicyFact
from training.markets.worlds import HELD_OUT, LEARNER, deal

MODEL = "model"
"""Kind of a policy that was trained."""

ALL_RULES = "market-rules"
"""Stands for all scripted policies, those that try the holes of a reward too."""

SAMPLE = (
    ("market:market_round@default-1", HELD_OUT),
    ("market:coalition_market@default-1", HELD_OUT + 1),
    ("market:coalition_market@published-1", HELD_OUT + 2),
)
"""Markets that make versions: of a policy its actions in them, of the archetypes all events."""


def players_of(told: Iterable[str]) -> list[PolicyFact]:
    """Look up the policies that words stand for, each once.

    Raises:
        BadPlan: there is none, or no such policy.
    """
    found: dict[str, PolicyFact] = {}
    for name in told:
        for one in _named(name):
            try:
                found.setdefault(one, player_fact(one))
            except UnknownPolicy as unknown:
                raise BadPlan(str(unknown.args[0])) from unknown
    if not found:
        raise BadPlan(f"Name at least one policy, for example --policies {ALL_RULES}.")
    return list(found.values())


def player_fact(name: str) -> PolicyFact:
    """Describe a policy as it is now: a script by what it does, a lab by its weights.

    Raises:
        UnknownPolicy: there is none of that name.
    """
    lab = None if name in _scripted() else TRAINED_LABS.find(name)
    if lab is not None:
        return PolicyFact(name, lab.version, lab.card.title, MODEL)
    if name not in names():
        raise UnknownPolicy(
            f"No policy of the market is called {name[:40]!r}. Known: {', '.join(names())}; "
            f"{ALL_RULES} stands for all that play by rule."
        )
    return PolicyFact(name, f"{name}#{_play_of(name)}", title_of(name), "rules")


def title_of(name: str) -> str:
    """Write a policy's name for people.

    >>> title_of("rule_expert")
    'Rule expert'
    """
    return name.replace("_", " ").capitalize()


@lru_cache(maxsize=1)
def others_version() -> str:
    """Name the version of the archetypes: what becomes of a few worlds that are left to them."""
    worlds = [deal(suite, seed)[0] for suite, seed in SAMPLE]
    events = [msgspec.json.encode(play_market(world, {})[1]) for world in worlds]
    return f"archetypes#{hashlib.sha256(b''.join(events)).hexdigest()[:12]}"


def _named(word: str) -> tuple[str, ...]:
    return {ALL_RULES: _scripted(), "all": names()}.get(word, (word,))


def _scripted() -> tuple[str, ...]:
    return *POLICIES, *EXPLOITS


@lru_cache(maxsize=256)
def _play_of(name: str) -> str:
    """Give 12 digits of what a policy does in a few markets: another play, another version."""
    done: list[MarketAction | Malformed] = []
    for suite, seed in SAMPLE:
        world, _ = deal(suite, seed)
        play_market(world, {LEARNER: _kept(make_policy(name, seed), done)})
    return hashlib.sha256(msgspec.json.encode(done)).hexdigest()[:12]


def _kept(player: Player, done: list[MarketAction | Malformed]) -> Player:
    def act(seen: Observation) -> MarketAction | Malformed:
        action = player(seen)
        done.append(action)
        return action

    return act
