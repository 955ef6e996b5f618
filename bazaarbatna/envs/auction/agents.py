"""What the PettingZoo environments of this room share."""

from collections.abc import Callable, Sequence
from typing import Any

from gymnasium import spaces
from gymnasium.utils import seeding

from bazaarbatna.envs.bargain.gymnasium_spaces import check_render_mode, draw_number
from bazaarbatna.envs.bargain.resets import whole


class Agents:
    """Who plays, each one's spaces, and the draw of games that nobody chose."""

    def __init__(
        self,
        names: Sequence[str],
        sees: Callable[[], spaces.Space[Any]],
        does: Callable[[], spaces.Space[Any]],
        render_mode: str | None,
    ) -> None:
        check_render_mode(render_mode)
        self.possible_agents = [*names]
        self.agents: list[str] = []
        self.render_mode = render_mode
        self._spaces = {name: sees() for name in names}
        self._actions = {name: does() for name in names}
        self._rng, _ = seeding.np_random(None)

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of what an agent sees."""
        return self._spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of what an agent may do."""
        return self._actions[agent]

    def close(self) -> None:
        """Leave nothing behind."""

    def _wanted_number(self, seed: int | None, options: dict[str, Any] | None, name: str) -> Any:
        seed = whole(seed)
        if seed is not None:
            self._rng, _ = seeding.np_random(seed)
        number = whole((options or {}).get(name, seed))
        return draw_number(self._rng) if number is None else number
