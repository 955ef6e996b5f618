"""From a task and a seed to the scenario of an episode."""

from collections.abc import Collection
from random import Random
from typing import get_args

from bazaarbatna.market.blocks import VALID_ROUNDS, Block, Job, Note, Offer
from bazaarbatna.market.quantities import BLOCK_IDS, LAB_IDS, Cents, job_id, offer_id
from bazaarbatna.market.scenario import (
    HOUSE,
    TASK_NAMES,
    Archetype,
    LabCard,
    MarketScenario,
    MarketSealed,
    RewardMix,
    Shock,
    ShockKind,
    Task,
    task_of,
)

ARCHETYPES: tuple[Archetype, ...] = get_args(Archetype)
NAMES = ("Aravalli Lab", "Banyan Compute", "Chenab Research", "Deccan Models", "Eastern Ghats AI")
NOTES: tuple[Note, ...] = get_args(Note)
LEARNER_REPUTATION = 0.65
GPUS = (1, 2, 4)
HOURS = (2, 3, 4, 6, 8)
SURGE_HOURS = (2, 3, 4)
SURGE_ROUNDS = 2
"""A job of a demand surge is due so many rounds after it struck."""
PARTIAL = 0.35  # share of the jobs that grant partial credit


def make_market(
    task: str,
    seed: int,
    *,
    reward: RewardMix = "default",
    options: Collection[ShockKind] = (),
) -> MarketScenario:
    """Draw a world: same arguments, same scenario. ``reward`` changes nothing that is drawn."""
    row = task_of(task)
    if seed < 0:
        raise ValueError("A seed is 0 or more.")
    offered = {kind for _, kind in row.options}
    if not offered.issuperset(options):
        raise ValueError(f"{task} offers the options {sorted(offered)}.")
    rng = Random(seed * len(TASK_NAMES) + TASK_NAMES.index(row.name))
    draw = rng.random
    least, most = row.labs
    count = least + int(draw() * (most - least + 1))
    luck, salt = rng.getrandbits(53), f"{rng.getrandbits(128):032x}"
    cards = tuple(_card(draw(), number) for number in range(count))
    budgets = tuple(_cents(draw(), 70, 130) for _ in range(count))
    blocks = tuple(
        _block(rng, number, row, LAB_IDS[number // row.blocks])
        for number in range(count * row.blocks)
    )
    jobs = tuple(
        tuple(_job(rng, job_id(lab, number), row.rounds) for number in range(row.jobs))
        for lab in range(count)
    )
    offers = _openers(rng, row, count) if row.opening_offers else ()
    shocks = _schedule(rng, row, seed, options)
    kinds = {shock.kind for shock in shocks}
    sealed = MarketSealed(
        seed=luck,
        budgets=budgets,
        jobs=jobs,
        archetypes=tuple(ARCHETYPES[(seed + lab) % len(ARCHETYPES)] for lab in range(count)),
        shocks=shocks,
        surge=_surge(rng, row, count) if "demand_surge" in kinds else (),
        spare=_spare(rng, row, len(blocks), shocks),
    )
    return MarketScenario(
        row.name, row.rounds, cards, blocks, offers, row.coalitions, sealed, salt, reward
    )


def _card(draw: float, number: int) -> LabCard:
    reputation = LEARNER_REPUTATION if number == 0 else round(0.35 + 0.5 * draw, 2)
    return LabCard(LAB_IDS[number], NAMES[number], reputation)


def _cents(draw: float, low: float, high: float) -> Cents:
    return Cents(int(100 * (low + (high - low) * draw) + 0.5))


def _block(rng: Random, number: int, row: Task, owner: str) -> Block:
    draw = rng.random
    return Block(
        BLOCK_IDS[number],
        int(draw() * (row.rounds - 1)),
        1 + int(draw() * 3),
        GPUS[int(draw() * len(GPUS))],
        round(0.72 + 0.27 * draw(), 2),
        _cents(draw(), 1.5, 6.0),
        owner,
    )


def _job(rng: Random, name: str, rounds: int) -> Job:
    draw = rng.random
    return Job(
        name,
        HOURS[int(draw() * len(HOURS))],
        2 + int(draw() * (rounds - 1)),
        _cents(draw(), 30, 95),
        round(1.0 + 0.8 * draw(), 2),
        round(0.70 + 0.20 * draw(), 2),
        draw() < PARTIAL,
        NOTES[int(draw() * len(NOTES))],
    )


def _openers(rng: Random, row: Task, count: int) -> tuple[Offer, ...]:
    draw, each = rng.random, row.blocks
    return tuple(
        Offer(
            id=offer_id(LAB_IDS[lab], LAB_IDS[0], 0),
            sender=LAB_IDS[lab],
            target=LAB_IDS[0],
            offered=(BLOCK_IDS[lab * each + int(draw() * each)],),
            requested=(BLOCK_IDS[int(draw() * each)],),
            payment=_cents(draw(), 2, 8),
            message="",
            conditions=(),
            created=0,
            expires=VALID_ROUNDS,
        )
        for lab in range(1, count)
    )


def _schedule(
    rng: Random, row: Task, seed: int, options: Collection[ShockKind]
) -> tuple[Shock, ...]:
    planned = [*row.shocks, *(one for one in row.options if one[1] in options)]
    if row.last is not None:
        planned.append((row.last_round, row.last[seed % 2]))
    # Options draw last, so that switching one on leaves the other shocks as they were.
    planned.sort(key=lambda one: one in row.options)
    shocks = [Shock(round_, kind, rng.random()) for round_, kind in planned]
    return tuple(sorted(shocks, key=lambda shock: shock.round))


def _surge(rng: Random, row: Task, count: int) -> tuple[Job, ...]:
    draw = rng.random
    return tuple(
        Job(
            job_id(lab, row.jobs),
            SURGE_HOURS[int(draw() * len(SURGE_HOURS))],
            row.last_round + SURGE_ROUNDS,
            _cents(draw(), 45, 85),
            round(1.3 + 0.6 * draw(), 2),
            round(0.70 + 0.20 * draw(), 2),
            partial=True,
            note=NOTES[int(draw() * len(NOTES))],
        )
        for lab in range(count)
    )


def _spare(rng: Random, row: Task, known: int, shocks: tuple[Shock, ...]) -> tuple[Block, ...]:
    arrivals = [one for one in shocks if one.kind in ("sudden_supply", "emergency_auction")]
    return tuple(
        Block(
            BLOCK_IDS[known + place],
            shock.round + (shock.kind == "emergency_auction"),
            2,
            GPUS[1 + int(rng.random() * 2)],
            round(0.85 + 0.14 * rng.random(), 2),
            _cents(rng.random(), 1.5, 6.0),
            HOUSE,
        )
        for place, shock in enumerate(arrivals)
    )
