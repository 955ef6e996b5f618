"""The GPU market for several agents, in turn or all at once: PettingZoo's two kinds."""

from typing import Any, ClassVar

from gymnasium.error import ResetNeeded
from pettingzoo import AECEnv, ParallelEnv

from bazaarbatna.envs.auction.agents import Agents
from bazaarbatna.envs.bargain.gymnasium_spaces import RENDER_MODES
from bazaarbatna.envs.market.action_codec import choose
from bazaarbatna.envs.market.info import NOTHING_PAID, draw, told
from bazaarbatna.envs.market.resets import (
    FIRST_TASK,
    Choice,
    Players,
    UnknownMarket,
    lab_number,
    seated_players,
)
from bazaarbatna.envs.market.spaces import Numbers, action_space, observation_space, to_numbers
from bazaarbatna.envs.market.table import Table
from bazaarbatna.market import WAIT, Reward
from bazaarbatna.market.judging import JudgeMode
from bazaarbatna.market.quantities import LAB_IDS
from bazaarbatna.market.scenario import RewardMix, ShockKind


class LabsBase(Agents):
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
        most = self._choice.most_labs
        numbers = range(most) if labs is None else sorted({lab_number(lab) for lab in labs})
        if not numbers or numbers[-1] >= most:
            raise UnknownMarket(f"{task} has the labs {', '.join(LAB_IDS[:most])}.")
        # Of labs that were asked for by name none may be missing from a world.
        self._last_needed = 0 if labs is None else numbers[-1]
        self._players = players
        seated_players(players, 0)
        self.words, self.max_cycles = words, max_cycles
        names = [LAB_IDS[number] for number in numbers]
        super().__init__(names, observation_space, action_space, render_mode)
        self._table: Table | None = None

    def render(self) -> str | None:
        """Return the view of the lab whose turn it is (after the end, of the first) as text."""
        table = self._table
        if self.render_mode is None or table is None:
            return None
        return draw(table.seen_by(0 if table.is_done else table.state.turn))

    def _open(self, seed: int | None, options: dict[str, Any] | None) -> Table:
        number = self._wanted_number(seed, options, "world")
        choice, world = self._choice.changed({"world": number})
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
        most = self.max_cycles
        return most is not None and table.state.round >= most and not table.is_done


class LabsEnv(LabsBase, AECEnv[str, Numbers, Any]):  # type: ignore[misc]  # no types
    """Two to five labs trade scarce GPU blocks, pool them in coalitions and live through shocks.

    ## Description
    Every lab has one turn in each round, one after the other: the market's own order, so that an
    agent sees what those before it did. Any labs are agents; the others follow policies that are
    named, or their hidden archetypes.

    ## Action Space, Observation Space
    Those of ``GpuMarket-v0``, the same for every lab; also an action in JSON.

    ## Rewards
    The engine's ``normalized_reward`` for all that happened between two turns of a lab, told when
    it is to act again or the market ends.

    ## Starting State
    ``reset(seed=s)`` opens world ``s``; a later ``reset()`` draws the next. ``options`` may name
    ``world``; what else is in it is ignored. A task with four or five labs has those of the world.

    ## Episode End
    All agents terminate together, after the last round. One that has finished stays to the end
    without turns: its blocks and contracts still count. ``truncated`` after ``max_cycles`` rounds.

    ## Arguments
    ``task``; ``labs`` (the agents, by name or number; None: all); ``players`` (further labs by
    name: a policy's name, or a function from view to action); ``reward``; ``shocks``;
    ``judge_mode`` and ``judge_pays`` (as for ``GpuMarket-v0``; a hearing is held as a round ends);
    ``max_cycles`` (None: to the market's own end); ``words`` (False leaves ``view`` out of
    ``infos``); ``render_mode`` (``ansi``).

    ## Version History
    v0: the first.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "gpu_market_v0",
        "render_modes": RENDER_MODES,
        "is_parallelizable": False,
    }

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Open world ``seed``, or the next; ``options`` may name ``world`` for this reset alone."""
        table = self._open(seed, options)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: self._info(table, agent) for agent in self.agents}
        self._has_acted: set[str] = set()
        self.agent_selection = LAB_IDS[table.state.turn]

    def observe(self, agent: str) -> Numbers:
        """Return what an agent sees now."""
        assert self._table is not None
        return self._numbers(self._table, agent)

    def step(self, action: Any) -> None:
        """Take the turn of the agent that is selected."""
        table = self._table
        if table is None:
            raise ResetNeeded("No market is open: reset opens one.")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        turn = choose(action, table.seen_by(lab_number(agent)))
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        table.act(turn)
        self._has_acted.add(agent)
        is_over, is_cut = table.is_done, self._is_cut(table)
        if is_over or is_cut:
            paid = self.agents
            self.terminations = dict.fromkeys(self.agents, is_over)
            self.truncations = dict.fromkeys(self.agents, is_cut)
            self.agent_selection = self.agents[0]
        else:
            self.agent_selection = LAB_IDS[table.state.turn]
            # What happens to a lab before its first turn belongs to its first step.
            paid = [self.agent_selection] if self.agent_selection in self._has_acted else []
            self.infos[self.agent_selection] = self._info(table, self.agent_selection)
        for one in paid:
            columns = table.pay(lab_number(one))
            self.rewards[one] = columns.normalized_reward
            self.infos[one] = self._info(table, one, columns)
        self._accumulate_rewards()


def env(*arguments: Any, **named: Any) -> LabsEnv:
    """Make the environment, as PettingZoo's own are made."""
    return LabsEnv(*arguments, **named)


Told = dict[str, dict[str, Any]]


class LabsAtOnceEnv(LabsBase, ParallelEnv[str, Numbers, Any]):  # type: ignore[misc]  # no types
    """The same market, where all agents decide on what they saw as the round began.

    What they decided is done in the order of the labs, as always: whoever comes later may find
    that a block is gone, and is refused. So it is another game than ``LabsEnv``, with the same
    rules, and the actions of one lab alone give the same episode in both. Arguments, spaces and
    ends are those of ``LabsEnv``; a lab that has finished stays, and what it does is ignored.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "gpu_market_at_once_v0",
        "render_modes": RENDER_MODES,
        "is_parallelizable": True,
    }

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Numbers], Told]:
        """Open a market, as ``LabsEnv.reset`` does."""
        table = self._open(seed, options)
        return (
            {agent: self._numbers(table, agent) for agent in self.agents},
            {agent: self._info(table, agent) for agent in self.agents},
        )

    def step(
        self, actions: dict[str, Any]
    ) -> tuple[dict[str, Numbers], dict[str, float], dict[str, bool], dict[str, bool], Told]:
        """Play a round; who names no action waits."""
        table, agents = self._table, self.agents
        if table is None or not agents:
            return {}, {}, {}, {}, {}
        turns = {
            lab_number(agent): choose(actions[agent], table.seen_by(lab_number(agent)))
            for agent in agents
            if agent in actions
        }
        round_ = table.state.round
        while not table.is_done and table.state.round == round_:
            table.act(turns.get(table.state.turn, WAIT))
        paid = {agent: table.pay(lab_number(agent)) for agent in agents}
        is_over, is_cut = table.is_done, self._is_cut(table)
        if is_over or is_cut:
            self.agents = []
        return (
            {agent: self._numbers(table, agent) for agent in agents},
            {agent: columns.normalized_reward for agent, columns in paid.items()},
            dict.fromkeys(agents, is_over),
            dict.fromkeys(agents, is_cut),
            {agent: self._info(table, agent, columns) for agent, columns in paid.items()},
        )


def parallel_env(*arguments: Any, **named: Any) -> LabsAtOnceEnv:
    """Make the environment, as PettingZoo's own are made."""
    return LabsAtOnceEnv(*arguments, **named)
