"""The families of sellers that training may meet: rows of parameter ranges in ``families.toml``.

``figure`` says which human figure a family is fitted to: shares of the list price in 1,299
dialogues of CraigslistBargain (He et al. 2018), counted for this project, unless it says else.
"""

import hashlib
from collections.abc import Iterable
from functools import cached_property
from pathlib import Path
from random import Random

import msgspec

from bazaarbatna.bargain.errors import UnknownSeller
from bazaarbatna.bargain.people.manner import Manner, Ranges, draw_manner
from bazaarbatna.word_tables import read_table

NUMBER = 1
"""Version of the rules all families share; raise it when ``seller`` or ``dealing`` changes."""


class Family(msgspec.Struct, frozen=True, kw_only=True, dict=True, forbid_unknown_fields=True):
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


def _outside(ranges: Ranges, width: float, dice: Random) -> Ranges:
    found: Ranges = {}
    for name, (low, high) in ranges.items():
        least, most = LIMITS[name]
        strip = width * max(high - low, 0.05 * (most - least))
        below, above = (max(least, low - strip), low), (high, min(most, high + strip))
        found[name] = below if dice.random() < 0.5 and below[0] < below[1] else above
    return found


class Table(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Families of a file; within ``limits`` every number of a manner lies."""

    family: tuple[Family, ...]
    limits: Ranges = {}


_TABLE = read_table(Path(__file__).with_name("families.toml"), Table)
LIMITS: Ranges = _TABLE.limits
FAMILIES: tuple[Family, ...] = _TABLE.family
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
