"""Sellers by the thousand answer as the engine's one by one."""

from random import Random

import numpy as np
import pytest

from negotiation.engine.observe import SellerObservation
from negotiation.engine.people.families import FAMILIES
from negotiation.engine.people.manner import Manner, price_unit, whole
from negotiation.engine.people.seller import Luck, respond
from negotiation.engine.people.signals import remember
from negotiation.engine.quantities import clamp_price
from negotiation.engine.scenario import Item, SellerRules
from negotiation.environment.people.sellers import FIELDS, Table, answers, draw_sellers, place_bid

ANCHOR = 100_000_00


def seen_by(asks, bids, floor, round_, rounds):
    return SellerObservation(
        suite="people@1", item=Item("Lamp"), round=round_, max_rounds=rounds, asks=asks, bids=bids,
        reservation=floor, cost=floor, persona="people:halver", rules=SellerRules(), turns=(),
        done=False, outcome=None,
    )  # fmt: skip


@pytest.mark.parametrize("seed", range(60))
def test_every_answer_is_that_of_the_engine(seed):
    dice = Random(seed)
    sellers = draw_sellers(FAMILIES, 400)
    place = dice.randrange(sellers.count)
    row = sellers.first[:, [place]]
    manner = Manner(**{n: whole(n, float(v)) for n, v in zip(FIELDS, row[:, 0], strict=True)})
    unit = price_unit(ANCHOR)
    floor = clamp_price(unit * int(manner.floor * ANCHOR / unit + 0.5))
    row = row.copy()
    row[FIELDS.index("floor")] = floor / ANCHOR
    rounds = dice.randint(2, 14)
    table = Table(*(np.full(1, value) for value in (1.0, 0.0, 0.0, 0.0, 0.0, 0.0)))
    asks, bids, moved = (ANCHOR,), (), 0
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
        answer = answers(row, table, round_, rounds, draws, unit / ANCHOR)
        if said is None:
            assert answer.leaves[0]
            break
        if said <= bids[-1]:
            assert answer.takes[0]
            break
        assert not answer.takes[0]
        assert not answer.leaves[0]
        assert round(float(answer.ask[0]) * ANCHOR) == said
        moved += said < asks[-1]
        table.named = table.named + (said < asks[-1])
        table.ask = answer.ask
        asks = (*asks, said)
