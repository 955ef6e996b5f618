"""What an amount is there for: the roles, and the phrases that give them."""

from pathlib import Path
from typing import Literal

import msgspec

from agents.word_tables import read_table

Role = Literal[
    "floor", "final", "named", "hint", "bare", "refused", "old", "rival", "later", "aside",
    "counted", "off", "more", "either", "year",
]  # fmt: skip
"""floor: the least the seller takes; final: called final; named: called the price; hint: probably
the price; bare: no word tells; refused: a price the seller turns down; old: the ask before; rival:
what somebody else pays; later: of another day, or "otherwise"; aside: another sum (paid, market,
loss, delivery); counted: people, days, pieces, units; off: taken off the ask; more: put on the bid;
either: one end of a range; year: counted if it looks like a year, else bare."""

Phrases = tuple[tuple[str, Role], ...]


class _Roles(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    prices: Phrases
    refusals: Phrases
    other_sums: Phrases
    changes: Phrases
    counts: Phrases
    choices: Phrases
    corrections: Phrases


_ROLES = read_table(Path(__file__).with_name("roles.toml"), _Roles)
TABLE = (
    *_ROLES.prices, *_ROLES.refusals, *_ROLES.other_sums, *_ROLES.changes, *_ROLES.counts,
    *_ROLES.choices,
)  # fmt: skip
CORRECTIONS = _ROLES.corrections
