"""The GPU market for several agents, who act in turn: a PettingZoo AEC environment."""

from typing import Any, ClassVar

from pettingzoo import AECEnv

from arena.gpu_market.engine.quantities import LAB_IDS
from arena.gpu_market.environment.action_codec import choose
from arena.gpu_market.environment.company import RENDER_MODES, Company
from arena.gpu_market.environment.resets import lab_number
from arena.gpu_market.environment.spaces import Numbers


class LabsEnv(Company, AECEnv[str, Numbers, Any]):  # type: ignore[misc]  # no types
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
        """Open a market.

        Args:
            seed: opens the world of this number and seeds the choice of later ones.
            options: ``world``, for this reset alone.

        Raises:
            UnknownMarket: the world has no such number.
        """
        table = self._open(seed, options)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: self._info(table, agent) for agent in self.agents}
        self._has_acted: set[str] = set()
        self.agent_selection = LAB_IDS[table.state.turn]

    def observe(self, agent: str) -> Numbers:
        """Give what an agent sees now."""
        assert self._table is not None
        return self._numbers(self._table, agent)

    def step(self, action: Any) -> None:
        """Take the turn of the agent that is selected.

        Raises:
            InvalidAction: the action is neither of the space nor JSON.
        """
        agent, table = self.agent_selection, self._table
        assert table is not None
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
