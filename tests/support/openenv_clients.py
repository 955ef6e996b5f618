"""What a user of the openenv package writes to have types."""

import asyncio
import json
from typing import Any

from openenv.core import EnvClient
from openenv.core.client_types import StepResult
from openenv.core.env_server import Observation, State
from pydantic import ConfigDict
from websockets.asyncio.client import ClientConnection, connect

from tests.support.waiting import WITHIN_S


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


async def take_a_place(url: str) -> ClientConnection:
    """Connect until a session begins: who has just left may still be counted for a moment."""
    async with asyncio.timeout(WITHIN_S):
        while True:
            line = await connect(url, proxy=None)
            await line.send(json.dumps({"type": "reset"}))
            if json.loads(await line.recv())["type"] == "observation":
                return line
            await line.close()


async def take_places(url: str, places: int) -> list[ClientConnection]:
    """Begin as many sessions at once."""
    return await asyncio.gather(*(take_a_place(url) for _ in range(places)))
