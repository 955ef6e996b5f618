"""From a day's secret to its game: the same secret and catalogue give the same game everywhere.

Pure but for reading the catalogue that comes with the project. ``docs/daily.md`` states the rule.
"""

import functools
import hashlib
import hmac
from typing import Any

import msgspec

from bazaarbatna.bargain.scenario import Scenario
from negotiation.bargain.scenarios import BUDGET_RULE, NewSale, scenario_of
from negotiation.catalogue.shelving import CONTENT, listings_of
from negotiation.catalogue.stock import read_stock
from negotiation.models import Listing
from replays.daily.twists import TWISTS

LEAST_ZONE = 0.1
"""The zone of a day's game is at least this part of the asking price; else it is drawn again."""

MOST_DRAWS = 1000
LUCKS = 1000
"""In so many steps a twist draws what it needs."""


class Dealt(msgspec.Struct, frozen=True):
    """A day's game; ``draw`` counts the draws before it, whose zone was too narrow."""

    scenario: Scenario
    source_key: str
    draw: int


def commitment_of(secret: str) -> str:
    """Return the SHA-256 of a secret's 64 hexadecimal digits, as ``sha256sum`` prints it."""
    return hashlib.sha256(secret.encode()).hexdigest()


def number(secret: str, name: str, below: int) -> int:
    """Draw a whole number of 0 up to ``below`` that nobody can guess without the secret."""
    return int(_digest(secret, name), 16) % below


def deal(
    secret: str,
    goods: tuple[Listing, ...] | None = None,
    rule: int = BUDGET_RULE,
    twist: str = "",
) -> Dealt:
    """Draw goods, values and luck of a day; ``goods`` None: the catalogue of the project.

    ``rule`` is that of the budget; ``twist`` "" changes nothing.
    """
    goods = goods or catalogue()
    for draw in range(MOST_DRAWS):
        listing = goods[number(secret, f"goods {draw}", len(goods))]
        below = functools.partial(number, secret, f"seed {draw}")
        scenario = scenario_of(NewSale(listing=listing), below, has_zone=True, rule=rule)
        if twist:
            luck = number(secret, f"twist {draw}", LUCKS) / LUCKS
            scenario = TWISTS[twist].change(scenario, luck)
        if scenario.zopa >= LEAST_ZONE * scenario.anchor:
            salted = msgspec.structs.replace(scenario, salt=_digest(secret, "salt")[:32])
            return Dealt(salted, listing.source_key, draw)
    raise ValueError("The catalogue leaves no room for a game.")


@functools.cache
def catalogue() -> tuple[Listing, ...]:
    """List what can be drawn, by key: the project's own catalogue, whatever a site sells besides.

    Of these rows none is stored.
    """
    return tuple(sorted(listings_of(read_stock()), key=lambda one: one.source_key))


@functools.cache
def catalogue_digest(rule: int = BUDGET_RULE) -> str:
    """Return the SHA-256 of all that a draw reads of the catalogue, and of the budget's rule."""
    told: list[Any] = [
        [getattr(one, name) for name in ("source_key", *CONTENT)] for one in catalogue()
    ]
    if rule > 1:  # days made before there was a second one keep their digest
        told.append(rule)
    return hashlib.sha256(msgspec.json.encode(told)).hexdigest()


def _digest(secret: str, name: str) -> str:
    return hmac.digest(secret.encode(), name.encode(), "sha256").hex()
