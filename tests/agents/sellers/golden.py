"""Golden games per seller version: ``python -m tests.agents.sellers.golden`` adds the new ones.

A recorded version is never replaced: a seller that behaves otherwise needs another version.
"""

import json
from pathlib import Path
from random import Random

import msgspec

from agents.sellers.rule_seller import sellers
from agents.testing.players import BUYERS, Buyer, a_scenario
from bazaarbatna.bargain.episode import apply, say, start
from bazaarbatna.bargain.moves import Move, Offer
from bazaarbatna.bargain.observe import observe_seller
from bazaarbatna.bargain.scenario import PURCHASE, SECOND_PURCHASE
from negotiation.policies import SellerFactory
from tests.support.selling import TIFFIN

PLACE = Path(__file__).with_name("golden.json")
SEEDS = (1, 2)
SUITES = ("buy@1", SECOND_PURCHASE, PURCHASE)


def episodes(make: SellerFactory) -> list[list[str]]:
    """Play the golden games: one list of written moves and replies for each seed and buyer."""
    plays = ((seed, buyer, suite) for suite in SUITES for seed in SEEDS for buyer in BUYERS)
    return [_episode(make, *one) for one in plays]


def recorded() -> dict[str, list[list[str]]]:
    """Read the recorded games by version."""
    known: dict[str, list[list[str]]] = json.loads(PLACE.read_text()) if PLACE.exists() else {}
    return known


def main() -> None:
    """Record the versions that are not recorded yet; versions of other sellers are kept."""
    known = recorded()
    for row in sellers():
        known.setdefault(row.version, episodes(row.make))
    PLACE.write_text(json.dumps(known, indent=1, sort_keys=True, ensure_ascii=False) + "\n")


def _episode(make: SellerFactory, seed: int, buyer: Buyer, suite: str) -> list[str]:
    dice, seller, written = Random(seed), make(seed), []
    scenario = msgspec.structs.replace(a_scenario(dice, rounds=6), item=TIFFIN, suite=suite)
    state, _ = start(scenario)
    while state.to_move is not None:
        if state.to_move == "buyer":
            state, _ = apply(state, "buyer", buyer(state, dice))
            continue
        if state.round == 2:
            state, _ = say(state, "buyer", "kitna kam karoge?")
            reply = seller.reply(observe_seller(state))  # type: ignore[attr-defined]
            written.append(f"says {reply}")
            state, _ = say(state, "seller", reply)
        move = seller.act(observe_seller(state))
        written.append(_write(move))
        state, _ = apply(state, "seller", move)
    return written


def _write(move: Move) -> str:
    price = f" {move.price}" if isinstance(move, Offer) else ""
    return f"{type(move).__name__.lower()}{price} {move.text}".strip()


if __name__ == "__main__":
    main()
