"""The rule expert, or any policy of this repository, on a served GPU market.

    pip install openenv '.[envs]'
    python -m examples.market_expert --policy rule_expert --task coalition_market --episodes 20

From the repository's folder, with a running site (``make play``). What came over the wire becomes
the observation that all policies take, and what they decide becomes JSON again.
"""

import argparse

from openenv.core import GenericEnvClient

from bazaarbatna.envs.market.actions import write_action
from bazaarbatna.envs.market.views import read_view
from bazaarbatna.market.policies.registry import EXPLOITS, POLICIES, make_policy


def main() -> None:
    """Play episodes and say how they went."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--url", default="http://127.0.0.1:8000/env/market")
    parser.add_argument("--policy", default="rule_expert", choices=[*POLICIES, *EXPLOITS])
    parser.add_argument("--task", default="market_round")
    parser.add_argument("--lab", default="lab_0")
    parser.add_argument("--reward", default="default", choices=["default", "published"])
    parser.add_argument("--episodes", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0, help="of the first episode")
    asked = parser.parse_args()
    if asked.episodes < 1:
        parser.error("--episodes is at least 1")
    returns, finished, jobs = [], 0, 0
    with GenericEnvClient(base_url=asked.url).sync() as market:
        for seed in range(asked.seed, asked.seed + asked.episodes):
            policy = make_policy(asked.policy, seed)
            turn = market.reset(task=asked.task, lab=asked.lab, reward=asked.reward, seed=seed)
            while not turn.done:
                turn = market.step(write_action(policy(read_view(turn.observation))))
            results = {one["lab"]: one for one in turn.observation["result"]["labs"]}
            mine = results[turn.observation["lab"]]
            finished, jobs = finished + mine["finished"], jobs + mine["jobs"]
            returns.append(turn.metadata["score"])
    mean = sum(returns) / len(returns)
    print(f"{asked.policy} on {asked.task}: {len(returns)} episodes, mean return {mean:.3f}")
    print(f"jobs finished: {finished} of {jobs}")


if __name__ == "__main__":
    try:
        main()
    except OSError as wrong:
        raise SystemExit(f"{wrong}. Does the site run (make play)?") from None
