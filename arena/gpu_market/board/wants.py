"""What a player's lab could use of the others' blocks, by what it knows of its own jobs."""

from collections.abc import Sequence
from typing import Any

import msgspec

from arena.gpu_market.board.moments import usable_blocks
from arena.gpu_market.board.parts import Board, LabSeat
from bazaarbatna.market.blocks import Block, Job
from bazaarbatna.market.first_trade import FIRST_TRADE, NEW, OLD, OTHER, OWN, YOU
from bazaarbatna.market.planning import plan, plan_value

MOST = 3  # shown at once
LEAST = 100  # Pages write whole credits: what brings less than one brings nothing there.


class Wanted(msgspec.Struct, frozen=True):
    """A block of another lab; with it the own jobs would bring ``worth`` (1/100 credit) more.

    ``tried`` is what was offered for it last, money alone, and turned down.
    """

    block: Block
    name: str
    owner: str
    worth: int
    tried: int | None = None


def wanted(board: Board) -> tuple[Wanted, ...]:
    """Return the blocks that are worth most to the viewer's lab from the next round on."""
    own = board.own
    if own is None or board.over or board.round + 1 >= board.rounds:
        return ()
    mine = usable_blocks(board, own)
    alone = _made_of(board, own, mine)
    found = []
    for block in board.blocks:
        if block.owner in (own.id, "house") or not block.is_tradeable:
            continue
        worth = _made_of(board, own, (*mine, block)) - alone
        if worth >= LEAST:
            name = board.names.get(block.id, block.id)
            found.append(Wanted(block, name, board.lab_name(block.owner), worth))
    return tuple(sorted(found, key=lambda one: -one.worth)[:MOST])


def gains(board: Board) -> dict[str, int]:
    """Return what each offer to the viewer's lab would bring it, by id, in hundredths of a credit.

    It counts as if the lab ran its jobs on what it then holds, from the next round on. Less than
    a credit is none.
    """
    own = board.own
    if own is None or board.over:
        return {}
    mine = usable_blocks(board, own)
    alone = _made_of(board, own, mine)
    found = {}
    for offer in board.open_offers:
        if offer.target == own.id:
            kept = [block for block in mine if block.id not in offer.requested]
            new = [block for block in board.blocks if block.id in offer.offered]
            gain = _made_of(board, own, (*kept, *new)) - alone + offer.payment
            found[offer.id] = 0 if 0 < gain < LEAST else gain
    return found


def _made_of(board: Board, own: LabSeat, blocks: Sequence[Block]) -> int:
    jobs = [job for job in own.jobs or () if not job.done]
    return plan_value(plan(jobs, blocks, board.round + 1, windows=board.windows))


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
