"""Which market a client asks for, and the scenario that this means."""

from typing import Literal

import msgspec

from arena.gpu_market.engine import MarketScenario, make_market
from arena.gpu_market.engine.quantities import LAB_IDS, LAB_NUMBERS
from arena.gpu_market.engine.scenario import RewardMix, ShockKind, TaskName
from arena.gpu_market.environment.errors import UnknownMarket
from arena.gpu_market.judging import JudgeMode
from negotiation.environment.resets import HIGHEST_SEED, EpisodeId, Seed

FIRST_TASK: TaskName = "single_trade"
FIRST_LAB = LAB_IDS[0]


class MarketReset(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What ``reset`` takes; all of it may be missing.

    Attributes:
        seed: 0 or more; the same seed is the same world. Without it one is drawn.
        episode_id: what the client wants to call the episode.
        task: ``single_trade`` (the default), ``market_round`` or ``coalition_market``.
        lab: the lab that the client plays, as ``lab_0`` (the default) or by its number.
        reward: the mix, and with it the rules: ``default``, or ``published`` with its holes.
        options: further shocks that ``coalition_market`` offers.
        judge_mode: ``rule``: a pitch calls a hearing, and a judge who checks claims gives a bonus;
            ``off`` (the default).
        judge_pays: the bonus is added in the default mix too; else its column only reports it.
    """

    seed: Seed | None = None
    episode_id: EpisodeId | None = None
    task: str = FIRST_TASK
    lab: str | int = FIRST_LAB
    reward: Literal["default", "published"] = "default"
    options: tuple[ShockKind, ...] = ()
    judge_mode: JudgeMode = "off"
    judge_pays: bool = False


def lab_number(lab: str | int) -> int:
    """Give the number of a lab, whether or not it takes part.

    Raises:
        UnknownMarket: no lab is called that.

    >>> lab_number("lab_2"), lab_number(2)
    (2, 2)
    """
    number = LAB_NUMBERS.get(lab, -1) if isinstance(lab, str) else lab
    if not 0 <= number < len(LAB_IDS):
        raise UnknownMarket(f"There is no lab {str(lab)[:40]!r}. Labs are {', '.join(LAB_IDS)}.")
    return number


def draw_market(
    task: str,
    seed: int,
    lab: int,
    *,
    is_chosen: bool,
    reward: RewardMix = "default",
    options: tuple[ShockKind, ...] = (),
) -> tuple[MarketScenario, int]:
    """Draw a world that has a lab.

    Args:
        task: a task's name.
        seed: of the world.
        lab: number of the lab that has to be there.
        is_chosen: the seed was asked for; else the next one that has the lab is taken.
        reward: the reward mix.
        options: further shocks.

    Returns:
        The scenario, and its seed.

    Raises:
        UnknownMarket: there is no such task, lab or option.
    """
    for number in range(seed, seed + 1 if is_chosen else seed + FURTHER_SEEDS):
        try:
            scenario = make_market(
                task, number % (HIGHEST_SEED + 1), reward=reward, options=options
            )
        except ValueError as wrong:
            raise UnknownMarket(str(wrong)) from wrong
        if lab < len(scenario.labs):
            return scenario, number % (HIGHEST_SEED + 1)
    there = ", ".join(card.id for card in scenario.labs)
    raise UnknownMarket(
        f"{LAB_IDS[lab]} takes no part in this market. Seed {seed} has the labs {there}."
    )


FURTHER_SEEDS = 64
"""A task with four or five labs has the fifth with one seed in two."""
