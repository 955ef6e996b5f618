"""Figures of a set of episodes: returns by task, answers that are no action or break a rule."""

from collections.abc import Sequence
from typing import Any

from arena.gpu_market.engine import TASK_NAMES
from training.data.seeds import MARKET_CHOOSE_FROM
from training.stages.market.episodes import Episode, World
from training.stages.measuring import answers_in, mean_of, obeyed


def unseen(episodes: int, first: int = MARKET_CHOOSE_FROM) -> list[World]:
    """Choose worlds: the tasks in turn, each with seeds from ``first`` on; lab_0 is played."""
    count = len(TASK_NAMES)
    return [World(TASK_NAMES[n % count], first + n // count) for n in range(episodes)]


def lab_figures(episodes: Sequence[Episode], seed: int = 0) -> dict[str, Any]:
    """Sum episodes up.

    Args:
        episodes: any number of 1 or more.
        seed: of the bootstrap.

    Returns:
        ``episodes``, ``answers``; ``return`` with its 95 % interval, and the same of each task
        under ``tasks``; ``valid_json`` and ``legal``, parts of all answers, 0..1.
    """
    by_task = {
        task: mean_of([one.total for one in episodes if one.world.task == task], seed)
        for task in TASK_NAMES
    }
    return {
        "episodes": len(episodes),
        "answers": answers_in(episodes),
        "return": mean_of([one.total for one in episodes], seed),
        "tasks": by_task,
        **obeyed(episodes),
    }


def in_words(found: dict[str, Any]) -> str:
    """Tell figures in a line."""
    tasks = ", ".join(f"{task} {one['mean']:.3f}" for task, one in found["tasks"].items() if one)
    return (
        f"unseen markets: return {found['return']['mean']:.3f} ({tasks}), "
        f"valid {found['valid_json']:.4f}, legal {found['legal']:.4f}"
    )
