"""Games of turns over HTTP: opening one, and each of them as an OpenEnv environment."""

import functools
from typing import Any

import msgspec
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import path
from ninja import Router, Status

from bazaarbatna.bargain.errors import GameOver
from bazaarbatna.envs.bargain.episode import Episode, NotReset
from bazaarbatna.envs.bargain.resets import EpisodeId
from bazaarbatna.envs.openenv.door import ASKED
from bazaarbatna.envs.openenv.errors import Invalid
from bazaarbatna.envs.openenv.kinds import Kind
from negotiation.errors import UnknownGame
from negotiation.games.bodies import Body
from negotiation.games.turn_game import TurnGame, turn_game
from negotiation.games.turn_play import open_game
from negotiation.games.visitors import visitor
from negotiation.limits import request_key, spend
from negotiation.openenv.views import Endpoints, endpoint

AnyTurnGame = TurnGame[Any, Any, Any, Any]


class TurnReset(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a reset asks for; a ``seed`` names the game, ``seat`` the client's own."""

    seed: int | None = None
    episode_id: EpisodeId | None = None
    seat: str | None = None


class TurnView(msgspec.Struct, frozen=True):
    """What the client's seat sees: the log so far, and the moves that are open to it."""

    seat: str
    events: list[dict[str, Any]]
    options: list[dict[str, Any]]


class TurnNotes(msgspec.Struct, frozen=True, omit_defaults=True):
    """What goes with an observation; the seed is told after the end."""

    episode_id: str
    seed: int | None = None


class TurnAnswer(msgspec.Struct, frozen=True):
    """What reset and step give; ``reward`` is the share at the end, 0 before, null at a reset."""

    observation: TurnView
    reward: float | None
    done: bool
    metadata: TurnNotes


class TurnStanding(msgspec.Struct, frozen=True):
    """Where an episode stands."""

    episode_id: str | None = None
    step_count: int = 0
    seat: str | None = None
    done: bool = False
    total_reward: float = 0.0


class TurnSeat:
    """One client's environment."""

    def __init__(self, rules: AnyTurnGame) -> None:
        self._rules = rules
        self._episode: Episode | None = None

    def reset(self, wanted: TurnReset, *, seed: int, episode_id: str) -> TurnAnswer:
        """Start a game."""
        rules, seat = self._rules, wanted.seat or self._rules.seats[0]
        if seat not in rules.seats:
            raise Invalid(f"The seats are {', '.join(rules.seats)}.")
        episode = Episode.of(wanted, seed=seed, episode_id=episode_id)
        self._scenario = rules.draw(episode.seed)
        self._state, self._log = rules.start(self._scenario)
        self._episode, self._seat = episode, seat
        self._others_move()
        return self._answer(episode, None)

    def step(self, action: msgspec.Struct) -> TurnAnswer:
        """Move; the others follow."""
        episode, rules = self._episode, self._rules
        if episode is None:
            raise NotReset
        if self.is_done:
            raise GameOver("The game is over; reset begins another one.")
        self._state, happened = rules.apply(self._state, self._seat, action)
        self._log += happened
        self._others_move()
        shares = rules.shares(self._state)
        reward = 0.0 if shares is None else shares[self._seat]
        episode.pay(reward)
        return self._answer(episode, reward)

    @property
    def state(self) -> TurnStanding:
        """Where the episode stands."""
        episode = self._episode
        if episode is None:
            return TurnStanding()
        return TurnStanding(episode.id, episode.steps, self._seat, self.is_done, episode.total)

    @property
    def is_done(self) -> bool:
        """It is over."""
        return self._episode is not None and self._rules.shares(self._state) is not None

    def _others_move(self) -> None:
        rules = self._rules
        while seats := [s for s in rules.awaited(self._state) if s != self._seat]:
            dice = rules.dice(self._scenario, seats[0], len(self._log))
            move = rules.act(self._state, seats[0], dice)
            self._state, happened = rules.apply(self._state, seats[0], move)
            self._log += happened

    def _answer(self, episode: Episode, reward: float | None) -> TurnAnswer:
        rules, seat, done = self._rules, self._seat, self.is_done
        frames = rules.visible(self._log, seat, is_over=done)
        options = [] if done else rules.options(self._state, seat)
        view = TurnView(
            seat,
            [{"seq": one["seq"], **one["event"]} for one in frames],
            [msgspec.to_builtins(move) for move in options],
        )
        seed = episode.seed if done else None
        return TurnAnswer(view, reward, done, TurnNotes(episode.id, seed))


@functools.cache
def environment_of(rules: AnyTurnGame) -> Kind[TurnReset, Any, Any, TurnAnswer]:
    """Return a game of turns as a kind of environment."""
    return Kind(
        name=rules.kinds[0],
        title=f"BazaarBATNA: {rules.title}",
        about=rules.about,
        page="games.md",
        seat=functools.partial(TurnSeat, rules),
        wanted=TurnReset,
        wire=rules.move_type,
        turn=rules.move_type,
        read=_same,
        action=rules.move_type,
        view=TurnView,
        answer=TurnAnswer,
        standing=TurnStanding,
    )


def _same(action: Any) -> Any:
    return action


router = Router()


class NewGame(Body):
    """Which seat is taken, by default the first one; ``public`` replays may be opened by all."""

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
    if what in ("", *ASKED):
        return served.about(what or "metadata")(request)
    ways: dict[str, tuple[str, Any]] = {
        "reset": ("POST", served.reset),
        "step": ("POST", served.step),
        "state": ("GET", served.state),
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
