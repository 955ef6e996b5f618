"""Golden episodes per policy version: ``python -m tests.agents.golden`` adds the new versions.

A recorded version is never replaced: a buyer that behaves otherwise needs another version.
"""

import json
from pathlib import Path
from random import Random

from agents.plug import BUYERS
from agents.testing.players import SELLERS, Seller, a_scenario
from bazaarbatna.bargain.episode import apply, start
from bazaarbatna.bargain.moves import Move, Offer
from bazaarbatna.bargain.observe import observe_buyer
from negotiation.policies import BuyerFactory

PLACE = Path(__file__).with_name("golden.json")
SEEDS = (1, 2, 3, 4)


def episodes(make: BuyerFactory) -> list[list[str]]:
    """Play the golden games: one list of written moves for each seed and seller."""
    return [_episode(make, seed, seller) for seed in SEEDS for seller in SELLERS]


def recorded() -> dict[str, list[list[str]]]:
    """Read the recorded episodes by version."""
    known: dict[str, list[list[str]]] = json.loads(PLACE.read_text()) if PLACE.exists() else {}
    return known


def main() -> None:
    """Record the versions that are not recorded yet; versions of other buyers are kept."""
    known = recorded()
    for buyer in BUYERS:
        known.setdefault(buyer.version(), episodes(buyer))
    PLACE.write_text(json.dumps(known, indent=1, sort_keys=True, ensure_ascii=False) + "\n")


def _episode(make: BuyerFactory, seed: int, seller: Seller) -> list[str]:
    dice = Random(seed)
    state, _ = start(a_scenario(dice))
    buyer, written = make(seed), []
    while state.to_move is not None:
        if state.to_move == "seller":
            state, _ = apply(state, "seller", seller(state, dice))
            continue
        move = buyer.act(observe_buyer(state))
        written.append(_write(move))
        state, _ = apply(state, "buyer", move)
    return written


def _write(move: Move) -> str:
    price = f" {move.price}" if isinstance(move, Offer) else ""
    return f"{type(move).__name__.lower()}{price} {move.text}".strip()


if __name__ == "__main__":
    main()
