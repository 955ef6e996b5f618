"""What people fill in: one answer read, and answers as rows."""

import datetime as dt
import math
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.http import QueryDict
from django.utils.translation import ngettext

from negotiation.sentences import sentences
from negotiation.words import clean
from rooms.models import Answer, Member
from rooms.study.design import (
    Check,
    Choice,
    ChoiceCheck,
    Choices,
    Date,
    Likert,
    Long,
    Number,
    NumberCheck,
    Question,
    Short,
    Slider,
)

say = sentences(__file__)

Value = str | int | float | list[str]

NOTHING = ""
"""The value of a question that was left open."""


Posted = QueryDict
"""What a form sends."""


class Refused(ValueError):
    """An answer cannot stand as it is; the words say what would be right."""


def read_all(
    questions: Sequence[Question], posted: Posted
) -> tuple[dict[str, Value], dict[str, str]]:
    """Read a whole form; return the answers by name, and what is wrong by name."""
    values: dict[str, Value] = {}
    problems: dict[str, str] = {}
    for one in questions:
        try:
            values[one.name] = read(one, posted)
        except Refused as refused:
            problems[one.name] = str(refused)
    return values, problems


def read(question: Question, posted: Posted) -> Value:
    """Read one answer, or raise Refused."""
    if isinstance(question, Choices):
        return _choices(question, posted.getlist(question.name))
    text = clean_lines(str(posted.get(question.name, "")))
    if not text:
        if question.required:
            raise Refused(say("please_answer_this"))
        return NOTHING
    return _READERS[type(question)](question, text)


def clean_lines(text: str) -> str:
    """Take control characters out of words, keep their lines."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return "\n".join(clean(line) for line in lines).strip()


def _text(question: Short | Long, text: str) -> Value:
    words = " ".join(text.split()) if isinstance(question, Short) else text
    if len(words) < question.least:
        raise Refused(
            ngettext(
                "Write at least %(count)d character.",
                "Write at least %(count)d characters.",
                question.least,
            )
            % {"count": question.least}
        )
    if len(words) > question.most:
        raise Refused(
            say("write_at_most_most_characters_these", most=question.most, here=len(words))
        )
    return words


def number_from(text: str) -> int | float:
    """Read a number as people write it, or raise Refused.

    >>> number_from("₹1,20,000"), number_from("Rs. 1,200.50"), number_from("1200/-")
    (120000, 1200.5, 1200)
    """
    digits = re.sub(r"^rs\.?(?=[\s\d])|[\s₹$€£]|/-$", "", text.strip(), flags=re.IGNORECASE)
    # A comma that parts no thousands is a decimal one: 12,5 is not 125.
    if re.search(r",(?!(?:\d\d,)*\d{3}(?!\d))", digits):
        raise Refused(say("write_a_number_like_12"))
    try:
        value = float(digits.replace(",", ""))
    except ValueError:
        raise Refused(say("write_a_number_like_12")) from None
    if not math.isfinite(value) or abs(value) > 1e15:
        raise Refused(say("write_a_number_like_12"))
    return int(value) if value.is_integer() else value


def _number(question: Number, text: str) -> Value:
    value = number_from(text)
    if question.whole and not isinstance(value, int):
        raise Refused(say("write_a_whole_number_like_12"))
    _between(value, question.least, question.most)
    return value


def _slider(question: Slider, text: str) -> Value:
    value = number_from(text)
    _between(value, question.least, question.most)
    return value


def _likert(question: Likert, text: str) -> Value:
    value = number_from(text)
    _between(value, 1, question.points)
    if not isinstance(value, int):
        raise Refused(say("choose_one_of_the_steps"))
    return value


def _between(value: float, least: float | None, most: float | None) -> None:
    if least is not None and value < least:
        raise Refused(say("it_must_be_least_or_more", least=f"{least:g}"))
    if most is not None and value > most:
        raise Refused(say("it_must_be_most_or_less", most=f"{most:g}"))


def _choice(question: Choice, text: str) -> Value:
    if text not in question.options:
        raise Refused(say("choose_one_of_these"))
    return text


def _choices(question: Choices, chosen: list[str]) -> Value:
    if not set(chosen) <= set(question.options):
        raise Refused(say("choose_some_of_these"))
    # In the order of the design, each once.
    kept = [option for option in question.options if option in chosen]
    if not kept and not question.required:
        return NOTHING
    least = max(question.least, 1 if question.required else 0)
    if len(kept) < least:
        raise Refused(
            ngettext("Choose at least %(count)d.", "Choose at least %(count)d.", least)
            % {"count": least}
        )
    if question.most and len(kept) > question.most:
        raise Refused(
            ngettext("Choose at most %(count)d.", "Choose at most %(count)d.", question.most)
            % {"count": question.most}
        )
    return kept


def _date(question: Date, text: str) -> Value:
    try:
        day = dt.date.fromisoformat(text)
    except ValueError:
        raise Refused(say("write_a_day_as_2026_11")) from None
    if question.least and day < dt.date.fromisoformat(question.least):
        raise Refused(say("it_must_be_least_or_later", least=question.least))
    if question.most and day > dt.date.fromisoformat(question.most):
        raise Refused(say("it_must_be_most_or_earlier", most=question.most))
    return day.isoformat()


_READERS: Mapping[type, Callable[[Any, str], Value]] = {
    Short: _text,
    Long: _text,
    Number: _number,
    Slider: _slider,
    Likert: _likert,
    Choice: _choice,
    Date: _date,
}


def is_right(check: Check, text: str) -> bool:
    """Whether an answer to a comprehension question is the right one."""
    match check:
        case ChoiceCheck():
            return text == check.right
        case NumberCheck():
            try:
                return math.isclose(number_from(text), check.right, rel_tol=1e-9, abs_tol=1e-9)
            except Refused:
                return False


def keep(member: Member, form: str, values: Mapping[str, Value]) -> None:
    """Store the answers to a form; what was answered before stands."""
    rows = [
        Answer(member=member, form=form, question=name, value=value)
        for name, value in values.items()
    ]
    Answer.objects.bulk_create(rows, ignore_conflicts=True)


def given(member: Member, form: str) -> dict[str, Answer]:
    """Return the answers of a member to one form, by question."""
    return {one.question: one for one in Answer.objects.filter(member=member, form=form)}
