"""What happens in an episode, in order: the one log that every view is made from.

An event's sequence number is its place in the log, counted from 1.
"""

from typing import Literal

import msgspec

from bazaarbatna.market.actions import MarketAction
from bazaarbatna.market.blocks import Block, Breach, Contract, Job, Offer, OfferStatus
from bazaarbatna.market.errors import Code
from bazaarbatna.market.quantities import BlockId, Cents, LabId
from bazaarbatna.market.scenario import LabCard, MarketSealed, ShockKind, TaskName

Speech = Literal["message", "pitch", "counter_pitch"]


class _Event(msgspec.Struct, frozen=True, gc=False, tag_field="kind"):
    pass


class Opened(_Event, frozen=True, gc=False, tag="opened"):
    """The market opened; ``commitment`` binds the sealed values."""

    task: TaskName
    rounds: int
    labs: tuple[LabCard, ...]
    blocks: tuple[Block, ...]
    coalitions: bool
    commitment: str


class TurnTaken(_Event, frozen=True, gc=False, tag="turn"):
    """A lab had its turn; ``action`` is None where its archetype decided, or it was no action."""

    lab: LabId
    round: int
    action: MarketAction | None
    scripted: bool = False
    why: str = ""


class ActionRefused(_Event, frozen=True, gc=False, tag="refused"):
    """An action was invalid: it moved nothing, and its lab lost some reputation."""

    lab: LabId
    round: int
    code: Code
    message: str


class OfferMade(_Event, frozen=True, gc=False, tag="offer"):
    """An offer is open."""

    round: int
    offer: Offer


class OfferClosed(_Event, frozen=True, gc=False, tag="offer_closed"):
    """An offer is no longer open, and moved nothing."""

    round: int
    offer: str
    status: OfferStatus


class TradeMade(_Event, frozen=True, gc=False, tag="contract"):
    """An offer was accepted: blocks and money have changed hands."""

    contract: Contract


class BlocksReserved(_Event, frozen=True, gc=False, tag="reserved"):
    """A lab took blocks out of the market."""

    lab: LabId
    round: int
    blocks: tuple[BlockId, ...]


class BlocksReleased(_Event, frozen=True, gc=False, tag="released"):
    """Blocks are available again."""

    lab: LabId
    round: int
    blocks: tuple[BlockId, ...]


class Invited(_Event, frozen=True, gc=False, tag="invited"):
    """A lab was asked into a coalition."""

    round: int
    coalition: str
    by: LabId
    lab: LabId
    purpose: str


class Answered(_Event, frozen=True, gc=False, tag="answered"):
    """An invited lab consented, or declined."""

    round: int
    coalition: str
    lab: LabId
    consents: bool


class Committed(_Event, frozen=True, gc=False, tag="committed"):
    """A member put blocks into the pool of its coalition."""

    round: int
    coalition: str
    lab: LabId
    blocks: tuple[BlockId, ...]


class CoalitionEnded(_Event, frozen=True, gc=False, tag="coalition_ended"):
    """A coalition expired; what was left in its pool is its owners' again."""

    round: int
    coalition: str
    breach: Breach


class PromiseBroken(_Event, frozen=True, gc=False, tag="breach"):
    """A lab broke a commitment or a contract; ``excused`` when a shock did it."""

    lab: LabId
    round: int
    blocks: tuple[BlockId, ...]
    coalition: str = ""
    excused: bool = False


class JobRun(_Event, frozen=True, gc=False, tag="job"):
    """A lab ran a job. Only the lab itself sees value and energy (hundredths of a credit)."""

    lab: LabId
    round: int
    job: str
    blocks: tuple[BlockId, ...]
    hours: int
    completion: float
    late: bool
    value: Cents
    energy: Cents


class Said(_Event, frozen=True, gc=False, tag="said"):
    """A lab spoke, to one other or (``to`` empty) to all."""

    lab: LabId
    to: LabId
    round: int
    speech: Speech
    text: str


class ShockStruck(_Event, frozen=True, gc=False, tag="shock"):
    """A shock struck as ``round`` began; ``blocks`` are those it touched."""

    round: int
    shock: ShockKind
    blocks: tuple[Block, ...] = ()


class JobsChanged(_Event, frozen=True, gc=False, tag="jobs"):
    """A shock changed or brought jobs of a lab; only that lab sees them."""

    lab: LabId
    round: int
    jobs: tuple[Job, ...]


class RoundBegan(_Event, frozen=True, gc=False, tag="round"):
    """The market is in the next round; one reputation per lab."""

    round: int
    reputations: tuple[float, ...]


class LabFinished(_Event, frozen=True, gc=False, tag="finished"):
    """A lab gave up its later turns."""

    lab: LabId
    round: int


class Settled(msgspec.Struct, frozen=True, gc=False):
    """How an episode ended for a lab; money and ``utility`` in hundredths of a credit."""

    lab: LabId
    utility: int
    finished: int
    jobs: int
    budget: Cents
    idle: int


class Ended(_Event, frozen=True, gc=False, tag="ended"):
    """The episode is over and its sealed values are open."""

    round: int
    results: tuple[Settled, ...]
    opened: MarketSealed
    salt: str


MarketEvent = (
    Opened
    | TurnTaken
    | ActionRefused
    | OfferMade
    | OfferClosed
    | TradeMade
    | BlocksReserved
    | BlocksReleased
    | Invited
    | Answered
    | Committed
    | CoalitionEnded
    | PromiseBroken
    | JobRun
    | Said
    | ShockStruck
    | JobsChanged
    | RoundBegan
    | LabFinished
    | Ended
)
