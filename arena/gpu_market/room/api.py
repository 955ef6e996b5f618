"""The market's matches over HTTP: start one, read, act, pause, and ask what if."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from ninja import Router, Status

from arena.gpu_market.engine import TASK_NAMES, read_action
from arena.gpu_market.room import acting, control, lists, matches, running, twin
from arena.gpu_market.room.document import document
from arena.gpu_market.room.orders import players
from arena.gpu_market.room.rewards import reward_steps
from arena.gpu_market.room.schemas import Deed, NewMarket, NewPace, WhatIf
from arena.gpu_market.room.watching import MatchView, view_of
from negotiation.games.visitors import visitor_of
from negotiation.limits import request_key, spend

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
        control.check_room(client)
    match = matches.open_match(_visitor(request), order, client=client)
    if match.is_demo and not match.is_over:
        running.start_from_thread(match.pk)
    response["Location"] = f"/api/market/{match.pk}/"
    return Status(201, lists.places(match))


@router.get("")
def list_markets(request: HttpRequest) -> dict[str, Any]:
    """Tell what is on, what has ended lately, and what a match can be made of."""
    running.sweep_from_thread()
    return {
        "tasks": list(TASK_NAMES),
        "policies": list(players()),
        "now": [lists.card(match) for match in lists.live()],
        "ended": [lists.card(match) for match in lists.ended()],
    }


@router.get("{match_id}/")
def read_market(request: HttpRequest, match_id: str) -> dict[str, Any]:
    """Give the caller's view of a match, its log as far as it is open."""
    return _told(view_of(match_id, _visitor(request)))


@router.post("{match_id}/act/")
def act(request: HttpRequest, match_id: str, deed: Deed) -> dict[str, Any]:
    """Let the caller's lab act; the answer is the view after everybody else has acted too."""
    visitor = visitor_of(_visitor(request))
    spend("messages", visitor or request_key(request))
    matches.act(match_id, visitor, read_action(deed.action), deed.round)
    return _told(view_of(match_id, visitor))


@router.post("{match_id}/consider/")
def consider(request: HttpRequest, match_id: str, deed: Deed) -> dict[str, Any]:
    """Say what would become of an action, without doing it."""
    visitor = visitor_of(_visitor(request))
    spend("frames", visitor or request_key(request))
    return acting.consider_for(match_id, visitor, read_action(deed.action))


@router.post("{match_id}/pace/")
def pace(request: HttpRequest, match_id: str, wanted: NewPace) -> dict[str, Any]:
    """Stop the caller's demo, let it go on, or let one lab act."""
    visitor = visitor_of(_visitor(request))
    spend("frames", visitor or request_key(request))
    if control.pace(match_id, visitor, wanted.pause, wanted.pace):
        running.start_from_thread(match_id)
    return view_of(match_id, visitor).standing


@router.get("{match_id}/replay/")
def replay(request: HttpRequest, match_id: str) -> dict[str, Any]:
    """Give a finished match as a file that anybody can check."""
    return document(matches.find(match_id, _visitor(request)))


@router.get("{match_id}/twin/")
def shock_twin(request: HttpRequest, match_id: str) -> dict[str, Any]:
    """Tell what the shocks of a finished match cost each lab."""
    return twin.shock_costs(matches.find(match_id, _visitor(request)))


@router.get("{match_id}/rewards/")
def rewards(request: HttpRequest, match_id: str, lab: int = 0) -> dict[str, Any]:
    """Tell what each step of a lab of a finished match was worth, in columns."""
    return reward_steps(matches.find(match_id, _visitor(request)), lab)


@router.post("{match_id}/fork/", response={201: dict[str, Any]})
def fork(
    request: HttpRequest, response: HttpResponse, match_id: str, wanted: WhatIf
) -> Status[dict[str, Any]]:
    """Put another action into one turn of a finished match and play on."""
    client = request_key(request)
    spend("forks", client)
    child = matches.fork_match(
        match_id, wanted.seq, read_action(wanted.action), _visitor(request), client=client
    )
    response["Location"] = f"/api/market/{child.pk}/"
    return Status(201, {**lists.places(child), "difference": child.game.difference})


def _visitor(request: HttpRequest) -> str:
    return request.session.session_key or ""


def _told(view: MatchView) -> dict[str, Any]:
    return {
        **lists.card(view.match),
        "audience": view.viewer.audience,
        "standing": view.standing,
        "you": view.you,
        "frames": view.frames,
    }
