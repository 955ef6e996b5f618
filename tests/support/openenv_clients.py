"""What a user of the openenv package writes to have types."""

from typing import Any

from openenv.core import EnvClient
from openenv.core.client_types import StepResult
from openenv.core.env_server import Observation, State
from pydantic import ConfigDict


class Seen(Observation):
    """Every field of an observation, by name."""

    model_config = ConfigDict(extra="allow")


class TypedClient(EnvClient[Any, Seen, State]):
    """A client for actions that are values of the package."""

    def _step_payload(self, action: Any) -> dict[str, Any]:
        return dict(action.model_dump())

    def _parse_result(self, payload: dict[str, Any]) -> StepResult[Seen]:
        fields = {**payload["observation"], "reward": payload["reward"], "done": payload["done"]}
        return StepResult(
            observation=Seen(**fields), reward=payload["reward"], done=payload["done"]
        )

    def _parse_state(self, payload: dict[str, Any]) -> State:
        return State(**payload)
