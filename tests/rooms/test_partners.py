"""Who meets whom in later games: strangers, a rotation, the same, anybody; what the data says."""

from collections import Counter
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.utils import timezone

from negotiation.models import Game
from rooms import joining
from rooms.export.rows import LeftOutCounts, Promises, finished_games
from rooms.export.tables import GAMES
from rooms.models import Member, Room, RoomGame
from rooms.plan import Plan
from rooms.seating import pairing
from rooms.seating.pairs import Waiting, choose
from tests.benchmarks.partners import play_class
from tests.support.class_rooms import a_game, walks
from tests.support.rooms import a_room, comes_in, seen, waited
from tests.support.studies import a_participant, a_study

pytestmark = pytest.mark.django_db


def filled(count: int, games: int = 2, **plan: Any) -> Room:
    room = a_room(playing=True, meeting="people", games=games, **plan)
    for number in range(count):
        joining.join(room, f"Person {number}", f"session-{number}")
    pairing.advance(room)
    return room


def ends(*rows: RoomGame) -> None:
    """These games end, and their people are in the lobby at once."""
    for row in rows:
        ended = {"status": Game.Status.ENDED, "ended_at": timezone.now(), "outcome": "walk"}
        Game.objects.filter(pk=row.game_id).update(**ended)
        for member in (row.seller, row.buyer):
            if member is not None:
                joining.leave(member)
                joining.join(row.room, "", member.session)
    pairing.advance(rows[0].room)


def meetings(room: Room) -> Counter[frozenset[str | None]]:
    return Counter(frozenset((row.seller_id, row.buyer_id)) for row in room.games.all())


NOW = timezone.now()


def at_the_door(
    met: dict[str, str], *, playing: str = "", sat_out: str = "", **plan: Any
) -> list[Waiting]:
    """People named by letters who come to game 3, and whom each has met."""
    return [
        Waiting(
            Member(id=name, number=number, nickname=name, dealt=2),
            Plan(meeting="people", roles="seller", **plan),
            None if name in playing else NOW - timedelta(seconds=60),
            "seller",
            others[-1:],
            Counter(others),
            int(name in sat_out),
        )
        for number, (name, others) in enumerate(met.items(), start=1)
    ]


def chosen(group: list[Waiting]) -> set[str]:
    pairs = choose(group, [one.member.number for one in group], NOW)
    return {"".join(sorted(one.member.pk for one in pair.people)) for pair in pairs}


def test_two_strangers_are_not_put_together_where_others_would_meet_again() -> None:
    met = {"B": "A", "D": "", "A": "BC", "C": "A"}
    assert chosen(at_the_door(met)) == {"AD", "BC"}, "B and D would leave A and C, who have met"
    assert chosen(at_the_door(met, playing="AC")) == set()
    assert chosen(at_the_door(met, playing="AC", partners="any")) == {"BD"}
    assert chosen(at_the_door(met, playing="AC", unmet_s=60)) == {"BD"}, "it took long enough"


def test_of_an_odd_number_one_who_has_sat_out_least_does() -> None:
    met = {"A": "", "B": "", "C": ""}
    for _ in range(5):
        assert chosen(at_the_door(met, sat_out="AB")) == {"AB", "C"}
        assert chosen(at_the_door(met, sat_out="BC")) == {"BC", "A"}
    assert chosen(at_the_door(met, sat_out="AB", playing="C")) == {"AB"}
    assert chosen(at_the_door(met, sat_out="A", playing="AC")) == {"B"}, "or waits for two"


@pytest.mark.parametrize("seed", range(2))
def test_eight_strangers_meet_nobody_again_at_any_pace(seed: int) -> None:
    met = play_class(8, seed)
    assert (met.pairs, met.again, met.avoidable) == (16, 0, 0)
    assert met.sat_out.total() == 0
    assert max(met.waits_s) <= 600 + 5


def test_of_nine_strangers_nobody_sits_out_twice_before_all_have() -> None:
    met = play_class(9, 1)
    assert (met.again, met.avoidable) == (0, 0)
    assert met.sat_out.most_common(1)[0][1] == 1
    assert met.sat_out.total() + 2 * met.pairs == 36


@pytest.mark.parametrize(("people", "games"), [(4, 3), (5, 5)])
def test_a_rotation_lets_each_meet_each_before_any_again(people: int, games: int) -> None:
    met = play_class(people, 1, partners="rotation", games=games)
    assert met.pairs == people * (people - 1) // 2
    assert met.again == 0
    # Of five each sits out once, of four nobody does.
    assert sorted(met.sat_out.values()) == [1] * (people if people % 2 else 0)


def test_who_has_met_waits_for_somebody_new_and_reads_how_long() -> None:
    room = a_room(playing=True, meeting="people", games=2, unmet_s=600)
    with time_machine.travel(timezone.now(), tick=False) as now:
        asha, _ = comes_in(room, "Asha"), comes_in(room, "Bilal")
        comes_in(room, "Chetan"), comes_in(room, "Divya")
        first, second = room.games.order_by("pk")
        ends(first)
        assert room.games.count() == 2, "two who have met, and two others still play"
        page = asha.get(f"/rooms/{room.code}/").content.decode()
        assert "You wait for somebody you have not met yet." in page
        assert "10 minutes at most" in page
        assert "you play the house" not in page
        now.shift(300)
        seen(room)
        seen_at = timezone.now()
        ends(second)
        assert room.games.count() == 4
        assert set(meetings(room).values()) == {1}
        assert all(row.opened_at == seen_at for row in room.games.filter(round=2))


def test_who_waited_as_long_as_was_said_plays_whoever_is_free() -> None:
    room = filled(4, unmet_s=120)
    first, _ = room.games.order_by("pk")
    ends(first)
    assert room.games.count() == 2
    waited(121)
    assert pairing.advance(room) == 1
    assert sorted(meetings(room).values()) == [1, 2]


def test_nobody_waits_for_who_has_left_the_room() -> None:
    room = filled(4)
    first, second = room.games.order_by("pk")
    for member in (second.seller, second.buyer):
        assert member is not None
        joining.leave(member)
    ends(first)
    assert sorted(meetings(room).values()) == [1, 2]


def test_nobody_waits_for_who_reads_for_ever() -> None:
    room = filled(4)
    first, second = room.games.order_by("pk")
    Game.objects.filter(pk=second.game_id).update(
        status=Game.Status.ENDED, ended_at=timezone.now(), outcome="walk"
    )
    ends(first)
    assert room.games.count() == 2
    with time_machine.travel(timezone.now()) as now:
        now.shift(pairing.READS_S + 1)
        seen(room)
        Member.objects.filter(pk__in=[second.seller_id, second.buyer_id]).update(
            here_until=None, came_at=None
        )
        assert pairing.advance(room) == 1


def test_the_host_lets_nobody_wait_for_somebody_new() -> None:
    room = filled(4)
    ends(room.games.order_by("pk")[0])
    assert pairing.advance(room) == 0
    assert pairing.advance(room, now=True) == 1


def test_the_same_two_stay_together_and_an_orphan_finds_another() -> None:
    room = filled(6, games=3, partners="same")
    one, two, three = room.games.order_by("pk")
    ends(one, two)
    assert sorted(meetings(room).values()) == [1, 2, 2]
    second, other = room.games.filter(round=2).order_by("pk")
    for gone in (three.seller, second.seller):
        assert gone is not None
        joining.leave(gone)
    Game.objects.filter(pk=second.game_id).update(
        status=Game.Status.ENDED, ended_at=timezone.now(), outcome="walk"
    )
    ends(other)
    assert meetings(room)[frozenset((other.seller_id, other.buyer_id))] == 3


def test_any_takes_whoever_is_free() -> None:
    room = filled(4, partners="any")
    ends(room.games.order_by("pk")[0])
    assert sorted(meetings(room).values()) == [1, 2]


def test_the_data_names_pairs_and_counts_what_they_played_before() -> None:
    study = a_study()
    asha, ravi = (a_participant(study.room, name) for name in ("Asha", "Ravi"))
    sits: list[tuple[Member, Member | str]] = [(asha, ravi), (asha, ravi), (ravi, asha)]
    sits.append((asha, "sauda"))
    for number, (seller, buyer) in enumerate(sits, start=1):
        a_game(study.room, seller, buyer, [walks("buyer")], number=number)
    columns = {column.name: column.of for column in GAMES.columns}
    games = list(finished_games(study.room, Promises(study), LeftOutCounts(), {}))
    found = sorted((columns["met_before"](game), columns["pair"](game)) for game in games[:3])
    both = f"{asha.number}+{ravi.number}"
    assert found == [(0, both), (1, both), (2, both)]
    assert [columns[name](games[3]) for name in ("met_before", "pair")] == [None, None]
