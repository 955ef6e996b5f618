"""The numbers of a rule seller: what differs by persona, and what all of them share."""

from pathlib import Path

import msgspec

from bazaarbatna.bargain.tells_emission import TellStyle
from bazaarbatna.word_tables import read_table


class Lines(msgspec.Struct, frozen=True):
    """What a persona says. ``{price}`` is the counter price, the only number that may be spoken.

    ``hold`` comes without a price and must not betray why.
    """

    counter: tuple[str, ...]
    hold: tuple[str, ...]
    accept: tuple[str, ...]
    walk: tuple[str, ...]


class Persona(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One column of the table of personas.

    Factors multiply what the suite says; prices are shares. ``number`` is the version: raise it
    when the code of the persona's class changes what it does.
    """

    name: str
    number: int = 1
    reservation_factor: float = 1.05
    anchor_factor: float = 1.0
    concession_factor: float = 1.0
    impatience: int = 0
    walk_factor: float = 1.0
    closes_at: float
    late_factor: float = 1.0
    bluff_raise: float = 0.0
    shape: dict[str, int | float] = {}
    style: TellStyle = TellStyle()
    lines: Lines


def read_persona(module: str) -> Persona:
    """Return the numbers and lines of the seller whose module is at a path: the TOML beside it."""
    return read_table(Path(module).with_suffix(".toml"), Persona)


class HouseRules(msgspec.Struct, frozen=True):
    """What no persona changes.

    ``lowball`` is the share of the reservation price under which a bid may end the game;
    ``late_from`` the share of the rounds after which a mere sufficient bid may be taken.
    """

    pressure_weight: float = 0.5
    lone_unit_pressure: float = 0.5
    capitulation_weight: float = 0.3
    highest_rate: float = 0.25
    lowball: float = 0.90
    late_from: float = 0.75
    least_patience: int = 4


HOUSE = HouseRules()


def patience(persona: Persona, rounds: int) -> int:
    """Return how many rounds this persona answers before it loses interest."""
    if not persona.impatience:
        return rounds
    return max(rounds - persona.impatience, HOUSE.least_patience)
