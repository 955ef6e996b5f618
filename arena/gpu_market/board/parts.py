"""The pieces of a board, and how they are read from a frame's JSON.

Money in hundredths of a credit (frames have credits), rounds from 0, as in the engine.
"""

from typing import Any, TypeVar

import msgspec

from arena.gpu_market.board.titles import lab_name
from arena.words import say
from bazaarbatna.market.blocks import Block, Coalition, Contract, Job, Offer, hours_left
from bazaarbatna.market.quantities import Cents, LabId, to_cents
from bazaarbatna.market.scenario import HOUSE, ShockKind


class LabSeat(msgspec.Struct, frozen=True):
    """A lab as this viewer may see it.

    ``budget`` and ``jobs`` are None where hidden, ``ran`` counts jobs done, ``earned`` (1/100
    credit) what they brought where that is known, ``archetype`` is "" and ``utility`` None before
    the end; ``reputation`` is 0..1.
    """

    id: LabId
    name: str
    plays: str
    reputation: float
    you: bool = False
    finished: bool = False
    budget: Cents | None = None
    jobs: tuple[Job, ...] | None = None
    ran: int = 0
    earned: int = 0
    archetype: str = ""
    utility: int | None = None


class Strike(msgspec.Struct, frozen=True):
    """A shock that struck as ``round`` began, and the blocks it touched, as they were left."""

    seq: int
    round: int
    kind: ShockKind
    blocks: tuple[Block, ...]


class Line(msgspec.Struct, frozen=True):
    """One sentence of the log.

    ``lab`` is whose doing it was ("" for the market's own); ``tone`` is one of ``plain``, ``deal``,
    ``shock``, ``breach``, ``talk``, ``round``; ``quote`` holds words that a lab said, ``event`` is
    the kind of what happened.
    """

    seq: int
    round: int
    lab: LabId
    words: str
    tone: str = "plain"
    quote: str = ""
    event: str = ""


class Claimed(msgspec.Struct, frozen=True):
    """A claim in a pitch, as far as this viewer may know what was found; ``words`` are its own."""

    kind: str
    words: str
    finding: str


class Pleaded(msgspec.Struct, frozen=True):
    """A lab in a hearing.

    ``text`` is "" where it was silent or spoke to somebody else alone, ``to`` the lab it answers,
    ``score`` 0..1 and ``so_far`` the sum of them; ``claims`` and ``bonus`` are None where hidden.
    """

    lab: LabId
    text: str
    to: LabId
    score: float
    so_far: float
    claims: tuple[Claimed, ...] | None = None
    parts: dict[str, float] = {}
    bonus: float | None = None


class Judgement(msgspec.Struct, frozen=True):
    """A judged round as this viewer may see it; ``seq`` is the frame that told of it.

    ``fallback`` says why the rule stood in for a model; known after the end.
    """

    seq: int
    round: int
    judge: str
    winner: LabId
    reason: str
    labs: tuple[Pleaded, ...]
    fallback: str = ""
    remark: str = ""


class Board(msgspec.Struct, frozen=True):
    """A market as one viewer may see it after some frame.

    ``round`` counts from 0, ``seq`` is the last frame that was read, ``to_act`` is "" after the
    end, ``labs`` stand in the order of turns, closed offers are there too, ``commitment`` is the
    fingerprint of the sealed values, ``judge`` is ``off``, ``rule`` or ``model``.
    """

    task: str
    round: int
    rounds: int
    seq: int
    to_act: LabId
    labs: tuple[LabSeat, ...]
    blocks: tuple[Block, ...]
    offers: tuple[Offer, ...]
    contracts: tuple[Contract, ...]
    coalitions: tuple[Coalition, ...]
    shocks: tuple[Strike, ...]
    lines: tuple[Line, ...]
    commitment: str
    reward: str
    has_coalitions: bool
    over: bool
    judge: str = "off"
    judgements: tuple[Judgement, ...] = ()
    names: dict[str, str] = {}

    @property
    def own(self) -> LabSeat | None:
        """Return the viewer's own lab."""
        return next((lab for lab in self.labs if lab.you), None)

    @property
    def windows(self) -> bool:
        """Start and duration of blocks count."""
        return self.reward != "published"

    @property
    def open_offers(self) -> tuple[Offer, ...]:
        """Offers that can still be answered: each side has what it is to give."""
        return tuple(one for one in self.offers if one.status == "open" and self._is_whole(one))

    def _is_whole(self, offer: Offer) -> bool:
        sides = ((offer.offered, offer.sender), (offer.requested, offer.target))
        blocks = ((self.block(name), owner) for names, owner in sides for name in names)
        own = self.own
        money = own.budget if own is not None and own.id == offer.sender else None
        return (money is None or money >= offer.payment) and all(
            block is None or (block.owner == owner and self.is_free(block))
            for block, owner in blocks
        )

    def is_free(self, block: Block) -> bool:
        """Whether its owner may promise a block now: it still delivers something."""
        return block.is_tradeable and hours_left(block, self.round, windows=self.windows) > 0

    @property
    def is_own_turn(self) -> bool:
        """Whether the viewer is to act."""
        return self.own is not None and not self.over and self.to_act == self.own.id

    def lab(self, name: LabId) -> LabSeat | None:
        """Find a lab; None for the house."""
        return next((lab for lab in self.labs if lab.id == name), None)

    def lab_name(self, name: LabId) -> str:
        """Return the public name of a lab, or of the house."""
        found = self.lab(name)
        if found:
            return lab_name(found.name)
        return say("the_house_2") if name == HOUSE else name

    def block(self, name: str) -> Block | None:
        """Find a block."""
        return next((block for block in self.blocks if block.id == name), None)

    def blocks_of(self, name: LabId) -> tuple[Block, ...]:
        """Return the blocks a lab owns now."""
        return tuple(block for block in self.blocks if block.owner == name)


Event = dict[str, Any]
Value = TypeVar("Value")


def read_block(told: Event) -> Block:
    """Read a block."""
    return _read(told, Block, "energy")


def read_job(told: Event) -> Job:
    """Read a job."""
    return _read(told, Job, "base_value")


def read_offer(told: Event) -> Offer:
    """Read an offer."""
    return _read(told, Offer, "payment")


def read_contract(told: Event) -> Contract:
    """Read a contract; its payment may be hidden."""
    return _read(told, Contract, "payment")


def read_judgement(seq: int, told: Event) -> Judgement:
    """Read the hearing that a frame carries."""
    found = msgspec.convert({"seq": seq, **told}, Judgement)
    labs = tuple(
        msgspec.structs.replace(one, parts={name: of for name, of in one.parts.items() if of})
        for one in found.labs
    )
    return msgspec.structs.replace(found, labs=labs)


def _read(told: Event, kind: type[Value], money: str) -> Value:
    amount = told.get(money)
    cents = None if amount is None else to_cents(amount)
    return msgspec.convert({**told, money: cents}, kind)
