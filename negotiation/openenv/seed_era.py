"""The bazaar's first API, at the root: for scripts of a few lines.

It names its session ``session_id``. Who keeps the cookie that reset sets may leave that out: the
cookie is signed, so that only whoever began a game moves it without its name.
"""

from typing import Any

import msgspec
from django.conf import settings
from django.http import HttpRequest, HttpResponse

from bazaarbatna import nulls
from bazaarbatna.bargain.graders import grade, is_solved
from bazaarbatna.bargain.people.suites import people_suite_ids
from bazaarbatna.bargain.suites import SUITES, VARIANTS, Suite, suite_id
from bazaarbatna.bargain.tasks import suite
from bazaarbatna.envs.bargain.actions import Action
from bazaarbatna.envs.bargain.resets import EpisodeId, Reset
from bazaarbatna.envs.bargain.seat import Answer, Seat
from negotiation.limits import request_key
from negotiation.openenv.bazaar import BAZAAR
from negotiation.openenv.errors import Invalid
from negotiation.openenv.serving import shelf_of
from negotiation.openenv.views import body_of, endpoint, in_json

HANDLE = "bazaar_game"
"""The cookie with the signed id of the game that its holder began last."""

WHICH = (
    "Say which game: reset gave session_id; send it along, or keep the cookie that came with it."
)


class SeedEraReset(Reset, frozen=True, forbid_unknown_fields=True):
    """As ``reset`` takes it, by query or body; the session may be named ``session_id``."""

    session_id: EpisodeId | None = None

    @property
    def plain(self) -> Reset:
        """The same in today's words."""
        id_ = self.session_id or self.episode_id
        return Reset(self.seed, id_, self.task, self.variant, self.seller)


class SeedEraStep(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An action with its fields at the top, or under ``action`` as today."""

    action: str | Action
    price: float | None = None
    message: str = ""
    session_id: EpisodeId | None = None
    episode_id: EpisodeId | None = None

    @property
    def plain(self) -> Action:
        """The same in today's words."""
        if isinstance(self.action, Action):
            return self.action
        told = {"action": self.action, "price": self.price, "message": self.message}
        return msgspec.convert(told, Action)


_steps = msgspec.json.Decoder(SeedEraStep)


@endpoint("GET")
def tasks(request: HttpRequest) -> dict[str, Any]:
    """List the tasks, and beside them the sellers who answer; theirs last so long at most."""
    return {
        "tasks": [
            _task(row, [suite_id(row.name, variant) for variant in VARIANTS]) for row in SUITES
        ],
        "people": [_task(suite(id_), [id_]) for id_ in people_suite_ids()],
    }


def _task(row: Suite, suites: list[str]) -> dict[str, Any]:
    return {
        "name": row.name,
        "title": row.title,
        "difficulty": row.level,
        "max_rounds": row.rounds,
        "games": row.episodes,
        "success_threshold": row.success,
        "suites": suites,
    }


@endpoint("POST")
def reset(request: HttpRequest) -> HttpResponse:
    """Start a game: ``/reset?task=single_deal&seed=7``, or the same as a JSON body."""
    asked: dict[str, Any] = dict(request.GET.items())
    if body := body_of(request):
        said = msgspec.json.decode(body, type=dict[str, Any])
        asked |= {name: value for name, value in said.items() if value is not None}
    # What comes in an address is text: a seed of "7" is 7 there.
    wanted = msgspec.convert(asked, SeedEraReset, strict=False)
    told = _told(shelf_of(BAZAAR).reset(request_key(request), wanted.plain))
    answer = in_json(told)
    answer.set_signed_cookie(
        HANDLE,
        told["session_id"],
        salt=HANDLE,
        httponly=True,
        secure=settings.SESSION_COOKIE_SECURE,
        samesite="Strict",
    )
    return answer


@endpoint("POST")
def step(request: HttpRequest) -> dict[str, Any]:
    """Make a move: ``{"action": "offer", "price": 40}``."""
    asked = nulls.decoded(_steps, body_of(request) or b"{}")
    id_ = _named(request, asked.session_id or asked.episode_id)
    return _told(shelf_of(BAZAAR).step(request_key(request), id_, asked.plain))


@endpoint("GET")
def state(request: HttpRequest) -> object:
    """Return where the game stands."""
    return shelf_of(BAZAAR).state(request_key(request), _named(request))


@endpoint("GET")
def score(request: HttpRequest) -> dict[str, Any]:
    """Grade the bargains so far, 0..1; the others count 0."""
    client, id_ = request_key(request), _named(request)
    seat = shelf_of(BAZAAR).seat(client, id_)
    assert isinstance(seat, Seat)
    standing, logs = seat.state, seat.logs
    suite = standing.suite or ""
    graded = grade(suite, logs) * len(logs) / standing.games if logs else 0.0
    return {
        "session_id": standing.episode_id,
        "task": standing.task,
        "suite": suite,
        "score": graded,
        "is_solved": is_solved(suite, graded),
        "done": standing.done,
    }


def _told(answer: Answer) -> dict[str, Any]:
    return {
        "observation": answer.observation,
        "reward": answer.reward,
        "done": answer.done,
        "info": answer.metadata,
        "metadata": answer.metadata,
        "session_id": answer.metadata.episode_id,
    }


def _named(request: HttpRequest, said: str | None = None) -> str:
    by_name = said or request.GET.get("session_id") or request.GET.get("episode_id")
    id_ = by_name or request.get_signed_cookie(HANDLE, default=None, salt=HANDLE)
    if not id_:
        raise Invalid(WHICH)
    return id_
