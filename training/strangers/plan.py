"""What an evaluation on strangers is going to play."""

from collections.abc import Iterable

from training.evaluation.errors import BadPlan
from training.evaluation.plan import Plan, buyers_of, plan_of, suite_fact
from training.strangers.dealing import SELLER, VARIANT, persona_of, suite_ids


def plan_for(
    policy_names: Iterable[str],
    sellers: Iterable[str],
    *,
    episodes: int = 200,
    seed: int = 0,
    commit: str = "",
) -> Plan:
    """Check what was asked and write it down.

    Args:
        policy_names: registered buyers, "rules" or "all".
        sellers: talking sellers, with or without "seller:"; "all" for all of them.
        episodes: bargains per policy and seller.
        seed: of the first game.
        commit: version of the code.

    Raises:
        BadPlan: with what would be right.
    """
    buyers = buyers_of(policy_names)
    suites = [suite_fact(one, max(episodes, 1)) for one in _suites(sellers)]
    return plan_of(buyers, suites, episodes=episodes, seed=seed, commit=commit)


def _suites(sellers: Iterable[str]) -> list[str]:
    found: dict[str, None] = {}
    for name in sellers:
        suite = f"{name.removeprefix(SELLER)}@{VARIANT}"
        if name == "all":
            found |= dict.fromkeys(suite_ids())
        elif persona_of(suite) is None:
            known = ", ".join(one.split("@")[0] for one in suite_ids())
            raise BadPlan(f"There is no talking seller {name[:60]!r}. Known: {known}, or all.")
        else:
            found[suite] = None
    if not found:
        raise BadPlan("Name at least one seller, for example --sellers firm, or all.")
    return list(found)
