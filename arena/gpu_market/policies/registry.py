"""The scripted policies by name."""

from collections.abc import Callable

from arena.gpu_market.policies import plain
from arena.gpu_market.policies.expert import rule_expert
from arena.gpu_market.policies.lottery import random_valid
from arena.gpu_market.policies.optimal import optimal_planner
from arena.gpu_market.policies.views import Policy

MakePolicy = Callable[[int], Policy]
"""Makes a player from a seed; most need no luck."""


def _always(policy: Policy) -> MakePolicy:
    return lambda seed: policy


POLICIES: dict[str, MakePolicy] = {
    "random_valid": random_valid,
    "greedy_hoarder": _always(plain.greedy_hoarder),
    "no_negotiation_allocator": _always(plain.no_negotiation_allocator),
    "always_accept": _always(plain.always_accept),
    "naive_instruct": _always(plain.naive_instruct),
    "rule_expert": _always(rule_expert),
    "optimal_planner": _always(optimal_planner),
}
"""The ladder of the evaluation."""

EXPLOITS: dict[str, MakePolicy] = {
    "never_act": _always(plain.never_act),
    "coalition_spammer": _always(plain.coalition_spammer),
    "keyword_pitcher": _always(plain.keyword_pitcher),
}
"""Constant policies that a sound reward must leave at the bottom."""


def make_policy(name: str, seed: int) -> Policy:
    """Make the player with a name.

    Raises:
        ValueError: with the names that exist.
    """
    known = POLICIES | EXPLOITS
    if name not in known:
        raise ValueError(f"There is no policy {name[:40]!r}. Known: {', '.join(known)}.")
    return known[name](seed)
