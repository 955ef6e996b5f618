"""A market for somebody who has never traded: one job, one other lab, three rounds, no luck.

Half of the job runs on the own block. The other lab has the other half, and a price for it that
its character decides. It opens with a swap: more GPUs, which fail too often for this job, praised
in words that are better than the block.
"""

import math
import re
from collections.abc import Sequence
from itertools import accumulate, pairwise
from pathlib import Path
from random import Random

import msgspec

from bazaarbatna.market.archetypes import LUCK_UNDER_PRESSURE, PROPOSES, STEP
from bazaarbatna.market.blocks import VALID_ROUNDS, Block, Job, Offer
from bazaarbatna.market.making import LEARNER_REPUTATION, NAMES
from bazaarbatna.market.quantities import BLOCK_IDS, LAB_IDS, Cents, job_id, offer_id
from bazaarbatna.market.scenario import Archetype, LabCard, MarketScenario, MarketSealed
from bazaarbatna.market.scripted import ACCEPT, DRAWS, PROPOSE, draw_luck, price_of
from bazaarbatna.market.state import State
from bazaarbatna.word_tables import read_table

FIRST_TRADE = "first_trade"
ROUNDS = 3
TONIGHT = ROUNDS - 1
"""All blocks run in the last round, so that nothing is lost by bargaining."""
YOU, OTHER = LAB_IDS[:2]
OWN, OLD, NEW = BLOCK_IDS[:3]
"""The player's GPUs, the ones that fail too often, and the ones worth buying."""
JOB_WORTH = (14_000, 15_000, 16_000, 17_000, 18_000)
EARNEST = Cents(300)
CREDIT = 100


class Trader(msgspec.Struct, frozen=True):
    """Who sells: a character, how strict it is, its reputation and what it says of its old GPUs."""

    archetype: Archetype
    strictness: float
    reputation: float
    pitch: str

    @property
    def said(self) -> int:
        """How reliable it calls its old GPUs, in percent."""
        return int(re.findall(r"(\d+) %", self.pitch)[0])


class _Traders(msgspec.Struct, frozen=True):
    trader: tuple[Trader, ...]


TRADERS = read_table(Path(__file__).with_suffix(".toml"), _Traders).trader


def make_first_trade(seed: int) -> MarketScenario:
    """Make the market: the seed chooses who sells and what the job is worth."""
    if seed < 0:
        raise ValueError("A seed is 0 or more.")
    rng = Random(f"{FIRST_TRADE} {seed}")
    trader = TRADERS[seed % len(TRADERS)]
    worth = JOB_WORTH[int(rng.random() * len(JOB_WORTH))]
    sealed = MarketSealed(
        seed=_quiet(rng),
        budgets=(Cents(10_000), Cents(8_000)),
        jobs=(
            (Job(job_id(0, 0), 4, ROUNDS, Cents(worth), 1.0, 0.85, True, "paper deadline"),),
            (Job(job_id(1, 0), 4, ROUNDS, Cents(5_000), 1.2, 0.7, False, "benchmark run"),),
        ),
        archetypes=("selfish", trader.archetype),
        strictness=(0.0, trader.strictness),
    )
    return MarketScenario(
        "first_trade",
        ROUNDS,
        (LabCard(YOU, NAMES[0], LEARNER_REPUTATION), LabCard(OTHER, NAMES[1], trader.reputation)),
        (_block(OWN, 2, 0.92, YOU), _block(OLD, 4, 0.74, OTHER), _block(NEW, 2, 0.93, OTHER)),
        (_opener(trader),),
        coalitions=False,
        sealed=sealed,
        salt=f"{rng.getrandbits(128):032x}",
    )


ASKS, KEEPS, GIVES = 1.3, 1.03, 0.5
"""Of the least payment: the first price named, and the last; of a bid's rise: what comes off."""


def counter_to(state: State, bids: Sequence[int]) -> Cents | None:
    """Return what the other lab asks for the new GPUs instead; None: it takes the last bid.

    It comes down by half of what bids come up, if that is a step and not a crumb, to a price a
    little above the least; never is it as much as the other half of the job brings.
    """
    offer = Offer("", YOU, OTHER, (), (NEW,), Cents(0), "", (), state.round, ROUNDS)
    least = price_of(state, 1, offer)
    if least is None or bids[-1] >= least:
        return None
    # Half of the job runs without them.
    worth = round(state.scenario.sealed.jobs[0][0].value) // 2
    tops = list(accumulate(bids, max))
    risen = sum(after - before for before, after in pairwise(tops) if after - before >= STEP)
    asked = max(min(ASKS * least, worth - 2 * CREDIT) - GIVES * risen, KEEPS * least)
    return Cents(math.ceil(asked / CREDIT) * CREDIT)


def _block(name: str, gpus: int, reliability: float, owner: str) -> Block:
    return Block(name, TONIGHT, 1, gpus, reliability, Cents(0), owner)


def _opener(trader: Trader) -> Offer:
    return Offer(
        id=offer_id(OTHER, YOU, 0),
        sender=OTHER,
        target=YOU,
        offered=(OLD,),
        requested=(OWN,),
        payment=EARNEST,
        message=trader.pitch,
        conditions=(),
        created=0,
        expires=VALID_ROUNDS,
    )


def _quiet(rng: Random) -> int:
    """Draw luck that accepts nothing by chance and proposes nothing: what is offered decides."""
    while True:
        seed = rng.getrandbits(53)
        luck = draw_luck(seed, ROUNDS, 2)
        turns = [luck[(2 * round_ + 1) * DRAWS :][:DRAWS] for round_ in range(ROUNDS)]
        if all(one[ACCEPT] >= LUCK_UNDER_PRESSURE and one[PROPOSE] >= PROPOSES for one in turns):
            return seed
