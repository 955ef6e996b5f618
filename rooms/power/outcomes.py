"""How games come out that nobody has played yet: sellers of the population against each buyer.

They are played once (``manage.py study_power --make-table``) and kept beside this file, so that a
page need not wait for them. A test plays some of them again.
"""

import functools
from collections.abc import Iterable
from itertools import count, islice
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from bazaarbatna.bargain.episode import advance, start
from bazaarbatna.bargain.observe import observe_buyer, observe_seller
from bazaarbatna.bargain.people.dealing import deal
from bazaarbatna.bargain.people.dialogues import PersonBuyer
from bazaarbatna.bargain.people.families import FAMILIES
from bazaarbatna.bargain.people.families import NUMBER as SELLERS_NUMBER
from bazaarbatna.bargain.people.seller import PersonSeller
from bazaarbatna.bargain.proposals import repair
from bazaarbatna.bargain.scenario import Scenario
from negotiation.policies import policy
from negotiation.sentences import sentences

say = sentences(__file__)

GAMES = 3000
ROUNDS = 10
SUITE = "power"
TABLE = Path(__file__).with_name("outcomes.json")

PEOPLE = "people"
"""Stands for the buyers of the population: a pair of people."""

BUYERS: dict[str, str] = {
    PEOPLE: say.text("another_person"),
    "sauda-network": say.text("sauda_the_trained_buyer_of_this"),
    "sauda": say.text("sauda_by_rule"),
    "rules:linear": say.text("a_buyer_who_comes_up_in"),
    "rules:conceder": say.text("a_buyer_who_gives_in_early"),
    "rules:tit-for-tat": say.text("a_buyer_who_answers_a_step"),
    "rules:boulware": say.text("a_buyer_who_holds_out"),
}
"""Whom participants can sell to, in the order of the page."""

NO_DEAL = -1


class Column(msgspec.Struct, frozen=True):
    """The games with one buyer: the seller's share in thousandths, ``NO_DEAL`` without a deal."""

    version: str
    shares: tuple[int, ...]


class Table(msgspec.Struct, frozen=True):
    """All of them; game ``n`` has the same goods, prices and seller with every buyer."""

    sellers: int
    buyers: dict[str, Column]


class Outcomes(msgspec.Struct, frozen=True):
    """What sellers get from one buyer; both arrays: (games,)."""

    shares: npt.NDArray[np.float64]
    """Share of the zone, 0 without a deal."""
    deals: npt.NDArray[np.float64]
    """1 for a deal, 0 for none."""


@functools.cache
def outcomes(buyer: str) -> Outcomes:
    """Return how the games with a buyer of ``BUYERS`` came out."""
    thousandths = np.array(_table().buyers[buyer].shares, dtype=np.float64)
    return Outcomes(np.maximum(thousandths, 0) / 1000, (thousandths >= 0).astype(np.float64))


@functools.cache
def _table() -> Table:
    return msgspec.json.decode(TABLE.read_bytes(), type=Table)


def play_table(games: int = GAMES, buyers: Iterable[str] = tuple(BUYERS)) -> Table:
    """Play all games with some buyers."""
    return Table(
        SELLERS_NUMBER,
        {
            name: Column(version_of(name), tuple(_share(one, name) for one in scenarios(games)))
            for name in buyers
        },
    )


def version_of(buyer: str) -> str:
    """Return the version of a buyer; of people: that of the population."""
    return f"population@{SELLERS_NUMBER}" if buyer == PEOPLE else policy(buyer).version


def scenarios(games: int) -> Iterable[Scenario]:
    """Deal the first games that have a zone: without one there is nothing to share."""
    weights = [family.weight for family in FAMILIES]
    families = (Random(f"{SUITE}:family:{seed}").choices(FAMILIES, weights)[0] for seed in count())
    dealt = (deal(SUITE, family, seed, ROUNDS) for seed, family in enumerate(families))
    return islice((one for one in dealt if one.zopa > 0), games)


def _share(scenario: Scenario, name: str) -> int:
    seed = scenario.sealed.seed
    if name == PEOPLE:
        # As in the fit to people: the own manner says what a buyer pays at most, up to the list
        # price. With a drawn budget on top of it a third fewer would agree than people do.
        sealed = msgspec.structs.replace(scenario.sealed, budget=scenario.anchor)
        scenario = msgspec.structs.replace(scenario, sealed=sealed)
    buyer: Any = PersonBuyer(seed) if name == PEOPLE else policy(name).make(seed)
    seller = PersonSeller(scenario)
    state, _ = start(scenario)
    while (side := state.to_move) is not None:
        acts = side == "buyer"
        move = buyer.act(observe_buyer(state)) if acts else seller.act(observe_seller(state))
        state, _ = advance(state, repair(state, side, move))
    assert state.ended is not None
    return NO_DEAL if state.ended.price is None else round(1000 * state.ended.seller_share)
