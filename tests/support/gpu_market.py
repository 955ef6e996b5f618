"""GPU markets as tests need them: small worlds by hand, and labs that try anything."""

from collections.abc import Sequence
from random import Random
from typing import Any

import msgspec

from bazaarbatna.market import (
    ACTION_NAMES,
    WAIT,
    MarketAction,
    MarketEvent,
    MarketScenario,
    State,
    advance,
    apply,
    start,
)
from bazaarbatna.market.blocks import CONDITIONS, Block, Job, Offer
from bazaarbatna.market.quantities import BLOCK_IDS, LAB_IDS, Cents, job_id, offer_id
from bazaarbatna.market.scenario import (
    Archetype,
    LabCard,
    MarketSealed,
    RewardMix,
    Shock,
)


def a_block(number: int, owner: int = 0, **other: Any) -> Block:
    """Two GPUs in rounds 0 and 1, good enough for every job."""
    usual: dict[str, Any] = {
        "start": 0,
        "duration": 2,
        "gpus": 2,
        "reliability": 0.95,
        "energy": Cents(200),
    }
    return Block(id=BLOCK_IDS[number], owner=LAB_IDS[owner], **(usual | other))


def a_job(lab: int = 0, number: int = 0, **other: Any) -> Job:
    """Four GPU-hours by round 4 for sixty credits."""
    usual: dict[str, Any] = {
        "hours": 4,
        "deadline": 4,
        "base_value": Cents(6000),
        "urgency": 1.0,
        "min_reliability": 0.8,
        "partial": False,
        "note": "benchmark run",
    }
    return Job(id=job_id(lab, number), **(usual | other))


def a_world(
    blocks: Sequence[Block] | None = None,
    jobs: Sequence[Sequence[Job]] | None = None,
    *,
    labs: int = 2,
    rounds: int = 6,
    budgets: Sequence[int] | None = None,
    reputations: Sequence[float] | None = None,
    archetypes: Sequence[Archetype] = (),
    shocks: Sequence[Shock] = (),
    surge: Sequence[Job] = (),
    spare: Sequence[Block] = (),
    offers: Sequence[Offer] = (),
    coalitions: bool = True,
    reward: RewardMix = "default",
) -> MarketScenario:
    """A market by hand: two blocks and one job for each lab unless told otherwise."""
    if blocks is None:
        blocks = [a_block(number, number // 2) for number in range(2 * labs)]
    if jobs is None:
        jobs = [[a_job(lab)] for lab in range(labs)]
    money = budgets or [10_000] * labs
    trust = reputations or [0.65] * labs
    return MarketScenario(
        task="coalition_market",
        rounds=rounds,
        labs=tuple(LabCard(LAB_IDS[lab], f"Lab {lab}", trust[lab]) for lab in range(labs)),
        blocks=tuple(blocks),
        offers=tuple(offers),
        coalitions=coalitions,
        sealed=MarketSealed(
            seed=7,
            budgets=tuple(Cents(one) for one in money),
            jobs=tuple(tuple(row) for row in jobs),
            archetypes=(*archetypes, *(["selfish"] * (labs - len(archetypes)))),  # type: ignore[arg-type]
            shocks=tuple(shocks),
            surge=tuple(surge),
            spare=tuple(spare),
        ),
        salt="salt",
        reward=reward,
    )


def an_offer(number: int = 0, sender: int = 1, target: int = 0, **other: Any) -> Offer:
    """An opening offer of five credits for nothing."""
    usual: dict[str, Any] = {
        "offered": (),
        "requested": (),
        "payment": Cents(500),
        "message": "",
        "conditions": (),
        "created": 0,
        "expires": 2,
    }
    sides = LAB_IDS[sender], LAB_IDS[target]
    return Offer(offer_id(*sides, number), *sides, **(usual | other))


def do(state: State, *actions: MarketAction) -> State:
    """Let labs act in turn, each from outside."""
    for action in actions:
        state, _ = apply(state, state.turn, action)
    return state


def begun(scenario: MarketScenario) -> State:
    """The opening position."""
    return start(scenario)[0]


def waiting_until(state: State, round_: int) -> State:
    """Everybody waits, up to the first turn of a round (or the end)."""
    while state.ended is None and state.round < round_:
        state = do(state, WAIT)
    return state


def with_luck(state: State, value: float) -> State:
    """The same position where every draw of a scripted lab is the same."""
    return msgspec.structs.replace(state, luck=(value,) * len(state.luck))


def marked(scenario: MarketScenario) -> MarketScenario:
    """The same world with private numbers that nothing else in it takes, in credits either."""
    sealed = scenario.sealed
    jobs = tuple(
        tuple(
            msgspec.structs.replace(
                job,
                base_value=Cents(7_654_311 + 10 * lab + number),
                urgency=round(1.0 + (54_321 + 10 * lab + number) / 1e6, 6),
                min_reliability=round(0.7 + (4_321 + 10 * lab + number) / 1e6, 6),
            )
            for number, job in enumerate(row)
        )
        for lab, row in enumerate(sealed.jobs)
    )
    budgets = tuple(Cents(876_541 + lab) for lab in range(len(sealed.budgets)))
    spare = tuple(
        msgspec.structs.replace(block, energy=Cents(98_765 + 11 * place))
        for place, block in enumerate(sealed.spare)
    )
    changed = msgspec.structs.replace(sealed, jobs=jobs, budgets=budgets, spare=spare)
    return msgspec.structs.replace(scenario, sealed=changed)


def scripted(state: State) -> tuple[State, tuple[MarketEvent, ...]]:
    """Let the lab whose turn it is follow its archetype."""
    return advance(state)


def a_wild_action(state: State, lab: int, rng: Random) -> MarketAction:
    """Anything: ids that exist and some that do not, of this lab and of others."""

    def one(of: Sequence[str], *more: str) -> str:
        return rng.choice([*of, *more])

    blocks = [block.id for block in state.blocks]
    own = [block.id for block in state.blocks if block.owner == LAB_IDS[lab]] or blocks
    offers = [offer.id for offer in state.offers]
    jobs = [job.id for job in state.jobs[lab]]
    return MarketAction(
        action=rng.choice([*ACTION_NAMES[:12], "wait", rng.choice(ACTION_NAMES)]),  # type: ignore[arg-type]
        target_lab_id=one(LAB_IDS[: len(state.budgets)], "lab_9", "house"),
        offer_id=one(offers, "offer_1_0_99", ""),
        coalition_id=one([coalition.id for coalition in state.coalitions], "", ""),
        block_ids=tuple(one(own, *own, *blocks, "block_63") for _ in range(rng.randint(0, 3))),
        requested_block_ids=tuple(one(blocks) for _ in range(rng.randint(0, 2))),
        job_id=one(jobs, "job_9_9"),
        payment=Cents(rng.choice([-1, 0, 300, 2500, 6000, 10**6])),
        message=rng.choice(["", "A fair pool, together, before the deadline", "or else I refuse"]),
        conditions=tuple(rng.sample(CONDITIONS, rng.choice([0, 0, 1, 2]))),
    )
