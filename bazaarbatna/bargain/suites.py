"""The task suites as a table: what is fixed about each, a row of ``suites.toml``."""

from pathlib import Path
from typing import Literal

import msgspec

from bazaarbatna.word_tables import read_table

Level = Literal["easy", "medium", "hard", "expert"]
Variant = Literal["fixed", "sampled"]
VARIANTS: tuple[Variant, ...] = ("fixed", "sampled")
NUMBER = 1
"""Version of the table; it is part of every suite id."""


class GameType(msgspec.Struct, frozen=True):
    """What kind of game a suite is, for pages and docs; ``utility``: the range of its score."""

    dynamics: Literal["sequential"]
    information: Literal["imperfect"]
    chance: Literal["seeded"]
    payoffs: Literal["general sum"]
    rounds: int
    games: int
    utility: tuple[float, float]


class Suite(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One row. Prices follow from the variant; ``anchor_factor`` multiplies the cost.

    ``deadline`` is the buyer's hidden round after which its surplus is halved, ``career`` says that
    the same seller remembers the buyer over all episodes, an episode of at least ``success`` is
    solved.
    """

    name: str
    title: str
    level: Level
    success: float
    rounds: int = 8
    episodes: int = 1
    persona: str = "default"
    persona_visible: bool = False
    anchor_factor: float = 2.0
    concession_rate: float
    batna_walk_p: float
    inventory: int = 1
    deadline: int | None = None
    career: bool = False
    listings: bool = False

    @property
    def game_type(self) -> GameType:
        """Say what kind of game this is."""
        return GameType(
            dynamics="sequential",
            information="imperfect",
            chance="seeded",
            payoffs="general sum",
            rounds=self.rounds,
            games=self.episodes,
            utility=(0.0, 1.0),
        )


SUITES: tuple[Suite, ...] = read_table(
    Path(__file__).with_suffix(".toml"), dict[str, tuple[Suite, ...]]
)["suite"]


def suite_id(name: str, variant: Variant) -> str:
    """Write the id under which results are published, such as ``single_deal@sampled-1``."""
    return f"{name}@{variant}-{NUMBER}"
