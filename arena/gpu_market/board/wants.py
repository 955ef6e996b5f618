"""What a player's lab could use of the others' blocks, by what it knows of its own jobs."""

from collections.abc import Collection, Sequence
from typing import Any

import msgspec

from arena.gpu_market.board.moments import usable_blocks
from arena.gpu_market.board.parts import Board, LabSeat
from bazaarbatna.market.blocks import Block, Job
from bazaarbatna.market.first_trade import FIRST_TRADE, NEW, OLD, OTHER, OWN, YOU
from bazaarbatna.market.planning import plan, plan_value

MOST = 3  # shown at once
LEAST = 100  # Pages write whole credits: what brings less than one brings nothing there.
FEW = 500  # what brings less than so much is not worth a lab's while


class Wanted(msgspec.Struct, frozen=True):
    """A block of another lab; with it the own jobs would bring ``worth`` (1/100 credit) more.

    ``later`` is what it would still bring if it came a round later; ``tried`` is what was offered
    for it last, money alone, and turned down.
    """

    block: Block
    worth: int
    later: int = 0
    tried: int | None = None


def wanted(board: Board) -> tuple[Wanted, ...]:
    """Return the blocks that are worth most to the viewer's lab from the next round on."""
    own = board.own
    if own is None or board.over or board.round + 1 >= board.rounds:
        return ()
    found = []
    for block in board.blocks:
        if block.owner in (own.id, "house") or not block.is_tradeable:
            continue
        worth = brings(board, (), (block.id,))
        if worth >= FEW:
            later = brings(board, (), (block.id,), 2)
            found.append(Wanted(block, worth, later))
    return tuple(sorted(found, key=lambda one: -one.worth)[:MOST])


def brings(board: Board, gives: Collection[str], gets: Collection[str], wait: int = 1) -> int:
    """Return what other blocks would bring the viewer's lab, in hundredths of a credit.

    It counts as if the lab ran its jobs on what it then holds, ``wait`` rounds from now on.
    """
    own = board.own
    if own is None:
        return 0
    mine = usable_blocks(board, own)
    kept = [block for block in mine if block.id not in gives]
    new = [block for block in board.blocks if block.id in gets]
    return _made_of(board, own, (*kept, *new), wait) - _made_of(board, own, mine, wait)


def gains(board: Board) -> dict[str, int]:
    """Return what each offer to the viewer's lab would bring it, by id; under a credit is none."""
    own = board.own
    if own is None or board.over:
        return {}
    asked = [offer for offer in board.open_offers if offer.target == own.id]
    found = {one.id: brings(board, one.requested, one.offered) + one.payment for one in asked}
    return {name: 0 if 0 < gain < LEAST else gain for name, gain in found.items()}


class Course(msgspec.Struct, frozen=True):
    """How the viewer's lab stands against its goal, in hundredths of a credit.

    ``most``: all its jobs, in time; ``sure``: by jobs that ran, by trading, and by what its own
    blocks still bring without another trade; ``missing``: open jobs that would bring nothing then,
    or less than half.
    """

    most: int
    sure: int
    missing: tuple[str, ...] = ()

    @property
    def reached(self) -> float:
        """The part of the goal that is sure, 0 to 100."""
        return min(100 * max(self.sure, 0) / max(self.most, 1), 100)


def course_of(board: Board) -> Course | None:
    """Say how the viewer's lab stands; None for who plays none, and at the end."""
    own = board.own
    if own is None or board.over or not own.jobs:
        return None
    deals = [one for one in board.contracts if own.id in (one.sender, one.target)]
    paid = sum((one.payment or 0) * (1 if one.target == own.id else -1) for one in deals)
    open_ = [job for job in own.jobs if not job.done]
    fills = plan(open_, usable_blocks(board, own), board.round, windows=board.windows)
    good = {fill.job.id for fill in fills if fill.net >= fill.job.value / 2}
    missing = tuple(job.id for job in open_ if job.id not in good)
    most = round(sum(job.value for job in own.jobs))
    return Course(most, own.earned + paid + plan_value(fills), missing)


def _made_of(board: Board, own: LabSeat, blocks: Sequence[Block], wait: int) -> int:
    jobs = [job for job in own.jobs or () if not job.done]
    return plan_value(plan(jobs, blocks, board.round + wait, windows=board.windows))


def spare(board: Board) -> Block | None:
    """Return a block that the viewer may give away and that no own job needs; None: there is none.

    Of several it is the one with most hours: to the labs here a block is a block.
    """
    own = board.own
    if own is None or board.over:
        return None
    jobs = [job for job in own.jobs or () if not job.done]
    mine = usable_blocks(board, own)
    plans = (plan(jobs, mine, at, windows=board.windows) for at in (board.round, board.round + 1))
    needed = {block.id for fills in plans for fill in fills for block in fill.blocks}
    free = [one for one in mine if one.is_tradeable and one.id not in needed]
    return max(free, key=lambda one: one.gpus * one.duration, default=None)


class FirstTrade(msgspec.Struct, frozen=True):
    """The first trade as its player sees it; ``lesson`` names the one idea of the moment."""

    job: Job
    other: LabSeat
    own: Block
    old: Block
    new: Block
    half: int
    whole: int
    lesson: str

    @property
    def limit(self) -> int:
        """What the other half is worth to the player: the most a trade may cost."""
        return self.whole - self.half

    @property
    def has_new(self) -> bool:
        """Whether the trade worth making has been made."""
        return self.new.owner == YOU

    @property
    def is_swap_open(self) -> bool:
        """Whether the swap is still worth a word: later on only the job is."""
        return self.lesson in ("label", "price", "swapped")

    @property
    def has_old(self) -> bool:
        """Whether the swap has been accepted."""
        return self.old.owner == YOU


def first_trade(board: Board) -> FirstTrade | None:
    """Gather what the page of the first trade needs; None for other markets and viewers."""
    own = board.own
    if board.task != FIRST_TRADE or own is None or own.id != YOU or not own.jobs:
        return None
    job = own.jobs[0]
    blocks: dict[str, Any] = {block.id: block for block in board.blocks}
    whole = round(job.value)
    half = whole // 2
    other = next(lab for lab in board.labs if lab.id == OTHER)
    found = FirstTrade(job, other, blocks[OWN], blocks[OLD], blocks[NEW], half, whole, "")
    return msgspec.structs.replace(found, lesson=_lesson(board, found))


def _lesson(board: Board, found: FirstTrade) -> str:
    if found.job.done:
        return "done"
    if board.round == board.rounds - 1:
        return "job"
    if found.has_new:
        return "run"
    if found.has_old:
        return "swapped"
    return "label" if board.round == 0 else "price"
