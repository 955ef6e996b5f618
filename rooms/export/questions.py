"""What a study asks: the tables of answers, and each question as a row of the codebook."""

from collections.abc import Iterator
from typing import Any

from bazaarbatna.bargain.quantities import Side
from negotiation.bargain.web.feelings import AGAIN, POINTS, QUESTIONS
from rooms.export.columns import (
    ARM,
    MONEY,
    PARTICIPANT,
    PILOT,
    SIDES,
    Column,
    Table,
    as_json,
    placed,
)
from rooms.export.rows import FEELINGS, GivenAnswer, PlayedGame
from rooms.models import Answer
from rooms.study.beliefs import round_of


def _answer(row: GivenAnswer) -> str | float | bool | None:
    value = row.answer.value
    if value is None or isinstance(value, str | int | float | bool):
        return value
    return as_json(value)


ANSWERS: Table[GivenAnswer] = Table(
    "answers",
    "One row for each question that somebody answered; the questions stand below.",
    (
        Column("participant", "whole", PARTICIPANT, lambda row: row.member.number),
        Column("is_pilot", "yes-no", PILOT, lambda row: row.member.is_pilot),
        Column("arm", "text", ARM, lambda row: row.member.arm or None),
        Column("form", "text", "Form in which it was asked: questions before the games that show "
               "whether the rules were understood, a survey before, between or after, or game: "
               "how a game was, asked at its end.", lambda row: row.answer.form),
        Column("game", "text", "Game that it is about; empty: about none alone.",
               lambda row: row.game or None),
        Column("question", "text", "Name of the question in the design of the study.",
               lambda row: row.answer.question),
        Column("value", "text", "The answer. Several choices: a JSON list of their texts.",
               _answer),
        Column("tries", "whole", "How often it was answered until this answer.",
               lambda row: row.answer.tries, "tries"),
        Column("is_right", "yes-no", "Whether it was right; empty: no question of right or wrong.",
               lambda row: row.answer.is_right),
        Column("given_at", "time", "When it was answered.",
               lambda row: row.answer.given_at
               if row.promises.allows("times", row.member) else None),
    ),
)  # fmt: skip

Believed = tuple[PlayedGame, Answer]


def _who(row: Believed) -> Side:
    game, answer = row
    return "seller" if game.in_room.seller_id == answer.member_id else "buyer"


def _about(row: Believed) -> str:
    asked = row[0].promises.study.design.get("beliefs", ())
    found = (one.get("about", "limit") for one in asked if one["name"] == row[1].question)
    return str(next(found, ""))


BELIEFS: Table[Believed] = Table(
    "beliefs",
    "One row for each time that somebody was asked beside a game what is or will be, and answered"
    " or passed it over.",
    (
        Column("participant", "whole", PARTICIPANT, lambda row: row[0].number(_who(row))),
        *placed(lambda row: row[0]),
        Column("side", "text", "Side of who was asked.", _who, levels=SIDES),
        Column("round", "whole", "Round of the game in which it was asked, before the own move.",
               lambda row: round_of(row[1]), "rounds"),
        Column("question", "text", "Name of the question in the design of the study.",
               lambda row: row[1].question),
        Column("about", "text", "What it was about.", lambda row: _about(row) or None,
               levels=(("limit", "the other side's limit, in units of the currency; of a case its "
                        "points without a deal"),
                       ("price", "the price of the deal, in units of the currency; of a case "
                        "the own points of it"),
                       ("deal", "the chance of a deal, in percent"))),
        Column("value", "number", "The answer; empty: passed over.",
               lambda row: None if row[1].value == "" else row[1].value),
        Column("truth", "number", "What was true: the other's limit, the price or points of the "
               "deal (empty: there was none), 100 or 0 for a deal or none.",
               lambda row: row[0].truth(_about(row), _who(row))),
        Column("given_at", "time", "When it was answered.",
               lambda row: row[1].given_at if row[0].has_time else None),
    ),
)  # fmt: skip

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
            "percent" if asked.get("about") == "deal" else f"{MONEY}; of a case points",
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
