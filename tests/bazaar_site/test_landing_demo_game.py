"""The game on the front page is one that the engine would take, and says what it was."""

import hashlib
import re
from html import unescape

import pytest
from django.template.loader import render_to_string
from django.test import Client
from django.utils.translation import gettext, override

from bazaar_site.landing.views import demo_frames, demo_game
from bazaarbatna.money import rupees_text
from negotiation.catalogue.stock import read_stock


def test_the_log_is_numbered_from_one_and_ends_once() -> None:
    frames = demo_frames()
    assert [frame["seq"] for frame in frames] == list(range(1, len(frames) + 1))
    assert [f["event"]["kind"] for f in frames].count("ended") == 1
    assert frames[-1]["event"]["kind"] == "ended"


def test_sauda_says_something_with_every_bid_and_never_bids_less() -> None:
    bids = [one["event"] for one in demo_frames() if one["event"].get("actor") == "buyer"]
    assert len(bids) >= 3
    assert all(bid["text"] for bid in bids)
    prices = [bid["price"] for bid in bids if bid.get("price") is not None]
    assert prices == sorted(prices)


def test_the_seal_fits_what_was_inside() -> None:
    first, *_, last = demo_frames()
    text = last["event"]["committed_text"]
    assert hashlib.sha256(text.encode()).hexdigest() == first["event"]["commitment"]
    assert last["event"]["commitment"] == first["event"]["commitment"]


@pytest.mark.django_db
def test_the_page_says_what_the_game_says(client: Client) -> None:
    html = unescape(client.get("/").content.decode())
    ended = demo_game().ended
    assert ended["commitment"] in html
    assert ended["committed_text"] in html
    assert rupees_text(ended["price"], "INR") in html


@pytest.mark.django_db
def test_who_reads_hindi_reads_the_haggle_in_hindi(client: Client) -> None:
    client.get("/")  # in English before, which is kept apart
    html = client.get("/", headers={"accept-language": "hi"}).content.decode()
    talk = re.search(r'<section class="haggle".*?</section>', html, re.S)
    assert talk is not None
    said = [re.sub(r'<span class="why".*?</span>|<[^>]+>', "", words, flags=re.S)
            for words in re.findall(r'<p class="words".*?</p>', talk[0], re.S)]  # fmt: skip
    events = [one["event"] for one in demo_frames()]
    assert len(said) == len([one for one in events if one.get("text")])
    assert [words for words in said if re.search(r"[A-Za-z]", words)] == []
    spans = [span for one in events for span in one.get("spans", ())]
    assert talk[0].count('class="tell"') == len(spans), "the same words give something away"
    assert "कश्मीरी क़ालीन" in talk[0]


def test_a_city_is_named_in_the_readers_language() -> None:
    cities = {entry.city for shelf in read_stock() for entry in shelf.listing}
    with override("hi"):
        assert [city for city in cities if gettext(city) == city] == []
        card = {"title": "Lamp", "asking": 900.0, "city": "Jhansi", "currency": "INR"}
        told = render_to_string("negotiation/_item.html", {"listing": card, "start": "sell-new"})
    assert "झाँसी" in told


@pytest.mark.django_db
def test_the_front_page_needs_no_catalogue(client: Client) -> None:
    html = client.get("/").content.decode()
    assert "On the stall today" not in html
    assert 'href="/sell/"' in html
