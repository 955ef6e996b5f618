"""Who vouches for the words of a replay."""

from django import template

from replays.vouching import vouched

register = template.Library()
register.filter("vouched", vouched)
