"""PPO of Stable-Baselines3 learns to bargain with sellers who answer, in a minute of one core.

    pip install '.[envs]' stable-baselines3
    python examples/sb3_ppo.py --out sb3_ppo.json

Games that it learns in are drawn; it is measured on 1,000 others, untrained and trained, beside the
best rule of the library (chosen on yet other games), and on families of sellers that it never met.
"""

import argparse
import time
from collections.abc import Callable
from datetime import date
from importlib.metadata import version
from pathlib import Path
from typing import Any

import msgspec
import torch
from stable_baselines3 import PPO
from stable_baselines3.common.env_util import make_vec_env

from bazaarbatna.bargain.match import play_suite_game
from bazaarbatna.bargain.people import held_out
from bazaarbatna.bargain.scoring import report_card, score
from bazaarbatna.commands.rollout import CHOSEN_BY, best_rule, find_rule
from bazaarbatna.envs.bargain.gymnasium_spaces import to_numbers, to_proposal

GRID = 21
"""Bids from a 21st of the budget to all of it; with accept and walk these are the actions."""

SUITES = ("people@1", "people-held-out@1")
FIRST_GAME = 20_000


class Learned:
    """The policy as a buyer of the library, which plays the engine's own games."""

    def __init__(self, model: PPO) -> None:
        self.model = model

    def act(self, seen: Any) -> Any:
        """Take the likeliest action."""
        action, _ = self.model.predict(to_numbers(seen), deterministic=True)
        return to_proposal(action, seen.budget, GRID)


def measure(who: str, suite: str, games: int, buyer: Callable[[int], Any]) -> dict[str, Any]:
    """Play the games and print and return what is kept of the zone, no deal counting 0."""
    seeds = range(FIRST_GAME, FIRST_GAME + games)
    card = report_card(
        [score(log) for seed in seeds for log in play_suite_game(suite, seed, buyer)]
    )
    kept = card.share_of_winnable
    assert kept is not None
    told = f"{kept.mean:.3f} ({kept.low:.3f} to {kept.high:.3f})"
    print(f"{suite:<18} {who:<18} {told}  deals {card.deal_rate:.3f}", flush=True)
    share = [round(part, 4) for part in (kept.mean, kept.low, kept.high)]
    return {"suite": suite, "who": who, "share": share, "deals": round(card.deal_rate or 0.0, 4)}


def main() -> None:
    """Train, and measure before and after."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--steps", type=int, default=150_000)
    parser.add_argument("--games", type=int, default=1000, help="measured, of each suite")
    parser.add_argument("--seed", type=int, default=1_000_000, help="of the first games, and dice")
    parser.add_argument("--out", type=Path, help="write the receipt here")
    asked = parser.parse_args()
    torch.set_num_threads(1)
    env = make_vec_env(
        "bazaarbatna.gym:Bazaar-v0",
        16,
        seed=asked.seed,
        env_kwargs={"suite": "people", "grid": GRID, "words": False},
    )
    model = PPO(
        "MultiInputPolicy",
        env,
        learning_rate=1e-3,
        n_steps=128,
        batch_size=512,
        gamma=1.0,
        gae_lambda=0.98,
        ent_coef=0.001,
        seed=asked.seed,
        device="cpu",
    )
    held_out.plug_in()
    rows = [measure("untrained", "people@1", asked.games, lambda _: Learned(model))]
    began = time.process_time()
    model.learn(asked.steps)
    took_s = round(time.process_time() - began)
    for suite in SUITES:
        after = FIRST_GAME + asked.games
        best = best_rule([suite], range(after, after + CHOSEN_BY))
        rules = dict.fromkeys((best, find_rule("agreeable")))
        rows += [measure(rule.name, suite, asked.games, rule) for rule in rules]
        rows.append(measure("PPO", suite, asked.games, lambda _: Learned(model)))
    print(f"{asked.steps} steps, {took_s} s of processor")
    if asked.out:
        told = {
            "made": date.today().isoformat(),  # noqa: DTZ011  where it was made
            "stable_baselines3": version("stable-baselines3"),
            "steps": asked.steps,
            "processor_s": took_s,
            "games": asked.games,
            "rows": rows,
        }
        asked.out.write_bytes(msgspec.json.format(msgspec.json.encode(told)) + b"\n")


if __name__ == "__main__":
    main()
