"""Everything that the section about the trained lab shows, from published runs alone."""

from typing import Any

from negotiation.short_memory import kept
from training.pages.lab.chain import made
from training.pages.lab.downloads import shelves
from training.pages.lab.facts import facts_of_lab
from training.pages.lab.lesson import lesson_of
from training.pages.lab.panels import GRPO_PANELS, SFT_PANELS, panels_of, trajectory
from training.pages.lab.rivals import rivals
from training.pages.lab.same_market import same_markets

LOOK_EVERY_S = 10.0

COMMANDS = (
    "make train-market",
    "python manage.py ship_lab RUN RUN",
    "python manage.py publish_run RUN --receipt lab-sft",
    "python manage.py publish_run RUN --receipt lab-grpo",
)
"""What makes a lab, and shows how it was made."""

EVALUATE = (
    "python manage.py evaluate --policies lab-mini:sft,lab-mini,market-rules --suites market "
    "--name market-lab --publish"
)


def lab_page() -> dict[str, Any]:
    """Gather the section, made at most every few seconds; what nobody ran yet is None or empty."""
    return kept("lab-page", LOOK_EVERY_S, _page)


def _page() -> dict[str, Any]:
    found = made()
    climb = trajectory(found.grpo)
    return {
        "made": found,
        "facts": facts_of_lab(found),
        "learned": (*panels_of(found.sft, SFT_PANELS), *([climb] if climb is not None else [])),
        "grpo_panels": panels_of(found.grpo, GRPO_PANELS),
        "rivals": rivals(found.lab.card.name if found.lab is not None else None),
        "same_markets": same_markets(found.grpo),
        "lesson": lesson_of(found.sft),
        "shelves": shelves(found),
        "commands": COMMANDS,
        "evaluate": EVALUATE,
    }
