"""OpenEnv over HTTP: each method is one endpoint of one kind of environment."""

import functools
from pathlib import Path
from typing import Any, Generic

from django.conf import settings
from django.http import HttpRequest
from django.urls import URLPattern, path

from negotiation.limits import request_key
from negotiation.openenv.errors import Invalid
from negotiation.openenv.kinds import A, Kind, O, R, W
from negotiation.openenv.requests import body_of, endpoint
from negotiation.openenv.rpc import answer_rpc
from negotiation.openenv.schema import API_VERSION, openapi, schemas
from negotiation.openenv.serving import shelf_of

NAME_IT = (
    "Say which episode: reset gave metadata.episode_id; send it beside the action, as "
    '{"episode_id": ..., "action": {...}}.'
)


class Endpoints(Generic[R, W, A, O]):
    """What a kind answers below its address."""

    def __init__(self, kind: Kind[R, W, A, O]) -> None:
        self._kind = kind

    def under(self, prefix: str) -> list[URLPattern]:
        """Give the addresses below a prefix, such as ``env/bazaar``."""
        about = endpoint("GET")(self.metadata)
        return [
            path(f"{prefix}/reset", endpoint("POST")(self.reset)),
            path(f"{prefix}/step", endpoint("POST")(self.step)),
            path(f"{prefix}/state", endpoint("GET")(self.state)),
            path(prefix, about),
            path(f"{prefix}/", about),
            *self.asked_of_a_container(f"{prefix}/"),
        ]

    def asked_of_a_container(self, start: str = "") -> list[URLPattern]:
        """Give what OpenEnv's tools ask beside reset, step and state."""
        return [
            path(f"{start}schema", endpoint("GET")(self.schema)),
            path(f"{start}metadata", endpoint("GET")(self.metadata)),
            path(f"{start}health", endpoint("GET")(self.health)),
            path(f"{start}openapi.json", endpoint("GET")(self.api)),
            path(f"{start}mcp", endpoint("POST")(self.mcp)),
        ]

    def reset(self, request: HttpRequest) -> O:
        """Start a game; the answer's metadata names its episode."""
        # An empty body asks for a game of our choice.
        wanted = self._kind.resets.decode(body_of(request) or b"{}")
        return shelf_of(self._kind).reset(request_key(request), wanted)

    def step(self, request: HttpRequest) -> O:
        """Make a move in a named episode."""
        wanted = self._kind.steps.decode(body_of(request) or b"{}")
        if wanted.episode is None:
            raise Invalid(NAME_IT)
        action = self._kind.read(wanted.action)
        return shelf_of(self._kind).step(request_key(request), wanted.episode, action)

    def state(self, request: HttpRequest) -> object:
        """Tell where an episode stands; without one, what a seat looks like before its reset."""
        id_ = request.GET.get("episode_id")
        return (
            shelf_of(self._kind).state(request_key(request), id_) if id_ else self._kind.standing()
        )

    def schema(self, request: HttpRequest) -> dict[str, Any]:
        """Give the JSON schemas of action, observation and state."""
        return schemas(self._kind)

    def metadata(self, request: HttpRequest) -> dict[str, Any]:
        """Say what this environment is."""
        return {
            "name": self._kind.name,
            "description": self._kind.about,
            "version": API_VERSION,
            "author": "BazaarBATNA",
            "documentation_url": None,
            "readme_content": _page(self._kind.page),
        }

    def health(self, request: HttpRequest) -> dict[str, str]:
        """Say that this process answers."""
        return {"status": "healthy"}

    def api(self, request: HttpRequest) -> dict[str, Any]:
        """Describe these endpoints in OpenAPI."""
        return openapi(self._kind)

    def mcp(self, request: HttpRequest) -> dict[str, Any]:
        """Answer JSON-RPC; there are no tools."""
        return answer_rpc(body_of(request))


@functools.cache
def _page(name: str) -> str | None:
    file = Path(settings.BASE_DIR) / "docs" / name
    return file.read_text() if file.exists() else None
