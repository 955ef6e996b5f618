"""How far a room is: people who wait, play and have finished, round by round, and nothing else."""

from collections.abc import Iterable

import msgspec
from django.db.models import Q

from bazaar_site.rooms.models import Room, RoomGame
from negotiation.models import Game


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


def progress_of(room: Room) -> Progress:
    """Count, by the games' rows alone: no log is read and no price."""
    games = RoomGame.objects.filter(room=room)
    rows = list(games.values_list("round", "seller", "buyer", "game__status"))
    gone = Q(left_at__isnull=False) | Q(withdrawn_at__isnull=False)
    here = set(room.members.exclude(gone).values_list("pk", flat=True))
    planned = int(room.plan.get("games", 1)) if isinstance(room.plan, dict) else 1
    last = max([planned, *(number for number, *_ in rows)])
    live = sum(status == Game.Status.LIVE for *_, status in rows)
    return Progress(
        here=len(here),
        rounds=tuple(_round(number, rows, here) for number in range(1, last + 1)),
        live=live,
        finished=len(rows) - live,
    )


Row = tuple[int, str | None, str | None, str]


def _round(number: int, rows: Iterable[Row], here: set[str]) -> Round:
    playing: set[str] = set()
    done: set[str] = set()
    for at, seller, buyer, status in rows:
        if at == number:
            seated = {one for one in (seller, buyer) if one is not None}
            (playing if status == Game.Status.LIVE else done).update(seated)
    done -= playing
    return Round(number, len(here - playing - done), len(playing), len(done))
