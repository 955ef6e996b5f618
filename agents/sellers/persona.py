"""What makes one seller different from another: a line of guidance, a few numbers, some lines."""

from pathlib import Path
from typing import Literal

import msgspec

from agents.text.languages import Register
from bazaarbatna.bargain.observe import SellerObservation
from bazaarbatna.bargain.scenario import PURCHASE
from bazaarbatna.players.guard import BAD_FAITH
from bazaarbatna.word_tables import read_table

ENOUGH = 0.03
"""A step below this share of the gap is none; small ones add up until they are."""


def is_reciprocal(seen: SellerObservation) -> bool:
    """Whether steps are answered by their size here; older games are played as they were."""
    return seen.suite == PURCHASE


def earned(seen: SellerObservation, enough: float = ENOUGH) -> int:
    """Return the buyer's step in paise, small ones added up until they are one; else 0.

    One is at least the share ``enough`` of the gap. What was one has had its answer, so that
    standing still earns nothing later. The first begins at half of the opening ask: below it no bid
    is in good faith.
    """
    base, step = round(BAD_FAITH * seen.asks[0]), 0
    for bid, ask in zip(seen.bids, seen.asks, strict=True):
        base, step = base + step, 0
        if bid - base >= enough * (ask - base):
            step = bid - base
    return step


Language = Literal["english", "hinglish"]


class Temper(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The numbers of a seller. Shares are 0..1.

    A counter comes down by the next of ``gap_shares`` of the gap between ask and bid, but at least
    by ``least_step`` of the ask. ``cushion`` is kept above the reservation price in the first round
    and shrinks to nothing in the last. After ``walks_after`` bids in bad faith the seller leaves.

    Where steps are answered by their size, a counter comes down by ``answer`` times what the buyer
    came up, once that is the share ``enough`` of the gap; a bid is taken from the share ``greed``
    of the way from the reservation price to the ask on.
    """

    gap_shares: tuple[float, ...] = (0.35,)
    least_step: float = 0.03
    cushion: float = 0.12
    walks_after: int = 3
    answer: float = 1.0
    enough: float = ENOUGH
    greed: float = 1.0


class Persona(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A seller's character: the ``guidance`` a model is told, a temper, and lines by language.

    ``counters`` hold a {price}, ``asides`` colour lines without one; ``bluffs`` are words only.
    ``holds`` say the standing {price} where steps are answered by their size.
    """

    name: str
    title: str
    guidance: str
    temper: Temper
    counters: dict[Language, tuple[str, ...]]
    asides: dict[Language, tuple[str, ...]]
    bluffs: bool = False
    holds: dict[Register, tuple[str, ...]] = {}


FOLDER = Path(__file__).with_name("personas")

PERSONAS = {
    name: read_table(FOLDER / f"{name}.toml", Persona)
    for name in ("default", "firm", "flexible", "deceptive")
}
