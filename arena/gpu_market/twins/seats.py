"""Who plays a lab, by name, and how such a player is asked.

A policy is made anew for every turn, with a seed of its own for that turn. So it keeps nothing in
memory: a match that another process takes over, a fork and a twin go on as the match itself would.
"""

from collections.abc import Sequence
from random import Random

from arena.gpu_market.engine.actions import Malformed, MarketAction
from arena.gpu_market.engine.observe import Observation
from arena.gpu_market.engine.playing import Player
from arena.gpu_market.engine.scenario import MarketScenario
from arena.gpu_market.policies.registry import make_live_policy
from arena.gpu_market.policies.views import Policy

PERSON = "person"
ARCHETYPE = "archetype"
"""Who plays a lab, where it is no named policy; which archetype it is stays sealed."""

STAND_IN = "rule_expert"
"""Plays on for a person, who cannot be asked again."""

SEED_BITS = 53


def player_of(scenario: MarketScenario, lab: int, name: str, *, luck: int = 0) -> Player:
    """Return the player of a lab; one that is unknown raises ``ValueError`` when it is asked.

    Args:
        scenario: the market; its sealed seed gives the policy's luck.
        lab: its number.
        name: of a policy, or ``person`` for the stand-in.
        luck: 0 for the match's own luck, another number for other luck.
    """

    def play(seen: Observation) -> MarketAction | Malformed:
        return policy_of(scenario, lab, name, seen.round, luck=luck)(seen)

    return play


def policy_of(
    scenario: MarketScenario, lab: int, name: str, round_: int, *, luck: int = 0
) -> Policy:
    """Return the policy that plays a lab in one round, with the luck of that turn.

    Raises:
        ValueError: no policy has that name or label.
    """
    policy = STAND_IN if name == PERSON else name
    text = f"{scenario.sealed.seed}:{lab}:{round_}:{luck}"
    return make_live_policy(policy, Random(text).getrandbits(SEED_BITS))


def players_of(
    scenario: MarketScenario, seats: Sequence[str], *, luck: int = 0
) -> dict[int, Player]:
    """Return the players of all labs that do not follow their archetypes."""
    return {
        lab: player_of(scenario, lab, name, luck=luck)
        for lab, name in enumerate(seats)
        if name != ARCHETYPE
    }
