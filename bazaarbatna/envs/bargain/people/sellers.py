"""Many sellers of the population at once, as arrays, and what they answer to bids.

``answers`` is ``bazaarbatna.bargain.people.seller.respond`` over arrays; a test holds the two
together, move by move. Prices are shares of the opening ask here.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import msgspec
import numpy as np
import numpy.typing as npt

from bazaarbatna.bargain.people.families import LIMITS, Family
from bazaarbatna.bargain.people.manner import WHOLE_FIELDS, Manner
from bazaarbatna.bargain.people.paths import LONGEST
from bazaarbatna.bargain.people.seller import STANDING_STILL
from bazaarbatna.bargain.people.signals import PROGRESS

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

FIELDS = Manner.__struct_fields__[:-1]
"""Row order of the arrays; paths, the last field, have arrays of their own."""
PLACE = {name: number for number, name in enumerate(FIELDS)}

IMAGINED_FROM = 2**60
"""Seeds of sellers that are drawn here; games draw theirs below 2**53."""
STRETCH = 0.15
"""How far wide sellers lie beyond all families, as a share of a number's width."""


@dataclass(frozen=True)
class Sellers:
    """Sellers as columns; ``first`` and ``second`` are of shape (fields, sellers).

    A seller bargains as ``second`` says from round ``turn_at`` of ``first`` on (0: never). Who
    follows a path names the prices of a column of ``path``, (``LONGEST``, sellers), the last one
    repeated; ``steps`` (sellers,) says how many there are, 0 where there is no path.
    """

    first: Floats
    second: Floats
    path: Floats
    steps: Ints

    @property
    def count(self) -> int:
        """How many there are."""
        return int(self.first.shape[1])

    @property
    def floor(self) -> Floats:
        """Reservation prices as shares of the opening ask, (sellers,)."""
        found: Floats = self.first[PLACE["floor"]]
        return found

    def at(self, round_: "Rounds") -> Floats:
        """Return how each bargains in a round, (fields, sellers)."""
        turn_at = self.first[PLACE["turn_at"]]
        turned = (turn_at > 0) & (round_ >= turn_at)
        return np.where(turned, self.second, self.first) if turned.any() else self.first

    def take(self, which: Ints) -> "Sellers":
        """Return the sellers with these numbers, in this order."""
        return Sellers(
            self.first[:, which], self.second[:, which], self.path[:, which], self.steps[which]
        )

    def with_floor(self, floor: Floats) -> "Sellers":
        """Return the same sellers with other reservation prices."""
        first, second = self.first.copy(), self.second.copy()
        first[PLACE["floor"]] = second[PLACE["floor"]] = floor
        return replace(self, first=first, second=second)

    def shuffled(self, dice: np.random.Generator) -> "Sellers":
        """Return as many sellers who have each number from another one of these."""
        first = np.array([dice.permutation(row) for row in self.first])
        first[PLACE["turn_at"]] = 0
        return replace(self, first=first, second=first)


def without_paths(first: Floats, second: Floats) -> Sellers:
    """Make sellers who answer what is bid."""
    count = first.shape[1]
    return Sellers(first, second, np.zeros((LONGEST, count)), np.zeros(count, dtype=np.int64))


def joined(parts: Sequence[Sellers]) -> Sellers:
    """Put sellers side by side."""
    first, second, path = (
        np.concatenate([getattr(one, name) for one in parts], axis=1)
        for name in ("first", "second", "path")
    )
    return Sellers(first, second, path, np.concatenate([one.steps for one in parts]))


def draw_sellers(families: Sequence[Family], count: int, seed: int = 0) -> Sellers:
    """Draw sellers of families, each family as often as its weight says."""
    weights = np.array([family.weight for family in families])
    ends = np.round(np.cumsum(weights) / weights.sum() * count).astype(int)
    drawn = []
    begin, from_seed = 0, IMAGINED_FROM + seed * 10_000_000
    for family, end in zip(families, ends, strict=True):
        drawn += [family.draw(from_seed + number) for number in range(begin, int(end))]
        begin = int(end)
    return of_manners([one for one, _ in drawn], [one for _, one in drawn])


def draw_wide(families: Sequence[Family], count: int, dice: np.random.Generator) -> Sellers:
    """Draw sellers whose numbers lie anywhere that these families reach, and somewhat beyond.

    Each number is drawn evenly from the hull of the families' ranges, stretched by ``STRETCH`` of
    its width to either side; a number that only some families have is missing as often as there.
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
    return without_paths(drawn, drawn)


def _whole(name: str, values: Floats) -> Floats:
    return np.floor(values + 0.5) if name in WHOLE_FIELDS else values


def of_manners(manners: Sequence[Manner], turned: Sequence[Manner] = ()) -> Sellers:
    """Make sellers of manners that are known, and of those into which they turn, if any."""
    first = np.array([*map(_row, manners)], float).T
    second = np.array([*map(_row, turned)], float).T if turned else first
    path = np.array([_padded(one.path) for one in manners]).T
    steps = np.array([len(one.path) for one in manners], dtype=np.int64)
    return Sellers(first, second, path, steps)


def _padded(path: tuple[float, ...]) -> list[float]:
    last = path[-1] if path else 0.0
    return [*path, *[last] * (LONGEST - len(path))]


def _row(manner: Manner) -> tuple[float, ...]:
    return msgspec.structs.astuple(manner)[: len(FIELDS)]


Bools = npt.NDArray[np.bool_]
Rounds = int | npt.NDArray[np.int64]

CROSSED = 1e-9
"""Prices closer than this are the same price."""


@dataclass
class Table:
    """Positions, one a lane; every array broadcasts to the same shape (..., sellers).

    They are counted as in ``people.signals.Memory``.
    """

    ask: Floats
    bid: Floats
    named: Floats
    stalled: Floats
    insults: Floats
    step: Floats


@dataclass(frozen=True)
class Answers:
    """What sellers do: ``takes`` and ``leaves`` (in that order of precedence), else ``ask``."""

    takes: Bools
    leaves: Bools
    ask: Floats


def place_bid(table: Table, bid: Floats, insult: Floats, is_first: bool) -> None:
    """Put a bid on the table and let the sellers remember it."""
    rise = np.zeros_like(bid) if is_first else bid - table.bid
    if not is_first:
        table.stalled = np.where(rise >= PROGRESS - CROSSED, 0.0, table.stalled + 1)
    table.insults = table.insults + (bid < insult - CROSSED)
    table.step = np.maximum(rise, 0.0)
    table.bid = bid


def last_rounds(manner: Floats, rounds: Rounds) -> Floats:
    """Return the round after which each seller is gone; ``rounds`` + 1 without a deadline."""
    deadline = manner[PLACE["deadline"]]
    return np.where(deadline > 0, np.maximum(2.0, np.floor(deadline * rounds + 0.5)), rounds + 1.0)


def takes(
    manner: Floats, table: Table, round_: int, rounds: Rounds, steps: Ints | int = 0
) -> Bools:
    """Return which sellers take the standing bid; ``steps`` as in ``Sellers``."""
    floor, last = manner[PLACE["floor"]], last_rounds(manner, rounds)
    is_last = round_ >= np.minimum(last, rounds)
    greed = np.where(is_last, manner[PLACE["last_greed"]], manner[PLACE["greed"]])
    bid, ask = table.bid, table.ask
    wanted = np.minimum(floor + greed * (ask - floor), ask - manner[PLACE["close"]])
    found: Bools = bid >= np.maximum(wanted, floor) - CROSSED
    # What comes next on a path is named soon enough: less is not taken before.
    return found & ((round_ > steps) | is_last)


def planned_step(
    manner: Floats, table: Table, round_: int, rounds: Rounds
) -> tuple[Floats, Bools, Bools]:
    """Return what each ask is to come down without luck, and on whom luck has no bearing.

    That is: steps as shares of the opening ask; who cannot stand still by luck (a deadline is near,
    or the middle is proposed); whose step is exact.
    """
    named, gap = table.named, table.ask - table.bid
    split = manner[PLACE["split_from"]]
    hurried = round_ + 1 >= last_rounds(manner, rounds)
    splits = (split > 0) & (named == split)
    stops = (named >= manner[PLACE["moves"]]) | ((split > 0) & (named > split))
    share = manner[PLACE["gap"]] * manner[PLACE["fade"]] ** named
    share = np.where(table.insults > 0, share * manner[PLACE["harden"]], share)
    share = np.where(table.stalled > 0, share * manner[PLACE["idle"]], share)
    share = np.where(hurried, np.maximum(share, manner[PLACE["rush"]]), share)
    step = share * gap + manner[PLACE["mirror"]] * table.step
    step = np.where(stops & ~hurried, 0.0, step)
    step = np.where(splits, gap / 2, step)
    return step, hurried | splits, splits


def answers(
    sellers: Sellers, table: Table, round_: int, rounds: Rounds, luck: Floats, unit: Floats | float
) -> Answers:
    """Answer the standing bids.

    ``luck`` is of shape (4, sellers) in the order of ``people.seller.Luck``; prices are named in
    steps of ``unit``, a share of the opening ask.
    """
    manner, steps = sellers.at(round_), sellers.steps
    leave, pride, hold, spread = luck
    insulted = table.bid < manner[PLACE["insult"]] - CROSSED
    leaves = insulted & (pride < manner[PLACE["pride"]])
    stalled = (table.stalled > manner[PLACE["patience"]]) & (leave < manner[PLACE["leave"]])
    leaves |= np.where(steps > 0, round_ - steps > manner[PLACE["patience"]], stalled)
    leaves |= round_ >= last_rounds(manner, rounds)
    step, moves_anyway, exact = planned_step(manner, table, round_, rounds)
    size = 1 + manner[PLACE["spread"]] * (2 * spread - 1)
    step = np.where(exact, step, step * size)
    still = (step < STANDING_STILL) & ~exact
    still |= ~moves_anyway & (hold < manner[PLACE["hold"]])
    wanted = table.ask - np.where(still, 0.0, step)
    planned = sellers.path[min(round_, LONGEST) - 1]
    ask = named(np.where(steps > 0, planned, wanted), unit)
    ask = np.minimum(np.maximum(ask, manner[PLACE["floor"]]), table.ask)
    taken = takes(manner, table, round_, rounds, steps)
    return Answers(taken | (~leaves & (ask <= table.bid + CROSSED)), leaves & ~taken, ask)


def named(price: Floats, unit: Floats | float) -> Floats:
    """Round prices to those that people name."""
    rounded: Floats = np.maximum(np.floor(price / unit + 0.5), 1.0) * unit
    return rounded
