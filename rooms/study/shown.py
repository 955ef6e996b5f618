"""Questions as a page shows them: what was filled in, what is wrong, in which order."""

import random
from collections.abc import Mapping, Sequence

import msgspec

from rooms.models import Answer, Member
from rooms.study.answers import Posted
from rooms.study.design import Check, Choice, ChoiceCheck, Choices, Likert, Question


class Option(msgspec.Struct, frozen=True):
    """One thing to tick; ``first`` and ``last`` of a scale carry its words."""

    value: str
    words: str
    is_chosen: bool


class ShownQuestion(msgspec.Struct, frozen=True):
    """A question on a page; fields that its kind does not have are empty."""

    kind: str
    name: str
    ask: str
    hint: str = ""
    required: bool = True
    problem: str = ""
    value: str = ""
    options: tuple[Option, ...] = ()
    least: str = ""
    most: str = ""
    step: str = ""
    unit: str = ""
    low: str = ""
    high: str = ""
    settled: bool = False
    explain: str = ""
    right: str = ""


def shown(
    questions: Sequence[Question], posted: Posted | None, problems: Mapping[str, str], luck: str
) -> list[ShownQuestion]:
    """Return the questions of a survey; ``luck`` gives shuffled options their order."""
    return [_shown(one, posted, problems.get(one.name, ""), luck) for one in questions]


def _shown(one: Question, posted: Posted | None, problem: str, luck: str) -> ShownQuestion:
    chosen = posted.getlist(one.name) if posted is not None else []
    return ShownQuestion(
        kind=str(one.__struct_config__.tag),
        name=one.name,
        ask=one.ask,
        hint=one.hint,
        required=one.required,
        problem=problem,
        value=chosen[-1] if chosen else "",
        options=_options(one, chosen, luck),
        least=_text(getattr(one, "least", "")),
        most=_text(getattr(one, "most", "")),
        step=_step(one),
        unit=getattr(one, "unit", ""),
        low=getattr(one, "low", ""),
        high=getattr(one, "high", ""),
    )


def _options(one: Question, chosen: Sequence[str], luck: str) -> tuple[Option, ...]:
    match one:
        case Choice() | Choices():
            values = list(one.options)
            if one.shuffled:
                random.Random(f"{luck}:{one.name}").shuffle(values)
        case Likert():
            values = [str(step) for step in range(1, one.points + 1)]
        case _:
            return ()
    return tuple(Option(value, value, value in chosen) for value in values)


def _step(one: Question) -> str:
    if hasattr(one, "step"):
        return _text(one.step)
    return "any" if getattr(one, "whole", True) is False else "1"


def _text(value: object) -> str:
    if value is None:
        return ""
    return f"{value:.15g}" if isinstance(value, float | int) else str(value)


def shown_checks(
    checks: Sequence[Check],
    given: Mapping[str, Answer],
    posted: Posted | None,
    problems: Mapping[str, str],
    *,
    told: bool,
) -> list[ShownQuestion]:
    """Return comprehension questions: right ones are settled; ``told``: the others explained."""
    return [_check(one, given.get(one.name), posted, problems, told=told) for one in checks]


def _check(
    one: Check,
    answer: Answer | None,
    posted: Posted | None,
    problems: Mapping[str, str],
    *,
    told: bool,
) -> ShownQuestion:
    is_choice = isinstance(one, ChoiceCheck)
    before = str(answer.value) if answer else ""
    value = str(posted.get(one.name, "")) if posted is not None else before
    settled = bool(answer and answer.is_right)
    right = _text(one.right)
    return ShownQuestion(
        kind="choice" if is_choice else "number",
        name=one.name,
        ask=one.ask,
        problem=problems.get(one.name, ""),
        value=before if settled else value,
        options=tuple(Option(o, o, o == value) for o in one.options)
        if isinstance(one, ChoiceCheck)
        else (),
        step="any",
        settled=settled,
        explain=one.explain if told else "",
        right=right if told and not settled else "",
    )


def luck_of(member: Member | None) -> str:
    """Return what gives a member the own order of shuffled options."""
    return member.pk if member else "preview"
