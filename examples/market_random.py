"""A lab that rolls dice on the GPU market, through the openenv package's own client.

    pip install openenv
    python examples/market_random.py --task coalition_market --episodes 20

It needs a running site (``make play``). The least that an agent has to do, and the return that any
other agent should beat.
"""

import argparse
import random
from typing import Any

from openenv.core import GenericEnvClient


def choose(seen: dict[str, Any], dice: random.Random) -> dict[str, Any]:
    """Answer an offer, run a job on some blocks, ask somebody for a block, or wait."""
    me = seen["lab"]
    free = [one for one in seen["blocks"] if one["status"] == "available" and one["hours_left"]]
    mine = [block["id"] for block in free if block["owner"] == me]
    theirs = [block for block in free if block["owner"] != me]
    choices: list[dict[str, Any]] = [{"action": "wait"}]
    for offer in seen["offers"]:
        if offer["status"] == "open" and offer["target"] == me:
            answer = dice.choice(["accept_offer", "reject_offer"])
            choices.append({"action": answer, "offer_id": offer["id"]})
    for job in seen["jobs"]:
        if mine and not job["done"]:
            some = dice.sample(mine, dice.randint(1, len(mine)))
            run = {"action": "allocate_to_job", "job_id": job["id"], "block_ids": some}
            choices += [run, run]
    if theirs:
        wanted = dice.choice(theirs)
        choices.append(
            {
                "action": "send_offer",
                "target_lab_id": wanted["owner"],
                "requested_block_ids": [wanted["id"]],
                "payment": round(dice.uniform(0, seen["budget"] / 3), 2),
            }
        )
    return dice.choice(choices)


def main() -> None:
    """Play episodes and say how they went."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--url", default="http://127.0.0.1:8000/env/market")
    parser.add_argument("--task", default="market_round")
    parser.add_argument("--lab", default="lab_0")
    parser.add_argument("--episodes", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0, help="of the first episode, and of the dice")
    asked = parser.parse_args()
    if asked.episodes < 1:
        parser.error("--episodes is at least 1")
    dice, returns, refused = random.Random(asked.seed), [], 0
    with GenericEnvClient(base_url=asked.url).sync() as market:
        for seed in range(asked.seed, asked.seed + asked.episodes):
            turn = market.reset(task=asked.task, lab=asked.lab, seed=seed)
            while not turn.done:
                turn = market.step(choose(turn.observation, dice))
                refused += not turn.observation["last_action_result"]["ok"]
            returns.append(turn.metadata["score"])
    mean = sum(returns) / len(returns)
    print(f"{asked.task}: {len(returns)} episodes, mean return {mean:.3f}, {refused} refused")


if __name__ == "__main__":
    try:
        main()
    except OSError as wrong:
        raise SystemExit(f"{wrong}. Does the site run (make play)?") from None
