"""Sellers by the thousand answer as the engine's one by one."""

from collections import Counter
from random import Random

import numpy as np
import pytest

from bazaarbatna.bargain.observe import SellerObservation
from bazaarbatna.bargain.people.families import FAMILIES
from bazaarbatna.bargain.people.held_out import ASSUMPTIONS, PATHS
from bazaarbatna.bargain.people.manner import Manner, price_unit, whole
from bazaarbatna.bargain.people.paths import fit_paths, path_family
from bazaarbatna.bargain.people.seller import Luck, respond
from bazaarbatna.bargain.people.signals import remember
from bazaarbatna.bargain.quantities import clamp_price
from bazaarbatna.bargain.scenario import Item, SellerRules
from bazaarbatna.envs.bargain.people.sellers import FIELDS, Table, answers, draw_sellers, place_bid

ANCHOR = 100_000_00


def seen_by(asks, bids, floor, round_, rounds):
    return SellerObservation(
        suite="people@1", item=Item("Lamp"), round=round_, max_rounds=rounds, asks=asks, bids=bids,
        reservation=floor, cost=floor, persona="people:halver", rules=SellerRules(), turns=(),
        done=False, outcome=None,
    )  # fmt: skip


POPULATION = (*FAMILIES, path_family(fit_paths(), weight=8, touchy=0.4))
"""As many follow a path of people as answer what is bid."""


@pytest.mark.parametrize("seed", range(90))
def test_every_answer_is_that_of_the_engine(seed):
    answered_alike(draw_sellers(POPULATION, 400), seed)


def test_paths_with_insults_and_deadlines_are_answered_alike_to_every_end():
    """Seeds 0 to 399: each way to end is met, and paths end before and after their last price."""
    sore = path_family(fit_paths(), name="paths-sore", touchy=0.6, hurried=0.4)
    sellers = draw_sellers((PATHS, sore, *ASSUMPTIONS), 700)
    ends = Counter(answered_alike(sellers, seed) for seed in range(400))
    assert set(ends) == {"deal", "insult", "deadline", "patience", "rounds"}
    assert min(ends.values()) >= 8


def answered_alike(sellers, seed):
    """Play one of them in both forms, number by number; return how it ended."""
    dice = Random(seed)
    place = dice.randrange(sellers.count)
    row = sellers.first[:, [place]]
    path = tuple(sellers.path[: sellers.steps[place], place].tolist())
    values = {n: whole(n, float(v)) for n, v in zip(FIELDS, row[:, 0], strict=True)}
    manner = Manner(**values, path=path)
    unit = price_unit(ANCHOR)
    floor = clamp_price(unit * int(manner.floor * ANCHOR / unit + 0.5))
    seller = sellers.take(np.array([place])).with_floor(np.array([floor / ANCHOR]))
    row = seller.first
    rounds = dice.randint(2, 14)
    table = Table(*(np.full(1, value) for value in (1.0, 0.0, 0.0, 0.0, 0.0, 0.0)))
    asks, bids = (ANCHOR,), ()
    for round_ in range(1, rounds + 1):
        low = bids[-1] if bids else int(0.3 * ANCHOR)
        bids = (*bids, low if dice.random() < 0.3 else dice.randint(low, asks[-1]) // 100 * 100)
        luck = Luck(*(dice.random() for _ in range(4)))
        said = respond(
            manner,
            remember(asks, bids, manner.insult),
            seen_by(asks, bids, floor, round_, rounds),
            luck,
        )
        place_bid(table, np.full(1, bids[-1] / ANCHOR), row[FIELDS.index("insult")], round_ == 1)
        draws = np.array([[getattr(luck, name)] for name in ("leave", "pride", "hold", "spread")])
        answer = answers(seller, table, round_, rounds, draws, unit / ANCHOR)
        if said is None:
            assert answer.leaves[0]
            if round_ >= manner.deadline_round(rounds):
                return "deadline"
            is_insult = bids[-1] < manner.insult * ANCHOR and luck.pride < manner.pride
            return "insult" if is_insult else "patience"
        if said <= bids[-1]:
            assert answer.takes[0]
            return "deal"
        assert not answer.takes[0]
        assert not answer.leaves[0]
        assert round(float(answer.ask[0]) * ANCHOR) == said
        table.named = table.named + (said < asks[-1])
        table.ask = answer.ask
        asks = (*asks, said)
    return "rounds"
