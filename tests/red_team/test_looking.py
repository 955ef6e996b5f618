"""Whoever only looks leaves nothing behind: a robot reads everything there is, and no row is made.

A robot brings no cookie. Whoever has a session makes no row by looking either, but for what is made
once and for everybody.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from typing import Any

import pytest
from django.test import Client

from negotiation import ttl_cache
from tests.support.crawling import WAYS, Crawl, Ways, crawl, route_of, row_counts
from tests.support.finished import a_haggle, store
from tests.support.oracle.asking import names_in, patterns
from tests.support.oracle.bargains import goods
from tests.support.oracle.readers import MATRIX, address, belongings
from tests.support.oracle.worlds import a_world
from tests.support.receipts import load_receipts

pytestmark = pytest.mark.django_db

COUNTS = frozenset({"negotiation_limitwindow"})

OF_ANYBODY = {
    "rooms/": "whoever tries the codes of rooms is counted, for an hour, by address",
}
"""Beginnings of addresses where even a robot's look is counted, and why. It is one row for each
client, which the next one to be counted deletes when its hour is over (``negotiation/limits.py``).
"""

OF_WHO_STAYS = {
    "arena/": "one exhibition match is on while somebody watches, however many do",
    "api/arena/": "the same for programs",
    "daily/": "the games of the next thirty days are promised before their days",
    "market/": "one market is played where there never was one",
    "market/tasks/": "the same",
    "replays/<slug:game_id>/grades/": "a game's grades are made once, for everybody",
    "replays/<slug:game_id>/grades.json": "the same",
    "replays/<slug:game_id>/costly/": "the same",
}
"""Addresses whose look has something made for everybody, where the visitor brings back a name."""

World = tuple[dict[str, Client], dict[str, str]]
Commits = Callable[..., AbstractContextManager[Any]]


def starts(things: dict[str, str]) -> Iterator[str]:
    """Every address of the resolver and of the API: with everything there is, and with nothing."""
    for pattern in (*patterns(), "admin/", "admin/login/"):
        if not names_in(pattern):
            yield f"/{pattern}"
            continue
        yield address(pattern, "nothing", things)
        for thing, _ in MATRIX.get(pattern, ()):
            if thing == "-" or thing in things:
                yield address(pattern, thing, things)


@pytest.fixture
def whole_world(django_capture_on_commit_callbacks: Commits) -> Iterator[World]:
    """Somebody has one of everything, and runs are published."""
    with a_world(), django_capture_on_commit_callbacks(execute=True):
        people, things = belongings()
        load_receipts()
        yield people, things


def made_since(before: dict[str, int]) -> set[str]:
    now = row_counts()
    assert now.keys() == before.keys()
    return {name for name, count in now.items() if count != before[name]}


def unexplained(seen: Crawl, reasons: Iterable[str]) -> dict[str, set[str]]:
    """Return what was written, by address, beyond counts at the beginnings of addresses."""
    return {
        at: tables
        for at, tables in seen.wrote.items()
        if not (tables <= COUNTS and at.startswith(tuple(reasons)))
    }


def test_a_robot_that_reads_everything_makes_no_row(whole_world: World) -> None:
    _, things = whole_world
    before = row_counts()
    seen = crawl(starts(things), Client(), most_alike=4)
    assert unexplained(seen, OF_ANYBODY) == {}
    assert made_since(before) <= COUNTS
    assert seen.pages > 300
    assert not any(status >= 500 for status in seen.answered)


def test_nor_does_one_at_a_site_where_nothing_happened_yet(
    django_capture_on_commit_callbacks: Commits,
) -> None:
    with a_world(), django_capture_on_commit_callbacks(execute=True):
        goods()
        before = row_counts()
        seen = crawl(starts({}), Client(), most_alike=1)
        assert unexplained(seen, OF_ANYBODY) == {}
        assert made_since(before) <= COUNTS


@pytest.mark.parametrize(
    ("who", "most_alike", "ways"),
    [
        pytest.param("asha", 0, WAYS[:1], id="asha, once"),
        pytest.param("asha", 1, WAYS, id="asha", marks=pytest.mark.soak),
        pytest.param("meera", 1, WAYS, id="meera", marks=pytest.mark.soak),
    ],
)
def test_who_has_a_session_makes_rows_only_where_there_is_a_reason(
    who: str, most_alike: int, ways: Ways, whole_world: World
) -> None:
    people, things = whole_world
    before = row_counts()
    seen = crawl(starts(things), people[who], most_alike=most_alike, is_robot=False, ways=ways)
    assert seen.pages > 200
    grew = made_since(before) - COUNTS
    assert {at for at, tables in seen.wrote.items() if tables & grew} <= OF_WHO_STAYS.keys()
    # Everybody's, and once: whoever looks again makes nothing more.
    before = row_counts()
    again = places_of_who_stays(things)
    crawl(again, people[who], most_alike=0, is_robot=False, ways=ways)
    assert made_since(before) == set()


def places_of_who_stays(things: dict[str, str]) -> list[str]:
    return [place for place in starts(things) if route_of(place) in OF_WHO_STAYS]


@pytest.mark.parametrize(
    ("place", "table"),
    [
        ("/arena/", "arena_match"),
        ("/arena/?part=coming", "arena_match"),
        ("/api/arena/", "arena_match"),
        ("/daily/", "replays_dailygame"),
        ("/market/", "arena_marketmatch"),
        ("/market/tasks/", "arena_marketmatch"),
        ("/replays/{}/grades/", "replays_grading"),
        ("/replays/{}/grades.json", "replays_grading"),
    ],
)
def test_who_comes_back_has_made_what_no_robot_has(place: str, table: str, settings: Any) -> None:
    settings.MARKET_PACE_S = 0
    ttl_cache.forget()
    goods()
    place = place.format(store(a_haggle(), owner="somebody").pk)
    before = row_counts()
    forged = {settings.SESSION_COOKIE_NAME: "a" * 40}
    for cookies in ({}, {}, forged, {}):
        robot = Client()
        robot.cookies.load(cookies)
        assert robot.get(place).status_code in (200, 202)
    assert made_since(before) == set()
    visitor = Client()
    visitor.get(place)
    assert made_since(before) == set()
    visitor.get(place)
    assert table in made_since(before)
    assert "django_session" not in made_since(before)
