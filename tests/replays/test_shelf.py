"""Finished games are found, newest first, page by page, without a query per row."""

import datetime as dt

import pytest

from negotiation.models import Game
from replays.browse import shelf
from replays.browse.shelf import Filters, browse, cursor

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
    for game in made:
        game.search_text = game.words_to_find()
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
    games(51)
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


def test_search_wants_the_beginning_of_every_word_in_any_case_and_spelling() -> None:
    games(1, title="Hero Ranger cycle, 24 inch")
    games(1, title="Kids' bicycle")
    games(1, title="Motorcycle cover", category="Vehicles")
    found = {
        words: browse("", Filters(title=words)).total
        for words in ("CYCLE hero", "100% cycle", "cycle", "yle", "vehicle", "kids", "%", "_")
    }
    assert found == {"CYCLE hero": 1, "100% cycle": 0, "cycle": 2, "yle": 0, "vehicle": 1,
                     "kids": 1, "%": 3, "_": 3}  # fmt: skip


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


VALUES = {
    "price": ("deal_price", [None, 5, 5, 7, 900, 12, 12, 12]),
    "buyer": ("buyer_share", [None, 0.0, 1.0, 0.1 + 0.2, 0.5, 0.5, 1e-5, 1 / 3]),
    "seller": ("seller_share", [None, 0.0, 1.0, 0.1 + 0.2, 0.5, 0.5, 1e-5, 1 / 3]),
    "rounds": ("rounds_used", [1, 3, 3, 3, 10, 2, 2, 8]),
    "title": (
        "title",
        ["Zebra rug", "almirah", "Äpfel", "हार्मोनियम", "almirah", "₹ tin", "Cot", "b"],
    ),
}


@pytest.fixture
def of_every_value(monkeypatch: pytest.MonkeyPatch) -> dict[str, list[Game]]:
    """Pages of five, and for each order games with and without the value it needs."""
    monkeypatch.setattr(shelf, "PAGE_SIZE", 5)
    return {}


@pytest.mark.parametrize("sort", VALUES)
def test_every_order_shows_every_game_that_has_a_place_in_it_once(
    sort: str, of_every_value: object
) -> None:
    column, values = VALUES[sort]
    made = [game for value in values * 2 for game in games(1, **{column: value})]
    order = shelf.order_of(sort)
    placed = [game for game in made if getattr(game, order.first) is not None]
    wanted = sorted(
        placed,
        key=lambda game: tuple(getattr(game, name) for name in order.columns),
        reverse=order.descending,
    )
    met, older, pages = [], "", []
    for _ in range(5):
        page = browse("", Filters(sort=sort), older=older)
        met += ids(page)
        pages.append(page)
        if not (older := page.older):
            break
    assert met == [game.pk for game in wanted]
    back = browse("", Filters(sort=sort), newer=pages[2].newer)
    assert ids(back) == ids(pages[1])


def test_oldest_first_is_newest_first_upside_down() -> None:
    made = games(20)
    assert ids(browse("", Filters(sort="oldest"))) == newest_first(made)[::-1]


@pytest.mark.parametrize("sort", [name for name, _ in shelf.SORTS])
@pytest.mark.parametrize(
    "text",
    ["~1-a", "x~1-a", "1~1", "nan~1-abc", "9" * 16 + "~1-abc", "-1~1-abc", "inf~1-a", "=~1-a",
     "0.5~1-a~", "AA~1-abc", "_w~1-abc", "1e99~1-abc", "x" * 5000, "1~" + "9" * 30 + "-abc"],
)  # fmt: skip
def test_no_cursor_breaks_the_list(sort: str, text: str) -> None:
    made = games(3, deal_price=1, buyer_share=0.5, seller_share=0.5, rounds_used=1)
    found = ids(browse("", Filters(sort=sort), older=text))
    assert set(found) <= {game.pk for game in made}


def test_what_ifs_and_imports_are_shown_to_those_who_ask() -> None:
    for source in Game.Source:
        games(1, source=source)
    games(1, source="import", owner="asha", share_replay=False)
    games(1, source="what-if", owner="asha", share_replay=False)

    def sources(owner: str, **wanted: object) -> list[str]:
        page = browse(owner, Filters(**wanted))  # type: ignore[arg-type]
        return sorted(game.source for game in page.games)

    plain = ["arena", "example", "person", "simulation"]
    assert sources("") == plain
    assert sources("asha") == sorted([*plain, "import"])
    assert sources("asha", mine=True) == ["import"]
    assert sources("", source="what-if") == ["what-if"]
    assert sources("asha", source="what-if") == ["what-if", "what-if"]
    assert sources("asha", source="import", mine=True) == ["import"]


@pytest.mark.parametrize("facet", ["suite", "policy", "persona", "outcome"])
def test_every_facet_narrows_public_and_own_games_alike(facet: str) -> None:
    games(2, **{facet: "wanted"})
    games(1, owner="asha", share_replay=False, **{facet: "wanted"})
    games(2, **{facet: "other"})
    games(1, owner="asha", share_replay=False, **{facet: "other"})
    assert browse("asha", Filters(**{facet: "wanted"})).total == 3
    assert browse("", Filters(**{facet: "wanted"}, sort="rounds")).total == 0


@pytest.mark.parametrize("value", ["\x00", "\ud800", "a\nb", "x" * 5000])
def test_no_value_of_a_filter_breaks_the_list(value: str) -> None:
    games(1)
    for facet in ("suite", "policy", "persona", "outcome", "source"):
        assert browse("asha", Filters(**{facet: value})).total == 0


def test_search_and_filters_work_in_every_order() -> None:
    games(2, title="Brass lamp", persona="deceptive", deal_price=5, rounds_used=2,
          buyer_share=0.1, seller_share=0.9)  # fmt: skip
    games(2, title="Brass lamp", deal_price=5, rounds_used=2, buyer_share=0.1, seller_share=0.9)
    for sort, _ in shelf.SORTS:
        wanted = Filters(title="lamp", persona="deceptive", sort=sort)
        assert browse("", wanted).total == 2


def test_many_games_are_counted_up_to_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shelf, "MOST_COUNTED", 30)
    games(30)
    assert browse("", Filters()).count_text == "30"
    games(10)
    assert browse("", Filters()).count_text == "30+"


def test_a_page_costs_as_many_queries_however_many_games(
    django_assert_num_queries: pytest.FixtureRequest,
) -> None:
    games(100)
    with django_assert_num_queries(5):  # type: ignore[operator]
        browse("asha", Filters(title="cycle"))


def test_every_order_reads_its_page_from_one_index() -> None:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    games(30, deal_price=5, rounds_used=2, buyer_share=0.1, seller_share=0.9)
    for sort, _ in shelf.SORTS:
        with CaptureQueriesContext(connection) as seen:
            browse("", Filters(sort=sort, persona="deceptive"))
        places = seen.captured_queries[0]["sql"]
        with connection.cursor() as cursor:
            cursor.execute(f"EXPLAIN QUERY PLAN {places}")
            plan = [row[-1] for row in cursor.fetchall()]
        assert len(plan) == 1, (sort, plan)
        assert "COVERING INDEX games_by_" in plan[0], (sort, plan)


def test_words_that_grow_when_folded_still_fit_an_index_row() -> None:
    game = Game(title="\N{ARABIC LIGATURE SALLALLAHOU ALAYHE WASALLAM}" * 200, category="x" * 80)
    assert len(game.words_to_find()) <= 300
