"""What happens now, what the viewer may do about it, and where a reader can stop the market."""

from collections.abc import Mapping, Sequence

import msgspec

from arena.gpu_market.board.names import (
    blocks_text,
    credits_text,
    flaw_words,
)
from arena.gpu_market.board.parts import Board, Event, LabSeat
from arena.words import say
from bazaarbatna.market.blocks import Block, Job, Yield, hours_left, yield_of
from bazaarbatna.market.first_trade import FIRST_TRADE
from bazaarbatna.market.planning import best_fill

_STARTERS = frozenset({"turn", "shock", "ended"})


class Run(msgspec.Struct, frozen=True):
    """A job of the viewer and the blocks on which it would bring most now (none: it cannot run).

    ``finishes``: the round, from 1, in which the last of them has delivered; ``costs``: what the
    other jobs would lose by it, in hundredths of a credit.
    """

    job: Job
    blocks: tuple[Block, ...] = ()
    earned: Yield | None = None
    on: str = ""
    finishes: int = 0
    costs: int = 0

    @property
    def in_time(self) -> int:
        """What the same run would be worth if it finished in time."""
        return round(self.job.value * self.earned.completion) if self.earned else 0

    @property
    def words(self) -> str:
        """Say what running it now would bring."""
        if self.earned is None:
            return say("none_of_your_blocks_can_run_it")
        flaw = flaw_words(", ", self.earned.completion, late=self.earned.late)
        words = say("on_blocks_it_brings_worth_flaw")
        if self.earned.energy:
            words = say("on_blocks_it_brings_worth_after_energy")
        worth = credits_text(self.earned.net // 100 * 100)
        return words % {"blocks": self.on, "worth": worth, "flaw": flaw}


def now_words(board: Board) -> str:
    """Return in one sentence what is happening."""
    last = board.lines[-1]
    if last.tone == "round" and (answer := _answer_to(board)):
        return answer
    if last.tone == "round" and not board.over:
        struck = [line for line in board.lines if line.tone == "shock" and not line.lab]
        if struck and struck[-1].round == board.round:
            return struck[-1].words
        verdicts = [line for line in board.lines[:-1] if line.seq == last.seq]
        if verdicts:
            return verdicts[-1].words
    return last.words if last.tone != "talk" else f"{last.words} “{last.quote}”"


def _answer_to(board: Board) -> str:
    """Return the newest answer to an offer of the viewer's, where one came in the last round."""
    own = board.own
    if own is None or board.over:
        return ""
    told = [line for line in board.lines if line.lab and line.round == board.round - 1]
    if len(told) > 1 and told[-1].lab != own.id and told[-1].tone in ("plain", "deal"):
        return told[-1].words
    return ""


def turn_words(board: Board) -> str:
    """Return whose turn it is."""
    own = board.own
    if board.over:
        return say("the_sealed_values_are_open")
    if own is not None and own.finished:
        return say("you_have_left_the_market_it_goes")
    if board.is_own_turn and own is not None:
        if board.task == FIRST_TRADE and all(job.done for job in own.jobs or ()):
            return say("nothing_left_to_do")
        return say("last_round_your_turn") if board.round + 1 == board.rounds else say("your_turn")
    if not board.to_act:
        return say("the_round_closes")
    return say("who_is_next", who=board.lab_name(board.to_act))


def runs_of(board: Board, chosen: Mapping[str, tuple[Block, ...]] = {}) -> tuple[Run, ...]:
    """Gather what the viewer's own lab can run, by job on ``chosen`` blocks or the best for it."""
    own = board.own
    if own is None or board.over or own.finished:
        return ()
    jobs = [job for job in own.jobs or () if not job.done]
    return tuple(_run(board, own, job, chosen.get(job.id, ())) for job in jobs)


def usable_blocks(board: Board, lab: LabSeat) -> tuple[Block, ...]:
    """Return the own blocks that a job could still be run on."""
    return tuple(
        block
        for block in board.blocks_of(lab.id)
        if block.is_live and hours_left(block, board.round, windows=board.windows)
    )


def beats_of(frames: Sequence[Event], board: Board) -> tuple[int, ...]:
    """Return the numbers of the frames after which there is something new to see.

    A turn in which nothing visible happens is no place to stop at: it goes with what follows.
    """
    telling = {line.seq for line in board.lines}
    stops: list[int] = []
    told = False
    for here, following in zip(frames, [*frames[1:], None], strict=True):
        told = told or here["seq"] in telling
        if told and (following is None or _starts(here["event"], following["event"])):
            stops.append(here["seq"])
            told = False
    if not stops or stops[-1] != frames[-1]["seq"]:
        stops.append(frames[-1]["seq"])
    return tuple(stops)


def _starts(here: Event, following: Event) -> bool:
    return following["kind"] in _STARTERS or (
        here["kind"] == "turn" and following["kind"] == "round"
    )


def _run(board: Board, own: LabSeat, job: Job, chosen: tuple[Block, ...]) -> Run:
    windows = board.windows
    fill = best_fill(job, usable_blocks(board, own), board.round, windows=windows)
    blocks = chosen or (fill.blocks if fill else ())
    if not blocks:
        return Run(job)
    earned = yield_of(job, blocks, board.round, windows=windows)
    on = blocks_text([block.id for block in blocks], board.names)
    ends = [block.end for block in blocks] if windows else []
    return Run(job, blocks, earned, on, max(ends, default=board.round + 1))
