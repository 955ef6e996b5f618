"""The bazaar's first API, at the root: for scripts of a few lines.

It names its session ``session_id``. Who keeps the cookie that reset sets may leave that out: the
cookie is signed, so that only whoever began a game moves it without its name. Clients of old do
neither. They play below an address that names their game (``/env/bazaar/first/<name>``), or from
the server's own machine, where the game is the last one that was begun there.
"""

from collections.abc import Callable
from typing import Any

import msgspec
from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse

from bazaarbatna import nulls
from bazaarbatna.bargain.career import CAPITULATION_SHARE
from bazaarbatna.bargain.graders import grade, is_solved
from bazaarbatna.bargain.log import Log
from bazaarbatna.bargain.people.suites import people_suite_ids
from bazaarbatna.bargain.quantities import to_rupees
from bazaarbatna.bargain.rewards import normalised_surplus
from bazaarbatna.bargain.suites import SUITES, VARIANTS, Suite, suite_id
from bazaarbatna.bargain.tasks import suite
from bazaarbatna.envs.bargain.actions import Action
from bazaarbatna.envs.bargain.resets import EpisodeId, Reset
from bazaarbatna.envs.bargain.seat import Answer, Notes, Seat
from bazaarbatna.envs.bargain.views import View
from bazaarbatna.envs.openenv.bazaar import BAZAAR
from bazaarbatna.envs.openenv.errors import Gone, Invalid
from negotiation.limits import is_own_program, request_key
from negotiation.openenv.addresses import FIRST
from negotiation.openenv.serving import shelf_of
from negotiation.openenv.views import body_of, endpoint, in_json


def seen_of_old(view: View, logs: tuple[Log, ...]) -> dict[str, Any]:
    """Write an observation under both names; ``logs`` are the bargains that are over.

    Rounds are counted there as those that are behind. Prices before there is one are null.
    """
    behind = view.round if view.outcome else view.round - 1
    said = [turn.message for turn in view.turns if turn.actor == "seller"]
    today = msgspec.structs.asdict(view)
    return today | {
        "current_round": behind,
        "rounds_remaining": view.max_rounds - behind,
        "item_name": view.item.title,
        "seller_asking_price": view.opening_ask,
        "opponent_last_offer": view.standing_ask,
        "seller_last_move_delta": view.last_concession if behind else None,
        "seller_personality": view.persona,
        "own_private_budget": view.budget,
        "own_private_deadline": view.deadline,
        "own_last_offer": view.own_last_bid,
        "episode_number": view.game,
        "total_episodes": view.games,
        "career_history": None if view.career is None else _career(view, logs),
        "deal_outcome": view.outcome,
        "message": said[-1] if said else f"Seller opens at {view.opening_ask:.2f}.",
    }


def notes_of_old(view: View, notes: Notes) -> dict[str, Any]:
    """Write what goes with an observation under both names."""
    told: dict[str, Any] = msgspec.to_builtins(notes)
    told |= {"reward_components": notes.reward_terms or {}}
    if view.result is None or view.done:
        return told
    return told | {"episode_done": True, "episode": view.result.game, "next_episode": view.game}


def _career(view: View, logs: tuple[Log, ...]) -> dict[str, Any]:
    deals = [_deal(number, log) for number, log in enumerate(logs, 1)]
    closed = [one for one in deals if one["agreed_price"] is not None]
    return {
        "deals": deals,
        "capitulation_rate": view.career.capitulation_rate if view.career else 0.0,
        "avg_normalized_surplus": _mean([one["normalized_surplus"] for one in closed]),
        "avg_rounds_to_close": _mean([one["rounds_taken"] for one in closed]),
    }


def _deal(number: int, log: Log) -> dict[str, Any]:
    ended, sealed = log.ended, log.scenario.sealed
    assert ended is not None
    price = ended.price
    return {
        "episode": number,
        "outcome": ended.outcome,
        "agreed_price": None if price is None else to_rupees(price),
        "rounds_taken": ended.round,
        "buyer_surplus": 0.0 if price is None else to_rupees(sealed.budget - price),
        "normalized_surplus": 0.0
        if price is None
        else normalised_surplus(sealed.budget, sealed.cost, price),
        "buyer_capitulated": price is not None and price > CAPITULATION_SHARE * log.scenario.anchor,
    }


def _mean(numbers: list[float]) -> float:
    return sum(numbers) / len(numbers) if numbers else 0.0


HANDLE = "bazaar_game"
"""The cookie with the signed id of the game that its holder began last."""

LAST_HERE = "openenv-last-game-of-this-machine"
"""Where the cache keeps the game that a program of the server's own machine began last."""

WHICH = (
    "Say which game: reset gave session_id; send it along, or keep the cookie that came with it, "
    f"or take an address that names it as your base URL: {FIRST.format(name='any-name-of-yours')}"
)

GONE = {
    "providers": "Voices are listed by GET /sauda/backends; keys of others are not taken here.",
    "simulate": "Rule buyers play by `python -m bazaarbatna rollout`, yours by reset and step.",
    "counterfactual": "A finished game is a replay: its page below /replays/ asks what if.",
    "leaderboard/best": "Who plays how well stands at /leaderboard/.",
}
"""Addresses of the first API that are no more, and what does the same today."""


class SeedEraReset(Reset, frozen=True, forbid_unknown_fields=True):
    """As ``reset`` takes it, by query or body; the session may be named ``session_id``."""

    session_id: EpisodeId | None = None
    seller_personality: str | None = None

    @property
    def plain(self) -> Reset:
        """The same in today's words."""
        id_ = self.session_id or self.episode_id
        seller = self.seller or self.seller_personality
        return Reset(self.seed, id_, self.task, self.variant, seller)


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
def tasks(request: HttpRequest, name: str | None = None) -> dict[str, Any]:
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
def reset(request: HttpRequest, name: str | None = None) -> HttpResponse:
    """Start a game: ``/reset?task=single_deal&seed=7``, or the same as a JSON body."""
    asked: dict[str, Any] = dict(request.GET.items())
    if body := body_of(request):
        said = msgspec.json.decode(body, type=dict[str, Any])
        asked |= {name: value for name, value in said.items() if value is not None}
    # What comes in an address is text: a seed of "7" is 7 there.
    asked |= {} if name is None else {"session_id": name}
    wanted = msgspec.convert(asked, SeedEraReset, strict=False).plain
    told = _told(request, shelf_of(BAZAAR).reset(request_key(request), wanted))
    answer = in_json(told)
    if name is not None:
        return answer
    if is_own_program(request):
        cache.set(LAST_HERE, told["session_id"], 60 * settings.ENV_IDLE_MINUTES)
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
def step(request: HttpRequest, name: str | None = None) -> dict[str, Any]:
    """Make a move: ``{"action": "offer", "price": 40}``."""
    asked = nulls.decoded(_steps, body_of(request) or b"{}")
    id_ = _named(request, name or asked.session_id or asked.episode_id)
    return _told(request, shelf_of(BAZAAR).step(request_key(request), id_, asked.plain))


@endpoint("GET")
def state(request: HttpRequest, name: str | None = None) -> object:
    """Return where the game stands."""
    return shelf_of(BAZAAR).state(request_key(request), _named(request, name))


@endpoint("GET")
def health(request: HttpRequest, name: str) -> dict[str, str]:
    """Return that this process answers, in the word of old."""
    return {"status": "ok"}


def gone(where: str) -> Callable[..., HttpResponse]:
    """Make a view that says what does the same today."""

    @endpoint("GET", "POST")
    def answer(request: HttpRequest) -> object:
        raise Gone(where)

    return answer


@endpoint("GET")
def score(request: HttpRequest, name: str | None = None) -> dict[str, Any]:
    """Grade the bargains so far, 0..1; the others count 0."""
    client, id_ = request_key(request), _named(request, name)
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
        "success": is_solved(suite, graded),
        "episodes_completed": len(logs),
        "total_episodes": standing.games,
        "done": standing.done,
    }


def _told(request: HttpRequest, answer: Answer) -> dict[str, Any]:
    view, logs = answer.observation, tuple[Log, ...]()
    if view.career is not None:
        seat = shelf_of(BAZAAR).seat(request_key(request), answer.metadata.episode_id)
        assert isinstance(seat, Seat)
        logs = seat.logs
    return {
        "observation": seen_of_old(view, logs),
        "reward": answer.reward,
        "done": answer.done,
        "info": notes_of_old(view, answer.metadata),
        "metadata": answer.metadata,
        "session_id": answer.metadata.episode_id,
    }


def _named(request: HttpRequest, said: str | None = None) -> str:
    by_name = said or request.GET.get("session_id") or request.GET.get("episode_id")
    id_ = by_name or request.get_signed_cookie(HANDLE, default=None, salt=HANDLE)
    if not id_ and is_own_program(request):
        id_ = cache.get(LAST_HERE)
    if not id_:
        raise Invalid(WHICH)
    return id_
