"""What the board hears of: evaluations that are published, and games of people on it."""

from collections.abc import Iterator

import pytest

from arena.auction.web import matches
from arena.auction.web.orders import Order
from negotiation import ttl_cache
from negotiation.games.notify import tell_ended
from negotiation.models import Listing
from tests.support.board import a_lamp, sells
from training.leaderboard import people, tasks

pytestmark = pytest.mark.django_db


@pytest.fixture
def letters(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Letters that would be posted to the worker."""
    posted: list[str] = []
    monkeypatch.setattr(tasks, "ask", lambda: posted.append("rate all"))
    return posted


def test_a_game_of_somebody_on_the_board_is_heard(letters: list[str]) -> None:
    people.join("asha", "Asha", "there")
    tell_ended(sells("asha").pk)
    assert letters == ["rate all"]


def test_a_game_of_anybody_else_is_not(letters: list[str]) -> None:
    people.join("asha", "Asha", "there")
    people.withdraw("asha")
    tell_ended(sells("asha").pk)
    tell_ended(sells("bilal").pk)
    tell_ended("nosuchgame12")
    assert letters == []


def test_a_seat_in_somebody_elses_match_is_heard(letters: list[str]) -> None:
    people.join("asha", "Asha", "there")
    order = Order(listing=a_lamp(), line_up=("rules:micro", "rules:linear"))
    match = matches.set_up("", order, exhibition=True)
    tell_ended(match.pk)
    assert letters == []
    matches.take_seat(match.pk, 1, "asha")
    tell_ended(match.pk)
    assert letters == ["rate all"]


def test_a_late_page_asks_once_and_not_for_every_visitor(
    letters: list[str],
) -> None:
    ttl_cache.forget()
    tasks.look_after(is_late=True)
    tasks.look_after(is_late=True)
    assert letters == ["rate all"]


def test_a_page_sees_that_the_house_has_not_sparred_yet(
    letters: list[str],
) -> None:
    ttl_cache.forget()
    tasks.look_after(is_late=False)
    assert letters == [], "with an empty stall there is nothing to bargain over"
    Listing.objects.filter(pk=a_lamp().pk).update(source="catalogue")
    tasks.look_after(is_late=False)
    assert letters == [], "nobody looks twice so soon"
    ttl_cache.forget()
    tasks.look_after(is_late=False)
    assert letters == ["rate all"]
