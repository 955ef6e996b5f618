"""Many sellers of the population at once, as arrays."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from negotiation.engine.people.families import LIMITS, Family
from negotiation.engine.people.manner import WHOLE_FIELDS, Manner

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

FIELDS = Manner.__struct_fields__
"""Row order of the arrays."""
PLACE = {name: number for number, name in enumerate(FIELDS)}

IMAGINED_FROM = 2**60
"""Seeds of sellers that are drawn here; games draw theirs below 2**53."""
STRETCH = 0.15
"""How far wide sellers lie beyond all families, as a share of a number's width."""


@dataclass(frozen=True)
class Sellers:
    """Sellers as columns; ``first`` and ``second`` are of shape (fields, sellers).

    A seller bargains as ``second`` says from round ``turn_at`` of ``first`` on (0: never).
    """

    first: Floats
    second: Floats

    @property
    def count(self) -> int:
        """How many there are."""
        return int(self.first.shape[1])

    @property
    def floor(self) -> Floats:
        """Reservation prices as shares of the opening ask, (sellers,)."""
        found: Floats = self.first[PLACE["floor"]]
        return found

    def at(self, round_: int) -> Floats:
        """Return how each bargains in a round, (fields, sellers)."""
        turn_at = self.first[PLACE["turn_at"]]
        turned = (turn_at > 0) & (round_ >= turn_at)
        return np.where(turned, self.second, self.first) if turned.any() else self.first

    def take(self, which: Ints) -> "Sellers":
        """Return the sellers with these numbers, in this order."""
        return Sellers(self.first[:, which], self.second[:, which])

    def with_floor(self, floor: Floats) -> "Sellers":
        """Return the same sellers with other reservation prices."""
        first, second = self.first.copy(), self.second.copy()
        first[PLACE["floor"]] = second[PLACE["floor"]] = floor
        return Sellers(first, second)

    def shuffled(self, dice: np.random.Generator) -> "Sellers":
        """Return as many sellers who have each number from another one of these."""
        first = np.array([dice.permutation(row) for row in self.first])
        first[PLACE["turn_at"]] = 0
        return Sellers(first, first)


def joined(parts: Sequence[Sellers]) -> Sellers:
    """Put sellers side by side."""
    first = np.concatenate([one.first for one in parts], axis=1)
    return Sellers(first, np.concatenate([one.second for one in parts], axis=1))


def draw_sellers(families: Sequence[Family], count: int, seed: int = 0) -> Sellers:
    """Draw sellers of families, each family as often as its weight says.

    Args:
        families: who may sell.
        count: how many sellers.
        seed: 0 or more; another seed draws others.
    """
    weights = np.array([family.weight for family in families])
    ends = np.round(np.cumsum(weights) / weights.sum() * count).astype(int)
    first, second = [], []
    begin, from_seed = 0, IMAGINED_FROM + seed * 10_000_000
    for family, end in zip(families, ends, strict=True):
        for number in range(begin, int(end)):
            manners = family.draw(from_seed + number)
            first.append(_row(manners[0]))
            second.append(_row(manners[1]))
        begin = int(end)
    return Sellers(np.array(first).T, np.array(second).T)


def draw_wide(families: Sequence[Family], count: int, dice: np.random.Generator) -> Sellers:
    """Draw sellers whose numbers lie anywhere that these families reach, and somewhat beyond.

    Each number is drawn evenly from the hull of the families' ranges, stretched by ``STRETCH`` of
    its width to either side; a number that only some families have is missing as often as there.

    Args:
        families: whose ranges are joined.
        count: how many sellers.
        dice: the luck.
    """
    plain = _row(Manner(floor=0.5))
    drawn = np.repeat(np.array(plain)[:, None], count, axis=1)
    for name, (least, most) in LIMITS.items():
        ranges = [family.ranges[name] for family in families if name in family.ranges]
        if not ranges:
            continue
        low, high = min(one[0] for one in ranges), max(one[1] for one in ranges)
        beyond = STRETCH * (high - low)
        low, high = max(least, low - beyond), min(most, high + beyond)
        values = low + (high - low) * dice.random(count)
        has = dice.random(count) < len(ranges) / len(families)
        place = PLACE[name]
        drawn[place] = np.where(has, _whole(name, values), drawn[place])
    return Sellers(drawn, drawn)


def _whole(name: str, values: Floats) -> Floats:
    """Round the values of a field that counts."""
    return np.floor(values + 0.5) if name in WHOLE_FIELDS else values


def of_manners(manners: Sequence[Manner]) -> Sellers:
    """Make sellers of manners that are known."""
    rows = np.array([_row(one) for one in manners]).T
    return Sellers(rows, rows)


def _row(manner: Manner) -> list[float]:
    return [float(getattr(manner, name)) for name in FIELDS]
