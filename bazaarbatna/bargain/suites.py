"""The task suites as a table: what is fixed about each, in one row."""

from typing import Literal

import msgspec

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


class Suite(msgspec.Struct, frozen=True, kw_only=True):
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


SUITES: tuple[Suite, ...] = (
    Suite(
        name="single_deal",
        title="One item, one seller",
        level="easy",
        success=0.3,
        concession_rate=0.08,
        batna_walk_p=0.05,
    ),
    Suite(
        name="asymmetric_pressure",
        title="Only the buyer is in a hurry",
        level="medium",
        success=0.4,
        concession_rate=0.06,
        batna_walk_p=0.08,
        inventory=5,
        deadline=5,
    ),
    Suite(
        name="career_10",
        title="Ten deals with a seller who remembers",
        level="hard",
        success=0.5,
        episodes=10,
        concession_rate=0.07,
        batna_walk_p=0.10,
        inventory=10,
        career=True,
    ),
    Suite(
        name="deceptive_seller",
        title="A seller who bluffs",
        level="hard",
        success=0.35,
        rounds=10,
        persona="deceptive",
        persona_visible=True,
        concession_rate=0.06,
        batna_walk_p=0.05,
        inventory=3,
    ),
    Suite(
        name="impatient_seller",
        title="A seller who soon leaves",
        level="medium",
        success=0.3,
        persona="impatient",
        persona_visible=True,
        concession_rate=0.08,
        batna_walk_p=0.15,
    ),
    Suite(
        name="collaborative_seller",
        title="A seller who meets you",
        level="easy",
        success=0.4,
        persona="collaborative",
        persona_visible=True,
        concession_rate=0.10,
        batna_walk_p=0.02,
    ),
    Suite(
        name="read_the_tells",
        title="A bluffer behind no label, five times",
        level="expert",
        success=0.45,
        rounds=10,
        episodes=5,
        persona="deceptive",
        anchor_factor=2.2,
        concession_rate=0.05,
        batna_walk_p=0.08,
        inventory=5,
        career=True,
    ),
    Suite(
        name="amazon_realistic",
        title="A real listing",
        level="medium",
        success=0.3,
        concession_rate=0.08,
        batna_walk_p=0.05,
        listings=True,
    ),
)


def suite_id(name: str, variant: Variant) -> str:
    """Write the id under which results are published, such as ``single_deal@sampled-1``."""
    return f"{name}@{variant}-{NUMBER}"
