"""Concession paths of people, and sellers who follow them: the prices that human sellers named.

Source: 615 dialogues of CraigslistBargain (development part; He, Chen, Balakrishnan and Liang
2018), read from DialoGraph's repository (Apache-2.0). Numbers only: prices found in messages by
pattern, as shares of the list price. Two of five rows are for validation, and no training reads
them (``held_out``).
"""

from codecs import BOM_UTF8
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path as File
from random import Random
from types import MappingProxyType
from typing import Any

import msgspec

from bazaarbatna.bargain.people.families import Family
from bazaarbatna.bargain.people.manner import Manner, Ranges, draw_manner
from bazaarbatna.bargain.quantities import Side

FIT = File(__file__).with_name("paths_fit.jsonl")

LEAST_AGREED = 0.3
"""A price below this share of the list price was no price of the thing, or nobody's bargain."""
LONGEST = 8
"""Prices of a path at most."""
MOST_SHARE = 2
"""A price above this multiple of the list price is one of another form: rupees, not shares."""
MOST_ROWS = 100_000


class BadPaths(ValueError):
    """A file of paths cannot be used; the message says which row and why."""


class Talk(msgspec.Struct, frozen=True):
    """What two people named, in order, as shares of the list price; ``agreed`` None: no deal."""

    prices: tuple[tuple[Side, float], ...]
    agreed: float | None


class Path(msgspec.Struct, frozen=True):
    """What one human seller named, as shares of the list price.

    ``asks`` never rise and end with what was agreed; ``first_bid`` is the buyer's first, if any.
    """

    asks: tuple[float, ...]
    first_bid: float | None = None

    @property
    def agreed(self) -> float:
        """What it was sold for."""
        return self.asks[-1]


SIDES: Mapping[object, Side] = MappingProxyType({"s": "seller", "b": "buyer"})


def talk_of(row: object) -> Talk:
    """Read one row of the published form: ``prices`` as ``["s" or "b", share]``, ``agreed``.

    ValueError: it has another form, or a price that is no share of a list price; the message says
    which.
    """
    if not isinstance(row, dict) or not {"prices", "agreed"} <= row.keys():
        raise ValueError("it needs 'prices' and 'agreed'")
    if not isinstance(row["prices"], list):
        raise ValueError("'prices' is no list")  # noqa: TRY004  one kind for all that is wrong
    prices = []
    for place, one in enumerate(row["prices"], 1):
        if not isinstance(one, list) or len(one) != 2 or one[0] not in ("s", "b"):
            raise ValueError(f"price {place} is not ['s' or 'b', share]")
        prices.append((SIDES[one[0]], _share(one[1], f"price {place}")))
    agreed = None if row["agreed"] is None else _share(row["agreed"], "agreed")
    return Talk(tuple(prices), agreed)


def path_of(talk: Talk) -> Path:
    """Read what the seller named; ValueError: it is no deal whose seller only came down."""
    agreed = talk.agreed
    if agreed is None:
        raise ValueError("no deal was made")
    if not talk.prices:
        raise ValueError("nobody named a price")
    if not LEAST_AGREED <= agreed <= 1:
        raise ValueError(f"agreed is {agreed:g}, not between {LEAST_AGREED:g} and 1")
    asks, first_bid = [1.0], None
    for place, (side, price) in enumerate(talk.prices, 1):
        if side == "buyer":
            first_bid = price if first_bid is None else first_bid
            continue
        if price > asks[-1]:
            raise ValueError(f"price {place} rises to {price:g}")
        if price < agreed:
            raise ValueError(f"price {place} is {price:g}, below the {agreed:g} agreed")
        asks.append(price)
    if len(asks) > LONGEST:
        raise ValueError(f"the seller names {len(asks)} prices; at most {LONGEST} are played")
    return Path((*asks[1:], agreed), first_bid)


def _share(value: object, name: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError(f"{name} is no number")  # noqa: TRY004  one kind for all that is wrong
    if not 0 < value <= MOST_SHARE:
        # Compared before it is converted: a whole number of JSON may be too large for a float.
        raise ValueError(f"{name} is no share of the list price: above 0, at most {MOST_SHARE}")
    return float(value)


class Sifted(msgspec.Struct, frozen=True):
    """A file of dialogues: all that can be read, the paths among them, and why others are none."""

    talks: tuple[Talk, ...]
    paths: tuple[Path, ...]
    refused: tuple[str, ...]


def sift_paths(lines: Iterable[bytes]) -> Sifted:
    """Read a file in the published form, one JSON object a line; blank lines count for nothing.

    BadPaths: there is no usable row, or there are too many.
    """
    talks, paths, refused = [], [], []
    for number, line in enumerate(lines, 1):
        if number > MOST_ROWS:
            raise BadPaths(f"There are more than {MOST_ROWS:,} rows.")
        if not line.strip():
            continue
        try:
            talks.append(talk_of(msgspec.json.decode(line.removeprefix(BOM_UTF8))))
            paths.append(path_of(talks[-1]))
        except RecursionError:
            refused.append(f"Row {number}: it is nested too deeply.")
        except ValueError as wrong:
            refused.append(f"Row {number}: {wrong}.")
    if not paths:
        first = refused[0] if refused else "The file is empty."
        raise BadPaths(f"No row is a path. {first}")
    return Sifted(tuple(talks), tuple(paths), tuple(refused))


class PathFamily(Family, frozen=True, kw_only=True):
    """Sellers who name what people named, stretched by luck, and then stand.

    Attributes:
        paths: one is drawn for each seller.
        kept: reservation price as a part of what was agreed, drawn from this range.
        repeats: how often the last price is repeated before the seller leaves, from this range.
        stretch: factor on every concession of a path, drawn from this range.
        touchy: part of the sellers to whom a low bid is an insult.
        hurried: part of the sellers who have a deadline.
    """

    paths: tuple[Path, ...]
    kept: tuple[float, float] = (0.75, 1.0)
    repeats: tuple[int, int] = (0, 8)
    stretch: tuple[float, float] = (0.8, 1.2)
    touchy: float = 0.15
    hurried: float = 0.1

    def draw(self, seed: int) -> tuple[Manner, Manner]:
        """Draw one seller; it bargains the same way throughout."""
        dice = Random(f"path:{self.name}:{seed}")
        path, stretch = dice.choice(self.paths), dice.uniform(*self.stretch)
        asks = tuple(max(1 - stretch * (1 - ask), LEAST_FLOOR) for ask in path.asks)
        is_touchy, is_hurried = dice.random() < self.touchy, dice.random() < self.hurried
        drawn = draw_manner(_OF_ALL, dice)
        manner = msgspec.structs.replace(
            drawn,
            path=asks,
            floor=max(min(dice.uniform(*self.kept) * asks[-1], HIGHEST_FLOOR), LEAST_FLOOR),
            patience=dice.randint(*self.repeats),
            insult=dice.uniform(*INSULT) if is_touchy else 0.0,
            pride=dice.uniform(*PRIDE) if is_touchy else 0.0,
            deadline=dice.uniform(*DEADLINE) if is_hurried else 0.0,
        )
        return manner, manner


LEAST_FLOOR, HIGHEST_FLOOR = 0.2, 0.97
INSULT, PRIDE, DEADLINE = (0.3, 0.65), (0.2, 1.0), (0.4, 1.0)

_OF_ALL: Ranges = {
    "floor": (0.5, 0.5),
    "greed": (0.0, 0.0),
    "last_greed": (0.0, 0.0),
    "close": (0.0, 0.0),
    "urgency": (0.1, 0.5),
    "bluff": (0.0, 0.3),
    "honesty": (0.6, 0.95),
}
"""A standing seller takes what its reservation price allows; a word tells nothing of a path."""


@cache
def fit_paths() -> tuple[Path, ...]:
    """Return the paths that training may meet."""
    return sift_paths(FIT.read_bytes().splitlines()).paths


def path_family(paths: Sequence[Path], **how: Any) -> PathFamily:
    """Make a family of sellers who follow these paths; ``how`` sets other attributes of it."""
    told = {
        "name": "paths",
        "title": "Names the prices that a person named",
        "figure": "The seller's prices in dialogues that ended in a deal (He et al. 2018)",
    }
    return PathFamily(paths=tuple(paths), **(told | how))
