"""OpenEnv over HTTP, under ``/env/bazaar/``: each function is one endpoint."""

import functools
from pathlib import Path
from typing import Any

from django.conf import settings
from django.http import HttpRequest

from negotiation.environment.seat import Answer, Standing
from negotiation.limits import request_key
from negotiation.openenv.errors import Invalid
from negotiation.openenv.house import the_shelf
from negotiation.openenv.requests import body_of, endpoint, read_reset, read_step
from negotiation.openenv.rpc import answer_rpc
from negotiation.openenv.schema import API_VERSION, openapi, schemas

NAME_IT = (
    "Say which episode: reset gave metadata.episode_id; send it beside the action, as "
    '{"episode_id": ..., "action": {...}}.'
)


@endpoint("POST")
def reset(request: HttpRequest) -> Answer:
    """Start a game; the answer's metadata names its episode."""
    return the_shelf().reset(request_key(request), read_reset(request))


@endpoint("POST")
def step(request: HttpRequest) -> Answer:
    """Make a move in a named episode."""
    wanted = read_step(request)
    if wanted.episode is None:
        raise Invalid(NAME_IT)
    return the_shelf().step(request_key(request), wanted.episode, wanted.action)


@endpoint("GET")
def state(request: HttpRequest) -> Standing:
    """Tell where an episode stands; without one, what a seat looks like before its reset."""
    id_ = request.GET.get("episode_id")
    return the_shelf().state(request_key(request), id_) if id_ else Standing()


@endpoint("GET")
def schema(request: HttpRequest) -> dict[str, Any]:
    """Give the JSON schemas of action, observation and state."""
    return schemas()


@endpoint("GET")
def metadata(request: HttpRequest) -> dict[str, Any]:
    """Say what this environment is."""
    return {
        "name": "bazaar",
        "description": (
            "Bargain over one item with a seller whose reservation price is hidden and whose "
            "tells are noisy."
        ),
        "version": API_VERSION,
        "author": "BazaarBATNA",
        "documentation_url": None,
        "readme_content": _readme(),
    }


@endpoint("GET")
def health(request: HttpRequest) -> dict[str, str]:
    """Say that this process answers."""
    return {"status": "healthy"}


@endpoint("GET")
def api(request: HttpRequest) -> dict[str, Any]:
    """Describe these endpoints in OpenAPI."""
    return openapi()


@endpoint("POST")
def mcp(request: HttpRequest) -> dict[str, Any]:
    """Answer JSON-RPC; there are no tools."""
    return answer_rpc(body_of(request))


@functools.cache
def _readme() -> str | None:
    path = Path(settings.BASE_DIR) / "docs" / "environment.md"
    return path.read_text() if path.exists() else None
