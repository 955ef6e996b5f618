"""The list and the scrubber as the server renders them, before any script runs."""

import re
from html.parser import HTMLParser

import pytest
from django.test import Client

from bazaarbatna.bargain.scenario import Item
from negotiation.models import Game
from replays.browse.shelf import PAGE_SIZE
from tests.support.finished import a_haggle, a_walk, store
from tests.support.visitors import key_of

pytestmark = pytest.mark.django_db


class Elements(HTMLParser):
    """All start tags of a page with their attributes."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def having(self, name: str, tag: str = "") -> list[dict[str, str | None]]:
        return [a for t, a in self.found if name in a and tag in ("", t)]


def page(client: Client, address: str) -> tuple[str, Elements]:
    response = client.get(address)
    assert response.status_code == 200
    html = response.content.decode()
    return html, Elements(html)


def shown_step(elements: Elements) -> dict[str, str | None]:
    visible = [s for s in elements.having("data-words") if "hidden" not in s]
    assert len(visible) == 1
    return visible[0]


def test_an_empty_shelf_shows_the_way_in(asha: Client) -> None:
    html, elements = page(asha, "/replays/")
    assert "Yours can be the first" in html
    assert any(a["href"] == "/sell/" for a in elements.having("href", "a"))


def test_a_search_without_luck_leads_back_to_everything(asha: Client, shared: Game) -> None:
    html, _ = page(asha, "/replays/?q=unicorn")
    assert "Nothing like that" in html
    assert shared.pk not in html


def test_a_row_names_the_item_the_price_and_the_rounds(asha: Client, shared: Game) -> None:
    html, _ = page(asha, "/replays/?q=cooker&outcome=deal")
    for words in ("Prestige pressure cooker", "₹1,500", "₹2,000", "3 rounds", "<svg"):
        assert words in html


def test_what_people_typed_is_never_markup(asha: Client) -> None:
    game = store(a_haggle(item=Item("<script>alert(1)</script>")), owner=key_of(asha))
    for address in ("/replays/", f"/replays/{game.pk}/", "/replays/?q=<script>x"):
        html, _ = page(asha, address)
        assert "<script>alert" not in html
        assert "<script>x" not in html
        assert "<b>sach" not in html


def test_the_pager_keeps_the_search(asha: Client) -> None:
    for _ in range(PAGE_SIZE + 1):
        store(a_walk(), owner=key_of(asha))
    _, elements = page(asha, "/replays/?q=cooker&outcome=walk")
    older = next(a["href"] for a in elements.having("rel", "a") if a["rel"] == "next")
    assert older is not None
    assert "q=cooker" in older
    assert "outcome=walk" in older
    html, elements = page(asha, older)
    assert html.count('class="shelf-row"') == 1
    newer = next(a["href"] for a in elements.having("rel", "a") if a["rel"] == "prev")
    assert newer is not None
    assert "older=" not in newer


def test_htmx_gets_only_the_results(asha: Client, shared: Game) -> None:
    response = asha.get("/replays/", headers={"HX-Request": "true"})
    html = response.content.decode()
    assert html.lstrip().startswith('<section id="results"')
    assert "<html" not in html
    assert "HX-Request" in response["Vary"]


def test_a_page_of_rows_costs_as_many_queries_as_one_row(
    asha: Client, shared: Game, django_assert_max_num_queries: pytest.FixtureRequest
) -> None:
    for _ in range(PAGE_SIZE):
        store(a_haggle(), owner=key_of(asha))
    asha.get("/replays/")  # the featured games are looked for once in five minutes
    # The session; two counts and two lists of places, public and own; the rows, their openings.
    with django_assert_max_num_queries(7):  # type: ignore[operator]
        assert asha.get("/replays/").status_code == 200


def test_the_replay_opens_at_its_start_and_tells_no_end_unasked(asha: Client, shared: Game) -> None:
    html, elements = page(asha, f"/replays/{shared.pk}/")
    assert shown_step(elements)["data-words"] == "The seller opens at ₹2,000"
    assert len([li for li in elements.having("data-step", "li") if "hidden" not in li]) == 1
    folded = html[html.index('<details class="replay-ending">') : html.index("</details>")]
    assert "Sold to Sauda for ₹1,500" in folded
    # Hidden from the first byte, not only once the script has come.
    assert '<article class="replay is-unended"' in html
    # Its player knows how it came out; nobody else is told before having seen it.
    theirs, _ = page(Client(), f"/replays/{shared.pk}/")
    for part in ('class="sheet"', 'id="grades"', 'id="ledger"'):
        tags = [re.search(f"<section[^>]*{part}[^>]*>", text) for text in (html, theirs)]
        assert ["data-after-end" in tag[0] for tag in tags if tag] == [False, True], part


@pytest.mark.parametrize(
    ("seq", "words"),
    [
        ("1", "The seller opens at ₹2,000"),
        ("3", "Round 1: the seller asks ₹1,800"),
        ("4", "Round 1: the seller asks ₹1,800"),
        ("10", "Round 3: Sauda bids ₹1,500"),
        ("999", "Deal at ₹1,500"),
        ("", "The seller opens at ₹2,000"),
        ("x", "The seller opens at ₹2,000"),
        ("-3", "The seller opens at ₹2,000"),
        ("٣", "The seller opens at ₹2,000"),
        ("9" * 400, "The seller opens at ₹2,000"),
    ],
)
def test_a_number_in_the_address_stands_at_that_event(
    seq: str, words: str, asha: Client, shared: Game
) -> None:
    _, elements = page(asha, f"/replays/{shared.pk}/?seq={seq}")
    assert shown_step(elements)["data-words"] == words
    assert elements.having("data-slider")[0]["aria-valuetext"] == words


def test_the_links_walk_through_the_game_without_a_script(asha: Client, shared: Game) -> None:
    address, met = f"/replays/{shared.pk}/?seq=1", []
    for _ in range(20):
        _, elements = page(asha, address)
        met.append(shown_step(elements)["data-seq"])
        following = next(a for a in elements.having("data-go", "a") if a["data-go"] == "next")
        if following.get("aria-disabled") == "true":
            break
        address = f"/replays/{shared.pk}/{following['href']}"
    assert met == ["1", "2", "3", "5", "6", "8", "9", "10", "11", "12"]


def test_later_words_are_hidden_until_their_step(asha: Client, shared: Game) -> None:
    _, elements = page(asha, f"/replays/{shared.pk}/?seq=5")
    items = elements.having("data-step", "li")
    hidden = ["hidden" in li for li in items]
    assert hidden == sorted(hidden)
    assert True in hidden
    assert False in hidden


def test_the_step_shows_who_served_it_and_what_was_read(asha: Client, shared: Game) -> None:
    html, _ = page(asha, f"/replays/{shared.pk}/?seq=3")
    for words in ("rules", "12 ms", "sauda@1", "A hurry to sell.", "need it gone today"):
        assert words in html


def test_the_envelope_is_open_and_its_fingerprint_holds(asha: Client, shared: Game) -> None:
    html, _ = page(asha, f"/replays/{shared.pk}/")
    for words in ("₹1,200", "₹1,700", "sha256sum", "numbers match the fingerprint"):
        assert words in html
    assert "do not match" not in html


def test_nothing_inline_that_the_content_policy_would_refuse(asha: Client, shared: Game) -> None:
    for address in ("/replays/", f"/replays/{shared.pk}/"):
        html, elements = page(asha, address)
        assert elements.having("style") == []
        assert "<style" not in html
        assert re.search(r"<script(?![^>]*\bsrc=)", html) is None
        assert [a for _, a in elements.found if any(name.startswith("on") for name in a)] == []
