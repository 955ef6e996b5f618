"""Games of turns over HTTP: opening one, and each of them as an OpenEnv environment."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import path
from ninja import Router, Schema, Status
from pydantic import ConfigDict

from negotiation.errors import UnknownGame
from negotiation.games.turn_env import environment_of
from negotiation.games.turn_game import turn_game
from negotiation.games.turn_play import open_game
from negotiation.games.visitors import visitor
from negotiation.limits import request_key, spend
from negotiation.openenv.views import Endpoints, endpoint

router = Router()


class NewGame(Schema):
    """Which seat is taken, by default the first one; ``public`` replays may be opened by all."""

    model_config = ConfigDict(extra="forbid")

    seat: str = ""
    public: bool = True


@router.post("games/{kind}/", response={201: dict[str, Any]})
def new_game(
    request: HttpRequest, response: HttpResponse, kind: str, wanted: NewGame
) -> Status[dict[str, Any]]:
    """Open a game of turns against the site; its socket tells the rest."""
    client = request_key(request)
    spend("games", client)
    game = open_game(kind, visitor(request), wanted.seat, is_public=wanted.public, client=client)
    response["Location"] = f"/replays/{game.pk}/"
    return Status(201, {"id": game.pk, "seat": game.seat, "socket": f"/ws/games/{game.pk}/"})


def environment(request: HttpRequest, kind: str, what: str = "") -> HttpResponse:
    """Answer what OpenEnv asks of a game of turns."""
    try:
        served = Endpoints(environment_of(turn_game(kind)))
    except UnknownGame:
        raise Http404 from None
    ways: dict[str, tuple[str, Any]] = {
        "": ("GET", served.metadata),
        "reset": ("POST", served.reset),
        "step": ("POST", served.step),
        "state": ("GET", served.state),
        "schema": ("GET", served.schema),
        "metadata": ("GET", served.metadata),
        "health": ("GET", served.health),
        "openapi.json": ("GET", served.api),
        "mcp": ("POST", served.mcp),
    }
    if what not in ways:
        raise Http404
    method, view = ways[what]
    return endpoint(method)(view)(request)


environment.csrf_exempt = True  # type: ignore[attr-defined]  # as each of the endpoints is

urlpatterns = [
    path("env/<slug:kind>", environment),
    path("env/<slug:kind>/", environment),
    path("env/<slug:kind>/<str:what>", environment),
]
