"""The games that the shelf opens with."""

from django import template

from replays.featured import featured

register = template.Library()
register.simple_tag(featured)
