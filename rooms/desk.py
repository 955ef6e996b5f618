"""What a host sees and does while a room runs: who is where, and hands that help."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Literal

import msgspec
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from bazaarbatna.bargain.quantities import Side
from negotiation.bargain.clocks import AWAY_S
from negotiation.bargain.terms import PERSON
from negotiation.models import Game
from negotiation.sentences import sentences
from negotiation.words import clean_text
from rooms import presence, tables
from rooms.errors import NotTogether
from rooms.homework import Turn, turns_at
from rooms.hosting import plan_of, plans_for, touch
from rooms.joining import key_of
from rooms.lobby import live_game, live_games, side_in
from rooms.models import Member, Room, RoomGame
from rooms.plan import Plan
from rooms.seating.opening import missing_players
from rooms.seating.pairing import opposite
from rooms.study_hooks import is_study

say = sentences(__file__)

Where = Literal["removed", "left", "playing", "reading", "done", "here", "away"]


class Place(msgspec.Struct, frozen=True):
    """A member as the desk shows one: where, and in which game against whom."""

    member: Member
    where: Where
    number: int
    rival: str
    side: str
    role: str
    is_pair: bool
    beside: str = ""
    """Whom the host put opposite for the next game."""
    since: datetime | None = None
    """Of whoever is not seen at the table or in the lobby: when this person was there last."""
    played: int = 0
    """How many games are over."""
    owes_since: datetime | None = None
    """Of homework: since when somebody waits for this person's move."""

    @property
    def minutes(self) -> int | None:
        """For how many whole minutes this person has not been seen; None: is there."""
        return None if self.since is None else (timezone.now() - self.since) // timedelta(minutes=1)

    @property
    def is_out_of_sight(self) -> bool:
        """Plays, but has not been seen at the table lately."""
        return self.where == "playing" and self.since is not None


class Desk(msgspec.Struct, frozen=True):
    """The state of a room for its host: nothing sealed, and no price.

    ``missing`` are players of the house that the room's plans name, and this site has no more.
    """

    room: Room
    places: tuple[Place, ...]
    live: int
    ended: int
    missing: tuple[str, ...]
    mark: str

    @property
    def here(self) -> int:
        """How many people are in the room."""
        # Who is on a list and has not come yet sits at no browser.
        came = (place for place in self.places if place.member.session)
        return sum(place.where not in ("removed", "left") for place in came)

    @property
    def through(self) -> int:
        """How many people have played all their games."""
        return sum(place.where == "done" for place in self.places)

    @property
    def idle(self) -> int:
        """How many people of homework have not begun: nobody came, or they have no game."""
        return sum(not place.number for place in self.places if place.where != "removed")

    @property
    def waiting(self) -> int:
        """How many people wait in the lobby."""
        return sum(place.where == "here" for place in self.places)

    @property
    def away(self) -> int:
        """How many people have not been heard of lately."""
        return sum(place.where == "away" for place in self.places)


def desk_of(room: Room) -> Desk:
    """Gather the desk of a room."""
    games = list(room.games.select_related("game").only(*_SHOWN).order_by("round"))
    own: dict[str, list[RoomGame]] = {}
    for row in games:
        for key in filter(None, (row.seller_id, row.buyer_id)):
            own.setdefault(key, []).append(row)
    turns = turns_at([row.game for row in games]) if room.due_at is not None else {}
    people = list(room.members.order_by("number"))
    plans = plans_for(people)
    names = {member.pk: member.nickname for member in people}
    places = tuple(
        _place(member, own.get(member.pk, []), plans[member.pk], names, turns) for member in people
    )
    live = sum(row.game.status == Game.Status.LIVE for row in games)
    named = {name for plan in (plan_of(room), *plans.values()) for name in missing_players(plan)}
    missing = tuple(sorted(named))
    # Who has gone quiet, or from this site, shows without anything else having changed.
    movable = "".join(str(place.member.number) for place in places if place.member.is_movable)
    states = "".join([*(place.where[:2] for place in places), *missing, movable])
    states += "".join(
        f"{place.member.number}:{place.minutes}:{place.owes_since}"
        for place in places
        if place.since is not None or turns
    )
    mark = f"{room.version}.{hash_of(states)}"
    return Desk(room, places, live, len(games) - live, missing, mark)


def hash_of(text: str) -> str:
    """Sum up a text in a few letters, no two alike: who changed it meanwhile is told by them."""
    return sha256(text.encode()).hexdigest()[:16]


def remove(room: Room, member: Member) -> None:
    """Send a member out; a policy plays the game on, or it is closed, as the plan says."""
    Member.objects.filter(pk=member.pk).update(
        left_at=timezone.now(), is_removed=True, **presence.leaving()
    )
    member.refresh_from_db()
    Game.objects.filter(in_room__room=room, gone=member.session).update(gone="")
    for row in live_games(member):
        if plan_of(room).absence == "policy":
            tables.seats_of(row.game).leave(row.game_id, side_in(row, member))
            tables.let_house_move(row.game)
        else:
            tables.seats_of(row.game).close(row.game_id, "closed")
    touch(room)


def readmit(room: Room, member: Member) -> None:
    """Let somebody who was sent out come in again."""
    Member.objects.filter(pk=member.pk).update(left_at=None, is_removed=False)
    touch(room)


def replace(room: Room, member: Member) -> bool:
    """Let a policy take a member's seats opposite people; False where there is none to take."""
    taken = [
        row.game
        for row in live_games(member)
        if row.seller_id and row.buyer_id
        if tables.seats_of(row.game).replace(row.game_id, side_in(row, member))
    ]
    for game in taken:
        tables.let_house_move(game)
    touch(room)
    return bool(taken)


def seat_together(room: Room, names: Sequence[str]) -> None:
    """Put two people opposite each other for their next game, or raise NotTogether."""
    with transaction.atomic():
        one, two = (_called(room, name) for name in names)
        if one.pk == two.pk:
            raise NotTogether(say("choose_two_different_people"))
        if is_study(room) or plan_of(room).meeting == "policy":
            raise NotTogether(say("nobody_is_put_together"))
        if one.dealt != two.dealt:
            raise NotTogether(say("not_equally_many", one=one.nickname, two=two.nickname))
        for member, other in ((one, two), (two, one)):
            # Whoever was given a game meanwhile sits already.
            still = Member.objects.filter(pk=member.pk, dealt=member.dealt, left_at=None)
            if not still.update(seated_with=other):
                raise NotTogether(say("sits_already", name=member.nickname))
    touch(room)


def _called(room: Room, name: str) -> Member:
    """Return who can be put opposite somebody, by nickname, or raise NotTogether."""
    wanted = clean_text(name, 40)
    found = room.members.filter(name_key=key_of(wanted)).select_related("seated_with").first()
    if found is None:
        raise NotTogether(say("nobody_is_called_so", name=wanted))
    found.room, shown = room, found.nickname
    if found.left_at is not None:
        raise NotTogether(say("is_gone", name=shown))
    if room.due_at is None and live_game(found) is not None:
        raise NotTogether(say("sits_already", name=shown))
    if found.dealt >= plan_of(room).games:
        raise NotTogether(say("has_played_all", name=shown))
    if (two := opposite(found)) is not None:
        raise NotTogether(say("is_put_opposite", name=shown, other=two.nickname))
    return found


def let_go(room: Room, member: Member) -> None:
    """Let somebody meet anybody in the next game, and whoever was put opposite, too."""
    pair = Q(pk=member.pk) | Q(seated_with=member)
    room.members.filter(pair).update(seated_with=None)
    touch(room)


def end_games(room: Room) -> int:
    """End every game that runs, without a deal; how many those were."""
    live = Game.objects.filter(in_room__room=room, status=Game.Status.LIVE)
    return sum(tables.seats_of(game).close(game.pk, "closed") for game in live)


_SHOWN = (
    "room", "round", "seller", "buyer",
    "game__kind", "game__status", "game__policy", "game__owner", "game__rival", "game__gone",
    "game__created_at", "game__ended_at", "game__seller_seen_at",
    "game__buyer_seen_at", "game__terms",
)  # fmt: skip
"""Columns of a room's games that a desk is made of: it is asked for every two seconds."""


def _place(
    member: Member,
    own: Sequence[RoomGame],
    plan: Plan,
    names: Mapping[str, str],
    turns: Mapping[str, Turn],
) -> Place:
    where: Where = "away"
    live = [one for one in own if one.is_played_by(member)]
    row = next(iter([*live[-1:], *own[-1:]]), None)
    is_live = bool(live)
    if member.is_removed:
        where = "removed"
    elif member.left_at is not None:
        where = "left"
    elif is_live:
        where = "playing"
    elif member.dealt >= plan.games and not any(_is_kept(one, member) for one in own):
        where = "done"
    elif presence.is_here(member):
        where = "here"
    elif row is not None and member.came_at is None and row.game.status == Game.Status.ENDED:
        where = "reading"
    rival = None
    if row is not None:
        rival = row.buyer_id if row.seller_id == member.pk else row.seller_id
    if is_live and row is not None and row.game.policy != PERSON:
        rival = None  # or no more: the house has taken the seat opposite
    side: Side | Literal[""] = side_in(row, member) if row is not None else ""
    return Place(
        member=member,
        where=where,
        since=_last_seen(member, row, where),
        number=row.round if row is not None else 0,
        rival=names.get(rival, "") if rival else "",
        side=side,
        role=tables.role_in(plan, row.game if row else None, side),
        beside=names.get(member.seated_with_id or "", ""),
        is_pair=any(one.game.policy == PERSON for one in live),
        played=sum(one.game.status == Game.Status.ENDED for one in own),
        owes_since=min(filter(None, (_owes(one, member, turns) for one in live)), default=None),
    )


def _is_kept(row: RoomGame, member: Member) -> bool:
    """Whether the house plays on for somebody who has the seat again on coming back."""
    return row.game.status == Game.Status.LIVE and row.game.gone == member.session != ""


def _owes(row: RoomGame, member: Member, turns: Mapping[str, Turn]) -> datetime | None:
    turn = turns.get(row.game_id)
    return turn.since if turn is not None and turn.side == side_in(row, member) else None


def _last_seen(member: Member, row: RoomGame | None, where: Where) -> datetime | None:
    """Return when somebody was there last, who is not there now; None: is there, or never was."""
    match where:
        case "left" | "removed":
            return member.left_at
        case "reading" if row is not None:
            return row.game.ended_at
        case "away":
            table = _at_table(row, member) if row is not None else None
            return max(filter(None, (member.seen_at, table)), default=None)
        case "playing" if member.room.due_at is not None:
            return None if presence.is_here(member) else member.seen_at
        case "playing" if row is not None and row.game.policy == PERSON:
            seen = _at_table(row, member) or row.game.created_at
            return seen if timezone.now() - seen > timedelta(seconds=AWAY_S) else None
    return None


def _at_table(row: RoomGame, member: Member) -> datetime | None:
    game, side = row.game, side_in(row, member)
    return game.seller_seen_at if side == "seller" else game.buyer_seen_at
