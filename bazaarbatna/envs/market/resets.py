"""Which market a client asks for, the scenario that this means, and what a reset may change."""

from collections.abc import Mapping
from typing import Any, Literal

import msgspec

from bazaarbatna.envs.bargain.episode import NoSuchWorld
from bazaarbatna.envs.bargain.resets import HIGHEST_SEED, EpisodeId, Seed, changed, check_names
from bazaarbatna.market import MarketScenario, Player, make_market
from bazaarbatna.market.judging import JUDGE_MODES, JudgeMode
from bazaarbatna.market.policies.registry import make_policy
from bazaarbatna.market.quantities import LAB_IDS, LAB_NUMBERS
from bazaarbatna.market.scenario import RewardMix, ShockKind, TaskName, task_of


class UnknownMarket(NoSuchWorld):
    """There is no such market; the message says what there is."""

    code = "unknown-market"


FIRST_TASK: TaskName = "single_trade"
FIRST_LAB = LAB_IDS[0]


class MarketReset(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What ``reset`` takes; all of it may be missing.

    Attributes:
        seed: 0 or more; the same seed is the same world. Without it one is drawn.
        episode_id: what the client wants to call the episode.
        task: ``single_trade`` (the default), ``market_round`` or ``coalition_market``.
        task_type: the same in the arena's first word.
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
    task_type: str | None = None


def lab_number(lab: str | int) -> int:
    """Return the number of a lab, taking part or not; ``UnknownMarket`` where none is called so.

    >>> lab_number("lab_2"), lab_number(2)
    (2, 2)
    """
    number = LAB_NUMBERS.get(lab, -1) if isinstance(lab, str) else lab
    if number not in range(len(LAB_IDS)):
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
    """Draw a world that has a lab, with its seed: where not ``is_chosen``, the next that has it."""
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


OPTIONS = ("world", "task", "reward", "shocks", "judge_mode", "judge_pays")

Players = Mapping[str | int, str | Player]
"""Labs by name or number, and who plays them: the name of a policy, or a function."""


class Choice(msgspec.Struct, frozen=True):
    """What is played: a task, a reward mix, further shocks, and whether a judge hears pitches."""

    task: str = FIRST_TASK
    reward: RewardMix = "default"
    shocks: tuple[ShockKind, ...] = ()
    judge_mode: JudgeMode = "off"
    judge_pays: bool = False

    @property
    def most_labs(self) -> int:
        """How many labs the task may have."""
        try:
            return task_of(self.task).labs[1]
        except ValueError as wrong:
            raise UnknownMarket(str(wrong)) from wrong

    def check(self) -> None:
        """Refuse what does not exist."""
        check_names(self, UnknownMarket)
        if self.judge_mode not in JUDGE_MODES:
            known = ", ".join(JUDGE_MODES)
            raise UnknownMarket(f"There is no judge mode {self.judge_mode!r}. Known: {known}.")
        if type(self.judge_pays) is not bool:
            raise UnknownMarket("The option 'judge_pays' is true or false.")
        if self.reward not in ("default", "published"):
            raise UnknownMarket(f"There is no mix {self.reward!r}. Known: default, published.")
        self.scenario(0, 0, is_chosen=True)

    def scenario(self, world: int, lab: int, *, is_chosen: bool) -> MarketScenario:
        """Draw a world that has a lab."""
        chosen = {"reward": self.reward, "options": tuple(self.shocks)}
        return draw_market(self.task, world, lab, is_chosen=is_chosen, **chosen)[0]  # type: ignore[arg-type]

    def changed(self, options: Mapping[str, Any] | None) -> tuple["Choice", int | None]:
        """Apply the options of a reset: see ``changed``."""
        choice, world = changed(self, options, OPTIONS, most=HIGHEST_SEED, refusal=UnknownMarket)
        choice.check()
        return choice, world


def seated_players(players: Players | None, seed: int) -> dict[int, Player]:
    """Return the policies of labs by number; ``seed`` is for those that draw lots."""
    seated: dict[int, Player] = {}
    for lab, player in (players or {}).items():
        number = lab_number(lab)
        try:
            seated[number] = make_policy(player, seed) if isinstance(player, str) else player
        except ValueError as wrong:
            raise UnknownMarket(str(wrong)) from wrong
    return seated
