"""The seller's pages without JavaScript: stall, brief, own item, live sale, sheet."""

import re
from typing import Any

import pytest
from django.test import Client

from bazaarbatna.bargain import budgets
from bazaarbatna.bargain.moves import Offer
from bazaarbatna.bargain.quantities import Paise
from negotiation.bargain.scenarios import stored_scenario
from negotiation.models import EventRow, Game, Listing
from tests.support.finished import Playing, a_scenario, store
from tests.support.visitors import key_of

pytestmark = pytest.mark.django_db

OWN = {
    "title": "Brass lamp",
    "asking_price": "₹1,800",
    "reservation_price": "1000",
    "description": "Polished",
}


@pytest.fixture
def asha() -> Client:
    return visitor()


@pytest.fixture
def chetan() -> Client:
    return visitor()


@pytest.fixture
def lamp() -> Listing:
    lamp = Listing(
        title="Brass lamp, five wicks",
        category="Home",
        description="Polished every Diwali <b>by hand</b>.",
        list_price=2000_00,
        street_price=1500_00,
        city="Madurai",
        source_key="lamp",
    )
    lamp.save()
    return lamp


def visitor() -> Client:
    client = Client()
    client.get("/sell/")
    return client


def start(client: Client, **changes: str) -> Game:
    answer = client.post("/sell/new/", OWN | changes)
    assert answer.status_code == 302, answer.content.decode()
    return Game.objects.get(pk=answer["Location"].split("/")[2])


def text(answer: Any) -> str:
    return re.sub(r"\s+", " ", answer.content.decode())


def hidden_forms(game: Game) -> list[str]:
    sealed = stored_scenario(game).sealed
    rupees = sealed.budget / 100
    return [str(sealed.budget), f"{rupees:.2f}", f"{rupees:,.2f}", str(sealed.seed)]


def test_the_stall_shows_what_was_searched(asha: Client, lamp: Listing) -> None:
    assert "Brass lamp, five wicks" in text(asha.get("/sell/?q=lamp"))
    assert "Brass lamp, five wicks" not in text(asha.get("/sell/?q=scooter"))
    assert "Brass lamp, five wicks" not in text(asha.get("/sell/?q=lamp&max=500"))


def test_what_sellers_wrote_is_never_markup(asha: Client, lamp: Listing) -> None:
    assert "<b>by hand</b>" not in text(asha.get("/sell/?q=lamp"))
    assert "<b>by hand</b>" not in text(asha.get(f"/sell/new/?listing={lamp.pk}"))


def test_nonsense_filters_do_not_break_the_stall(asha: Client, lamp: Listing) -> None:
    for query in (
        "page=-1",
        "page=x",
        "min=NaN",
        "max=1e400",
        "q=%00",
        "sort=hostile",
        "category=%F0%9F%AA%94",
    ):
        assert asha.get(f"/sell/?{query}").status_code == 200


def test_the_brief_names_the_secret_and_the_bonus_before_the_start(
    asha: Client, lamp: Listing
) -> None:
    page = text(asha.get(f"/sell/new/?listing={lamp.pk}"))
    assert "₹2,000" in page
    assert "₹1,103" in page  # 1.05 x 0.7 x 1,500, in whole rupees
    assert "₹1 per ₹10" in page
    assert "up to" not in page, "the end counts by what there was, which nobody knows yet"
    assert not re.search(r"₹[\d,]+\.\d", page), "no paise"
    assert Game.objects.count() == 0


@pytest.mark.parametrize("number", ["0", "99999999", "-1", "x", "1e3", "٣", "9" * 40])
def test_an_unknown_listing_is_not_found(asha: Client, number: str) -> None:
    assert asha.get(f"/sell/new/?listing={number}").status_code == 404


def test_starting_opens_a_game_in_which_sauda_has_bid(asha: Client, lamp: Listing) -> None:
    answer = asha.post("/sell/new/", {"listing": lamp.pk, "share_replay": "on"}, follow=True)
    game = Game.objects.get()
    assert game.share_replay
    assert game.listing == lamp
    assert "Sauda bid" in text(answer)
    assert [row.kind for row in EventRow.objects.filter(game=game)][:2] == ["opened", "offer"]


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("title", "", "Give it a name"),
        ("title", "\u200b\u0000", "title"),
        ("asking_price", "", "What will you ask"),
        ("asking_price", "free", "Write a price"),
        ("asking_price", "-5", "Write a price"),
        ("asking_price", "NaN", "Write a price"),
        ("asking_price", "1e99", "Write a price"),
        ("reservation_price", "", "rather keep it"),
        ("reservation_price", "1800", "below the asking price"),
        ("condition_label", "haunted", "haunted"),
    ],
)
def test_an_own_item_with_a_mistake_says_which_and_keeps_the_rest(
    asha: Client, field: str, value: str, said: str
) -> None:
    answer = asha.post("/sell/new/", OWN | {field: value})
    assert answer.status_code == 422
    assert said in text(answer)
    assert "Polished" in text(answer)
    assert Game.objects.count() == 0


def test_a_move_by_form_is_answered(asha: Client) -> None:
    game = start(asha)
    page = text(
        asha.post(
            f"/sell/{game.pk}/move/", {"action": "say", "text": "1700 se kam nahi"}, follow=True
        )
    )
    assert "1700 se kam nahi" in re.sub(r"<[^>]+>", "", page)
    assert "Round 2" in page


def test_the_price_field_is_an_ask_and_wins_over_the_words(asha: Client) -> None:
    game = start(asha)
    page = text(asha.post(f"/sell/{game.pk}/move/", {"text": "1600 final", "price": "1,650"}))
    assert "the field counts" in page
    offers = EventRow.objects.filter(game=game, kind="offer").count()
    assert offers == 3


def test_words_without_a_price_are_heard(asha: Client) -> None:
    game = start(asha)
    page = text(
        asha.post(f"/sell/{game.pk}/move/", {"text": "bhai mast condition hai"}, follow=True)
    )
    assert "there was no price" not in page, "small talk needs no remark"
    assert EventRow.objects.filter(game=game, kind="message").exists()


def test_two_prices_are_asked_back_and_nothing_is_recorded(asha: Client) -> None:
    game = start(asha)
    before = EventRow.objects.filter(game=game).count()
    answer = asha.post(f"/sell/{game.pk}/move/", {"text": "1500 or 1600"})
    assert answer.status_code == 422
    assert "1500 or 1600" in text(answer)
    assert EventRow.objects.filter(game=game).count() == before


def test_a_form_from_before_saudas_last_bid_makes_no_second_move(asha: Client) -> None:
    game = start(asha)
    stale = {"text": "1700", "seq": "2"}
    assert asha.post(f"/sell/{game.pk}/move/", stale).status_code == 302
    answer = asha.post(f"/sell/{game.pk}/move/", stale)
    assert answer.status_code == 409
    assert EventRow.objects.filter(game=game, kind="offer").count() == 3


def test_an_ask_below_the_own_reservation_price_is_refused(asha: Client) -> None:
    game = start(asha)
    answer = asha.post(f"/sell/{game.pk}/move/", {"price": "900"})
    assert answer.status_code == 409
    assert "below your floor" in text(answer)


def test_walking_away_opens_the_sealed_values(asha: Client) -> None:
    game = start(asha)
    page = text(asha.post(f"/sell/{game.pk}/move/", {"action": "walk"}, follow=True))
    assert "You walked away" in page
    assert "What she held" in page
    sealed = stored_scenario(game)
    assert sealed.salt in page


def test_the_brief_says_when_walking_away_is_right(
    asha: Client, lamp: Listing, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(budgets, "NO_ZONE", 1.0)
    own = text(asha.get("/sell/new/"))
    assert "In about one game in ten her budget lies below your floor" in own
    assert "In your first two games some price always suits you both." in own
    assert "she can always pay this floor" in text(asha.get(f"/sell/new/?listing={lamp.pk}"))
    for number in range(3):
        game = start(asha)
        page = text(asha.get(f"/sell/{game.pk}/"))
        assert ("Some price suits you both here" in page) == (number < 2)
        assert ("In about one game in ten her budget lies below your floor" in page) == (
            number == 2
        )
        assert (stored_scenario(game).zopa > 0) == (number < 2)


def test_the_page_promises_the_seal_before_the_first_move(asha: Client) -> None:
    game = start(asha)
    first = EventRow.objects.get(game=game, seq=1)
    promise = re.search(rb'"commitment":"([0-9a-f]{64})"', bytes(first.payload))
    assert promise is not None
    assert promise[1].decode() in text(asha.get(f"/sell/{game.pk}/"))


def test_no_byte_of_a_live_page_holds_a_sealed_value(asha: Client) -> None:
    game = start(asha, asking_price="1813.37", reservation_price="1009.41")
    pages = [asha.get(f"/sell/{game.pk}/")]
    pages += [
        asha.post(f"/sell/{game.pk}/move/", {"text": words})
        for words in ("1800", "hello", "1 or 2")
    ]
    pages.append(asha.get(f"/sell/{game.pk}/"))
    assert Game.objects.get().status == Game.Status.LIVE
    sealed = stored_scenario(game)
    for page in pages:
        body = page.content.decode() + str(page.headers)
        assert sealed.salt not in body
        assert [form for form in hidden_forms(game) if form in body] == []


def test_chetan_finds_no_such_game(asha: Client, chetan: Client) -> None:
    game = start(asha)
    stranger = chetan.get(f"/sell/{game.pk}/")
    unknown = chetan.get("/sell/aaaaaaaaaaaa/")
    assert stranger.status_code == unknown.status_code == 404
    assert "Brass lamp" not in text(stranger)
    assert chetan.post(f"/sell/{game.pk}/move/", {"action": "walk"}).status_code == 404
    assert Game.objects.get().status == Game.Status.LIVE


def test_the_listing_keeps_its_prices_when_a_form_tries_to_change_them(
    asha: Client, lamp: Listing
) -> None:
    asha.post("/sell/new/", {"listing": lamp.pk, "asking_price": "5", "reservation_price": "1"})
    assert stored_scenario(Game.objects.get()).anchor == Paise(2000_00)


@pytest.mark.parametrize(
    ("ask", "bid", "is_suggested"), [(1500, 1350, True), (1210, 1010, False), (1900, 1100, False)]
)
def test_the_middle_is_suggested_only_where_it_loses_nothing(
    asha: Client, ask: int, bid: int, is_suggested: bool
) -> None:
    """The floor is 1,200: a middle below it loses, and from far apart it gives too much away."""
    playing = Playing(a_scenario()).move("buyer", Offer(Paise(100_000)))
    playing.move("seller", Offer(Paise(100 * ask))).move("buyer", Offer(Paise(100 * bid)))
    page = text(asha.get(f"/sell/{store(playing, owner=key_of(asha)).pk}/"))
    assert "Your best price?" in page, "she has bid, and something is suggested"
    assert ("Meet in the middle" in page) is is_suggested


def test_the_last_round_says_that_no_price_is_answered_after_it(asha: Client) -> None:
    playing = Playing(a_scenario(max_rounds=2)).move("buyer", Offer(Paise(100_000)))
    playing.move("seller", Offer(Paise(150_000)))
    playing.move("buyer", Offer(Paise(135_000)))
    page = text(asha.get(f"/sell/{store(playing, owner=key_of(asha)).pk}/"))
    assert "Last round: take it, or it ends" in page
    assert "Meet in the middle" not in page
