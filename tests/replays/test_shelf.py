"""Finished games are found, newest first, page by page, without a query per row."""

import datetime as dt

import pytest

from negotiation.models import Game
from replays import shelf
from replays.shelf import Filters, browse, cursor

pytestmark = pytest.mark.django_db
START = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)


def games(n: int, **columns: object) -> list[Game]:
    """Bare rows, all of one second apart except every third, which ends with its neighbour."""
    plain = {"owner": "somebody", "title": "Cycle", "policy": "sauda", "share_replay": True,
             "status": Game.Status.ENDED, "outcome": "deal"}  # fmt: skip
    made = [
        Game(**(plain | columns | {"ended_at": START + dt.timedelta(seconds=i - (i % 3 == 0))}))
        for i in range(n)
    ]
    return Game.objects.bulk_create(made)


def ids(page: shelf.Shelf) -> list[str]:
    return [game.pk for game in page.games]


def newest_first(made: list[Game]) -> list[str]:
    return [g.pk for g in sorted(made, key=lambda g: (g.ended_at, g.pk), reverse=True)]


def test_walking_down_all_pages_meets_every_game_once_in_order() -> None:
    made = games(61)
    met, older = [], ""
    for _ in range(10):
        page = browse("", Filters(), older=older)
        met += ids(page)
        older = page.older
        if not older:
            break
    assert met == newest_first(made)


def test_walking_back_up_shows_the_same_pages() -> None:
    games(61)
    first = browse("", Filters())
    second = browse("", Filters(), older=first.older)
    third = browse("", Filters(), older=second.older)
    back = browse("", Filters(), newer=third.newer)
    top = browse("", Filters(), newer=back.newer)
    assert (ids(back), ids(top)) == (ids(second), ids(first))
    assert (first.newer, third.older, top.newer) == ("", "", "")


def test_a_game_that_ends_meanwhile_shifts_no_page() -> None:
    games(30)
    first = browse("", Filters())
    late = games(1)[0]
    Game.objects.filter(pk=late.pk).update(ended_at=START + dt.timedelta(days=1))
    assert not set(ids(browse("", Filters(), older=first.older))) & set(ids(first))


def test_turning_up_beyond_the_top_gives_a_full_first_page() -> None:
    made = games(30)
    newest = max(made, key=lambda g: (g.ended_at, g.pk))
    page = browse("", Filters(), newer=cursor(newest))
    assert ids(page) == newest_first(made)[: shelf.PAGE_SIZE]


@pytest.mark.parametrize("text", ["", "x", "12", "99999999999999999999-abc", "-1-abc", "1-' OR 1"])
def test_an_unreadable_cursor_means_the_first_page(text: str) -> None:
    made = games(3)
    assert ids(browse("", Filters(), older=text)) == newest_first(made)


def test_search_wants_every_word_of_the_title_in_any_case() -> None:
    games(1, title="Hero Ranger cycle, 24 inch")
    games(1, title="Kids' cycle")
    assert browse("", Filters(title="CYCLE hero")).total == 1
    assert browse("", Filters(title="100% cycle")).total == 0


def test_the_ending_can_be_chosen() -> None:
    games(2, outcome="walk")
    games(3)
    assert browse("", Filters(outcome="walk")).total == 2


def test_only_the_owner_sees_what_is_not_shared() -> None:
    games(2, owner="asha", share_replay=False)
    games(1)
    assert browse("asha", Filters()).total == 3
    assert browse("asha", Filters(mine=True)).total == 2
    assert browse("chetan", Filters()).total == 1
    assert browse("", Filters()).total == 1
    assert browse("", Filters(mine=True)).total == 0


def test_live_games_are_no_replays_not_even_to_their_owner() -> None:
    games(1, owner="asha", status=Game.Status.LIVE, outcome="")
    assert browse("asha", Filters()).total == 0


def test_a_page_costs_two_queries_however_many_games(
    django_assert_num_queries: pytest.FixtureRequest,
) -> None:
    games(100)
    with django_assert_num_queries(2):  # type: ignore[operator]
        browse("asha", Filters(title="cycle"))
