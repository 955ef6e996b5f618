"""Who plays whom, live: opens every game that can be opened, once, whoever asks and how often.

A member is given a game by raising ``Member.dealt`` by one, in one conditional update, together
with the game: of two processes that want to give the same person a game one finds nothing to
raise, and takes everything back. So nobody plays twice in a round.
"""

import logging
import random
import secrets
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Literal

from django.db import IntegrityError, transaction
from django.db.models import F, Q
from django.utils import timezone

from bazaarbatna.bargain.quantities import Side, other
from negotiation.policies import UnknownPolicy
from rooms import opening, presence
from rooms.errors import NothingToSell
from rooms.hosting import plans_for, touch
from rooms.models import Member, Room, RoomGame
from rooms.pairs import Pair, Waiting
from rooms.plan import Plan
from rooms.study_hooks import may_play

log = logging.getLogger(__name__)

_ROUNDS = 6
"""How often one call looks again after others were faster."""


def advance(room: Room, *, now: bool = False) -> int:
    """Open what can be opened and return how many games that was; ``now``: nobody waits longer.

    Safe from anywhere, any number of times.
    """
    opened = 0
    for _ in range(_ROUNDS):
        pairs = _pairs(waiting(room), now=now)
        done = [_open(room, pair) for pair in pairs]
        opened += done.count("opened")
        if "late" not in done:
            break
    if opened:
        touch(room)
    return opened


def waiting(room: Room) -> list[Waiting]:
    """Return who could play now, in order of arrival."""
    if Room.objects.filter(pk=room.pk, state=Room.State.PLAYING).count() == 0:
        return []
    # First the people, then their games: whoever is given one in between is seen to play.
    here = Member.objects.filter(presence.here(), room=room, withdrawn_at=None, finished_at=None)
    people = list(here.select_related("room", "room__study").order_by("number"))
    games = _games_of(people)
    found = []
    plans = plans_for(people)
    for member in people:
        own, plan = games.get(member.pk, []), plans[member.pk]
        if member.dealt >= plan.games or any(one.is_played_by(member) for one in own):
            continue
        since = presence.waits_since(member)
        if since is not None and may_play(member):
            found.append(_waiting(member, plan, since, own))
    return found


def _games_of(people: Iterable[Member]) -> dict[str, list[RoomGame]]:
    found: dict[str, list[RoomGame]] = {}
    keys = [member.pk for member in people]
    rows = RoomGame.objects.filter(Q(seller__in=keys) | Q(buyer__in=keys)).select_related("game")
    for row in rows.order_by("round"):
        for key in filter(None, (row.seller_id, row.buyer_id)):
            found.setdefault(key, []).append(row)
    return found


def _waiting(member: Member, plan: Plan, since: datetime, own: Sequence[RoomGame]) -> Waiting:
    last: Side | None = None
    if own:
        last = "seller" if own[-1].seller_id == member.pk else "buyer"
    met = {one.buyer_id if one.seller_id == member.pk else one.seller_id for one in own}
    return Waiting(member, plan, since, last, frozenset(key for key in met if key))


def _pairs(people: Sequence[Waiting], *, now: bool) -> list[Pair]:
    pairs: list[Pair] = []
    groups: dict[tuple[str, bool, int], list[Waiting]] = {}
    for one in people:
        if one.plan.meeting == "policy":
            pairs.append(_alone(one))
        else:
            groups.setdefault((one.member.arm, one.member.is_pilot, one.round), []).append(one)
    for group in groups.values():
        pairs += _matched(group, now=now)
    return pairs


def _matched(group: list[Waiting], *, now: bool) -> list[Pair]:
    """Put two and two together: those who have not met, and whose seats fit, before others."""
    pairs, left = [], list(group)
    if left[0].plan.roles in ("random", "swapped"):
        # Who came in together shall not always play each other.
        random.Random(secrets.randbits(64)).shuffle(left)
    while len(left) > 1:
        one = left.pop(0)
        best = max(left, key=lambda two: _fit(one, two))
        left.remove(best)
        pairs.append(_together(one, best))
    tired = timezone.now() - timedelta(seconds=group[0].plan.odd_s)
    if group[0].plan.is_people_only:
        return pairs
    return pairs + [_alone(one) for one in left if now or one.since <= tired]


def _fit(one: Waiting, two: Waiting) -> tuple[bool, bool]:
    seats_fit = one.plan.roles != "swapped" or one.last is None or one.last != two.last
    return two.member.pk not in one.met, seats_fit


def _together(one: Waiting, two: Waiting) -> Pair:
    match one.plan.roles:
        case "seller" | "buyer":
            first, second = sorted((one, two), key=lambda who: who.member.number)
            sells = first if one.plan.roles == "seller" else second
        case "swapped" if one.last != two.last:
            sells = one if one.last == "buyer" or two.last == "seller" else two
        case _:
            sells = secrets.choice((one, two))
    return Pair(sells, two if sells is one else one)


def _alone(one: Waiting) -> Pair:
    side: Side
    match one.plan.roles:
        case "seller" | "buyer" if one.plan.meeting == "policy":
            side = "seller" if one.plan.roles == "seller" else "buyer"
        case "swapped" if one.last is not None:
            side = other(one.last)
        case "seller" | "buyer" if one.last is not None:
            side = one.last
        case _:
            side = secrets.choice(("seller", "buyer"))
    return Pair(one, None) if side == "seller" else Pair(None, one)


def _open(room: Room, pair: Pair) -> Literal["opened", "late", "refused"]:
    try:
        with transaction.atomic():
            if not Room.objects.filter(pk=room.pk, state=Room.State.PLAYING).exists():
                raise _Faster
            # In one order everywhere: two processes that want the same two never wait in a ring.
            if not all(_claim(one) for one in sorted(pair.people, key=lambda who: who.member.pk)):
                raise _Faster
            opening.open_game(room, pair)
    except (_Faster, IntegrityError):
        return "late"
    except (NothingToSell, UnknownPolicy):
        # The goods or the player went after the room was opened: its host reads it in the log.
        log.exception("a room cannot open a game", extra={"room": room.pk})
        return "refused"
    return "opened"


class _Faster(Exception):
    """Somebody else has given one of them a game."""


def _claim(one: Waiting) -> bool:
    """Give a member the next game, if nobody has and the seat is where it was.

    Columns of one row only: with a join PostgreSQL would not look again at a row it waited for.
    """
    rows = Member.objects.filter(
        pk=one.member.pk,
        dealt=one.member.dealt,
        session=one.member.session,
        left_at=None,
        withdrawn_at=None,
        finished_at=None,
    )
    return bool(rows.update(dealt=F("dealt") + 1, **presence.leaving()))
