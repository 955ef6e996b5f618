"""What the two PettingZoo forms of the market share: arguments, spaces, opening, what is told."""

from typing import Any

from gymnasium import spaces
from gymnasium.utils import seeding

from arena.gpu_market.engine import Reward
from arena.gpu_market.engine.quantities import LAB_IDS
from arena.gpu_market.engine.scenario import RewardMix, ShockKind
from arena.gpu_market.environment.drawing import draw
from arena.gpu_market.environment.errors import UnknownMarket
from arena.gpu_market.environment.numbers import to_numbers
from arena.gpu_market.environment.options import (
    HIGHEST_DRAWN_WORLD,
    Choice,
    Players,
    seated_players,
)
from arena.gpu_market.environment.resets import FIRST_TASK, lab_number
from arena.gpu_market.environment.spaces import Numbers, action_space, observation_space
from arena.gpu_market.environment.table import Table
from arena.gpu_market.environment.telling import NOTHING_PAID, told
from arena.gpu_market.judging import JudgeMode

RENDER_MODES = ["ansi"]


class Company:
    """Labs of one market that are played from outside; the arguments are those of ``LabsEnv``."""

    def __init__(
        self,
        task: str = FIRST_TASK,
        *,
        labs: tuple[str | int, ...] | None = None,
        players: Players | None = None,
        reward: RewardMix = "default",
        shocks: tuple[ShockKind, ...] = (),
        judge_mode: JudgeMode = "off",
        judge_pays: bool = False,
        max_cycles: int | None = None,
        words: bool = True,
        render_mode: str | None = None,
    ) -> None:
        self._choice = Choice(task, reward, tuple(shocks), judge_mode, judge_pays)
        self._choice.check()
        if max_cycles is not None and max_cycles < 1:
            raise ValueError("max_cycles is at least 1 round.")
        if render_mode not in (None, *RENDER_MODES):
            raise ValueError(f"There is no render mode {render_mode!r}; there is 'ansi'.")
        most = self._choice.most_labs
        numbers = range(most) if labs is None else sorted({lab_number(lab) for lab in labs})
        if not numbers or numbers[-1] >= most:
            raise UnknownMarket(f"{task} has the labs {', '.join(LAB_IDS[:most])}.")
        # Of labs that were asked for by name none may be missing from a world.
        self._last_needed = 0 if labs is None else numbers[-1]
        self._players = players
        seated_players(players, 0)
        self.possible_agents = [LAB_IDS[number] for number in numbers]
        self.agents: list[str] = []
        self.render_mode, self.words, self.max_cycles = render_mode, words, max_cycles
        self._spaces = {name: observation_space() for name in self.possible_agents}
        self._actions = {name: action_space() for name in self.possible_agents}
        self._rng, _ = seeding.np_random(None)
        self._table: Table | None = None

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Describe what an agent sees."""
        return self._spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Describe what an agent may do."""
        return self._actions[agent]

    def render(self) -> str | None:
        """Give the view of the lab whose turn it is (after the end, of the first) as text."""
        table = self._table
        if self.render_mode is None or table is None:
            return None
        return draw(table.seen_by(0 if table.is_done else table.state.turn))

    def close(self) -> None:
        """Leave nothing behind."""

    def _open(self, seed: int | None, options: dict[str, Any] | None) -> Table:
        """Open the world of a seed, of the option ``world``, or the next one."""
        if seed is not None:
            self._rng, _ = seeding.np_random(seed)
        world = (options or {}).get("world", seed)
        if world is None:
            world = int(self._rng.integers(HIGHEST_DRAWN_WORLD))
        choice, world = self._choice.changed({"world": world})
        assert world is not None
        scenario = choice.scenario(world, self._last_needed, is_chosen=False)
        there = [name for name in self.possible_agents if lab_number(name) < len(scenario.labs)]
        players = seated_players(self._players, world)
        self.agents = there
        self._table = Table(
            scenario,
            [lab_number(name) for name in there],
            players=players,
            judge_mode=choice.judge_mode,
            judge_pays=choice.judge_pays,
        )
        return self._table

    def _numbers(self, table: Table, agent: str) -> Numbers:
        return to_numbers(table.seen_by(lab_number(agent)))

    def _info(self, table: Table, agent: str, columns: Reward = NOTHING_PAID) -> dict[str, Any]:
        return told(table, table.seen_by(lab_number(agent)), columns, words=self.words)

    def _is_cut(self, table: Table) -> bool:
        """Tell whether ``max_cycles`` rounds were played before the market's own end."""
        most = self.max_cycles
        return most is not None and table.state.round >= most and not table.is_done
