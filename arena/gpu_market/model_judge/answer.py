"""A judging model's answer, read strictly: the JSON that was asked for, or nothing."""

import json
import math
from collections.abc import Collection

import msgspec

from agents.output_guard.coherence import tidy
from arena.gpu_market.engine.quantities import LabId

LONGEST_ANSWER = 4000
"""Characters; a longer answer is none."""
LONGEST_REMARK = 200


class Answer(msgspec.Struct, frozen=True):
    """The scores that a model gave, 0..1, one for every lab."""

    scores: dict[LabId, float]
    remark: str = ""


def read_answer(text: str, labs: Collection[LabId]) -> Answer | None:
    """Read an answer; None where it is anything else than what was asked for.

    >>> read_answer('{"scores": {"lab_0": 0.5, "lab_1": 0}, "remark": "Fine."}', ("lab_0", "lab_1"))
    Answer(scores={'lab_0': 0.5, 'lab_1': 0.0}, remark='Fine.')
    >>> read_answer('{"scores": {"lab_0": 7, "lab_1": 0}}', ("lab_0", "lab_1")) is None
    True
    """
    if len(text) > LONGEST_ANSWER:
        return None
    try:
        found = json.loads(text, object_pairs_hook=_once)
    except (ValueError, RecursionError):
        return None
    if not isinstance(found, dict) or not {"scores"} <= found.keys() <= {"scores", "remark"}:
        return None
    scores, remark = found["scores"], found.get("remark", "")
    if not isinstance(scores, dict) or scores.keys() != set(labs) or not isinstance(remark, str):
        return None
    if not all(_is_score(value) for value in scores.values()):
        return None
    line = tidy(remark)[:LONGEST_REMARK]
    return Answer({lab: float(scores[lab]) for lab in labs}, line)


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a name comes twice")
    return found


def _is_score(value: object) -> bool:
    # A bool is an int to isinstance, and no score.
    return type(value) in (int, float) and math.isfinite(value) and 0 <= value <= 1  # type: ignore[arg-type, operator]
