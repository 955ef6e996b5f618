"""An exhibition match for whoever watches: one is on, and one waits with free seats.

Nothing happens by itself: whoever watches calls ``ensure``. All changes go through the one row of
``Stage``, which lets one of many callers win. Whoever only looks in, as a robot does, changes
nothing.
"""

import random
import secrets
from datetime import datetime, timedelta

import msgspec
from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone

from arena.auction.web import matches, running
from arena.auction.web.orders import Order
from arena.models import Match, MatchSeat, Stage
from bazaarbatna.auction.making import ROUNDS
from bazaarbatna.bargain.sellers import SELLERS
from negotiation.games import notify
from negotiation.games.visitors import is_back
from negotiation.models import Listing
from negotiation.ttl_cache import cached

LINE_UPS: tuple[tuple[str, ...], ...] = (
    ("sauda", "rules:aggressive", "rules:smart", "rules:og"),
    ("sauda", "rules:aggressive", "rules:smart", "rules:tit-for-tat"),
    ("sauda", "rules:smart", "rules:zeuthen", "rules:boulware"),
    ("sauda", "rules:aggressive", "rules:conceder"),
    ("sauda", "rules:sauda-without-tells", "rules:smart", "rules:aggressive"),
    ("sauda", "rules:linear", "rules:micro", "rules:aggressive"),
)
"""Sauda is always at the table, in a chair that is drawn."""

CLIENT = "arena"  # on whose account models play in exhibition matches

STALE_S = 60.0
"""People who sat down and whose match begins so much later than announced are not waited for."""

LOOK_EVERY_S = 1.0
SHOWN = 12
USUAL_ROUNDS = 0.6  # part of a match's rounds, to announce the next one


class Schedule(msgspec.Struct, frozen=True):
    """What is on and what comes next; match ids, "" where there is none."""

    current: str = ""
    following: str = ""


def ensure() -> Schedule:
    """See to it that a match is on and a next one waits; the caller runs it (``running.start``)."""
    return cached("exhibition", LOOK_EVERY_S, look)


def look(rng: random.Random | None = None) -> Schedule:
    """Do what ``ensure`` does, every time it is called."""
    chance = rng or random.Random(secrets.randbits(64))
    stage = Stage.objects.select_related("current", "following").filter(pk=1).first()
    if stage is None:
        stage, _ = Stage.objects.get_or_create(pk=1)
    if _is_well(stage) or not _goods().exists():
        return _schedule(stage)
    with transaction.atomic():
        if not Stage.objects.filter(pk=1, turn=stage.turn).update(turn=stage.turn + 1):
            # Nothing got updated: somebody else is setting the stage.
            return _schedule(stage)
        _set(stage, chance)
    return _schedule(stage)


def seen_by(request: HttpRequest) -> Schedule:
    """Return what is on and what comes next; who comes back to look is one who watches."""
    if is_back(request):
        return watch()
    stage = Stage.objects.filter(pk=1).first()
    return _schedule(stage) if stage is not None else Schedule()


def watch() -> Schedule:
    """See to it that a match is on and runs, since somebody watches."""
    running.sweep_from_thread()
    slots = ensure()
    if slots.current:
        running.start_from_thread(slots.current)
    return slots


_LISTED = Match.objects.filter(game__share_replay=True)


def live_matches(most: int = SHOWN) -> list[Match]:
    """Return the matches that are on, exhibition matches first."""
    live = _LISTED.select_related("game").filter(phase=Match.Phase.LIVE)
    return list(live.order_by("-exhibition", "-starts_at")[:most])


def waiting_matches() -> list[Match]:
    """Return the matches that wait for their start, the next one first."""
    waiting = _LISTED.select_related("game").filter(phase=Match.Phase.WAITING)
    return list(waiting.order_by("starts_at")[:SHOWN])


def _is_well(stage: Stage) -> bool:
    if stage.following is None or stage.following.phase != Match.Phase.WAITING:
        return False
    if stage.current is not None and stage.current.phase == Match.Phase.LIVE:
        return True
    return _is_announced(stage) and not _is_due(stage.following)


def _is_announced(stage: Stage) -> bool:
    ended_at = stage.current.game.ended_at if stage.current is not None else None
    starts_at = stage.following.starts_at if stage.following is not None else None
    if starts_at is None:
        return False
    return ended_at is None or starts_at <= ended_at + timedelta(seconds=settings.ARENA_GAP_S + 1)


def _is_due(match: Match) -> bool:
    return match.starts_at is None or match.starts_at <= timezone.now()


def _set(stage: Stage, chance: random.Random) -> None:
    is_on = stage.current is not None and stage.current.phase == Match.Phase.LIVE
    following = stage.following
    if following is not None and following.game.listing_id is None:
        # An operator has deleted what was for sale: such a match can never begin.
        following.game.delete()
        following = None
    if following is not None and following.phase != Match.Phase.WAITING:
        # It has begun in another way: then it is the one that is on.
        stage.current, following, is_on = following, None, True
    if not is_on:
        following = _advance(stage, following, chance)
    if following is None:
        following = _next(chance, timezone.now() + _usual_length())
    stage.following = following
    Stage.objects.filter(pk=1).update(current=stage.current, following=following)


def _advance(stage: Stage, following: Match | None, chance: random.Random) -> Match | None:
    if following is None:
        following = _next(chance, timezone.now())
    elif not _is_announced(stage):
        _announce(stage, following)
    if not _is_due(following):
        return following
    if following.starts_at and (timezone.now() - following.starts_at).total_seconds() > STALE_S:
        MatchSeat.objects.filter(match=following).update(owner="")
    matches.begin(following.pk)
    stage.current = Match.objects.select_related("game").get(pk=following.pk)
    return None


def _announce(stage: Stage, following: Match) -> None:
    ended_at = stage.current.game.ended_at if stage.current is not None else None
    following.starts_at = (ended_at or timezone.now()) + timedelta(seconds=settings.ARENA_GAP_S)
    Match.objects.filter(pk=following.pk).update(starts_at=following.starts_at)
    match_id = following.pk
    transaction.on_commit(lambda: notify.ring(match_id, 0), robust=True)


def _next(chance: random.Random, starts_at: datetime) -> Match:
    goods = _goods().order_by("pk")
    listing = goods[chance.randrange(goods.count())]
    line_up = list(chance.choice(LINE_UPS))
    chance.shuffle(line_up)
    order = Order(listing=listing, line_up=tuple(line_up), persona=chance.choice(list(SELLERS)))
    return matches.set_up("", order, client=CLIENT, starts_at=starts_at, exhibition=True)


def _goods() -> QuerySet[Listing]:
    return Listing.objects.filter(currency="INR")


def _usual_length() -> timedelta:
    return timedelta(
        seconds=2 * USUAL_ROUNDS * ROUNDS * settings.ARENA_PAUSE_S + settings.ARENA_GAP_S
    )


def _schedule(stage: Stage) -> Schedule:
    return Schedule(stage.current_id or "", stage.following_id or "")
