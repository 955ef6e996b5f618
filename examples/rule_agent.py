"""A buyer with a plan, through the openenv package's own client.

    pip install openenv
    python examples/rule_agent.py --task read_the_tells --games 20

It needs a running site (``make play``). It opens low, concedes late, waits longer for a seller
whose tells betray hurry, takes the last affordable ask, and walks away from what it cannot pay.
"""

import argparse
from typing import Any

from openenv.core import GenericEnvClient


def hurry(seen: dict[str, Any]) -> float:
    """Guess from the tells how much the seller needs this deal, 0..1."""
    tells = seen["tells"] or {}
    signs = [tells.get(name) for name in ("verbal_urgency", "fidget_level", "verbal_deception_cue")]
    heard = [sign for sign in signs if sign is not None]
    return max(heard, default=0.3)


def choose(seen: dict[str, Any]) -> dict[str, Any]:
    """Bid along a curve from 40 % of the opening ask to all that is worth paying."""
    last_round = min(seen["deadline"] or seen["max_rounds"], seen["max_rounds"])
    time = min(seen["round"] / last_round, 1.0)
    patience = 2.0 + 2.0 * hurry(seen)
    ceiling = min(seen["budget"], 0.9 * seen["opening_ask"])
    floor = min(0.4 * seen["opening_ask"], ceiling)
    bid = round(floor + (ceiling - floor) * time**patience, 2)
    if seen["may_accept"] and (seen["standing_ask"] <= bid or time == 1.0):
        return {"action": "accept", "message": "Chaliye, de dijiye."}
    if time == 1.0 and seen["standing_ask"] > 1.25 * seen["budget"]:
        return {"action": "walk", "message": "Itna toh nahi ho payega."}
    return {"action": "offer", "price": bid, "message": f"{bid:.2f}, aur thoda kam kariye."}


def main() -> None:
    """Play games and say how they went."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--url", default="http://127.0.0.1:8000/env/bazaar")
    parser.add_argument("--task", default="single_deal")
    parser.add_argument("--variant", default="sampled")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0, help="of the first game")
    asked = parser.parse_args()
    if asked.games < 1:
        parser.error("--games is at least 1")
    results: list[dict[str, Any]] = []
    scores = []
    with GenericEnvClient(base_url=asked.url).sync() as bazaar:
        for seed in range(asked.seed, asked.seed + asked.games):
            turn = bazaar.reset(task=asked.task, variant=asked.variant, seed=seed)
            while not turn.done:
                turn = bazaar.step(choose(turn.observation))
                if turn.observation["result"]:
                    results.append(turn.observation["result"])
            scores.append(turn.metadata["score"])
    for label in sorted({result["label"] for result in results}):
        print(f"{label:14} {sum(result['label'] == label for result in results)}")
    winnable = [one for one in results if one["budget"] > one["reservation_price"]]
    share = sum(one["buyer_share"] for one in winnable) / max(len(winnable), 1)
    mean = sum(scores) / len(scores)
    print(f"{asked.task}: {len(scores)} games, mean score {mean:.3f}")
    print(f"share of what could be won: {share:.3f} (no deal counts 0, {len(winnable)} bargains)")


if __name__ == "__main__":
    try:
        main()
    except OSError as wrong:
        raise SystemExit(f"{wrong}. Does the site run (make play)?") from None
