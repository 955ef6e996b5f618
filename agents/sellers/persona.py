"""What makes one seller different from another: a line of guidance, a few numbers, some lines."""

from pathlib import Path
from typing import Literal

import msgspec

from agents.text.word_tables import read_table

Language = Literal["english", "hinglish"]


class Temper(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The numbers of a seller. Shares are 0..1.

    ``gap_shares`` are taken in turn, one per counter, and start again when they are used up: the
    counter comes down by that share of the gap between ask and bid, but at least by ``least_step``
    of the ask. ``cushion`` is the part of the reservation price that the seller keeps above it in
    the first round; it shrinks evenly and is gone in the last one. After ``walks_after`` bids in
    bad faith the seller leaves.
    """

    gap_shares: tuple[float, ...] = (0.35,)
    least_step: float = 0.03
    cushion: float = 0.12
    walks_after: int = 3


class Persona(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A seller's character.

    ``guidance`` is the one line a model is told. By language, ``counters`` are this seller's own
    lines with a {price}, and ``asides`` colour the lines without one of them; what all sellers say
    alike stands in ``agents/sellers/lines``. A seller that ``bluffs`` may do so in words only.
    """

    name: str
    title: str
    guidance: str
    temper: Temper
    counters: dict[Language, tuple[str, ...]]
    asides: dict[Language, tuple[str, ...]]
    bluffs: bool = False


FOLDER = Path(__file__).with_name("personas")

PERSONAS = {
    name: read_table(FOLDER / f"{name}.toml", Persona)
    for name in ("default", "firm", "flexible", "deceptive")
}
"""All sellers by name. A new one is a file in ``personas`` and one name here."""
