"""Blocks on a timeline: one strip for each lab, rounds across, a bar for each block.

A bar runs from the start of its block over its duration and is as thick as it has GPUs, so that its
area is what it can deliver. Its state shows in a pattern as well as in its colour. Rounds are
placed in percent and heights in CSS pixels: letters keep their size on every screen.
"""

from collections.abc import Iterable

import msgspec
from django.utils.safestring import SafeString

from arena.gpu_market.board.names import credits_text, job_name, nights, told
from arena.gpu_market.board.parts import Board
from arena.gpu_market.board.titles import TITLES, shock_title, words_of
from arena.words import say
from bazaarbatna.market.blocks import Block
from negotiation.charts.svg import element, labelled

THICKNESS: dict[int, int] = {1: 17, 2: 23, 4: 36}
"""Height of a bar in CSS pixels, by its GPUs."""
GAP, FLAG, LEAST = 4, 17, 30
AXIS = 38
_BOLT = "M7 0 1.5 8.2h3.6L3.6 14 10.5 5.4H6.6L9 0Z"


class Placed(msgspec.Struct, frozen=True):
    """A bar and where its upper edge lies, in CSS pixels."""

    block: Block
    top: int


def lab_strip(board: Board, lab: str, *, place: str = "") -> SafeString:
    """Draw the blocks of a lab or the house; ``place`` tells several boards on one page apart."""
    blocks = board.blocks_of(lab)
    placed, height = _pack(blocks)
    seat = board.lab(lab)
    jobs = [job for job in (seat.jobs if seat else None) or () if not job.done]
    tall = max(height, LEAST) + (FLAG if jobs else 0)
    name, due = f"{place}{lab}", say("job_is_due_by_round_round")
    parts = [
        _patterns(name),
        *_ground(board),
        *(_bar(board, one, name) for one in placed),
        *(
            _flag(board, job.deadline, due % {"job": job_name(job), "round": job.deadline}, tall)
            for job in jobs
        ),
    ]
    look: dict[str, object] = {"class": "strip", "width": "100%", "height": tall}
    return labelled(
        look, name, say("blocks_of_who", who=board.lab_name(lab)), strip_words(board, lab), *parts
    )


def rounds_axis(board: Board) -> SafeString:
    """Draw the numbers of the rounds, the current one marked, and the shocks that struck."""
    numbers = [
        element(
            "text",
            {
                "class": "axis-now" if number == board.round else None,
                "x": _percent(board, number + 0.5),
                "y": AXIS - 8,
                "text-anchor": "middle",
            },
            str(number + 1),
        )
        for number in range(board.rounds)
    ]
    bolts = [
        element(
            "svg",
            {"x": _percent(board, strike.round), "y": 0, "width": 1, "height": 16, "class": "bolt"},
            element(
                "title",
                {},
                say(
                    "round_number_told_2",
                    number=strike.round + 1,
                    told=shock_title(strike.kind),
                ),
            ),
            element("path", {"d": _BOLT, "transform": "translate(-6 0)"}),
        )
        for strike in board.shocks
    ]
    look = {"class": "axis", "width": "100%", "height": AXIS, "aria-hidden": "true"}
    return element("svg", look, *_ground(board), *numbers, *bolts)


def strip_words(board: Board, lab: str) -> str:
    """Say the same as a strip in words."""
    words = [
        f"{told(block.id, board.names)} {state_word(board, block)}"
        for block in board.blocks_of(lab)
    ]
    return "; ".join(words) + "." if words else say("it_owns_no_block")


def state_of(board: Board, block: Block) -> str:
    """Name the state a bar is drawn in."""
    passed = board.windows and block.is_live and block.end <= board.round
    return "lapsed" if passed or (block.is_live and board.over) else block.status


def state_word(board: Board, block: Block) -> str:
    """Return the state of a block in the words of the legend."""
    return words_of(TITLES.block_states, state_of(board, block))


def legend_key(state: str) -> SafeString:
    """Draw a small bar in a state, for the legend."""
    name = f"key-{state}"
    box: dict[str, object] = {"x": 1, "y": 1, "width": 26, "height": 12, "rx": 3}
    return element(
        "svg",
        {"class": "strip-key", "width": 28, "height": 14, "aria-hidden": "true"},
        _patterns(name),
        element("g", {"class": f"bar is-{state}"}, *_faces(state, name, box)),
    )


def _pack(blocks: Iterable[Block]) -> tuple[list[Placed], int]:
    rows: list[list[Block]] = []
    for block in sorted(blocks, key=lambda one: (one.start, -one.gpus, one.id)):
        row = next((row for row in rows if row[-1].end <= block.start), None)
        if row is None:
            rows.append([block])
        else:
            row.append(block)
    placed, top = [], GAP
    for row in rows:
        placed += [Placed(block, top) for block in row]
        top += max(THICKNESS[block.gpus] for block in row) + GAP
    return placed, top


def _columns(board: Board) -> int:
    return max([board.rounds, *(block.end for block in board.blocks)])


def _percent(board: Board, number: float) -> str:
    return f"{100 * number / _columns(board):.2f}%"


def _ground(board: Board) -> list[SafeString]:
    last = _columns(board)
    parts = [
        element("line", _upright("strip-round", _percent(board, number)))
        for number in range(1, last)
    ]
    if board.round:
        past = {"class": "strip-past", "x": 0, "y": 0, "height": "100%"}
        parts.append(element("rect", {**past, "width": _percent(board, board.round)}))
    if last > board.rounds:
        after = {"class": "strip-after", "x": _percent(board, board.rounds), "y": 0}
        wide = _percent(board, last - board.rounds)
        parts.append(element("rect", {**after, "width": wide, "height": "100%"}))
    parts += [
        element("line", _upright("strip-shock", _percent(board, strike.round)))
        for strike in board.shocks
    ]
    if not board.over:
        parts.append(element("line", _upright("strip-now", _percent(board, board.round))))
    return parts


def _upright(look: str, x: str) -> dict[str, object]:
    return {"class": look, "x1": x, "x2": x, "y1": 0, "y2": "100%"}


def _bar(board: Board, placed: Placed, name: str) -> SafeString:
    block, state = placed.block, state_of(board, placed.block)
    thick = THICKNESS[block.gpus]
    box = {
        "x": _percent(board, block.start),
        "y": placed.top,
        "width": _percent(board, block.duration),
        "height": thick,
        "rx": 4,
    }
    middle = placed.top + thick / 2 + 4.5
    letters = {"x": _percent(board, block.start), "dx": 7, "y": middle}
    words = say(
        "block_state_runs_nights_energy_energy_a",
        block=told(block.id, board.names),
        state=state_word(board, block),
        nights=nights(block.reliability),
        energy=credits_text(block.energy),
    )
    long = " is-long" if block.duration > 1 else ""
    return element(
        "g",
        {"class": f"bar is-{state}{long}"},
        element("title", {}, words),
        *_faces(state, name, box),
        element(
            "text",
            letters,
            str(block.gpus),
            element(
                "tspan",
                {"class": "bar-more", "dx": 4},
                say("gpu") if block.gpus == 1 else say("gpus"),
            ),
        ),
        *_strike_out(state, box, thick),
    )


def _faces(state: str, name: str, box: dict[str, object]) -> list[SafeString]:
    faces = [element("rect", {"class": "bar-face", **box})]
    if state in ("reserved", "committed"):
        pattern = {"class": "bar-pattern", "fill": f"url(#{name}-{state})"}
        faces.append(element("rect", {**pattern, **box}))
    return faces


def _strike_out(state: str, box: dict[str, object], thick: int) -> list[SafeString]:
    if state != "failed":
        return []
    inside = {"x": box["x"], "y": box["y"], "width": box["width"], "height": thick}
    cross = element(
        "svg",
        {**inside, "viewBox": "0 0 10 10", "preserveAspectRatio": "none", "class": "bar-cross"},
        element("path", {"d": "M0 0 10 10M10 0 0 10"}),
    )
    return [cross]


def _patterns(name: str) -> SafeString:
    tile: dict[str, object] = {"patternUnits": "userSpaceOnUse", "width": 6, "height": 6}
    held = element(
        "pattern", {"id": f"{name}-reserved", **tile}, element("path", {"d": "M1.5 0V6"})
    )
    pooled = element(
        "pattern",
        {"id": f"{name}-committed", **tile, "patternTransform": "rotate(45)"},
        element("path", {"d": "M1.5 0V6"}),
    )
    return element("defs", {}, held, pooled)


def _flag(board: Board, deadline: int, words: str, tall: int) -> SafeString:
    where = min(deadline, _columns(board))
    return element(
        "svg",
        {
            "class": "flag",
            "x": _percent(board, where),
            "y": tall - FLAG,
            "width": 1,
            "height": FLAG,
        },
        element("title", {}, words),
        element("path", {"d": "M-1 0V15M-1 1H-11L-8 5L-11 9H-1Z"}),
    )
