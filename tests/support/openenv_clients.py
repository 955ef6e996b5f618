"""What a user of the openenv package writes to have types."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
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


def connect_from(address: str, url: str, **options: Any) -> connect:
    """Connect as one of another machine: every address of the loopback network is a client."""
    return connect(url, **{**options, "proxy": None, "local_addr": (address, 0)})


@contextlib.asynccontextmanager
async def hold_places(url: str, places: int, address: str) -> AsyncIterator[None]:
    """Hold as many sessions at once; all of them leave at the end, whatever happens."""
    async with contextlib.AsyncExitStack() as stack:
        for _ in range(places):
            line = await stack.enter_async_context(connect_from(address, url))
            assert await _begins(line)
        yield


async def take_a_place(url: str, address: str) -> None:
    """Try until a session begins: who has just left may still be counted for a moment."""
    async with asyncio.timeout(WITHIN_S):
        while True:
            async with connect_from(address, url) as line:
                if await _begins(line):
                    return


async def _begins(line: ClientConnection) -> bool:
    await line.send(json.dumps({"type": "reset"}))
    return bool(json.loads(await line.recv())["type"] == "observation")
