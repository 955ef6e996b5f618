"""Who meets whom: people who play and read at their own pace, in a real room on a simulated clock.

Nothing is waited for: games take 60 to 420 seconds and their ends are read for 5 to 120, by a clock
that is put on. Printed for each rule and size, over some classes: games of two people, meetings
again, those among them with somebody new about who had not begun that game (wanted: 0), games with
the house and the most of one person, and how long people waited in the lobby before later games.

    python -m tests.benchmarks.partners --people 8 24 60 --games 4 --classes 3
"""

import argparse
import os
import random
from collections import Counter
from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec
import time_machine

TICK_S = 5
"""How often somebody looks who could begin; a lobby asks every two seconds."""

READING_S = (5.0, 120.0)
PLAYING_S = (60.0, 420.0)


class Met(msgspec.Struct):
    """What came of a class; ``avoidable`` of the meetings ``again`` had somebody new about."""

    pairs: int = 0
    again: int = 0
    avoidable: int = 0
    sat_out: Counter[str] = msgspec.field(default_factory=Counter)
    waits_s: list[float] = []


class SimulatedClass:
    """A room of the database that is there, and people who play, read, and come back."""

    def __init__(self, people: int, seed: int, **plan: Any) -> None:
        from rooms import hosting, joining
        from tests.support.rooms import a_room

        self.luck, self.met = random.Random(seed), Met()
        self.room = a_room(**{"meeting": "people", "roles": "swapped", "games": 4, **plan})
        self.plan = hosting.plan_of(self.room)
        for number in range(people):
            joining.join(self.room, f"Pupil {number}", f"{self.room.pk}-{number}")
        self.ends: dict[int, datetime] = {}
        self.back: dict[str, datetime] = {}
        self.known: set[int] = set()
        self.opposite: dict[str, Counter[str]] = {
            key: Counter() for key in self.room.members.values_list("pk", flat=True)
        }

    def play(self, clock: Any) -> Met:
        """Play all games, on a clock that can be put on, and return who met whom."""
        from rooms import hosting
        from rooms.seating import pairing

        hosting.start(self.room)
        pairing.advance(self.room, now=True)
        while self._note() or self.ends or self._is_on():
            clock.shift(TICK_S)
            self._end()
            self._come_back()
            pairing.advance(self.room)
        return self.met

    def _is_on(self) -> bool:
        return self.room.members.filter(dealt__lt=self.plan.games).exists()

    def _note(self) -> bool:
        """Note which games have begun."""
        now = datetime.now(UTC)
        new = list(self.room.games.exclude(pk__in=self.known))
        for row in new:
            self.known.add(row.pk)
            self.ends[row.pk] = now + timedelta(seconds=self.luck.uniform(*PLAYING_S))
            people = [key for key in (row.seller_id, row.buyer_id) if key]
            self.met.waits_s += [
                (now - self.back.pop(one)).total_seconds() for one in people if one in self.back
            ]
            if len(people) < 2:
                self.met.sat_out.update(people)
                continue
            self.met.pairs += 1
            if self.opposite[people[0]][people[1]]:
                self.met.again += 1
                self.met.avoidable += self._is_somebody_new(people, row.round)
            self.opposite[people[0]][people[1]] += 1
            self.opposite[people[1]][people[0]] += 1
        return bool(new)

    def _is_somebody_new(self, people: list[str], number: int) -> bool:
        """Whether somebody who had not begun this game was unknown to one of these two."""
        others = self.room.members.filter(dealt__lt=number).values_list("pk", flat=True)
        return any(not self.opposite[one][two] for one in people for two in others if two != one)

    def _end(self) -> None:
        from negotiation.models import Game
        from rooms.models import RoomGame

        now = datetime.now(UTC)
        over = [key for key, end in self.ends.items() if end <= now]
        for row in RoomGame.objects.filter(pk__in=over):
            del self.ends[row.pk]
            for key in filter(None, (row.seller_id, row.buyer_id)):
                self.back[key] = now + timedelta(seconds=self.luck.uniform(*READING_S))
        Game.objects.filter(in_room__in=over).update(
            status=Game.Status.ENDED, ended_at=now, outcome="walk"
        )

    def _come_back(self) -> None:
        """Whoever has read the end comes into the lobby, and gives signs of life there."""
        from rooms import presence
        from rooms.models import Member

        now = datetime.now(UTC)
        here = [key for key, at in self.back.items() if at <= now]
        own = Member.objects.filter(pk__in=here)
        own.filter(came_at=None).update(**presence.arriving())
        own.update(here_until=presence.arriving()["here_until"])


def play_class(people: int, seed: int = 1, **plan: Any) -> Met:
    """Let a class play in a new room and return who met whom."""
    with time_machine.travel(datetime(2026, 11, 30, 9, tzinfo=UTC), tick=False) as clock:
        return SimulatedClass(people, seed, **plan).play(clock)


def main() -> None:
    """Let classes play by each rule, and print a line for each."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--people", type=int, nargs="+", default=[8, 24, 60])
    parser.add_argument("--games", type=int, default=4)
    parser.add_argument("--classes", type=int, default=3)
    parser.add_argument("--rules", nargs="+", default=["any", "strangers", "rotation"])
    asked = parser.parse_args()
    os.environ["DJANGO_SETTINGS_MODULE"] = "bazaar_site.settings"
    os.environ["DATABASE_URL"] = "sqlite://:memory:"
    import django

    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    print("rule        people  pairs  again  avoidable  house (most)  wait s: half  95 %   most")
    for people in asked.people:
        for rule in asked.rules:
            all_of = [
                play_class(people, seed, games=asked.games, partners=rule)
                for seed in range(asked.classes)
            ]
            waits = sorted(wait for one in all_of for wait in one.waits_s)
            half, most = (waits[int(share * (len(waits) - 1))] for share in (0.5, 0.95))
            print(
                f"{rule:<11} {people:6} {sum(one.pairs for one in all_of):6}"
                f" {sum(one.again for one in all_of):6}"
                f" {sum(one.avoidable for one in all_of):10}"
                f" {sum(one.sat_out.total() for one in all_of):6}"
                f" ({max(max(one.sat_out.values(), default=0) for one in all_of)})"
                f" {half:17.0f} {most:6.0f} {waits[-1]:6.0f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
