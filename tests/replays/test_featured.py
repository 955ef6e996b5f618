"""The shelf opens with three games that are computed, and with people's games before programs'."""

import datetime as dt

import pytest
from django.test import Client

from bazaarbatna.bargain.moves import Accept, Offer
from bazaarbatna.bargain.quantities import Paise, Side
from bazaarbatna.bargain.tells import Tells, TellSpan
from negotiation.models import EventRow, Game, LineThumb
from negotiation.ttl_cache import forget
from replays.featured import Featured, featured
from tests.support.finished import LONG_AGO, Playing, a_scenario, store

pytestmark = pytest.mark.django_db

WAITS = "koi jaldi nahi"


@pytest.fixture(autouse=True)
def _nothing_is_kept_from_before() -> None:
    forget()


def deal_at(*prices: int, words: str = "", why: str = "") -> Playing:
    """Rupees, the buyer first; the seller says words with the first ask, and takes the last bid."""
    playing = Playing(a_scenario())
    for place, price in enumerate(prices):
        turn: Side = "seller" if place % 2 else "buyer"
        said = words if place == 1 else ""
        playing.move(turn, Offer(Paise(100 * price), said))
        if said and why:
            span = [TellSpan(0, len(said), "verbal_confidence", 0.9, why)]
            playing.tells(Tells(verbal_confidence=0.9), span)
    return playing.move("seller", Accept())


def by_why() -> dict[str, Featured]:
    return {one.why: one for one in featured()}


def test_the_closest_game_splits_the_room_most_evenly() -> None:
    store(deal_at(1250))
    even = store(deal_at(1450))
    store(deal_at(1650))
    assert by_why()["closest"].game == even


def test_the_best_line_has_most_thumbs_else_the_best_bargain_stands_there() -> None:
    store(deal_at(1000, 1900, 1200, words="It is new."))
    kept = store(deal_at(1000, 1900, 1600, words="My sister marries tomorrow."))
    assert by_why()["best"].game == kept
    liked = store(deal_at(1000, 1900, 1250, words="Splitting is for samosas."))
    seq = 3
    LineThumb.objects.create(game=liked, seq=seq, rater="bilal", thumb="up")
    forget()
    told = by_why()
    assert (told["line"].game, told["line"].words) == (liked, "Splitting is for samosas.")
    assert told["line"].seq == seq
    assert "best" not in told


def test_a_long_haggle_is_shown_rather_than_one_of_a_round() -> None:
    store(deal_at(1450))
    long = store(deal_at(1000, 1900, 1200, 1800, 1300))
    assert {one.game for one in featured()} == {long}


def test_the_boldest_bluff_is_the_untrue_claim_that_kept_most() -> None:
    waits = "You say that you can wait."
    store(deal_at(1000, 1900, 1200, 1600, 1250, words=WAITS, why=waits))
    bold = store(deal_at(1000, 1900, 1200, 1700, 1600, words=WAITS, why=waits))
    store(deal_at(1650, words=WAITS, why=waits))
    told = by_why()["bluff"]
    assert (told.game, told.words, told.seq) == (bold, WAITS, 3)
    assert "₹" in told.truth


def test_an_honest_claim_is_no_bluff() -> None:
    store(deal_at(1000, 1690, 1680, words=WAITS, why="You say that you can wait."))
    assert "bluff" not in by_why()


def test_only_what_people_share_is_featured_and_no_game_twice() -> None:
    store(deal_at(1450), shared=False)
    program = store(deal_at(1450))
    Game.objects.filter(pk=program.pk).update(source=Game.Source.SIMULATION)
    assert featured() == ()
    forget()
    store(deal_at(1000, 1900, 1400, words="It is new."))
    assert len(featured()) == 1  # the only game there is, once


def test_the_shelf_shows_them_and_people_before_programs(client: Client) -> None:
    person = store(deal_at(1250), ended_at=LONG_AGO)
    program = store(deal_at(1450), ended_at=LONG_AGO + dt.timedelta(days=1))
    Game.objects.filter(pk=program.pk).update(source=Game.Source.SIMULATION, title="Program lamp")
    page = client.get("/replays/").content.decode()
    assert "Upload a replay" in page
    assert page.index("shelf-featured") < page.index(f"/replays/{person.pk}/")
    assert page.rindex(f"/replays/{person.pk}/") < page.index(f"/replays/{program.pk}/")
    every = client.get("/replays/?sort=newest").content.decode()
    assert every.index(f"/replays/{program.pk}/") < every.index(f"/replays/{person.pk}/")
    assert "shelf-featured" not in every


def test_where_nobody_has_played_the_shelf_is_that_of_programs(client: Client) -> None:
    program = store(deal_at(1450))
    Game.objects.filter(pk=program.pk).update(source=Game.Source.SIMULATION)
    page = client.get("/replays/").content.decode()
    assert f"/replays/{program.pk}/" in page
    assert "shelf-programs" not in page


def test_a_game_whose_log_is_cut_off_is_left_out_and_the_shelf_stands(client: Client) -> None:
    cut, whole = store(deal_at(1450)), store(deal_at(1250))
    EventRow.objects.filter(game=cut, seq=cut.last_seq).delete()
    assert {one.game for one in featured()} == {whole}
    assert client.get("/replays/").status_code == 200


def test_the_card_of_the_closest_asks_what_its_replay_answers(client: Client) -> None:
    for price in (1250, 1450, 1650):
        store(deal_at(price))
    page = client.get("/replays/").content.decode()
    assert "How did they get there?" in page
    assert "blinked first" not in page
    assert "examples that the house played, and games that people chose to share" in page
    hindi = client.get("/replays/", headers={"accept-language": "hi"}).content.decode()
    assert "हमारी खेली हुई मिसालें" in hindi
    assert "बात यहाँ तक कैसे पहुँची?" in hindi
