"""What every page knows: the places of the site and which of them the visitor is at."""

import msgspec
from django.http import HttpRequest
from django.urls import NoReverseMatch, reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

Places = tuple[tuple[str, str | Promise, tuple[str, ...]], ...]

PLACES: Places = (
    ("sell", pgettext_lazy("a place of the site", "Play"), ("buy", "daily")),
    ("arena", _("Arena"), ()),
    ("market", _("Market"), ()),
    ("replays", _("Replays"), ()),
    (
        "learn",
        _("Learn"),
        ("puzzles", "training", "leaderboard", "evidence", "voices", "bots", "rooms"),
    ),
)
"""An address's name, its label, and what else lies there."""

MORE_PLACES: Places = (
    ("buy", _("Be the buyer"), ()),
    ("daily", _("Daily haggle"), ()),
    ("puzzles", _("Puzzles"), ()),
    ("leaderboard", _("Leaderboard"), ()),
    ("training", _("Training"), ()),
    ("evidence", _("Evidence"), ()),
    ("voices", _("Voices"), ()),
    ("bots", _("Bring a bot"), ()),
    ("rooms", _("A class or a study"), ()),
    ("status", _("How the site is"), ()),
)
"""What stands at the foot of every page."""


class Place(msgspec.Struct, frozen=True):
    """A way to a part of the site; ``here``: the visitor is at or below it, ``exact``: at it."""

    key: str
    name: str | Promise
    url: str
    here: bool
    exact: bool


def places(request: HttpRequest) -> dict[str, tuple[Place, ...]]:
    """List the places that this site serves (a site may run without one of its rooms)."""
    return {"places": _served(request, PLACES), "more_places": _served(request, MORE_PLACES)}


def _served(request: HttpRequest, wanted: Places) -> tuple[Place, ...]:
    found = []
    for key, name, inside in wanted:
        if url := _address(key):
            near = (url, *filter(None, map(_address, inside)))
            here = request.path.startswith(near)
            found.append(Place(key, name, url, here, request.path == url))
    return tuple(found)


def _address(key: str) -> str:
    try:
        return reverse(key)
    except NoReverseMatch:
        return ""
