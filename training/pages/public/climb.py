"""The climb: the share that each stage of the model keeps, beside the best that plays by rule."""

import itertools
from collections.abc import Iterator, Sequence

from django.utils.safestring import SafeString

from agents.checkpoints import family_of, known
from negotiation.charts.svg import element, picture
from training.pages.public.board import Board, Row
from training.pages.public.chain import STAGES, TITLES
from training.pages.public.games import stage_of

WIDTH, HEIGHT = 360.0, 216.0
LEFT, RIGHT = 34.0, 326.0
TOP, FOOT = 26.0, 182.0
"""Where shares of 1 and 0 lie."""

SAG = 16.0
KEY = "climb"

Spot = tuple[float, float]


def best_of_stages(board: Board) -> dict[str, Row]:
    """Return the best row of each stage: of the shipped family, where it was on the board."""
    voice = known().voice
    name = f"{family_of(voice)}:" if voice else ""
    family = [row for row in board.trained if name and row.policy.startswith(name)]
    best: dict[str, Row] = {}
    for row in family or board.trained:
        best.setdefault(stage_of(row.policy), row)
    return best


def climb_chart(board: Board) -> SafeString | None:
    """Draw it; None while fewer than two stages are on the board."""
    by_stage = best_of_stages(board)
    steps = [(kind, by_stage[kind]) for kind, _ in STAGES if kind in by_stage]
    if len(steps) < 2:
        return None
    gap = (RIGHT - LEFT) / (len(steps) - 1)
    spots = [(LEFT + gap * place, _y(row.share)) for place, (_, row) in enumerate(steps)]
    return picture(
        {"viewBox": f"0 0 {WIDTH:g} {HEIGHT:g}"},
        KEY,
        "Share of all winnable games, stage by stage",
        _words(steps, board.best_rule),
        element("path", {"class": "climb-ground", "d": f"M8 {FOOT:g}H{WIDTH - 8:g}"}),
        *_rule(board.best_rule),
        *(_thread(left, right) for left, right in itertools.pairwise(spots)),
        *itertools.chain.from_iterable(
            _step(spot, kind, row) for spot, (kind, row) in zip(spots, steps, strict=True)
        ),
    )


def _rule(row: Row | None) -> Iterator[SafeString]:
    if row is None or row.lead is None:
        return
    y = _y(row.share)
    yield element("path", {"class": "climb-rule", "d": f"M8 {y:.1f}H{WIDTH - 8:g}"})
    place = {"x": 8, "y": y - 6, "text-anchor": "start"}
    words = f"best by rule: {row.title}, {row.lead.text}"
    yield element("text", {"class": "climb-note", **place}, words)


def _thread(left: Spot, right: Spot) -> SafeString:
    middle = (left[0] + right[0]) / 2
    low = max(left[1], right[1]) + SAG
    way = f"M{left[0]:.1f} {left[1]:.1f}Q{middle:.1f} {low:.1f} {right[0]:.1f} {right[1]:.1f}"
    return element("path", {"class": "thread", "d": way})


def _step(spot: Spot, kind: str, row: Row) -> Iterator[SafeString]:
    x, y = spot
    lead = row.lead
    if lead is not None:
        low, high = _y(float(lead.low)), _y(float(lead.high))
        yield element("path", {"class": "climb-span", "d": f"M{x:.1f} {low:.1f}V{high:.1f}"})
    circle = {"cx": x, "cy": y}
    yield element("circle", {"class": "flower", **circle, "r": 8.0})
    yield element("circle", {"class": "flower-heart", **circle, "r": 3.4})
    number = {"x": x, "y": y - 15, "text-anchor": "middle"}
    yield element("text", {"class": "climb-number", **number}, lead.text if lead else "")
    name = {"x": x, "y": HEIGHT - 12, "text-anchor": "middle"}
    yield element("text", {"class": "climb-name", **name}, TITLES[kind])


def _words(steps: Sequence[tuple[str, Row]], rule: Row | None) -> str:
    told = [
        f"{TITLES[kind]}: {row.lead.text}, {row.lead.low} to {row.lead.high}."
        for kind, row in steps
        if row.lead is not None
    ]
    if rule is not None and rule.lead is not None:
        told.append(f"The best by rule, {rule.title}: {rule.lead.text}.")
    return " ".join(told)


def _y(share: float) -> float:
    return FOOT - (FOOT - TOP) * min(max(share, 0.0), 1.0)
