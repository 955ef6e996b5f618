"""What a player's lab could use of the others' blocks, by what it knows of its own jobs."""

from typing import Any

import msgspec

from arena.gpu_market.board.moments import usable_blocks
from arena.gpu_market.board.parts import Board, LabSeat
from bazaarbatna.market.blocks import Block, Job
from bazaarbatna.market.first_trade import FIRST_TRADE, NEW, OLD, OTHER, OWN, YOU
from bazaarbatna.market.planning import plan, plan_value

MOST = 3  # shown at once


class Wanted(msgspec.Struct, frozen=True):
    """A block of another lab; with it the own jobs would bring ``worth`` (1/100 credit) more."""

    block: Block
    name: str
    owner: str
    worth: int


def wanted(board: Board) -> tuple[Wanted, ...]:
    """Return the blocks that are worth most to the viewer's lab from the next round on."""
    own, round_ = board.own, board.round + 1
    if own is None or board.over or round_ >= board.rounds:
        return ()
    jobs = [job for job in own.jobs or () if not job.done]
    mine = usable_blocks(board, own)
    alone = plan_value(plan(jobs, mine, round_, windows=board.windows))
    found = []
    for block in board.blocks:
        if block.owner in (own.id, "house") or not block.is_tradeable:
            continue
        worth = plan_value(plan(jobs, (*mine, block), round_, windows=board.windows)) - alone
        if worth > 0:
            name = board.names.get(block.id, block.id)
            found.append(Wanted(block, name, board.lab_name(block.owner), worth))
    return tuple(sorted(found, key=lambda one: -one.worth)[:MOST])


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
