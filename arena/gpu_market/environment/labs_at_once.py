"""The GPU market for several agents, who decide together: a PettingZoo parallel environment."""

from typing import Any, ClassVar

from pettingzoo import ParallelEnv

from arena.gpu_market.engine import WAIT
from arena.gpu_market.environment.action_codec import choose
from arena.gpu_market.environment.company import RENDER_MODES, Company
from arena.gpu_market.environment.resets import lab_number
from arena.gpu_market.environment.spaces import Numbers

Told = dict[str, dict[str, Any]]


class LabsAtOnceEnv(Company, ParallelEnv[str, Numbers, Any]):  # type: ignore[misc]  # no types
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
        """Play a round; who names no action waits.

        Raises:
            InvalidAction: an action is neither of the space nor JSON.
        """
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
