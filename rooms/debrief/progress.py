"""How far a room is: people who wait, play and have finished, round by round, and nothing else."""

from collections.abc import Iterable

import msgspec

from negotiation.models import Game
from rooms.debrief.counted import games_in, people_in
from rooms.hosting import plan_of, plans_for
from rooms.models import Member, Room


class Round(msgspec.Struct, frozen=True):
    """People in one round."""

    number: int
    waiting: int
    playing: int
    done: int

    @property
    def people(self) -> int:
        """Everybody who is in it."""
        return self.waiting + self.playing + self.done

    @property
    def started(self) -> int:
        """Who plays or has played."""
        return self.playing + self.done


class Progress(msgspec.Struct, frozen=True):
    """Where a room is; ``here`` counts its people, ``live`` the games that go on."""

    here: int
    rounds: tuple[Round, ...]
    live: int
    finished: int

    @property
    def is_done(self) -> bool:
        """Everybody has played every round."""
        return bool(self.finished) and not self.live and not any(r.waiting for r in self.rounds)


class Place(msgspec.Struct, frozen=True):
    """How far one person is: ``games`` are to be played in all, none where one has gone.

    ``playing`` and ``played`` are the rounds in which this person sits at a table, and has sat.
    """

    games: int
    playing: frozenset[int]
    played: frozenset[int]


def progress_of(room: Room) -> Progress:
    """Count, by the games' rows alone: no log is read and no price."""
    people = list(people_in(room))
    rows = list(
        games_in(room).values_list(
            "round", "seller", "buyer", "game__status", "game__owner", "game__rival"
        )
    )
    plans = plans_for(people)
    places = [_place(one, plans[one.pk].games, rows) for one in people]
    last = max([plan_of(room).games, *(row[0] for row in rows), *(one.games for one in places)])
    live = sum(status == Game.Status.LIVE for _, _, _, status, _, _ in rows)
    return Progress(
        here=sum(one.games > 0 for one in places),
        rounds=tuple(_round(number, places) for number in range(1, last + 1)),
        live=live,
        finished=len(rows) - live,
    )


Row = tuple[int, str | None, str | None, str, str, str]


def _place(member: Member, games: int, rows: Iterable[Row]) -> Place:
    playing: set[int] = set()
    played: set[int] = set()
    for number, seller, buyer, status, owner, rival in rows:
        if member.pk in (seller, buyer):
            # The house may have taken the seat: then this round is behind the member.
            sits = status == Game.Status.LIVE and member.session in (owner, rival)
            (playing if sits else played).add(number)
    has_gone = member.left_at is not None or member.end in (Member.End.SCREENED, Member.End.WAITED)
    return Place(0 if has_gone else games, frozenset(playing), frozenset(played))


def _round(number: int, places: Iterable[Place]) -> Round:
    playing = sum(number in one.playing for one in places)
    done = sum(number in one.played for one in places)
    waiting = sum(number <= one.games and number not in one.playing | one.played for one in places)
    return Round(number, waiting, playing, done)
