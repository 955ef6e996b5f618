"""Grades in templates: ``{% with mark=grades|mark_at:step.seq %}``."""

from django import template

from replays.grade.page import Grades, Mark

register = template.Library()


@register.filter
def mark_at(grades: Grades | None, seq: int) -> Mark | None:
    """Return the grade of the move with this number, if it is a move and has one."""
    return grades.marks.get(seq) if grades else None
