"""All labs of a GPU market by agents of one's own, without a server: a PettingZoo loop.

    pip install '.[envs]'
    python -m examples.market_labs --task coalition_market --episodes 5

From the repository's folder. ``lab_0`` runs its jobs as an expert would, in JSON; the others draw
from the action space what their masks allow.
"""

import argparse
import json
from typing import Any

from bazaarbatna.envs.market.actions import write_action
from bazaarbatna.envs.market.labs import LabsEnv, env
from bazaarbatna.envs.market.views import read_view
from bazaarbatna.market.policies.registry import make_policy


def choose(market: LabsEnv, agent: str, info: dict[str, Any]) -> Any:
    """Act as an expert where one sits, else draw an action that may be valid."""
    if agent == "lab_0":
        seen = read_view(json.loads(info["view"]))
        return json.dumps(write_action(make_policy("rule_expert", 0)(seen)))
    return market.action_space(agent).sample(info["action_mask"])


def main() -> None:
    """Play episodes and say what each lab made of them."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--task", default="market_round")
    parser.add_argument("--episodes", type=int, default=5)
    parser.add_argument("--seed", type=int, default=0, help="of the first episode")
    asked = parser.parse_args()
    if asked.episodes < 1:
        parser.error("--episodes is at least 1")
    market = env(asked.task)
    for number, agent in enumerate(market.possible_agents):
        market.action_space(agent).seed(asked.seed + number)
    returns: dict[str, list[float]] = {}
    for seed in range(asked.seed, asked.seed + asked.episodes):
        market.reset(seed=seed)
        earned = dict.fromkeys(market.agents, 0.0)
        for agent in market.agent_iter():
            _, reward, is_over, is_cut, info = market.last()
            earned[agent] += reward
            market.step(None if is_over or is_cut else choose(market, agent, info))
        for agent, one in earned.items():
            returns.setdefault(agent, []).append(one)
    market.close()
    for agent, all_ in returns.items():
        print(f"{agent}: {len(all_)} episodes, mean return {sum(all_) / len(all_):.3f}")


if __name__ == "__main__":
    main()
