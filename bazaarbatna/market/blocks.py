"""What the market deals in: blocks of GPU time, jobs for them, offers, contracts, coalitions."""

from collections.abc import Sequence
from typing import Literal, get_args

import msgspec

from bazaarbatna.market.quantities import BlockId, Cents, LabId

Status = Literal["available", "reserved", "committed", "used", "failed"]
"""``committed``: pooled in a coalition. ``used`` and ``failed`` are final; the others are live."""

Condition = Literal[
    "must_not_resell", "must_allocate_to_job", "coalition_only", "deadline_priority"
]
CONDITIONS: tuple[Condition, ...] = get_args(Condition)


class Block(msgspec.Struct, frozen=True, gc=False):
    """GPUs for some rounds. Everybody sees every block.

    Attributes:
        id: for example ``block_3``.
        start: the first round in which it runs, from 0.
        duration: for how many rounds, 1 to 3.
        gpus: how many GPUs, 1, 2 or 4.
        reliability: 0..1.
        energy: hundredths of a credit for every GPU-hour that a job draws on.
        owner: the lab that may trade, pool or use it.
        status: what has become of it.
        terms: conditions of the contract under which its owner got it.
        pool: the coalition it is committed to (empty: none).
        job: the job that used it (empty: none).
    """

    id: BlockId
    start: int
    duration: int
    gpus: int
    reliability: float
    energy: Cents
    owner: LabId
    status: Status = "available"
    terms: tuple[Condition, ...] = ()
    pool: str = ""
    job: str = ""

    @property
    def end(self) -> int:
        """The round in which its last GPU-hours have been delivered."""
        return self.start + self.duration

    @property
    def hours(self) -> int:
        """GPU-hours of the whole block, 1 to 12."""
        return self.gpus * self.duration

    @property
    def is_tradeable(self) -> bool:
        """Its owner may promise it to another lab, as long as it delivers anything."""
        return self.status == "available" and "must_not_resell" not in self.terms

    @property
    def is_live(self) -> bool:
        """Neither used up nor failed."""
        return self.status not in ("used", "failed")


def hours_left(block: Block, round_: int, *, windows: bool = True) -> int:
    """Count the GPU-hours that a job given the block in ``round_`` would still get.

    >>> hours_left(Block("block_0", 1, 3, 2, 0.9, Cents(200), "lab_0"), 2)
    4
    """
    # Asked more often than anything else: no property, no call.
    if block.status == "used" or block.status == "failed":
        return 0
    if not windows or round_ <= block.start:
        return block.gpus * block.duration
    left = block.start + block.duration - round_
    return block.gpus * left if left > 0 else 0


Note = Literal["paper deadline", "customer incident", "benchmark run"]
LATE_SHARE = 0.35
"""What is left of the value of a job that finishes after its deadline."""


class Job(msgspec.Struct, frozen=True, gc=False):
    """Work that only its own lab knows of.

    Attributes:
        id: for example ``job_0_1``.
        hours: GPU-hours needed.
        deadline: the round by which the last hours must have been delivered.
        base_value: hundredths of a credit.
        urgency: multiplies the value, 1.0 or more.
        min_reliability: no block below this may run it.
        partial: fewer hours than needed earn their share.
        note: what it is for.
        done: it has been run, and closed.
    """

    id: str
    hours: int
    deadline: int
    base_value: Cents
    urgency: float
    min_reliability: float
    partial: bool
    note: Note
    done: bool = False

    @property
    def value(self) -> float:
        """Hundredths of a credit for finishing it whole and in time."""
        return self.base_value * self.urgency


class Yield(msgspec.Struct, frozen=True, gc=False):
    """What a job brings on given blocks; ``value`` and ``energy`` in hundredths of a credit."""

    hours: int
    completion: float
    late: bool
    value: Cents
    energy: Cents

    @property
    def net(self) -> int:
        """Value less energy."""
        return self.value - self.energy


def yield_of(job: Job, blocks: Sequence[Block], round_: int, *, windows: bool) -> Yield:
    """Return what ``job`` would bring if ``blocks`` were given to it in ``round_``.

    A job finishes when the window of its last block closes, and pays the energy of all hours its
    blocks still had, needed or not.
    """
    hours = energy = end = 0
    for block in blocks:
        left = hours_left(block, round_, windows=windows)
        hours += left
        energy += left * block.energy
        end = max(end, block.start + block.duration)
    late = (end if windows else round_) > job.deadline
    completion = min(1.0, hours / job.hours)
    value = job.base_value * job.urgency * completion * (LATE_SHARE if late else 1.0)
    return Yield(hours, completion, late, Cents(int(value + 0.5)), Cents(energy))


OfferStatus = Literal["open", "accepted", "rejected", "countered", "expired", "withdrawn"]

VALID_ROUNDS = 2
"""An offer may be accepted in the round it was made and in this many after it."""


class Offer(msgspec.Struct, frozen=True, gc=False):
    """Blocks and money of ``sender`` for blocks of ``target``; only these two see it.

    ``payment`` flows from the sender to the target, in hundredths of a credit. ``linked`` is the
    offer that this one counters (empty: none).
    """

    id: str
    sender: LabId
    target: LabId
    offered: tuple[BlockId, ...]
    requested: tuple[BlockId, ...]
    payment: Cents
    message: str
    conditions: tuple[Condition, ...]
    created: int
    expires: int
    status: OfferStatus = "open"
    linked: str = ""


class Contract(msgspec.Struct, frozen=True, gc=False):
    """An offer that was accepted. Everybody sees which blocks moved.

    ``payment`` is None for those who were no party to it: budgets stay private.
    """

    offer: str
    round: int
    sender: LabId
    target: LabId
    given: tuple[BlockId, ...]
    taken: tuple[BlockId, ...]
    conditions: tuple[Condition, ...]
    payment: Cents | None


Breach = Literal["none", "excused", "breached"]
"""``excused``: a pooled block failed. ``breached``: its owner took it back."""

LASTS_ROUNDS = 4
"""A coalition ends so many rounds after it was formed."""


class Pledge(msgspec.Struct, frozen=True, gc=False):
    """The blocks one member has committed."""

    lab: LabId
    blocks: tuple[BlockId, ...]


class Coalition(msgspec.Struct, frozen=True, gc=False):
    """Everybody sees every coalition.

    ``invited`` were asked and have not answered; ``trust`` is the mean reputation of the members
    when the last of them joined; ``open`` is False once it has expired.
    """

    id: str
    founder: LabId
    members: tuple[LabId, ...]
    invited: tuple[LabId, ...]
    purpose: str
    pledges: tuple[Pledge, ...]
    trust: float
    created: int
    expires: int
    breach: Breach = "none"
    open: bool = True

    def pledged(self, lab: LabId) -> tuple[BlockId, ...]:
        """Name the blocks a member has committed."""
        return next((pledge.blocks for pledge in self.pledges if pledge.lab == lab), ())
