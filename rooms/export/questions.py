"""What the forms of a study ask, as rows of the codebook: one for each question."""

from collections.abc import Iterator
from typing import Any

from negotiation.bargain.web.feelings import AGAIN, POINTS, QUESTIONS
from rooms.export.rows import FEELINGS

FORMS = (
    ("questions", ("questions", "ask")),
    *((form, (form,)) for form in ("before", "between", "after")),
)
"""Form -> where its questions stand in the design."""

KINDS = {
    "short": "text",
    "long": "text",
    "number": "number",
    "choice": "text",
    "choices": "JSON as text",
    "likert": "whole number",
    "slider": "number",
    "date": "day, ISO 8601",
}


FELT: tuple[dict[str, Any], ...] = tuple(
    {"name": one.name, "ask": one.ask.replace("{who}", "the other side")}
    | (
        {"type": "number", "least": 0, "most": 1, "unit": "1: yes, 0: no"}
        if one.name == AGAIN
        else {"type": "likert", "points": POINTS[-1], "low": one.low, "high": one.high}
    )
    for one in QUESTIONS
)
"""What is asked at the end of a game, as if it stood in the design."""


def question_rows(design: dict[str, Any]) -> list[list[str]]:
    """Return a row for each question of a design, its text as the meaning."""
    return [
        [
            "answers",
            "answers.csv answers.jsonl",
            f"value where form = {form} and question = {asked.get('name', '')}",
            KINDS.get(str(asked.get("type")), "text"),
            str(asked.get("unit", "")),
            _levels(asked),
            str(asked.get("ask", "")),
        ]
        for form, asked in _asked(design)
    ]


def _asked(design: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    plans = (design, *design.get("arms", ()), *design.get("conditions", ()))
    if any(one.get("plan", {}).get("feelings") for one in plans):
        yield from ((FEELINGS, asked) for asked in FELT)
    for form, path in FORMS:
        found: Any = design
        for name in path:
            found = found.get(name, {}) if isinstance(found, dict) else {}
        for asked in found if isinstance(found, list) else ():
            yield form, asked


def _levels(asked: dict[str, Any]) -> str:
    if options := asked.get("options"):
        return "; ".join(str(option) for option in options)
    if asked.get("type") == "likert":
        low, high = asked.get("low") or "least", asked.get("high") or "most"
        return f"1: {low}; {asked.get('points', 7)}: {high}"
    least, most = asked.get("least"), asked.get("most")
    if asked.get("type") in ("number", "slider") and (least is not None or most is not None):
        return f"{'' if least is None else least} to {'' if most is None else most}".strip()
    return ""
