"""One lesson of the lab's SFT: a position as it was shown, and the answer it was taught."""

import functools
import logging
from typing import Any

import msgspec

from training.data.seeds import first_seed
from training.data.traces import Trace, TraceRecipe, trace_episode
from training.models import Run

log = logging.getLogger(__name__)

TASK = "market_round"
LOOKED_AT = 40
"""Episodes that are looked through for a lesson worth reading."""

WORTH_READING = ("form_coalition", "accept_offer", "send_offer", "counter_offer")


class Lesson(msgspec.Struct, frozen=True):
    """A prompt and its answer, of the market with that seed."""

    task: str
    seed: int
    teacher: str
    prompt: str
    answer: str


def lesson_of(run: Run | None) -> Lesson | None:
    """Make one of a run's lessons again, from its own settings: the first in which labs deal.

    None where there is none, or the run's settings cannot be read.
    """
    told: dict[str, Any] = (run.config.get("config") or {}) if run is not None else {}
    try:
        recipe = TraceRecipe(
            teacher=str(told["teacher"]),
            episodes=int(told["episodes"]),
            wander=float(told["wander"]),
            seed=int(told["seed"]),
        )
        return _lesson(recipe)
    except (KeyError, TypeError, ValueError):
        if run is not None:
            log.warning("no lesson can be made of a run", exc_info=True, extra={"run": run.pk})
        return None


@functools.lru_cache(maxsize=4)
def _lesson(recipe: TraceRecipe) -> Lesson | None:
    first = first_seed("market-sft", recipe.seed)
    for seed in range(first, first + min(recipe.episodes, LOOKED_AT)):
        for one in trace_episode(TASK, seed, recipe):
            if one.action in WORTH_READING:
                return _told(recipe, seed, one)
    return None


def _told(recipe: TraceRecipe, seed: int, one: Trace) -> Lesson:
    return Lesson(TASK, seed, recipe.teacher, one.prompt, one.answer)
