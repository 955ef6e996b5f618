"""What a player's lab could use of the others' blocks, by what it knows of its own jobs."""

from collections.abc import Collection, Sequence
from typing import Any

import msgspec

from arena.gpu_market.board.moments import Run, runs_of, usable_blocks
from arena.gpu_market.board.parts import Board, LabSeat
from bazaarbatna.market.blocks import Block, Job, yield_of
from bazaarbatna.market.first_trade import FIRST_TRADE, NEW, OLD, OTHER, OWN, YOU
from bazaarbatna.market.planner import Outlook, best_plan, best_value
from bazaarbatna.market.planner.model import Ahead
from bazaarbatna.market.planner.model import Run as Step

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
            found.append(Wanted(block, worth, brings(board, (), (block.id,), 2)))
    return tuple(sorted(found, key=lambda one: -one.worth)[:MOST])


def brings(board: Board, gives: Collection[str], gets: Collection[str], wait: int = 1) -> int:
    """Return what other blocks would bring the viewer's lab, in hundredths of a credit.

    A trade takes a turn, the ``wait``-th from now on; the blocks serve from the one after it.
    """
    own = board.own
    if own is None:
        return 0
    mine = _sure_blocks(board, own)
    kept = tuple(block for block in mine if block.id not in gives)
    new = tuple(block for block in board.blocks if block.id in gets)
    at = board.round + (not board.is_own_turn) + wait - 1
    return _worth(_ahead(board, own, (*kept, *new), at)) - _worth(_ahead(board, own))


def gains(board: Board) -> dict[str, int]:
    """Return what each offer to the viewer's lab would bring it, by id; under a credit is none."""
    own = board.own
    if own is None or board.over:
        return {}
    asked = [offer for offer in board.open_offers if offer.target == own.id]
    found = {one.id: brings(board, one.requested, one.offered) + one.payment for one in asked}
    return {name: 0 if 0 < gain < LEAST else gain for name, gain in found.items()}


NOW_ON, NEVER = -1, 99
"""Rounds before the first one and after the last."""

LACKS: dict[str, Any] = {
    "taken": {},
    "unfit": {"min_reliability": 0.0},
    "late": {"deadline": NEVER},
}
"""Why a job misses its deadline, and what had to be otherwise: nothing if it were alone."""


class Course(msgspec.Struct, frozen=True):
    """How the viewer's lab stands against its goal, in hundredths of a credit.

    ``most``: with all open jobs in time, GPUs given; ``sure``: by jobs that ran, by trading, and by
    ``steps``, which take one job in a turn and nothing but own blocks; ``missing``: open jobs that
    would bring nothing then, or less than half.
    """

    most: int
    sure: int
    missing: dict[str, str] = {}
    steps: tuple[Step, ...] = ()


def course_of(board: Board) -> Course | None:
    """Say how the viewer's lab stands; None for who plays none, and at the end."""
    own = board.own
    if own is None or board.over or not own.jobs:
        return None
    deals = [one for one in board.contracts if own.id in (one.sender, one.target)]
    paid = sum((one.payment or 0) * (1 if one.target == own.id else -1) for one in deals)
    steps = _steps(_ahead(board, own))
    good = {step.job.id for step in steps if step.net >= step.job.value / 2}
    open_ = [job for job in own.jobs if not job.done and job.id not in good]
    missing = {job.id: _lack(board, own, job) for job in open_}
    sure = own.earned + paid + sum(step.net for step in steps)
    due = [job.value for job in own.jobs if not job.done and job.deadline > board.round]
    return Course(max(own.earned + paid + round(sum(due)), sure), sure, missing, steps)


def planned_runs(board: Board) -> tuple[Run, ...]:
    """Gather what the viewer's lab can run now, as its plan would, and what that takes from it."""
    own = board.own
    if own is None or board.over:
        return ()
    ahead, mine = _ahead(board, own), _sure_blocks(board, own)
    steps = {step.job.id: step.blocks for step in _steps(ahead) if step.round == board.round}
    runs = []
    for run in runs_of(board, steps):
        others = msgspec.structs.replace(
            own, jobs=[one for one in own.jobs or () if one != run.job]
        )
        left = [block for block in mine if block not in run.blocks]
        rest = _worth(_ahead(board, others, left, board.round))
        costs = _worth(ahead) - rest - run.earned.net if run.earned else 0
        runs.append(msgspec.structs.replace(run, costs=costs))
    return tuple(runs)


def _lack(board: Board, own: LabSeat, job: Job) -> str:
    for lack, change in LACKS.items():
        eased = msgspec.structs.replace(own, jobs=(msgspec.structs.replace(job, **change),))
        if 2 * _worth(_ahead(board, eased)) >= job.value:
            return lack
    return "few"


def _sure_blocks(board: Board, own: LabSeat) -> tuple[Block, ...]:
    """Return own blocks that any own job may take: no pool and no contract says otherwise."""
    bound = {"coalition_only", "deadline_priority"}
    usable = usable_blocks(board, own)
    return tuple(one for one in usable if not one.pool and bound.isdisjoint(one.terms))


def _ahead(board: Board, own: LabSeat, after: Sequence[Block] = (), at: int = NEVER) -> Outlook:
    """Look at the turns a lab has left; one ``at`` is spent, and blocks are others ``after``."""
    jobs, mine = [job for job in own.jobs or () if not job.done], _sure_blocks(board, own)
    first = board.rounds if own.finished else board.round + (not board.is_own_turn)
    turns = [one for one in range(first, board.rounds) if one != at]
    rounds = [Ahead(one, {0: jobs}, mine if one < at else after) for one in turns]
    return Outlook(tuple(rounds), board.windows)


def _worth(ahead: Outlook) -> int:
    found = best_value(ahead)
    return sum(step.net for step in _steps(ahead)) if found is None else found


def _steps(ahead: Outlook) -> tuple[Step, ...]:
    """Return the best plan, each job in the first free turn that brings it as much."""
    steps: list[Step] = []
    for step in best_plan(ahead).runs:
        turns = {turn.round for turn in ahead.rounds} - {one.round for one in steps}
        nets = {at: yield_of(step.job, step.blocks, at, windows=ahead.windows).net for at in turns}
        first = min(at for at, net in nets.items() if net >= step.net)
        steps.append(msgspec.structs.replace(step, round=first))
    return tuple(sorted(steps, key=lambda step: step.round))


def spare(board: Board) -> Block | None:
    """Return a block that the viewer may give away and that no own job needs; None: there is none.

    Of several it is the one with most hours: to the labs here a block is a block.
    """
    own = board.own
    if own is None or board.over:
        return None
    mine = _sure_blocks(board, own)
    rest = {one.id: [block for block in mine if block != one] for one in mine if one.is_tradeable}
    best = _worth(_ahead(board, own))
    idle = {name for name, left in rest.items() if _worth(_ahead(board, own, left, NOW_ON)) == best}
    free = [one for one in mine if one.id in idle]
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
    if found.new.owner == YOU:
        return "run"
    if found.old.owner == YOU:
        return "swapped"
    return "label" if board.round == 0 else "price"
