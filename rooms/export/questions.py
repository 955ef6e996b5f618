"""What a study asks: the tables of answers, and each question as a row of the codebook."""

from collections.abc import Iterator
from typing import Any

from bazaarbatna.bargain.quantities import Side
from negotiation.bargain.web.feelings import AGAIN, POINTS, QUESTIONS
from rooms.export.columns import SHARED, Table, as_json, placed, table
from rooms.export.rows import FEELINGS, GivenAnswer, PlayedGame
from rooms.models import Answer
from rooms.study.beliefs import round_of


def _answer(row: GivenAnswer) -> str | float | bool | None:
    value = row.answer.value
    if value is None or isinstance(value, str | int | float | bool):
        return value
    return as_json(value)


ANSWERS: Table[GivenAnswer] = table(
    "answers",
    {
        "participant": lambda row: row.member.number,
        "is_pilot": lambda row: row.member.is_pilot,
        "arm": lambda row: row.member.arm or None,
        "form": lambda row: row.answer.form,
        "game": lambda row: row.game or None,
        "question": lambda row: row.answer.question,
        "value": _answer,
        "tries": lambda row: row.answer.tries,
        "is_right": lambda row: row.answer.is_right,
        "given_at": lambda row: (
            row.answer.given_at if row.promises.allows("times", row.member) else None
        ),
    },
)

Believed = tuple[PlayedGame, Answer]


def _who(row: Believed) -> Side:
    game, answer = row
    return "seller" if game.in_room.seller_id == answer.member_id else "buyer"


def _about(row: Believed) -> str:
    asked = row[0].promises.study.design.get("beliefs", ())
    found = (one.get("about", "limit") for one in asked if one["name"] == row[1].question)
    return str(next(found, ""))


BELIEFS: Table[Believed] = table(
    "beliefs",
    {
        "participant": lambda row: row[0].number(_who(row)),
        **placed(lambda row: row[0]),
        "side": _who,
        "round": lambda row: round_of(row[1]),
        "question": lambda row: row[1].question,
        "about": lambda row: _about(row) or None,
        "value": lambda row: None if row[1].value == "" else row[1].value,
        "truth": lambda row: row[0].truth(_about(row), _who(row)),
        "given_at": lambda row: row[1].given_at if row[0].has_time else None,
    },
)

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
    ] + [
        [
            BELIEFS.name,
            " ".join(BELIEFS.files),
            f"value where question = {asked['name']}",
            "number",
            "percent" if asked.get("about") == "deal" else f"{SHARED['money']}; of a case points",
            "",
            str(asked.get("ask") or f"Asked in words of the site: {asked.get('about', 'limit')}."),
        ]
        for asked in design.get("beliefs", ())
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
