"""A buyer that rolls dice, over OpenEnv's socket.

    pip install websockets
    python examples/random_agent.py --task single_deal --games 20

It needs a running site (``make play``). The least that an agent has to do, and the score that any
other agent should beat.
"""

import argparse
import json
import random
from typing import Any

from websockets.sync.client import ClientConnection, connect


def ask(bazaar: ClientConnection, kind: str, **data: Any) -> dict[str, Any]:
    """Send one message and give what it was answered."""
    bazaar.send(json.dumps({"type": kind, "data": data}))
    answer = json.loads(bazaar.recv())
    if answer["type"] == "error":
        raise SystemExit(f"{answer['data']['code']}: {answer['data']['message']}")
    return dict(answer["data"])


def choose(seen: dict[str, Any], dice: random.Random) -> dict[str, Any]:
    """Mostly bid something between a third of the standing ask and all of the budget."""
    rolled = dice.random()
    if rolled < 0.1 and seen["may_accept"]:
        return {"action": "accept", "message": "Theek hai."}
    if rolled < 0.13:
        return {"action": "walk", "message": "Phir kabhi."}
    highest = min(seen["budget"], seen["standing_ask"])
    price = round(dice.uniform(min(seen["standing_ask"] / 3, highest), highest), 2)
    return {"action": "offer", "price": price, "message": f"{price:.2f} doonga."}


def main() -> None:
    """Play games and say how they went."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--url", default="ws://127.0.0.1:8000/env/bazaar/ws")
    parser.add_argument("--task", default="single_deal")
    parser.add_argument("--variant", default="sampled")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0, help="of the first game, and of the dice")
    asked = parser.parse_args()
    if asked.games < 1:
        parser.error("--games is at least 1")
    dice, scores, outcomes = random.Random(asked.seed), [], []
    with connect(asked.url) as bazaar:
        for seed in range(asked.seed, asked.seed + asked.games):
            turn = ask(bazaar, "reset", task=asked.task, variant=asked.variant, seed=seed)
            while not turn["done"]:
                turn = ask(bazaar, "step", **choose(turn["observation"], dice))
                if result := turn["observation"]["result"]:
                    outcomes.append(result["outcome"])
            scores.append(turn["metadata"]["score"])
    deals = outcomes.count("deal") / len(outcomes)
    mean = sum(scores) / len(scores)
    print(f"{asked.task}: {len(scores)} games, mean score {mean:.3f}, deals {deals:.0%}")


if __name__ == "__main__":
    try:
        main()
    except OSError as wrong:
        raise SystemExit(f"{wrong}. Does the site run (make play)?") from None
