"""The families of sellers that training may meet, as rows of parameter ranges.

``figure`` says which human figure a family is fitted to: shares of the list price in 1,299
dialogues of CraigslistBargain (He et al. 2018), counted for this project, unless it says else.
"""

import hashlib
from collections.abc import Iterable
from functools import cached_property
from random import Random

import msgspec

from bazaarbatna.bargain.errors import UnknownSeller
from bazaarbatna.bargain.people.manner import Manner, Ranges, draw_manner

NUMBER = 1
"""Version of the rules all families share; raise it when ``seller`` or ``dealing`` changes."""


class Family(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """A kind of seller.

    Attributes:
        name: one word, part of suite ids and of versions.
        figure: the human figure that its ranges are fitted to.
        weight: how often it is met in the mixture, relative to the others.
        tails: each number is drawn from outside its range instead, this far (as a share of the
            range's width) to either side; 0 for none.
        of: families that one seller is drawn among instead of having ranges of its own.
        then: families that such a seller turns into in the middle of a game.
    """

    name: str
    title: str
    figure: str
    weight: float = 1.0
    ranges: Ranges = {}
    tails: float = 0.0
    of: tuple["Family", ...] = ()
    then: tuple["Family", ...] = ()

    def draw(self, seed: int) -> tuple[Manner, Manner]:
        """Draw one seller: how it begins, and how it goes on from round ``turn_at``."""
        dice = Random(f"manner:{self.name}:{seed}")
        first = self._draw(self.of, dice)
        if not self.then:
            return first, first
        second = self._draw(self.then, dice)
        first = msgspec.structs.replace(first, turn_at=dice.randint(2, 4))
        # The goods are the same ones: only the bearing changes.
        return first, msgspec.structs.replace(second, floor=first.floor, deadline=first.deadline)

    def _draw(self, others: tuple["Family", ...], dice: Random) -> Manner:
        one = dice.choice(others) if others else self
        if not self.tails:
            return draw_manner(one.ranges, dice)
        return draw_manner(_outside(one.ranges, self.tails, dice), dice)

    @cached_property
    def version(self) -> str:
        """Write the label that results carry: ``people:<name>@<number>#<12 hex digits>``."""
        text = msgspec.json.encode(self, order="sorted")
        return f"people:{self.name}@{NUMBER}#{hashlib.sha256(text).hexdigest()[:12]}"


LIMITS: Ranges = {
    "floor": (0.2, 0.96),
    "gap": (0.0, 1.0),
    "fade": (0.0, 1.0),
    "mirror": (0.0, 1.5),
    "idle": (0.0, 1.0),
    "hold": (0.0, 0.9),
    "moves": (0, 20),
    "split_from": (0, 4),
    "greed": (0.0, 1.0),
    "last_greed": (0.0, 1.0),
    "close": (0.0, 0.1),
    "patience": (0, 8),
    "leave": (0.0, 1.0),
    "insult": (0.0, 0.8),
    "pride": (0.0, 1.0),
    "harden": (0.0, 1.0),
    "deadline": (0.0, 1.0),
    "rush": (0.0, 1.0),
    "spread": (0.0, 0.8),
    "urgency": (0.0, 1.0),
    "bluff": (0.0, 1.0),
    "honesty": (0.0, 1.0),
    "turn_at": (0, 14),
}


def _outside(ranges: Ranges, width: float, dice: Random) -> Ranges:
    found: Ranges = {}
    for name, (low, high) in ranges.items():
        least, most = LIMITS[name]
        strip = width * max(high - low, 0.05 * (most - least))
        below, above = (max(least, low - strip), low), (high, min(most, high + strip))
        found[name] = below if dice.random() < 0.5 and below[0] < below[1] else above
    return found


FAMILIES: tuple[Family, ...] = (
    Family(
        name="halver",
        title="Meets you halfway, then stops",
        figure="A first concession goes 0.25 / 0.5 / 1.0 of the gap (quartiles); 30 % make a third",
        weight=2.0,
        ranges={
            "floor": (0.26, 0.62), "gap": (0.45, 0.8), "fade": (0.2, 0.55), "idle": (0.0, 0.3),
            "hold": (0.15, 0.38), "moves": (1, 3), "greed": (0.5, 0.8), "last_greed": (0.05, 0.35),
            "close": (0.02, 0.07), "patience": (1, 2), "leave": (0.25, 0.5), "insult": (0.25, 0.45),
            "pride": (0.0, 0.07), "urgency": (0.1, 0.5), "bluff": (0.0, 0.3),
            "honesty": (0.6, 0.95),
        },
    ),
    Family(
        name="reciprocal",
        title="Moves as far as you moved",
        figure="Steps shrink with the buyer's: 7.0, 3.3, 2.3 % of list answered by 6.8, 2.2, 0.7 %",
        weight=1.5,
        ranges={
            "floor": (0.26, 0.6), "gap": (0.2, 0.4), "fade": (0.4, 0.7), "mirror": (0.6, 1.2),
            "idle": (0.0, 0.15), "hold": (0.1, 0.35), "moves": (3, 8), "greed": (0.45, 0.75),
            "last_greed": (0.15, 0.5), "close": (0.02, 0.06), "patience": (1, 3),
            "leave": (0.2, 0.45), "insult": (0.2, 0.4), "pride": (0.0, 0.05), "urgency": (0.1, 0.5),
            "bluff": (0.0, 0.3), "honesty": (0.6, 0.95),
        },
    ),
    Family(
        name="fader",
        title="Steps that get smaller and smaller",
        figure="Mean concessions 6.8, 2.2, 0.7 % of list: each about a third of the one before",
        weight=1.5,
        ranges={
            "floor": (0.26, 0.6), "gap": (0.3, 0.65), "fade": (0.25, 0.5), "idle": (0.4, 0.8),
            "hold": (0.2, 0.45), "moves": (3, 8), "greed": (0.5, 0.85), "last_greed": (0.1, 0.5),
            "close": (0.01, 0.05), "patience": (1, 3), "leave": (0.2, 0.4), "insult": (0.2, 0.4),
            "pride": (0.0, 0.05), "urgency": (0.1, 0.4), "bluff": (0.0, 0.4),
            "honesty": (0.6, 0.95),
        },
    ),
    Family(
        name="firm",
        title="One step at most, then none",
        figure="33 % of sellers make no first concession, 55 % no second",
        weight=1.3,
        ranges={
            "floor": (0.66, 0.93), "gap": (0.15, 0.5), "fade": (0.0, 0.3), "idle": (0.0, 0.3),
            "hold": (0.35, 0.65), "moves": (0, 1.4), "greed": (0.55, 0.95),
            "last_greed": (0.3, 0.9), "close": (0.01, 0.05), "patience": (1, 3),
            "leave": (0.3, 0.6), "insult": (0.45, 0.65), "pride": (0.05, 0.2),
            "urgency": (0.0, 0.25), "bluff": (0.0, 0.2), "honesty": (0.7, 0.95),
        },
    ),
    Family(
        name="proud",
        title="Hardens or leaves when the bid is an insult",
        figure="Deals fall from 87 to 66 % where the first bid is under half of the list price",
        weight=1.0,
        ranges={
            "floor": (0.3, 0.62), "gap": (0.4, 0.75), "fade": (0.1, 0.45), "idle": (0.1, 0.4),
            "hold": (0.2, 0.4), "moves": (2, 4), "greed": (0.5, 0.8), "last_greed": (0.2, 0.6),
            "close": (0.02, 0.06), "patience": (1, 2), "leave": (0.3, 0.6), "insult": (0.4, 0.6),
            "pride": (0.25, 0.55), "harden": (0.1, 0.5), "urgency": (0.0, 0.3), "bluff": (0.0, 0.2),
            "honesty": (0.6, 0.95),
        },
    ),
    Family(
        name="needy",
        title="Has a deadline, concedes late and a lot",
        figure="Concessions crowd at deadlines (Roth, Murnighan and Schoumaker 1988)",
        weight=1.0,
        ranges={
            "floor": (0.25, 0.53), "gap": (0.1, 0.4), "fade": (0.7, 1.0), "idle": (0.3, 0.8),
            "hold": (0.2, 0.5), "moves": (4, 10), "greed": (0.4, 0.7), "last_greed": (0.0, 0.2),
            "close": (0.02, 0.08), "patience": (2, 5), "leave": (0.1, 0.3), "insult": (0.1, 0.3),
            "pride": (0.0, 0.02), "deadline": (0.4, 1.0), "rush": (0.4, 0.8),
            "urgency": (0.6, 0.95), "bluff": (0.0, 0.2), "honesty": (0.6, 0.95),
        },
    ),
    Family(
        name="bluffer",
        title="Claims rivals and last prices, and goes on",
        figure="A last price was followed by another one in a part of the dialogues (read by hand)",
        weight=1.0,
        ranges={
            "floor": (0.25, 0.53), "gap": (0.3, 0.6), "fade": (0.4, 0.7), "idle": (0.3, 0.7),
            "hold": (0.3, 0.55), "moves": (3, 8), "greed": (0.5, 0.8), "last_greed": (0.1, 0.4),
            "close": (0.02, 0.05), "patience": (2, 4), "leave": (0.1, 0.3), "insult": (0.2, 0.4),
            "pride": (0.0, 0.03), "urgency": (0.1, 0.5), "bluff": (0.6, 0.95),
            "honesty": (0.5, 0.9),
        },
    ),
    Family(
        name="impatient",
        title="Names two or three prices in all, then goes",
        figure="Prices a seller names after the list price: 1, 1, 2, 3 (25th to 90th percentile)",
        weight=1.0,
        ranges={
            "floor": (0.28, 0.6), "gap": (0.5, 0.85), "fade": (0.2, 0.5), "idle": (0.2, 0.6),
            "hold": (0.1, 0.3), "moves": (1, 3), "greed": (0.35, 0.65), "last_greed": (0.1, 0.4),
            "close": (0.03, 0.08), "patience": (0, 1), "leave": (0.5, 0.85), "insult": (0.25, 0.45),
            "pride": (0.08, 0.25), "deadline": (0.3, 0.6), "urgency": (0.5, 0.9),
            "bluff": (0.0, 0.2), "honesty": (0.6, 0.95),
        },
    ),
)  # fmt: skip
"""What training meets. Held-out families stand elsewhere and are registered by their users."""

_known: dict[str, Family] = {family.name: family for family in FAMILIES}


def register_families(families: Iterable[Family]) -> None:
    """Let families be met; registered again, they are replaced."""
    _known.update({family.name: family for family in families})


def family_of(name: str) -> Family:
    """Look a family up by its name or its version label; raises ``UnknownSeller``."""
    bare = name.removeprefix("people:").split("@")[0]
    if bare not in _known or ("#" in name and _known[bare].version != name):
        raise UnknownSeller(f"There is no family {name[:60]!r}. Known: {', '.join(_known)}.")
    return _known[bare]


def family_names() -> tuple[str, ...]:
    """Name every family that is registered, those of training first."""
    return tuple(_known)
