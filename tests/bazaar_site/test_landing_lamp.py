"""The haggle on the front page is a game that the engine would take, and says what it was."""

import hashlib
import re
from html import unescape

import pytest
from django.test import Client

from bazaar_site.front import lamp as lamps
from bazaar_site.front.lamp import DISCREET, TALKATIVE, lamp, lamp_frames
from negotiation.bubbles import Frame
from negotiation.engine.quantities import to_rupees
from negotiation.money import rupees_text


def spoken_by(frames: list[Frame], actor: str) -> list[str]:
    return [
        frame["event"]["text"]
        for frame in frames
        if frame["event"].get("actor") == actor and frame["event"].get("text")
    ]


def test_asha_says_her_lines_and_sauda_answers_each() -> None:
    frames = lamp_frames(TALKATIVE)
    lines = spoken_by(frames, "seller")
    assert tuple(lines) == (*TALKATIVE, lamps.GOODBYE)[: len(lines)]
    assert len(lines) >= 3
    bids = [frame["event"] for frame in frames if frame["event"].get("actor") == "buyer"]
    assert all(bid["text"] for bid in bids)
    assert [bid["price"] for bid in bids] == sorted(bid["price"] for bid in bids)


def test_the_log_is_numbered_from_one_and_ends_once() -> None:
    frames = lamp_frames(TALKATIVE)
    assert [frame["seq"] for frame in frames] == list(range(1, len(frames) + 1))
    assert [f["event"]["kind"] for f in frames].count("ended") == 1
    assert frames[-1]["event"]["kind"] == "ended"


def test_every_process_plays_the_same_game() -> None:
    assert lamp_frames(TALKATIVE) == lamp_frames(TALKATIVE)


def test_the_price_suits_both_sides() -> None:
    ended = lamp_frames(TALKATIVE)[-1]["event"]
    if ended["price"] is not None:
        sealed = ended["opened"]
        assert sealed["reservation"] <= ended["price"] <= sealed["budget"]
        assert ended["price"] <= to_rupees(lamps.LAMP.asking_price or 0)


def test_the_seal_fits_what_was_inside() -> None:
    first, *_, last = lamp_frames(TALKATIVE)
    text = last["event"]["committed_text"]
    assert hashlib.sha256(text.encode()).hexdigest() == first["event"]["commitment"]
    assert last["event"]["commitment"] == first["event"]["commitment"]


def test_both_games_have_the_same_asks_and_the_same_envelope() -> None:
    one, other = lamp_frames(TALKATIVE), lamp_frames(DISCREET)
    asks = [
        [f["event"]["price"] for f in game if f["event"]["kind"] == "offer" and is_ask(f)]
        for game in (one, other)
    ]
    assert asks[0] == asks[1]
    assert one[0] == other[0]


def is_ask(frame: Frame) -> bool:
    return bool(frame["event"]["actor"] == "seller")


@pytest.mark.django_db
def test_the_page_says_what_the_games_say(client: Client) -> None:
    html = unescape(client.get("/").content.decode())
    shown = lamp()
    cost = shown.cost_of_slip
    told = re.search(r"cost her (₹[\d,.]*\d)", html)
    assert (told[1] if told else None) == (None if cost is None else rupees_text(cost, "INR"))
    assert shown.opened["commitment"] in html
    assert shown.ended["committed_text"] in html
    assert rupees_text(shown.discreet_price, "INR") in html


@pytest.mark.django_db
def test_the_front_page_needs_no_catalogue(client: Client) -> None:
    html = client.get("/").content.decode()
    assert "On the stall today" not in html
    assert 'href="/sell/"' in html
