"""What one lab sees, and how an episode ended, as JSON in credits; and how to read a view back."""

from collections.abc import Mapping
from typing import Any, TypeVar

import msgspec

from bazaarbatna.market import ActionResult, Observation, State
from bazaarbatna.market.blocks import (
    Block,
    Coalition,
    Condition,
    Contract,
    Job,
    Note,
    Offer,
    OfferStatus,
    Status,
    hours_left,
)
from bazaarbatna.market.events import Said, ShockStruck
from bazaarbatna.market.judging import HearingSeen
from bazaarbatna.market.observe import Band, LabSeen
from bazaarbatna.market.quantities import BlockId, Cents, LabId, to_cents, to_credits
from bazaarbatna.market.scenario import Archetype, MarketSealed, ShockKind


class LabResult(msgspec.Struct, frozen=True, gc=False):
    """How one lab did; ``utility`` and ``budget`` in credits."""

    lab: LabId
    archetype: Archetype
    utility: float
    finished: int
    jobs: int
    budget: float
    idle_blocks: int
    reputation: float


class Result(msgspec.Struct, frozen=True, gc=False):
    """A finished episode.

    Attributes:
        labs: how each did.
        commitment: the SHA-256 that was shown before the first action.
        opened: the committed values as they were sealed, money in hundredths of a credit.
        salt: with ``opened`` it gives the commitment again.
    """

    labs: tuple[LabResult, ...]
    commitment: str
    opened: MarketSealed
    salt: str

    def __repr__(self) -> str:
        return f"Result({len(self.labs)} labs)"


def to_result(state: State, commitment: str) -> Result | None:
    """Return how an episode ended; None while it goes on."""
    ended = state.ended
    if ended is None:
        return None
    labs = tuple(
        LabResult(
            one.lab,
            ended.opened.archetypes[number],
            to_credits(one.utility),
            one.finished,
            one.jobs,
            to_credits(one.budget),
            one.idle,
            state.reputations[number],
        )
        for number, one in enumerate(ended.results)
    )
    return Result(labs, commitment, ended.opened, ended.salt)


class JobView(msgspec.Struct, frozen=True, gc=False):
    """An own job; ``base_value`` and ``value`` (for all of it, in time) in credits."""

    id: str
    hours: int
    deadline: int
    base_value: float
    urgency: float
    value: float
    min_reliability: float
    partial: bool
    note: Note
    done: bool


class BlockView(msgspec.Struct, frozen=True, gc=False):
    """A block; ``energy`` in credits for a GPU-hour, ``hours_left`` what a job would get now."""

    id: BlockId
    owner: LabId
    status: Status
    start: int
    duration: int
    gpus: int
    hours_left: int
    reliability: float
    energy: float
    terms: tuple[Condition, ...]
    pool: str
    job: str


class OfferView(msgspec.Struct, frozen=True, gc=False):
    """An offer; ``payment`` in credits, from the sender to the target."""

    id: str
    sender: LabId
    target: LabId
    offered: tuple[BlockId, ...]
    requested: tuple[BlockId, ...]
    payment: float
    message: str
    conditions: tuple[Condition, ...]
    created: int
    expires: int
    status: OfferStatus
    linked: str


class ContractView(msgspec.Struct, frozen=True, gc=False):
    """An accepted offer; ``payment`` in credits, null for those who were no party to it."""

    offer: str
    round: int
    sender: LabId
    target: LabId
    given: tuple[BlockId, ...]
    taken: tuple[BlockId, ...]
    conditions: tuple[Condition, ...]
    payment: float | None


class ShockView(msgspec.Struct, frozen=True, gc=False):
    """A shock that struck, and the blocks it touched."""

    round: int
    shock: ShockKind
    blocks: tuple[BlockId, ...]


class MarketView(msgspec.Struct, frozen=True, gc=False):
    """The market as one lab sees it; money in credits.

    Attributes:
        task: name of the task.
        lab: whose view it is.
        round: the current round, from 0; after the end how many there were.
        rounds: how many there are.
        windows: the start and duration of blocks count.
        coalitions_enabled: the task has coalitions.
        budget: the own money.
        jobs: the own jobs, the finished ones too.
        labs: all labs in the order of their turns, with bands of budget and demand.
        pressure: need of all labs over live supply: low, medium, high.
        blocks: all blocks.
        offers: those from and to this lab, in order of time.
        contracts: all accepted offers.
        coalitions: all coalitions.
        messages: the last twenty that this lab said or could hear.
        shocks: those that struck so far.
        last_action_result: what became of the own last action; null before the first.
        done: the episode has ended.
        result: after the end, how all labs did, with everything open that was sealed.
        hearing: in judge mode, how the pitches of the round before were judged, with what was found
            in the own one; null where nobody pitched.
    """

    task: str
    lab: LabId
    round: int
    rounds: int
    windows: bool
    coalitions_enabled: bool
    budget: float
    jobs: tuple[JobView, ...]
    labs: tuple[LabSeen, ...]
    pressure: Band
    blocks: tuple[BlockView, ...]
    offers: tuple[OfferView, ...]
    contracts: tuple[ContractView, ...]
    coalitions: tuple[Coalition, ...]
    messages: tuple[Said, ...]
    shocks: tuple[ShockView, ...]
    last_action_result: ActionResult | None
    done: bool
    result: Result | None
    hearing: HearingSeen | None = None


def to_view(
    seen: Observation,
    *,
    done: bool,
    result: Result | None = None,
    hearing: HearingSeen | None = None,
) -> MarketView:
    """Return an observation of the engine as JSON shows it."""
    return MarketView(
        task=seen.task,
        lab=seen.lab,
        round=seen.round,
        rounds=seen.rounds,
        windows=seen.windows,
        coalitions_enabled=seen.coalitions_enabled,
        budget=to_credits(seen.budget),
        jobs=tuple([_job(job) for job in seen.jobs]),
        labs=seen.labs,
        pressure=seen.pressure,
        blocks=tuple([_block(block, seen) for block in seen.blocks]),
        offers=tuple([_offer(offer) for offer in seen.offers]),
        contracts=tuple([_contract(contract) for contract in seen.contracts]),
        coalitions=seen.coalitions,
        messages=seen.messages,
        shocks=tuple(
            [
                ShockView(one.round, one.shock, tuple([block.id for block in one.blocks]))
                for one in seen.shocks
            ]
        ),
        last_action_result=seen.last_result,
        done=done,
        result=result,
        hearing=hearing,
    )


def _job(job: Job) -> JobView:
    return JobView(
        job.id,
        job.hours,
        job.deadline,
        to_credits(job.base_value),
        job.urgency,
        round(to_credits(job.base_value) * job.urgency, 4),
        job.min_reliability,
        job.partial,
        job.note,
        job.done,
    )


def _block(block: Block, seen: Observation) -> BlockView:
    return BlockView(
        block.id,
        block.owner,
        block.status,
        block.start,
        block.duration,
        block.gpus,
        hours_left(block, seen.round, windows=seen.windows),
        block.reliability,
        to_credits(block.energy),
        block.terms,
        block.pool,
        block.job,
    )


def _offer(offer: Offer) -> OfferView:
    return _made(OfferView, offer, payment=to_credits(offer.payment))


def _contract(contract: Contract) -> ContractView:
    paid = contract.payment
    return _made(ContractView, contract, payment=None if paid is None else to_credits(paid))


Made = TypeVar("Made", bound=msgspec.Struct)


def read_view(data: Mapping[str, Any]) -> Observation:
    """Read an observation from a step's JSON; ``msgspec.ValidationError`` where it is none."""
    view = msgspec.convert(dict(data), MarketView)
    own = next((lab for lab in view.labs if lab.id == view.lab), None)
    if own is None:
        raise msgspec.ValidationError("The lab whose view it is, is none of its labs.")
    blocks = {block.id: _made(Block, block, energy=to_cents(block.energy)) for block in view.blocks}
    return _made(
        Observation,
        view,
        budget=to_cents(view.budget),
        jobs=tuple(_made(Job, job, base_value=to_cents(job.base_value)) for job in view.jobs),
        blocks=tuple(blocks.values()),
        offers=tuple(_made(Offer, one, payment=to_cents(one.payment)) for one in view.offers),
        contracts=tuple(_made(Contract, one, payment=_paid(one.payment)) for one in view.contracts),
        # A view names the blocks that a shock touched: they are shown as they are now, if at all.
        shocks=tuple(
            ShockStruck(
                one.round, one.shock, tuple(blocks[name] for name in one.blocks if name in blocks)
            )
            for one in view.shocks
        ),
        last_result=view.last_action_result,
        done=view.done or own.finished,
    )


def _paid(credits_: float | None) -> Cents | None:
    return None if credits_ is None else to_cents(credits_)


def _made(kind: type[Made], view: msgspec.Struct, **changed: Any) -> Made:
    same = {name: getattr(view, name) for name in kind.__struct_fields__ if name not in changed}
    return kind(**same, **changed)
