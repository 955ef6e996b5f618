"""The game on the front page is one that the engine would take, and says what it was."""

import hashlib
from html import unescape

import pytest
from django.test import Client

from bazaar_site.landing.views import demo_frames, demo_game
from bazaarbatna.money import rupees_text


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
def test_the_front_page_needs_no_catalogue(client: Client) -> None:
    html = client.get("/").content.decode()
    assert "On the stall today" not in html
    assert 'href="/sell/"' in html
