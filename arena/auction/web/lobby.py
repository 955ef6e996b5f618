"""What the arena's front page shows: what is on, what comes next, how to start a match."""

from collections.abc import Mapping
from typing import Any

import msgspec
from django.conf import settings
from django.utils.safestring import SafeString

from arena.auction.charts.course import Course, Lane, course_of
from arena.auction.charts.lanes import lane_strip
from arena.auction.engine.events import ArenaEvent, Ended, Opened
from arena.auction.web import schedule
from arena.auction.web.bidding import LINE_UP
from arena.auction.web.forms import StartForm, seat_choices
from arena.auction.web.game import AUCTION
from arena.auction.web.orders import PERSONAS
from arena.auction.web.records import actor, event_from
from arena.auction.web.rendering import shape_of
from arena.auction.web.visibility import frames, viewer_of
from arena.models import Match
from negotiation.bargain.web.listing_search import Offered, offered
from negotiation.bargain.web.listings import featured, search
from negotiation.engine.quantities import Paise, to_rupees
from negotiation.models import EventRow, Game, Listing
from negotiation.money import rupees_text
from negotiation.policies import title_of
from negotiation.ttl_cache import cached

SHOWN_LIVE, SHOWN_ENDED, SHOWN_GOODS = 3, 6, 6
LOOK_EVERY_S = 1.0

GOODS_SEED = 7
"""Which goods lie in front when nothing was searched; a page a visitor reloads keeps them."""
LONGEST_NUMBER = 19  # digits: Python reads no number of thousands of them


class Chair(msgspec.Struct, frozen=True):
    """One buyer's chair; ``is_free``: this visitor may still sit down there."""

    index: int
    actor: str
    name: str
    is_yours: bool
    is_taken: bool
    is_free: bool


class Running(msgspec.Struct, frozen=True):
    """A live match as a card; ``ask`` as text, ``strips`` the lanes in small."""

    match: Match
    course: Course
    ask: str
    strips: tuple[tuple[Lane, SafeString, SafeString], ...]


class Result(msgspec.Struct, frozen=True):
    """A finished match as a line; ``price`` as text, "" without a deal."""

    game: Game
    winner: str
    price: str


def lobby_page(visitor: str, form: StartForm, q: str) -> dict[str, Any]:
    """Return the page's context, and see to it that a match is on; ``q`` searches goods."""
    slots = schedule.watch()
    following = Match.objects.select_related("game__listing").filter(pk=slots.following).first()
    chosen = _chosen(form)
    return {
        "running": cached("matches-on", LOOK_EVERY_S, _on_now),
        "following": following,
        "chairs": chairs_of(following, visitor) if following else (),
        "own_seat": _has_seat(chairs_of(following, visitor)) if following else False,
        "results": cached("match-results", LOOK_EVERY_S, _results),
        "form": form,
        "q": q,
        "goods": _goods(q, chosen),
        "chosen": chosen,
        "personas": PERSONAS,
        "seats": [(number, form[f"seat_{number}"]) for number in range(1, 5)],
        "choices": seat_choices(),
    }


def coming_next() -> dict[str, Any]:
    """Return what is on and what follows, for whoever has just seen a match end."""
    slots = schedule.watch()
    both = Match.objects.select_related("game").in_bulk([slots.current, slots.following])
    current, following = both.get(slots.current), both.get(slots.following)
    is_on = current is not None and current.phase == Match.Phase.LIVE
    return {"running": current if is_on else None, "following": following}


def chosen_of(asked: Mapping[str, str]) -> dict[str, str]:
    """Return the form's values from an address, else the classic line-up."""
    seats = {f"seat_{number}": name for number, name in enumerate(LINE_UP, start=1)}
    if "seat_1" in asked:
        seats = {name: asked.get(name, "") for name in seats}
    others = {name: asked.get(name, "") for name in ("listing", "persona", "seed")}
    return seats | {name: value for name, value in others.items() if value}


def _on_now() -> list[Running]:
    return [_running(match) for match in schedule.live_matches(SHOWN_LIVE)]


def _running(match: Match) -> Running:
    # As a stranger sees it, whoever looks: the lobby tells nobody more than that.
    stranger = viewer_of(match.game, AUCTION.scenario_of(match.pk), None)
    course = course_of(frames(match.game, stranger))
    prefix = f"{match.pk}-"
    strips = tuple(
        (lane, shape_of(lane), lane_strip(course, lane, place=prefix)) for lane in course.lanes
    )
    return Running(match, course, rupees_text(course.ask, course.currency), strips)


def _results() -> list[Result]:
    ended = Game.objects.filter(
        kind="arena", source=Game.Source.ARENA, status=Game.Status.ENDED, share_replay=True
    )
    games = list(ended.order_by("-ended_at")[:SHOWN_ENDED])
    # The first and the last event tell it all; six whole logs would be read at every look.
    rows = EventRow.objects.filter(game__in=games, kind__in=("opened", "ended"))
    told: dict[str, list[ArenaEvent]] = {}
    for row in rows.order_by("game", "seq"):
        told.setdefault(row.game_id, []).append(event_from(row.payload))
    return [_result(game, told.get(game.pk, [])) for game in games]


def _result(game: Game, told: list[ArenaEvent]) -> Result:
    match told:
        case [Opened(seats=seats, item=item), Ended(winner=int(winner), price=int(price))]:
            words = rupees_text(to_rupees(Paise(price)), item.currency)
            return Result(game, seats[winner].name, words)
        case _:
            return Result(game, "", "")


def _goods(q: str, chosen: str) -> tuple[Offered, ...]:
    if q.strip():
        return tuple(offered(listing) for listing in search(q).listings[:SHOWN_GOODS])
    goods = list(featured(GOODS_SEED))[:SHOWN_GOODS]
    is_number = chosen.isdecimal() and len(chosen) < LONGEST_NUMBER
    picked = Listing.objects.filter(pk=int(chosen)).first() if is_number else None
    if picked is not None and picked not in goods:
        goods = [picked, *goods[:-1]]
    return tuple(offered(listing) for listing in goods)


def _chosen(form: StartForm) -> str:
    return str(form["listing"].value() or "")


def _has_seat(chairs: tuple[Chair, ...]) -> bool:
    return any(chair.is_yours for chair in chairs)


def waiting_page(match: Match, visitor: str) -> dict[str, Any]:
    """Return the context of a match that waits."""
    listing = match.game.listing
    chairs = chairs_of(match, visitor)
    return {
        "match": match,
        "game": match.game,
        "chairs": chairs,
        "own_seat": any(chair.is_yours for chair in chairs),
        "asking": to_rupees(listing.list_price) if listing else None,
        "currency": listing.currency if listing else "INR",
        "turn_s": round(settings.ARENA_TURN_S),
    }


def chairs_of(match: Match, visitor: str) -> tuple[Chair, ...]:
    """Return the chairs of a waiting match as a visitor sees them."""
    seats = list(match.seats.order_by("index"))
    sits = bool(visitor) and any(seat.owner == visitor for seat in seats)
    return tuple(
        Chair(
            index=seat.index,
            actor=actor(seat.index),
            name=title_of(seat.policy),
            is_yours=bool(visitor) and seat.owner == visitor,
            is_taken=bool(seat.owner),
            is_free=seat.is_open and not seat.owner and not sits,
        )
        for seat in seats
    )
