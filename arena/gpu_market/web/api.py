"""The market's matches over HTTP: start one, read, act, pause, and ask what if."""

from typing import Annotated, Any, Literal

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from ninja import Router, Status
from pydantic import Field

from arena.gpu_market.twins import ARCHETYPE
from arena.gpu_market.web import actions, finding, finished, matches, running
from arena.gpu_market.web.actions import SLOWEST_S
from arena.gpu_market.web.dealing import dealt
from arena.gpu_market.web.finished import document, reward_steps
from arena.gpu_market.web.judge_rulings import JudgeName
from arena.gpu_market.web.orders import Order, players
from arena.gpu_market.web.watching import Seen, view_of
from bazaarbatna.market import TASK_NAMES, read_action
from bazaarbatna.market.scenario import RewardMix, ShockKind
from negotiation.games.bodies import Body
from negotiation.games.visitors import visitor, visitor_of
from negotiation.limits import request_key, spend

Name = Annotated[str, Field(max_length=60)]
Pace = Annotated[float, Field(ge=0, le=SLOWEST_S, allow_inf_nan=False)]


class NewMarket(Body):
    """A match to start.

    ``policy`` plays ``lab``: "you", "archetype" or the name of a policy; ``others`` plays all other
    labs, which follow their archetypes where nothing is said. Without a ``seed`` it is drawn.
    ``pace`` is in seconds between two turns of a demo, 0 plays it to its end at once. ``public``
    lets others look on at a person's match. ``judge_mode`` opens a court for pitches.
    """

    task: Name
    seed: Annotated[int, Field(ge=0, lt=2**53)] | None = None
    policy: Name = "rule_expert"
    lab: Annotated[int, Field(ge=0, lt=16)] = 0
    others: Name = ARCHETYPE
    pace: Pace | None = None
    public: bool | None = None
    options: Annotated[list[ShockKind], Field(max_length=8)] = []
    reward: RewardMix = "default"
    judge_mode: JudgeName = "off"

    def order(self) -> Order:
        """Turn the request into an order."""
        pace_s = settings.MARKET_PACE_S if self.pace is None else self.pace
        told = self.model_dump(exclude={"pace", "options"})
        return Order(**told, pace_s=pace_s, options=tuple(self.options))


class Deed(Body):
    """An action, and the round that it is meant for (None: the present one)."""

    action: dict[str, Any]
    round: Annotated[int, Field(ge=0, lt=1000)] | None = None


class NewPace(Body):
    """Stop a demo, let it go on, or let one lab act."""

    pause: bool | Literal["step"]
    pace: Pace | None = None


class WhatIf(Body):
    """Another action in the turn with the log's number ``seq``."""

    seq: Annotated[int, Field(ge=1, lt=2**31)]
    action: dict[str, Any]


router = Router()


@router.post("", response={201: dict[str, Any]})
def open_market(
    request: HttpRequest, response: HttpResponse, wanted: NewMarket
) -> Status[dict[str, Any]]:
    """Start a match; with the policy "you" the caller plays a lab."""
    client = request_key(request)
    spend("matches", client)
    order = wanted.order()
    if order.pace_s > 0:
        actions.check_room(client)
    match = matches.open_match(visitor(request), dealt(order), client=client)
    if match.is_demo and not match.is_over:
        running.start_from_thread(match.pk)
    response["Location"] = f"/api/market/{match.pk}/"
    return Status(201, finding.places(match))


@router.get("")
def list_markets(request: HttpRequest) -> dict[str, Any]:
    """Tell what is on, what has ended lately, and what a match can be made of."""
    running.sweep_from_thread()
    return {
        "tasks": list(TASK_NAMES),
        "policies": list(players()),
        "now": [finding.card(match) for match in finding.live()],
        "ended": [finding.card(match) for match in finding.ended()],
    }


@router.get("{match_id}/")
def read_market(request: HttpRequest, match_id: str) -> dict[str, Any]:
    """Give the caller's view of a match, its log as far as it is open."""
    return _told(view_of(match_id, visitor(request)))


@router.post("{match_id}/act/")
def act(request: HttpRequest, match_id: str, deed: Deed) -> dict[str, Any]:
    """Let the caller's lab act; the answer is the view after everybody else has acted too."""
    who = visitor_of(visitor(request))
    spend("messages", who or request_key(request))
    matches.act(match_id, who, read_action(deed.action), deed.round)
    return _told(view_of(match_id, who))


@router.post("{match_id}/consider/")
def consider(request: HttpRequest, match_id: str, deed: Deed) -> dict[str, Any]:
    """Say what would become of an action, without doing it."""
    who = visitor_of(visitor(request))
    spend("frames", who or request_key(request))
    return actions.consider_for(match_id, who, read_action(deed.action))


@router.post("{match_id}/pace/")
def pace(request: HttpRequest, match_id: str, wanted: NewPace) -> dict[str, Any]:
    """Stop the caller's demo, let it go on, or let one lab act."""
    who = visitor_of(visitor(request))
    spend("frames", who or request_key(request))
    if actions.pace(match_id, who, wanted.pause, wanted.pace):
        running.start_from_thread(match_id)
    return view_of(match_id, who).standing


@router.get("{match_id}/replay/")
def replay(request: HttpRequest, match_id: str) -> dict[str, Any]:
    """Give a finished match as a file that anybody can check."""
    return document(matches.find(match_id, visitor(request)))


@router.get("{match_id}/twin/")
def shock_twin(request: HttpRequest, match_id: str) -> dict[str, Any]:
    """Tell what the shocks of a finished match cost each lab."""
    return finished.shock_costs(matches.find(match_id, visitor(request)))


@router.get("{match_id}/rewards/")
def rewards(request: HttpRequest, match_id: str, lab: int = 0) -> dict[str, Any]:
    """Tell what each step of a lab of a finished match was worth, in columns."""
    return reward_steps(matches.find(match_id, visitor(request)), lab)


@router.post("{match_id}/fork/", response={201: dict[str, Any]})
def fork(
    request: HttpRequest, response: HttpResponse, match_id: str, wanted: WhatIf
) -> Status[dict[str, Any]]:
    """Put another action into one turn of a finished match and play on."""
    client = request_key(request)
    spend("forks", client)
    child = matches.fork_match(
        match_id, wanted.seq, read_action(wanted.action), visitor(request), client=client
    )
    response["Location"] = f"/api/market/{child.pk}/"
    return Status(201, {**finding.places(child), "difference": child.game.difference})


def _told(view: Seen) -> dict[str, Any]:
    return {
        **finding.card(view.match),
        "audience": view.viewer.audience,
        "standing": view.standing,
        "you": view.you,
        "frames": view.frames,
    }
