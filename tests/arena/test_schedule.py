"""What is on when somebody watches: one match, one that waits, and never two of either."""

import random
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone
from pytest_django import Settings

from arena.auction.web import matches, schedule
from arena.auction.web.orders import Order, checked
from arena.models import Match, MatchSeat
from negotiation.models import Game
from tests.support.tables import a_listing, plays_out

CHANCE = random.Random(5)


@pytest.fixture
def at_once(settings: Settings) -> None:
    """No gap between two matches."""
    settings.ARENA_GAP_S = 0


@pytest.mark.django_db
def test_nothing_is_on_before_somebody_watches() -> None:
    a_listing()
    assert Match.objects.count() == 0


@pytest.mark.django_db
def test_whoever_watches_first_starts_a_match_and_a_next_one_waits() -> None:
    a_listing()
    slots = schedule.look(CHANCE)
    assert Match.objects.get(pk=slots.current).phase == Match.Phase.LIVE
    assert Match.objects.get(pk=slots.following).phase == Match.Phase.WAITING
    seats = MatchSeat.objects.filter(match=slots.following)
    assert {seat.is_open for seat in seats} == {True}


@pytest.mark.django_db
def test_looking_again_changes_nothing() -> None:
    a_listing()
    assert schedule.look(CHANCE) == schedule.look(CHANCE)
    assert Match.objects.count() == 2


@pytest.mark.django_db
def test_without_goods_nothing_can_be_shown() -> None:
    assert schedule.look(CHANCE) == schedule.Schedule()


@pytest.mark.django_db
def test_the_next_match_is_announced_at_the_end_and_begins_after_a_gap() -> None:
    a_listing()
    first = schedule.look(CHANCE)
    plays_out(first.current)
    assert schedule.look(CHANCE).current == first.current
    coming = Match.objects.get(pk=first.following)
    assert coming.phase == Match.Phase.WAITING
    ended_at = Game.objects.get(pk=first.current).ended_at
    assert ended_at is not None
    assert coming.starts_at == ended_at + timedelta(seconds=20)
    Match.objects.filter(pk=coming.pk).update(starts_at=timezone.now())
    second = schedule.look(CHANCE)
    assert second.current == first.following
    assert second.following not in ("", first.following)


@pytest.mark.django_db
def test_a_seat_is_kept_for_its_person_but_not_for_ever(at_once: None) -> None:
    a_listing()
    slots = schedule.look(CHANCE)
    matches.take_seat(slots.following, 0, "asha")
    plays_out(slots.current)
    long_ago = timezone.now() - timedelta(minutes=5)
    Game.objects.filter(pk=slots.current).update(ended_at=long_ago)
    Match.objects.filter(pk=slots.following).update(starts_at=long_ago)
    begun = schedule.look(CHANCE).current
    assert begun == slots.following
    assert not MatchSeat.objects.filter(match=begun, owner="asha").exists()


@pytest.mark.django_db
def test_who_sat_down_in_time_plays(at_once: None) -> None:
    a_listing()
    slots = schedule.look(CHANCE)
    matches.take_seat(slots.following, 0, "asha")
    plays_out(slots.current)
    begun = schedule.look(CHANCE).current
    assert begun == slots.following
    assert MatchSeat.objects.filter(match=begun, owner="asha").exists()


@pytest.mark.django_db
@pytest.mark.parametrize("line_up", schedule.LINE_UPS)
def test_every_line_up_can_be_played(line_up: tuple[str, ...]) -> None:
    assert "sauda" in line_up
    checked(Order(listing=a_listing(), line_up=line_up))


@pytest.mark.django_db(transaction=True)
def test_many_who_look_at_once_start_one_match() -> None:
    a_listing()

    def looks(_: int) -> schedule.Schedule:
        try:
            return schedule.look()
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as crowd:
        list(crowd.map(looks, range(16)))
    assert Match.objects.filter(phase=Match.Phase.LIVE).count() == 1
    assert Match.objects.filter(phase=Match.Phase.WAITING).count() == 1
