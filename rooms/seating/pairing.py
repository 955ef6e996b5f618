"""Who plays whom, live: opens every game that can be opened, once, whoever asks and how often.

A member is given a game by raising ``Member.dealt`` by one, in one conditional update, together
with the game: of two processes that want to give the same person a game one finds nothing to
raise, and takes everything back. So nobody plays twice in a round.
"""

import logging
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Literal

from django.db import IntegrityError, transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from bazaarbatna.bargain.quantities import Side
from negotiation.bargain.terms import PERSON
from negotiation.policies import UnknownPolicy
from rooms import homework, presence
from rooms.errors import NothingToSell
from rooms.hosting import plan_of, plans_for, touch
from rooms.models import Member, Room, RoomGame
from rooms.plan import Plan
from rooms.seating import opening
from rooms.seating.pairs import Pair, Waiting, alone, choose, together
from rooms.study_hooks import may_play

log = logging.getLogger(__name__)

_ROUNDS = 6
"""How often one call looks again after others were faster."""

READS_S = 150
"""Whoever reads the end of a game for so long has gone: nobody waits for this person."""


def advance(room: Room, *, now: bool = False) -> int:
    """Open what can be opened and return how many games that was; ``now``: nobody waits longer.

    Safe from anywhere, any number of times.
    """
    opened = 0
    for _ in range(_ROUNDS):
        done = [_open(room, pair) for pair in _pairs(room, at_once=now)]
        opened += done.count("opened")
        # Of homework the next game opens while the one before is played.
        if not done or ("late" not in done and room.due_at is None):
            break
    if opened:
        touch(room)
    return opened


def waiting(room: Room) -> list[Waiting]:
    """Return who could play now, in order of arrival."""
    now = _playing(room).select_related("study").first()
    if now is None:
        return []
    # First the people, then their games: whoever is given one in between is seen to play.
    is_apart = homework.finds_partners(room) and plan_of(room).meeting == "people"
    is_here = Q(left_at=None) & ~Q(session="") if is_apart else presence.here()
    here = Member.objects.filter(is_here, room=room, withdrawn_at=None, finished_at=None)
    people = _in(now, here.select_related("seated_with").order_by("number"))
    games = _games_of(people)
    found = []
    plans = plans_for(people)
    for member in people:
        own, plan = games.get(member.pk, []), plans[member.pk]
        live = [one for one in own if one.is_played_by(member)]
        if member.dealt >= plan.games or _holds(live, member, plan):
            continue
        since = homework.waits_since(member) if is_apart else presence.waits_since(member)
        if since is not None and may_play(member):
            found.append(_waiting(member, plan, since, own))
    return found


def _holds(live: Sequence[RoomGame], member: Member, plan: Plan) -> bool:
    """Whether games keep their person from the next one: of homework few with a person do not."""
    if member.room.due_at is None or any(row.game.policy != PERSON for row in live):
        return bool(live)
    return 0 < plan.open_at_once <= len(live)


def _coming(room: Room, here: Iterable[Waiting]) -> list[Waiting]:
    """Return who may wait soon: plays still, or reads the end of a game."""
    known = [one.member.pk for one in here]
    out = Member.objects.filter(room=room, left_at=None, withdrawn_at=None, finished_at=None)
    people = _in(room, out.filter(dealt__gt=0).exclude(pk__in=known).select_related("seated_with"))
    games, plans = _games_of(people), plans_for(people)
    reads = timezone.now() - timedelta(seconds=READS_S)
    return [
        _waiting(member, plans[member.pk], None, own)
        for member in people
        if (own := games.get(member.pk, []))
        and (own[-1].is_played_by(member) or (own[-1].game.ended_at or reads) > reads)
    ]


def _in(room: Room, members: Iterable[Member]) -> list[Member]:
    """Return members with the room that is known: its plan is not read anew for each."""
    people = list(members)
    for member in people:
        member.room = room
    return people


def _games_of(people: Iterable[Member]) -> dict[str, list[RoomGame]]:
    found: dict[str, list[RoomGame]] = {}
    keys = [member.pk for member in people]
    rows = RoomGame.objects.filter(Q(seller__in=keys) | Q(buyer__in=keys)).select_related("game")
    for row in rows.only(*_READ).order_by("round"):
        for key in filter(None, (row.seller_id, row.buyer_id)):
            found.setdefault(key, []).append(row)
    return found


_READ = (
    "round", "seller", "buyer",
    "game__status", "game__policy", "game__owner", "game__rival", "game__ended_at",
)  # fmt: skip


def _waiting(
    member: Member, plan: Plan, since: datetime | None, own: Sequence[RoomGame]
) -> Waiting:
    last: Side | None = None
    if own:
        last = "seller" if own[-1].seller_id == member.pk else "buyer"
    opposite = [one.buyer_id if one.seller_id == member.pk else one.seller_id for one in own]
    people = [key for key in opposite if key]
    return Waiting(
        member=member,
        plan=plan,
        since=since,
        last=last,
        partner=people[-1] if people else "",
        met=Counter(people),
        sat_out=len(opposite) - len(people),
    )


def _pairs(room: Room, *, at_once: bool) -> list[Pair]:
    pairs, here = _by_hand(waiting(room), at_once=at_once)
    is_late = room.due_at is not None and not homework.finds_partners(room)
    pairs += [alone(one) for one in here if is_late or one.plan.meeting == "policy"]
    groups: dict[tuple[str, bool, tuple[str, ...]], list[Waiting]] = {}
    everybody = here
    if any(one.member.dealt and one.plan.partners != "any" for one in here):
        coming = _coming(room, here)
        everybody = here + [one for one in coming if opposite(one.member) is None]
    for one in everybody:
        if one.plan.meeting == "people" and not is_late:
            key = (one.member.arm, one.member.is_pilot, tuple(one.member.conditions))
            groups.setdefault(key, []).append(one)
    for (arm, is_pilot, conditions), group in groups.items():
        came = room.members.filter(
            arm=arm, is_pilot=is_pilot, conditions=list(conditions), is_removed=False
        )
        roster = list(came.values_list("number", flat=True))
        pairs += choose(group, roster, timezone.now(), at_once=at_once)
    return pairs


def opposite(member: Member) -> Member | None:
    """Return whom the host put opposite for the next game, as long as that can come true."""
    two = member.seated_with
    if two is None or two.seated_with_id != member.pk or two.dealt != member.dealt:
        return None
    return two if two.left_at is None and two.withdrawn_at is None else None


def _by_hand(here: Sequence[Waiting], *, at_once: bool) -> tuple[list[Pair], list[Waiting]]:
    """Tell the pairs that the host put together from who is free to meet anybody.

    Whoever is put opposite somebody who is not here waits no longer than for a new partner.
    """
    waits = {one.member.pk: one for one in here}
    pairs, free = [], []
    for one in here:
        two = opposite(one.member)
        if two is not None and two.pk in waits:
            if one.member.number < two.number:
                pairs.append(together(one, waits[two.pk]))
        elif two is None or at_once or one.waits(one.plan.unmet_s, timezone.now()):
            free.append(one)
    return pairs, free


def _open(room: Room, pair: Pair) -> Literal["opened", "late", "refused"]:
    try:
        with transaction.atomic():
            # Its days as they are now: whoever moves them waits for this, or this for them.
            now = _playing(room).select_for_update(no_key=True).first()
            if now is None:
                raise _Faster
            # In one order everywhere: two processes that want the same two never wait in a ring.
            if not all(_claim(one) for one in sorted(pair.people, key=lambda who: who.member.pk)):
                raise _Faster
            opening.open_game(now, pair)
    except (_Faster, IntegrityError):
        return "late"
    except (NothingToSell, UnknownPolicy):
        # The goods or the player went after the room was opened: its host reads it in the log.
        log.exception("a room cannot open a game", extra={"room": room.pk})
        return "refused"
    return "opened"


def _playing(room: Room) -> QuerySet[Room]:
    open_ = Q(due_at=None) | Q(due_at__gt=timezone.now())
    return Room.objects.filter(open_, pk=room.pk, state=Room.State.PLAYING, is_paused=False)


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
        seated_with=one.member.seated_with_id,
        left_at=None,
        withdrawn_at=None,
        finished_at=None,
    )
    given = {"dealt": F("dealt") + 1, "seated_with": None}
    return bool(rows.update(**given, **presence.leaving()))
