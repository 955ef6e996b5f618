"""A search for the text that costs a reader most: pieces that are repeated, mutated, kept if dear.

A text is made of a few parts; each is a piece as it is, or repeated until the text is long enough.
So what is found can be said in a line, made at any length, and kept in a test.
"""

import math
import random
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

Read = Callable[[str], object]


class Part(NamedTuple):
    """A piece of a text; ``#`` in one that is repeated is the number of the repetition."""

    piece: str
    is_repeated: bool


Recipe = tuple[Part, ...]


class Worst(NamedTuple):
    """The dearest text that was found: seconds of a processor, and the power of its growth."""

    recipe: Recipe
    cpu_s: float
    power: float

    @property
    def told(self) -> str:
        """The recipe in a line."""
        parts = (
            f"{part.piece!r} * n" if part.is_repeated else repr(part.piece) for part in self.recipe
        )
        return " + ".join(parts)


def made(recipe: Recipe, length: int) -> str:
    """Make a text of such a length.

    >>> made((Part("a", False), Part("b#,", True)), 7)
    'ab0,b1,'
    """
    fixed = sum(len(part.piece) for part in recipe if not part.is_repeated)
    share = max(length - fixed, 0) // max(sum(part.is_repeated for part in recipe), 1)
    return "".join(_repeated(piece, share) if many else piece for piece, many in recipe)[:length]


def _repeated(piece: str, length: int) -> str:
    if "#" not in piece:
        return piece * (length // max(len(piece), 1))
    parts, size = [], 0
    for number in range(length):
        part = piece.replace("#", str(number))
        size += len(part)
        if size > length:
            break
        parts.append(part)
    return "".join(parts)


def cost_of(read: Read, text: str, times: int = 2) -> float:
    """Return the seconds of a processor that reading a text takes, at best of so many times."""
    took = []
    for _ in range(times):
        began = time.thread_time()
        read(text)
        took.append(time.thread_time() - began)
    return min(took)


def search(
    read: Read, pieces: Sequence[str], length: int, *, tries: int, luck: random.Random
) -> Worst:
    """Look for the text of a length that costs most: from every piece alone, then by mutation."""
    read("warm")
    small = max(length // 2, 1)
    pool: list[tuple[float, Recipe]] = []

    def weigh(recipe: Recipe) -> None:
        # To be compared with its like, once will do; what is found is weighed with more care.
        pool.append((cost_of(read, made(recipe, small), times=1), recipe))
        pool.sort(key=lambda one: -one[0])
        del pool[KEPT:]

    for piece in pieces:
        weigh((Part(piece, True),))
    for _ in range(tries):
        weigh(_mutated(luck.choice(pool)[1], pieces, luck))
    best = max((cost_of(read, made(recipe, length)), recipe) for _cost, recipe in pool[:4])
    half = cost_of(read, made(best[1], small))
    return Worst(best[1], best[0], math.log2(max(best[0], 1e-6) / max(half, 1e-6)))


KEPT = 12


def _mutated(recipe: Recipe, pieces: Sequence[str], luck: random.Random) -> Recipe:
    parts = list(recipe)
    place = luck.randrange(len(parts))
    part = parts[place]
    match luck.randrange(6):
        case 0 if len(parts) < 4:
            parts.insert(
                luck.randrange(len(parts) + 1), Part(luck.choice(pieces), luck.random() < 0.5)
            )
        case 1 if len(parts) > 1:
            del parts[place]
        case 2:
            parts[place] = Part(luck.choice(pieces), part.is_repeated)
        case 3:
            parts[place] = Part((part.piece + luck.choice(pieces))[:60], part.is_repeated)
        case 4:
            parts[place] = Part((luck.choice(pieces) + part.piece)[:60], part.is_repeated)
        case _:
            cut = luck.randrange(len(part.piece) + 1)
            parts[place] = Part(
                part.piece[:cut] or part.piece, part.is_repeated or luck.random() < 0.5
            )
    if not any(part.is_repeated for part in parts):
        parts[-1] = Part(parts[-1].piece, True)
    return tuple(parts)
