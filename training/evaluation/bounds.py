"""What a table of suites brings along to show how good a buyer could be in them."""

from collections.abc import Callable
from typing import Literal

import msgspec

from negotiation.policies import BuyerPolicy

Aim = Literal["share", "grade"]
"""What a buyer may play for: its share of the zone, or the suite's official grade."""

Maker = Callable[[int, Aim], BuyerPolicy]
"""Makes a player of one game from the seed of that game and what it plays for."""


class Ceilings(msgspec.Struct, frozen=True, kw_only=True):
    """The players of a suite that are bounds; None where nobody knows one.

    Attributes:
        clairvoyant: knows the game's hidden values and luck.
        best_response: knows how games are drawn, and sees what buyers see.
        clairvoyant_how, best_response_how: how each is found, in a few words: "exact ..." or
            "approximate: ...".
        has_grade: the suite has an official grade, which both can play for.
    """

    clairvoyant: Maker | None = None
    best_response: Maker | None = None
    clairvoyant_how: str = ""
    best_response_how: str = ""
    has_grade: bool = False
