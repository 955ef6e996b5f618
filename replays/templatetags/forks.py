"""Parts of what-ifs in templates: ``{{ questions|question_at:step.seq }}``."""

from django import template

from replays.fork.forms import Question

register = template.Library()


@register.filter
def question_at(questions: dict[int, Question], seq: int) -> Question | None:
    """Return what can be asked at a move; None at every other step."""
    return questions.get(seq)


@register.filter
def is_same(one: object, other: object) -> bool:
    """Whether two values are equal, where an ``if`` cannot stand."""
    return one == other
