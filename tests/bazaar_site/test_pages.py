"""What holds for every page: a strict content policy, nothing inline, the marks of a good page."""

import gzip
import re
from pathlib import Path

import pytest
from django.template.loader import render_to_string
from django.test import Client

from negotiation.models import Game, Listing

pytestmark = pytest.mark.django_db
ELSEWHERE = r'(?:src|href|action)="(?:https?:)?//(?!testserver/)[^"]*"'
CSS = Path(__file__).resolve().parents[2] / "static"


@pytest.fixture
def addresses() -> tuple[Client, list[tuple[str, int]]]:
    asha = Client()
    asha.get("/")
    lamp = Listing(
        title="Lamp", category="Home", list_price=200000, street_price=150000, source_key="l"
    )
    lamp.save()
    for _ in range(2):
        asha.post("/sell/new/", {"listing": lamp.pk, "share_replay": "on"})
    live, ended = Game.objects.all()
    bought = asha.post("/buy/new/", {"listing": lamp.pk})["Location"]
    asha.post(f"/sell/{ended.pk}/move/", {"action": "walk"})
    pages = [
        *(("/", 200), ("/sell/", 200), ("/sell/?q=lamp", 200), ("/sell/new/", 200)),
        *((f"/sell/new/?listing={lamp.pk}", 200), (f"/sell/{live.pk}/", 200)),
        *((f"/sell/{ended.pk}/", 200), ("/replays/", 200), (f"/replays/{ended.pk}/", 200)),
        *(("/buy/", 200), (f"/buy/new/?listing={lamp.pk}", 200), (bought, 200)),
        *(("/nothing/", 404), ("/sell/aaaaaaaaaaaa/", 404), ("/replays/aaaaaaaaaaaa/", 404)),
    ]
    return asha, pages


def test_every_page_has_the_marks_of_a_good_page(
    addresses: tuple[Client, list[tuple[str, int]]],
) -> None:
    asha, pages = addresses
    titles = set()
    for address, status in pages:
        answer = asha.get(address)
        html = answer.content.decode()
        assert answer.status_code == status, address
        assert len(re.findall(r"<main[ >]", html)) == 1, address
        assert len(re.findall(r"<h1[ >]", html)) == 1, address
        assert '<html lang="en">' in html
        assert 'class="skip" href="#main"' in html
        title = re.search(r"<title>(.+?)</title>", html, re.S)
        assert title is not None
        titles.add(title[1])
        ids = re.findall(r'\sid="([^"]+)"', html)
        assert len(ids) == len(set(ids)), (address, [one for one in ids if ids.count(one) > 1])
    assert len(titles) >= 6


def test_nothing_is_inline_and_nothing_comes_from_elsewhere(
    addresses: tuple[Client, list[tuple[str, int]]],
) -> None:
    asha, pages = addresses
    for address, _ in pages:
        html = asha.get(address).content.decode()
        assert re.findall(r"<script(?![^>]*\ssrc=)[^>]*>", html) == [], address
        assert "<style" not in html, address
        assert re.findall(r"\sstyle=", html) == [], address
        assert re.findall(r"<[^>]*\son\w+=", html) == [], address
        assert re.findall(ELSEWHERE, html) == [], address


def test_every_answer_carries_the_strict_policy(
    addresses: tuple[Client, list[tuple[str, int]]],
) -> None:
    asha, pages = addresses
    for address, _ in pages:
        policy = asha.get(address)["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "script-src 'self'" in policy
        assert "unsafe" not in policy
        assert "http" not in policy
        assert "*" not in policy


def test_the_place_of_the_visitor_is_marked(
    addresses: tuple[Client, list[tuple[str, int]]],
) -> None:
    asha, _ = addresses
    assert re.search(r'href="/sell/"\s+aria-current="page"', asha.get("/sell/").content.decode())
    assert re.search(
        r'href="/replays/"\s+aria-current="page"', asha.get("/replays/").content.decode()
    )


def test_the_parts_of_a_place_stand_above_its_pages_and_not_above_a_game(
    addresses: tuple[Client, list[tuple[str, int]]],
) -> None:
    asha, pages = addresses
    for address in ("/daily/", "/arena/", "/market/", "/pair/"):
        html = asha.get(address).content.decode()
        row = re.search(r'<nav class="beside".*?</nav>', html, re.S)
        assert row is not None, address
        assert re.findall(r'href="([^"]+)" aria-current="page"', row[0]) == [address]
    # A page below another one belongs to the nearest place: /learn/sealed/ to what is told of us.
    sealed = asha.get("/learn/sealed/").content.decode()
    assert re.findall(r'<li><a href="([^"]+)" aria-current="true"', sealed) == ["/evidence/"]
    games = [address for address, _ in pages if re.fullmatch(r"/(sell|buy)/(?!new)[^/]+/", address)]
    assert games
    for address in games:
        assert 'class="beside"' not in asha.get(address).content.decode(), address


def test_pages_come_compressed_and_pictures_as_they_are() -> None:
    asha = Client(headers={"Accept-Encoding": "gzip"})
    page = asha.get("/")
    assert page["Content-Encoding"] == "gzip"
    assert len(page.content) < 15_000
    assert b"<h1>" in gzip.decompress(page.content)
    assert asha.get("/healthz")["Content-Type"].startswith("application/json")
    assert not Client().get("/").has_header("Content-Encoding")


def test_the_page_of_our_own_fault_needs_nothing_that_may_be_broken() -> None:
    html = render_to_string("errors/500.html")
    assert "<h1" in html
    assert 'href="/"' in html


def test_no_style_or_script_loads_from_elsewhere() -> None:
    for file in [*CSS.rglob("*.css"), *CSS.rglob("*.js")]:
        text = file.read_text()
        assert re.findall(r"(?:url\(|@import|from|import\()\s*['\"]?(?:https?:)?//", text) == [], (
            file
        )


def test_an_included_form_is_given_its_token() -> None:
    """``only`` keeps everything else out, the token that a browser's form must bring, too."""
    folder = Path(__file__).resolve().parents[2] / "templates"
    texts = {str(one.relative_to(folder)): one.read_text() for one in folder.rglob("*.html")}
    seen = 0
    for name, text in texts.items():
        for part, given in re.findall(r'{% include "([^"]+)"([^%]*) only %}', text):
            if "{% csrf_token %}" in texts[part]:
                seen += 1
                assert "csrf_token=csrf_token" in given, f"{name} includes {part}"
    assert seen
