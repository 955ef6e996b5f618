"""The bazaar and the GPU market, typed as the ``openenv`` package wants it.

```python
with BazaarEnv(base_url="http://127.0.0.1:8000").sync() as env:
    seen = env.reset(task="people", seed=7)
    while not seen.done:
        seen = env.step(BazaarAction(action="offer", price=0.8 * seen.observation.standing_ask))
```

The market is ``MarketEnv(base_url="http://127.0.0.1:8000/env/market")``.
"""

from typing import Any, Generic, Literal, TypeVar

from openenv.core import EnvClient
from openenv.core.client_types import StepResult
from openenv.core.env_server import Action, Observation, State
from pydantic import ConfigDict


class BazaarAction(Action):
    """A move of the buyer; only an offer has a ``price``, in rupees."""

    action: Literal["offer", "accept", "walk"]
    price: float | None = None
    message: str = ""


class MarketAction(Action):
    """A move of a lab: ``action`` names it, and its own fields stand beside."""

    model_config = ConfigDict(extra="allow")

    action: str


class BazaarObservation(Observation):
    """What the server shows, every field by its name; docs/environment.md lists them."""

    model_config = ConfigDict(extra="allow")


Act = TypeVar("Act", bound=Action)


class _Env(EnvClient[Act, BazaarObservation, State], Generic[Act]):
    def _step_payload(self, action: Act) -> dict[str, Any]:
        return {key: value for key, value in action.model_dump().items() if value is not None}

    def _parse_result(self, payload: dict[str, Any]) -> StepResult[BazaarObservation]:
        told = {name: payload.get(name) for name in ("reward", "done")}
        notes = payload.get("metadata") or {}
        seen = BazaarObservation(**{**payload["observation"], **told, "metadata": notes})
        return StepResult(observation=seen, metadata=notes, **told)

    def _parse_state(self, payload: dict[str, Any]) -> State:
        return State(**payload)


class BazaarEnv(_Env[BazaarAction]):
    """Plays the buyer of a bargain."""


class MarketEnv(_Env[MarketAction]):
    """Plays a lab of the market."""
