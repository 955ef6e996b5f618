"""What an environment plays, and what a ``reset`` may change."""

from collections.abc import Mapping
from typing import Any

import msgspec

from arena.gpu_market.engine import MarketScenario, Player
from arena.gpu_market.engine.scenario import RewardMix, ShockKind, task_of
from arena.gpu_market.environment.errors import UnknownMarket
from arena.gpu_market.environment.resets import FIRST_TASK, draw_market, lab_number
from arena.gpu_market.judging import JUDGE_MODES, JudgeMode
from arena.gpu_market.policies.registry import make_policy
from negotiation.environment.resets import HIGHEST_SEED

HIGHEST_DRAWN_WORLD = 2**31
"""Worlds that nobody chose are drawn from 0 up to here."""

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
        """How many labs the task may have.

        Raises:
            UnknownMarket: there is no such task.
        """
        try:
            return task_of(self.task).labs[1]
        except ValueError as wrong:
            raise UnknownMarket(str(wrong)) from wrong

    def check(self) -> None:
        """Refuse what does not exist.

        Raises:
            UnknownMarket: there is no such task, mix, shock or judge mode.
        """
        if self.judge_mode not in JUDGE_MODES:
            known = ", ".join(JUDGE_MODES)
            raise UnknownMarket(f"There is no judge mode {self.judge_mode!r}. Known: {known}.")
        if type(self.judge_pays) is not bool:
            raise UnknownMarket("The option 'judge_pays' is true or false.")
        if self.reward not in ("default", "published"):
            raise UnknownMarket(f"There is no mix {self.reward!r}. Known: default, published.")
        self.scenario(0, 0, is_chosen=True)

    def scenario(self, world: int, lab: int, *, is_chosen: bool) -> MarketScenario:
        """Draw a world that has a lab.

        Raises:
            UnknownMarket: it is not there.
        """
        chosen = {"reward": self.reward, "options": tuple(self.shocks)}
        return draw_market(self.task, world, lab, is_chosen=is_chosen, **chosen)[0]  # type: ignore[arg-type]

    def changed(self, options: Mapping[str, Any] | None) -> tuple["Choice", int | None]:
        """Apply the options of a reset.

        Returns:
            What is played, and the number of the world if the options name one.

        Raises:
            UnknownMarket: there is no such option or value.
        """
        options = options or {}
        strange = sorted(set(options) - set(OPTIONS))
        if strange:
            raise UnknownMarket(f"Unknown options {strange}. Known: {', '.join(OPTIONS)}.")
        world = options.get("world")
        if world is not None and (type(world) is not int or not 0 <= world <= HIGHEST_SEED):
            raise UnknownMarket("The option 'world' is a whole number from 0 up.")
        choice = msgspec.structs.replace(
            self, **{name: options[name] for name in OPTIONS[1:] if name in options}
        )
        choice.check()
        return choice, world


def seated_players(players: Players | None, seed: int) -> dict[int, Player]:
    """Give the policies of labs by number.

    Args:
        players: who plays which lab.
        seed: of the luck of policies that draw lots.

    Raises:
        UnknownMarket: there is no such lab or policy.
    """
    seated: dict[int, Player] = {}
    for lab, player in (players or {}).items():
        number = lab_number(lab)
        try:
            seated[number] = make_policy(player, seed) if isinstance(player, str) else player
        except ValueError as wrong:
            raise UnknownMarket(str(wrong)) from wrong
    return seated
