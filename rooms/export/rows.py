"""What an export is read from: who may be in it, and the games, a few at a time.

A game is in an export when it has ended, everybody who sat in it consented, and nobody withdrew to
whom it was promised that games go: a game belongs to both sides, so it is left out whole. What is
sealed in a game that goes on is never read.
"""

import hashlib
from collections import Counter
from collections.abc import Iterator
from typing import Any, Final

import msgspec
from django.db.models import QuerySet

from agents.prompted import VERSION
from bazaarbatna.bargain.events import Ended, OfferMade, TellsShown, settled
from bazaarbatna.bargain.quantities import Side, other, to_rupees
from bazaarbatna.bargain.scenario import Scenario
from negotiation.cases.game import CASE, HOUSE, Dealt
from negotiation.cases.seats import ROLE_OF
from negotiation.games.event_log import from_payload, to_payload
from negotiation.models import EventRow, Game, SealedRecord, id_from
from rooms import tables
from rooms.debrief.cases import Settled
from rooms.debrief.cases import settled as settled_case
from rooms.models import Answer, Member, PromptTurn, Room, RoomGame, Study
from rooms.study import beliefs
from rooms.study.design import levels_in
from rooms.study.flow import BETWEEN
from rooms.study.promises import Promise, promise_to
from rooms.tables import side_of_event

CHUNK: Final = 200
"""Games, or people, in memory at once."""

PERSON = "person"
"""Stands where the name of a policy stands, of a game between two people."""

PAIRS = "pair@"
"""Begins the suite of games that two people began, whoever sits there at the end."""

TABLE = "table@"
"""Begins the version of whoever ends a game whose person is away: no policy moved there."""

NICKNAMES = "nickname"
"""Stands among what is kept where a consent names nicknames."""


class Promises(msgspec.Struct, frozen=True):
    """What the people of a study agreed to, each for himself, and what the study says now."""

    study: Study

    def of(self, member: Member) -> Promise:
        """Return what holds for a member."""
        return promise_to(member, self.study)

    def allows(self, kind: str, member: Member | None) -> bool:
        """Whether data of a kind may be shown of a member; nobody's are the house's own."""
        if member is None:
            return True
        promise = self.of(member)
        if kind not in promise.keeps or member.consented_at is None:
            return False
        return member.withdrawn_at is None or kind not in promise.withdrawal

    def has_game(self, in_room: RoomGame) -> bool:
        """Whether a finished game may be shown: all who sat in it are known and agree to it."""
        people = members_of(in_room)
        if len(people) < people_in(in_room.game):
            return False
        return all(
            self.allows("prices", member)
            and (member.withdrawn_at is None or "games" not in self.of(member).withdrawal)
            for member in people
        )


class LeftOutCounts(msgspec.Struct):
    """How many were left out, and why."""

    people_without_consent: int = 0
    unfinished_games: int = 0
    games_left_out: int = 0


class Person(msgspec.Struct, frozen=True):
    """A member as the export knows it; games are counted in the same pass that wrote them."""

    member: Member
    games: int
    left_out: int
    promises: Promises


class GivenAnswer(msgspec.Struct, frozen=True):
    """One answer, and whose it is; ``game`` is the one that it is about."""

    answer: Answer
    member: Member
    promises: Promises
    game: str = ""


class Line(msgspec.Struct, frozen=True):
    """One event as it is stored."""

    row: EventRow
    event: Any
    before: EventRow | None
    has_time: bool = True

    @property
    def payload(self) -> str:
        """The event as text, byte for byte."""
        return to_payload(self.event).decode()

    @property
    def seconds(self) -> float | None:
        """Since the event before it."""
        if self.before is None or not self.has_time:
            return None
        passed = self.row.created_at - self.before.created_at
        return round(passed.total_seconds(), 3)

    @property
    def actor(self) -> Side | None:
        """The side that did it."""
        return side_of_event(self.event)

    @property
    def by(self) -> str:
        """Who did it: a person, a policy, or the table, which ends what nobody goes on with."""
        if self.row.policy_version.startswith(TABLE):
            return "table"
        return "policy" if self.row.backend else "person"


class PlayedGame(msgspec.Struct, frozen=True):
    """A finished game of a room with its whole log.

    ``id`` is its name in every file: the same in every export, and no address on the site.
    ``met_before`` counts the earlier games of the same two people; None: one of the house.
    ``scenario`` is a ``Scenario``; of a case, which is ``settled`` then, a ``Dealt``.
    """

    id: str
    met_before: int | None
    members: tuple[Member, ...]
    in_room: RoomGame
    game: Game
    scenario: Any
    promises: Promises
    lines: tuple[Line, ...]
    settled: Settled | None = None
    prompts: tuple[PromptTurn, ...] = ()
    beliefs: tuple[Answer, ...] = ()

    @property
    def ended(self) -> Ended:
        """How a sale ended."""
        last = self.lines[-1].event
        assert isinstance(last, Ended)
        return last

    @property
    def end(self) -> tuple[str, Side | None]:
        """How it ended, and who did that; None: the moves were over."""
        if self.settled is None:
            return self.ended.outcome, self.ended.by
        outcome = self.settled.outcome
        return ("expired", None) if outcome == "deadline" else (outcome, self.settled.by)

    @property
    def has_time(self) -> bool:
        """Whether the consent of all in it keeps times."""
        return all(self.promises.allows("times", member) for member in self.members)

    @property
    def arm(self) -> str:
        """The arm that it was played in."""
        return self.members[0].arm if self.members else ""

    @property
    def condition(self) -> str:
        """The condition that it was played under: both people have the same order."""
        return self.members[0].condition_in(self.in_room.round) if self.members else ""

    @property
    def is_pilot(self) -> bool:
        """Whether anybody in it came for a trial."""
        return any(member.is_pilot for member in self.members)

    @property
    def has_zone(self) -> bool:
        """Whether any deal suited both sides better than none."""
        return bool(self.scenario.zopa > 0 if self.settled is None else self.settled.has_zone)

    def share(self, side: Side) -> float:
        """Return a side's part of the zone; 0 without a deal or a zone."""
        if self.settled is None:
            return self.ended.seller_share if side == "seller" else self.ended.buyer_share
        return self.settled.share(side) or 0.0 if self.settled.is_deal else 0.0

    def surplus(self, side: Side) -> float:
        """Return what a side gained on its own limit, of a case in points; 0 without a deal."""
        if self.settled is not None:
            outside = self.settled.case.side(ROLE_OF[side]).outside
            return round(self.settled.gained(side) - outside, 2)
        if (price := self.ended.price) is None:
            return 0.0
        sealed = self.scenario.sealed
        gained = price - sealed.reservation if side == "seller" else sealed.budget - price
        return to_rupees(gained)

    def limit(self, side: Side) -> float:
        """Return the least that a seller could take, the most that a buyer could pay."""
        sealed = self.scenario.sealed
        return to_rupees(sealed.reservation if side == "seller" else sealed.budget)

    def first_offer(self, side: Side) -> float | None:
        """Return the first price that a side named, after the opening, and did not take back."""
        for event in settled([line.event for line in self.lines]):
            if isinstance(event, OfferMade) and event.actor == side:
                return to_rupees(event.price)
        return None

    @property
    def levels(self) -> str:
        """The levels of the factors that it was played in, as ``tone=warm opening=high``."""
        return levels_in(self.promises.study.design, self.arm)

    def truth(self, about: str, side: Side) -> float | None:
        """Return what was true of what a side was asked about; None: there was no such thing."""
        if (case := self.settled) is not None:
            outside = case.case.side(ROLE_OF[other(side)]).outside
            return beliefs.truth(about, outside, case.gained(side) if case.is_deal else None)
        price = self.ended.price
        worth = None if price is None else to_rupees(price)
        return beliefs.truth(about, self.limit(other(side)), worth)

    @property
    def fallback_turns(self) -> int | None:
        """How many turns rules played in the place of a prompt's model; None: there was none."""
        versions = [line.row.policy_version for _, line in self.spoken]
        by_prompt = [one for one in versions if one.startswith(VERSION)]
        return by_prompt.count(VERSION) if by_prompt else None

    def member(self, side: Side) -> Member | None:
        """Return the person who sat on a side, if one did."""
        return self.in_room.seller if side == "seller" else self.in_room.buyer

    def number(self, side: Side) -> int | None:
        """Return the number of the person who sat on a side, if one did."""
        member = self.member(side)
        return None if member is None else member.number

    def policy(self, side: Side) -> tuple[str, str]:
        """Return name and version of the policy that sat on a side at the end; "" for a person."""
        if self.settled is not None:
            is_house = self.game.policy != PERSON and ROLE_OF[side] != self.game.seat
            return (self.scenario.house or HOUSE[""].name, "") if is_house else ("", "")
        if self.game.policy == PERSON or side == self.game.seat:
            return "", ""
        return self.game.policy, self.game.policy_version

    @property
    def spoken(self) -> Iterator[tuple[int, Line]]:
        """What both sides did and said, counted from 1."""
        spoken = (line for line in self.lines if line.row.kind in (*SPOKEN, *CALLED))
        return enumerate(spoken, start=1)


SPOKEN = ("offer", "withdrawn", "accept", "walk", "message")
"""Kinds of events in which a side does or says something."""

CALLED = {
    "offered": "offer", "said": "message", "spoke": "message",
    "accepted": "accept", "walked": "walk",
}  # fmt: skip
"""What such events of a case are called in the table of turns."""


def public_id(room_id: str, game_id: str) -> str:
    """Return the name of a game in exports: nobody can get from it to the game on the site."""
    return id_from(hashlib.sha256(f"export:{room_id}:{game_id}".encode()).digest()[:9])


def members_of(in_room: RoomGame) -> tuple[Member, ...]:
    """Return the people in a game of a room."""
    return tuple(one for one in (in_room.seller, in_room.buyer) if one is not None)


def people_in(game: Game) -> int:
    """Count the people who began a game, as far as its row still tells."""
    is_pair = game.suite.startswith(PAIRS) or "rival_seat" in game.terms
    return 2 if game.rival or game.policy == PERSON or is_pair else 1


def games_of(room: Room) -> QuerySet[RoomGame]:
    """Return a room's games in order."""
    found = RoomGame.objects.filter(room=room).select_related("game", "seller", "buyer")
    return found.order_by("round", "pk")


def finished_games(
    room: Room, promises: Promises, left: LeftOutCounts, missed: dict[str, int]
) -> Iterator[PlayedGame]:
    """Read the games that may go, a chunk at a time; count the others, and whose they were."""
    chunk: list[RoomGame] = []
    met: Counter[tuple[Member, ...]] = Counter()
    before: dict[int, int] = {}
    for in_room in games_of(room).iterator(chunk_size=CHUNK):
        # Also those that stay here, and those that go on, were meetings.
        if len(people := members_of(in_room)) > 1:
            people = tuple(sorted(people, key=lambda one: one.number))
            before[in_room.pk] = met[people]
            met[people] += 1
        if in_room.game.status != Game.Status.ENDED:
            left.unfinished_games += 1
        elif not promises.has_game(in_room):
            left.games_left_out += 1
            for member in members_of(in_room):
                missed[member.pk] = missed.get(member.pk, 0) + 1
        else:
            chunk.append(in_room)
        if len(chunk) == CHUNK:
            yield from _read(chunk, promises, before)
            chunk = []
    yield from _read(chunk, promises, before)


def members(room: Room) -> Iterator[Member]:
    """Read the members who consented, in order."""
    found = room.members.filter(consented_at__isnull=False).order_by("number")
    return found.iterator(chunk_size=CHUNK)


def answers(room: Room, promises: Promises) -> Iterator[GivenAnswer]:
    """Read what they have answered, as far as it was promised to keep it."""
    asked = Answer.objects.filter(member__room=room, member__consented_at__isnull=False)
    # Names that no question can have are the study's own notes of the way.
    asked = asked.exclude(question__startswith="_").exclude(form__startswith=beliefs.FORM)
    found = asked.select_related("member").order_by("member__number", "pk")
    seats = games_of(room).values_list("round", "game_id", "seller", "buyer")
    played = {(who, round_): game for round_, game, *people in seats for who in people if who}
    for answer in found.iterator(chunk_size=CHUNK):
        if not promises.allows("answers", answer.member):
            continue
        name, _, number = answer.form.rpartition("-")
        game = played.get((answer.member_id, int(number))) if f"{name}-" == BETWEEN else None
        if game:
            answer.form = name
        yield GivenAnswer(answer, answer.member, promises, public_id(room.pk, game) if game else "")
    judged = games_of(room).filter(game__answers__isnull=False).distinct()
    for in_room in judged.iterator(chunk_size=CHUNK):
        yield from _feelings(in_room, promises)


FEELINGS = "game"
"""Form of what was asked at the end of a game."""


def _feelings(in_room: RoomGame, promises: Promises) -> Iterator[GivenAnswer]:
    if not promises.has_game(in_room):
        return
    game = public_id(in_room.room_id, in_room.game_id)
    for row in in_room.game.answers.all():
        member = in_room.seller if row.side == "seller" else in_room.buyer
        if member is not None and promises.allows("answers", member):
            given = Answer(
                member=member, form=FEELINGS, question=row.question, value=row.value,
                given_at=row.answered_at,
            )  # fmt: skip
            yield GivenAnswer(given, member, promises, game)


def _read(
    chunk: list[RoomGame], promises: Promises, before: dict[int, int]
) -> Iterator[PlayedGame]:
    ids = [one.game_id for one in chunk]
    logs: dict[str, list[EventRow]] = {}
    for row in EventRow.objects.filter(game__in=ids).order_by("game", "seq"):
        logs.setdefault(row.game_id, []).append(row)
    prompts: dict[str, list[PromptTurn]] = {}
    for turn in PromptTurn.objects.filter(game__in=ids):
        prompts.setdefault(turn.game_id, []).append(turn)
    believed: dict[tuple[str, str], list[Answer]] = {}
    people = {member.pk for one in chunk for member in members_of(one)}
    for answer in Answer.objects.filter(member__in=people, form__startswith=beliefs.FORM):
        game = answer.form.rpartition("-")[0]
        believed.setdefault((answer.member_id, game), []).append(answer)
    kept = SealedRecord.objects.filter(game__in=ids)
    sealed = dict(kept.values_list("game_id", "scenario"))
    for in_room in chunk:
        lines = _lines(in_room, logs[in_room.game_id], promises)
        told, case = bytes(sealed[in_room.game_id]), None
        scenario: Any
        if tables.is_case(in_room.game):
            scenario = msgspec.json.decode(told, type=Dealt)
            log = [(line.row.seq, line.event, line.row.backend) for line in lines]
            case = settled_case(scenario.case, 0, in_room, log)
        else:
            scenario = msgspec.json.decode(told, type=Scenario)
        yield PlayedGame(
            id=public_id(in_room.room_id, in_room.game_id),
            met_before=before.get(in_room.pk),
            members=members_of(in_room),
            in_room=in_room,
            game=in_room.game,
            scenario=scenario,
            promises=promises,
            lines=lines,
            settled=case,
            prompts=tuple(prompts.get(in_room.game_id, ())),
            beliefs=tuple(
                answer
                for member in members_of(in_room)
                if promises.allows("answers", member)
                for answer in believed.get((member.pk, f"{beliefs.FORM}{in_room.round}"), ())
            ),
        )


def _lines(in_room: RoomGame, rows: list[EventRow], promises: Promises) -> tuple[Line, ...]:
    people = {"seller": in_room.seller, "buyer": in_room.buyer}
    silent = {side for side, one in people.items() if not promises.allows("words", one)}
    has_time = all(promises.allows("times", member) for member in members_of(in_room))
    read = CASE.event_from if tables.is_case(in_room.game) else from_payload
    lines = []
    for before, row in zip([None, *rows], rows, strict=False):
        event: Any = read(row.payload)
        if side_of_event(event) in silent:
            event = without_words(event)
        lines.append(Line(row, event, before, has_time))
    return tuple(lines)


def without_words(event: Any) -> Any:
    """Return an event as if nothing had been said; what could be noticed keeps its numbers."""
    if isinstance(event, TellsShown):
        return msgspec.structs.replace(event, spans=())
    return tables.speechless(event)
