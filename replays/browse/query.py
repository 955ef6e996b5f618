"""From the query of an address to filters, and back to what a page says about them."""

import re
from collections.abc import Mapping

import msgspec
from django.http import QueryDict

from negotiation.bargain.shops import SHOPS
from negotiation.engine.quantities import Side
from negotiation.engine.sellers import SELLERS
from negotiation.engine.suites import SUITES, VARIANTS, suite_id
from negotiation.models import Game
from negotiation.policies import policies
from replays.browse.shelf import MAX_QUERY, OUTCOMES, SORTS, Filters

Choices = tuple[tuple[str, str], ...]
"""Values as addresses name them, and as people read them; the empty one means everything."""

SOURCES: Choices = (
    ("", "All of this site"),
    (Game.Source.PERSON, "Played by people"),
    (Game.Source.ARENA, "Arena matches"),
    (Game.Source.SIMULATION, "Policies only"),
    (Game.Source.WHAT_IF, "What-ifs"),
    (Game.Source.IMPORT, "Imported"),
)
_NAME = re.compile(r"[\w@:.#+-]{1,80}", re.ASCII)
_SIDES: tuple[Side, ...] = ("buyer", "seller")


class Facet(msgspec.Struct, frozen=True):
    """One field to filter by: its name in an address, its label, what can be chosen."""

    name: str
    label: str
    choices: Choices
    value: str

    @property
    def chosen(self) -> str:
        """What people read for the value; a value outside the list stands for itself."""
        return dict(self.choices).get(self.value, self.value)


class Chip(msgspec.Struct, frozen=True):
    """An active filter in words, and the query of the list without it."""

    words: str
    without: str


def read_filters(asked: Mapping[str, str]) -> Filters:
    """Return the filters of an address; what cannot be a name means everything."""
    sort = asked.get("sort", "")
    return Filters(
        title=asked.get("q", "").strip()[:MAX_QUERY],
        outcome=_one_of(OUTCOMES, asked.get("outcome", "")),
        mine=asked.get("mine") == "1",
        suite=_name(asked.get("suite", "")),
        policy=_name(asked.get("policy", "")),
        persona=_name(asked.get("persona", "")),
        source=_one_of(SOURCES, asked.get("source", "")),
        sort=_one_of(SORTS, sort) or SORTS[0][0],
    )


def facets(filters: Filters) -> tuple[Facet, ...]:
    """Return the fields to filter by, each with the value it has now."""
    return (
        Facet("outcome", "Ending", OUTCOMES, filters.outcome),
        Facet("policy", "Player", (("", "Anybody"), *_players()), filters.policy),
        Facet("suite", "Task", (("", "Any task"), *_suites()), filters.suite),
        Facet("persona", "Seller's persona", (("", "Any persona"), *_personas()), filters.persona),
        Facet("source", "Source", SOURCES, filters.source),
    )


def chips(filters: Filters, query: QueryDict) -> tuple[Chip, ...]:
    """Return the active filters, each with the way out of it."""
    active = [(facet.name, f"{facet.label}: {facet.chosen}") for facet in facets(filters)
              if facet.value]  # fmt: skip
    if filters.title:
        active.insert(0, ("q", f"“{filters.title}”"))
    if filters.mine:
        active.append(("mine", "Only my own"))
    return tuple(Chip(words, _without(query, name)) for name, words in active)


def _without(query: QueryDict, name: str) -> str:
    kept = query.copy()
    for gone in (name, "older", "newer", *(empty for empty, value in query.items() if not value)):
        kept.pop(gone, None)
    return f"?{kept.urlencode()}" if kept else ""


def _players() -> Choices:
    titles = {shop.policy: f"{shop.keeper} (seller)" for shop in SHOPS}
    return tuple(
        (entry.name, titles.get(entry.name, entry.title))
        for side in _SIDES
        for entry in policies(side)
    )


def _suites() -> Choices:
    games = (
        ("sell@1", "A person sells"),
        ("buy@2", "A person buys"),
        ("buy@1", "A person buys (first sellers)"),
        ("marketplace_arena", "Several buyers, one item"),
    )
    return games + tuple(
        (suite_id(row.name, variant), f"{row.title} ({variant})")
        for row in SUITES
        for variant in VARIANTS
    )


def _personas() -> Choices:
    return tuple((name, name.capitalize()) for name in SELLERS)


def _one_of(choices: Choices, value: str) -> str:
    return next((name for name, _ in choices if name == value), "")


def _name(value: str) -> str:
    return value if _NAME.fullmatch(value) else ""
