"""The front page says what this is, lets two agents haggle and leads on, without scripts too."""

import datetime as dt
import itertools
import re
import tomllib
from html import unescape

import pytest
import time_machine
from django.test import Client
from pytest_django import Settings

from bazaar_site.landing.views import CARPET, GYMNASIUM, demo_frames
from bazaarbatna.bargain.quantities import to_rupees
from bazaarbatna.money import rupees_text
from negotiation import ttl_cache
from replays.daily.twists import TWISTS_FROM, WEEK
from replays.models import DailyGame
from replays.sealed_days import INDIA
from tests.support.commands import ROOT
from tests.support.tables import a_listing

pytestmark = pytest.mark.django_db
HOW = "/evidence/how/"


def front(client: Client, address: str = "/") -> str:
    answer = client.get(address)
    assert answer.status_code == 200
    return unescape(answer.content.decode())


def test_the_headline_and_the_ways_in_lead_where_they_say(client: Client) -> None:
    html = front(client)
    headline = re.search(r"<h1>(.+?)</h1>", html, re.S)
    assert headline is not None
    assert (
        re.sub(r"<[^>]+>", "", headline[1])
        == "Sell it to Sauda. An AI that was trained to bargain."
    )
    ways = re.findall(r'<li class="way">\s*<h2><a href="([^"]+)"', html)
    assert ways == ["/daily/", "/puzzles/", "/pair/", "/arena/", "/replays/", "/evidence/"]
    for address in (*ways, "/sell/", "/buy/", "/training/", "/bots/"):
        assert f'href="{address}"' in html
        assert client.get(address).status_code == 200, address


@pytest.mark.parametrize("days", range(7))
def test_the_rule_of_the_day_is_named_before_and_after_its_game_is_dealt(
    client: Client, days: int
) -> None:
    noon = dt.datetime.combine(TWISTS_FROM + dt.timedelta(days=7 + days), dt.time(12), INDIA)
    with time_machine.travel(noon, tick=False):
        for _ in range(2):
            ttl_cache.forget()
            assert f"Today: <b>{WEEK[days].title}</b>" in front(client)
            client.get("/daily/")
        DailyGame.objects.update(twist="")
        ttl_cache.forget()
        assert "Today: <b>" not in front(client), "promised without one"


def test_one_button_opens_a_game_without_a_form(client: Client) -> None:
    a_listing()
    form = re.search(r'<form class="hero-offer".*?</form>', front(client), re.S)
    assert form is not None
    assert form[0].count("<button") == 1
    assert re.findall(r'<input[^>]*type="(?!hidden)', form[0]) == []
    address = re.search(r'action="([^"]+)"', form[0])
    listing = re.search(r'name="listing" value="(\d+)"', form[0])
    assert address is not None
    assert listing is not None
    answer = client.post(address[1], {"listing": listing[1]})
    assert answer.status_code == 302
    assert client.get(answer["Location"]).status_code == 200


def test_every_link_on_the_page_is_answered(client: Client) -> None:
    a_listing()
    pages = front(client) + front(client, "/evidence/") + front(client, HOW)
    links = set(re.findall(r'href="(/[^"#]*)', pages))
    assert {"/sauda/health", "/sell/", "/buy/", "/arena/", "/replays/"} <= links
    for address in links - {link for link in links if link.startswith("/static/")}:
        assert client.get(address).status_code == 200, address


def test_the_whole_haggle_is_there_for_a_browser_without_scripts(client: Client) -> None:
    html = front(client)
    frames = demo_frames()
    reasons = r'<span class="why".*?</span>'
    plain = re.sub(r"<[^>]+>", "", re.sub(reasons, "", html, flags=re.S))
    spoken = [frame["event"]["text"] for frame in frames if frame["event"].get("text")]
    assert len(spoken) >= 6
    for words in spoken:
        assert words in plain
    ended = frames[-1]["event"]
    assert rupees_text(ended["price"], "INR") in html
    assert "data-controls hidden" in html


def test_the_haggle_is_a_game_between_two_policies_that_both_could_accept() -> None:
    ended = demo_frames()[-1]["event"]
    sealed = ended["opened"]
    assert ended["outcome"] == "deal"
    assert sealed["reservation"] <= ended["price"] <= sealed["budget"]
    assert ended["price"] < to_rupees(CARPET.asking_price or 0)
    assert demo_frames() == demo_frames()


def test_every_drawing_has_a_title_and_says_in_words_what_it_shows(client: Client) -> None:
    html = front(client) + front(client, "/evidence/") + front(client, HOW)
    drawings = re.findall(r'<svg[^>]*role="img".*?</svg>', html, re.S)
    assert len(drawings) >= 2
    for drawing in drawings:
        title = re.search(r'<title id="([^"]+)">([^<]+)</title>', drawing)
        assert title is not None, drawing[:200]
        assert f'aria-labelledby="{title[1]}"' in drawing
        assert "style=" not in drawing
    for drawing in re.findall(r"<svg(?![^>]*role=)[^>]*>", html):
        assert 'aria-hidden="true"' in drawing


def test_the_house_has_the_floors_that_the_import_rules_know(client: Client) -> None:
    floors = re.search(r'<ol class="floors">(.*?)</ol>', front(client, HOW), re.S)
    assert floors is not None
    rules = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]
    layers = next(one["layers"] for one in rules["contracts"] if one["type"] == "layers")
    beside = " | "
    rooms = [room for layer in layers for room in layer.split(beside)]
    assert re.findall(r"<code>(\w+)</code>", floors[1]) == rooms


def test_who_may_speak_stands_in_the_order_of_the_settings(
    client: Client, settings: Settings
) -> None:
    lines = re.search(r'<ol class="backends">(.*?)</ol>', front(client, HOW), re.S)
    assert lines is not None
    named = re.findall(r"<code>(\w+)</code>", lines[1])
    assert named == list(settings.SAUDA_BACKENDS)
    assert lines[1].count("speaks now") == 1


@pytest.mark.parametrize("address", ["/", "/evidence/", HOW])
def test_headings_go_down_one_step_at_a_time(client: Client, address: str) -> None:
    a_listing()
    levels = [int(level) for level in re.findall(r"<h([1-6])[ >]", front(client, address))]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in itertools.pairwise(levels))


def test_the_lines_for_researchers_run_as_they_stand(
    client: Client, capsys: pytest.CaptureFixture[str]
) -> None:
    assert GYMNASIUM in front(client, HOW)
    exec(compile(GYMNASIUM, "the front page", "exec"), {})
    rewards = capsys.readouterr().out.splitlines()
    assert 1 <= len(rewards) <= 4
    assert all(re.match(r"[+-]\d\.\d\d ", line) for line in rewards)


def test_a_warm_page_asks_the_database_little(
    client: Client, django_assert_max_num_queries: object
) -> None:
    front(client)
    with django_assert_max_num_queries(4):  # type: ignore[operator]
        front(client)
