"""Parts of replays in templates, as ``{{ questions|question_at:step.seq }}``."""

from django import template

from replays.featured import featured
from replays.fork.forms import Question
from replays.grade.page import Grades, Mark
from replays.vouching import vouched

register = template.Library()
register.simple_tag(featured)
register.filter("vouched", vouched)


@register.filter
def question_at(questions: dict[int, Question], seq: int) -> Question | None:
    """Return what can be asked at a move; None at every other step."""
    return questions.get(seq)


@register.filter
def is_same(one: object, other: object) -> bool:
    """Whether two values are equal, where an ``if`` cannot stand."""
    return one == other


@register.filter
def mark_at(grades: Grades | None, seq: int) -> Mark | None:
    """Return the grade of the move with this number, if it is a move and has one."""
    return grades.marks.get(seq) if grades else None
