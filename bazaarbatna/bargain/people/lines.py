"""What sellers of the population say with a move; the words stand in ``lines.toml``."""

import tomllib
from functools import cache
from pathlib import Path
from random import Random

from bazaarbatna.bargain.observe import SellerObservation
from bazaarbatna.bargain.people.manner import Manner
from bazaarbatna.bargain.people.signals import Memory
from bazaarbatna.bargain.quantities import Paise

LANGUAGES = ("english", "hinglish", "hindi")
CLAIMS = 0.5
"""Share of its bluff that a bluffer's turns claim a rival or a last price."""
URGENT = 0.6
"""From this urgency on a seller may say that it has to sell."""


def mood_of(manner: Manner, memory: Memory, seen: SellerObservation, price: Paise) -> str:
    """Name the kind of line that goes with naming ``price``; it must fit the move."""
    if price == seen.asks[-1]:
        return "hold"
    if manner.split_from and memory.named == manner.split_from:
        return "split"
    if memory.insults and seen.bids[-1] < manner.insult * seen.asks[0]:
        return "insulted"
    # What is claimed hangs on the round, not on the luck of the move: words betray no draw.
    if manner.bluff * CLAIMS > _fraction(seen.round):
        return "rival" if seen.round % 2 else "final"
    if manner.urgency > URGENT and seen.round % 2:
        return "urgent"
    return "list_price" if manner.floor > 0.8 and seen.round % 3 == 1 else "counter"


def language_of(seed: int) -> str:
    """Draw the language of a game."""
    return LANGUAGES[Random(f"language:{seed}").choices(range(3), (5, 4, 2))[0]]


def line(mood: str, seed: int, seen: SellerObservation, price: Paise | None = None) -> str:
    """Return a line of a mood (a key of ``lines.toml``) in the game's language.

    The seed draws the language and where the lines begin; ``price`` is named, in paise.
    """
    return wordings(mood, language_of(seed), seed + seen.round, price)[0]


def wordings(mood: str, language: str, first: int, price: Paise | None = None) -> tuple[str, ...]:
    """Return all lines of a mood, one after the other, from number ``first`` round."""
    lines = all_lines()[language][mood]
    start = first % len(lines)
    turned = (*lines[start:], *lines[:start])
    if price is None:
        return turned
    return tuple(said.replace("{price}", _rupees(price)) for said in turned)


def _rupees(price: int) -> str:
    rupees, paise = divmod(price, 100)
    return f"{rupees:,}.{paise:02d}" if paise else f"{rupees:,}"


def _fraction(round_: int) -> float:
    return round_ * 0.618034 % 1.0


@cache
def all_lines() -> dict[str, dict[str, tuple[str, ...]]]:
    """Read the lines: language -> mood -> lines."""
    text = Path(__file__).with_name("lines.toml").read_text(encoding="utf-8")
    return {
        language: {mood: tuple(lines) for mood, lines in moods.items()}
        for language, moods in tomllib.loads(text).items()
    }
