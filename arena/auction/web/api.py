"""The arena over HTTP: start a match, sit down, read. Bids go by socket."""

from typing import Annotated, Any

from django.http import HttpRequest, HttpResponse
from ninja import Router, Status
from pydantic import Field

from arena.auction.web import matches, running, schedule, watching
from arena.auction.web.orders import Order
from arena.auction.web.watching import awaiting_frame, scene_of
from arena.models import Match
from negotiation.bargain.web.schemas import Id
from negotiation.errors import UnknownListing
from negotiation.games.bodies import Body
from negotiation.games.visitors import visitor, visitor_of
from negotiation.limits import request_key, spend
from negotiation.models import Listing

Name = Annotated[str, Field(max_length=60)]


class NewMatch(Body):
    """A match to start: a ``listing`` by number and two to four buyers by name, or "person".

    Without a ``persona`` and a ``seed`` they are drawn.
    """

    listing: Id
    lineup: Annotated[list[Name], Field(max_length=16)]
    persona: Name = ""
    seed: Annotated[int, Field(ge=0, lt=2**63)] | None = None

    def order(self) -> Order:
        """Return the order; an unknown listing raises ``UnknownListing``."""
        listing = Listing.objects.filter(pk=self.listing).first()
        if listing is None:
            raise UnknownListing
        return Order(
            listing=listing, line_up=tuple(self.lineup), persona=self.persona, seed=self.seed
        )


class ChosenSeat(Body):
    """A chair to take, counted from 0."""

    index: Annotated[int, Field(ge=0, lt=16)]


router = Router()


@router.post("", response={201: dict[str, Any]})
def open_match(
    request: HttpRequest, response: HttpResponse, wanted: NewMatch
) -> Status[dict[str, Any]]:
    """Start a match; "person" in the line-up seats the caller."""
    client = request_key(request)
    spend("matches", client)
    match = matches.open_match(visitor(request), wanted.order(), client=client)
    if match.phase == Match.Phase.LIVE:
        running.start_from_thread(match.pk)
    response["Location"] = f"/api/arena/{match.pk}/"
    return Status(201, _places(match))


@router.get("")
def list_matches(request: HttpRequest) -> dict[str, Any]:
    """Tell what is on and what comes next; asking with a cookie counts as watching."""
    schedule.seen_by(request)
    who = visitor(request)
    return {
        "now": [_card(match, who) for match in schedule.live_matches()],
        "next": [_card(match, who) for match in schedule.waiting_matches()],
    }


@router.get("{match_id}/")
def read_match(request: HttpRequest, match_id: str) -> dict[str, Any]:
    """Give the caller's view of a match: its state and the whole log as far as it is open."""
    who = visitor(request)
    view = watching.view_of(match_id, who)
    return {
        **_card(view.match, who),
        "awaiting": awaiting_frame(view.scene, who),
        "you": watching.brief_of(view),
        "frames": view.frames,
    }


@router.post("{match_id}/seat/")
def take_seat(request: HttpRequest, match_id: str, wanted: ChosenSeat) -> dict[str, Any]:
    """Sit down in a match that has not begun."""
    spend("matches", request_key(request))
    who = visitor_of(visitor(request))
    matches.take_seat(match_id, wanted.index, who)
    view = watching.view_of(match_id, who)
    return _card(view.match, who)


@router.delete("{match_id}/seat/", response={204: None})
def leave_seat(request: HttpRequest, match_id: str) -> Status[None]:
    """Give the own seat back while the match waits."""
    matches.leave_seat(match_id, visitor_of(visitor(request)))
    return Status(204, None)


def _places(match: Match) -> dict[str, str]:
    return {"id": match.pk, "ws": f"/ws/arena/{match.pk}/", "url": f"/arena/{match.pk}/"}


def _card(match: Match, who: str) -> dict[str, Any]:
    scene = scene_of(match)
    game = match.game
    return {
        **_places(match),
        "title": game.title,
        "phase": scene.phase,
        "exhibition": match.exhibition,
        "starts_at": scene.starts_at,
        "seq": scene.seq,
        "seats": [chair.shown(who) for chair in scene.chairs],
    }
