"""Frames in, board out: the only way from what a viewer was sent to what a page shows."""

from collections.abc import Sequence

from arena.gpu_market.board.board_reducer import BoardReducer
from arena.gpu_market.board.parts import Board, Event, Line
from arena.gpu_market.board.sentences import line_of, verdict_of

Frame = dict[str, Event]


def board_of(frames: Sequence[Event], until: int | None = None) -> Board:
    """Fold a viewer's frames into the board that stands after them.

    Args:
        frames: the frames of one match in order, the first one ``opened``, as the room's
            ``visibility`` made them for one viewer.
        until: read no frame with a larger number (None: read all). When the market has ended, the
            sealed values of its last frame show every lab's jobs and money at any moment.

    Raises:
        ValueError: there is no frame, or the first one does not open a market.
    """
    if not frames or frames[0]["event"]["kind"] != "opened":
        raise ValueError("A board needs a market's frames from the first one on.")
    last = frames[-1]["event"]
    sealed = last["opened"] if last["kind"] == "ended" else None
    reducer = BoardReducer(frames[0]["event"], sealed)
    lines: list[Line] = []
    seq = frames[0]["seq"]
    for frame in frames:
        if until is not None and frame["seq"] > max(until, frames[0]["seq"]):
            break
        seq, event = frame["seq"], frame["event"]
        told = (verdict_of(reducer, seq, event), line_of(reducer, seq, event))
        lines += [line for line in told if line is not None]
        reducer.take(seq, event)
    return _board(reducer, seq, tuple(lines))


def _board(reducer: BoardReducer, seq: int, lines: tuple[Line, ...]) -> Board:
    return Board(
        task=reducer.task,
        round=reducer.round,
        rounds=reducer.rounds,
        seq=seq,
        to_act=reducer.to_act,
        labs=tuple(reducer.labs.values()),
        blocks=tuple(reducer.blocks.values()),
        offers=tuple(reducer.offers.values()),
        contracts=tuple(reducer.contracts),
        coalitions=tuple(reducer.coalitions.values()),
        shocks=tuple(reducer.shocks),
        lines=lines,
        commitment=reducer.commitment,
        reward=reducer.reward,
        has_coalitions=reducer.has_coalitions,
        over=reducer.over,
        judge=reducer.judge,
        judgements=tuple(reducer.judgements),
    )
