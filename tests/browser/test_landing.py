"""The front page in Chromium: two agents haggle, and whoever looks can stop them."""

import time
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Page

from tests.support.browsing import IN_MOTION, Person, expect, has_no_sideways_scroll
from tests.support.commands import ROOT
from tests.support.servers import Site

PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
DESK = {"viewport": {"width": 1440, "height": 900}}
STAGE = "[data-behaviour=play-haggle]"


def front_page_has(site: Site, words: str) -> None:
    """Wait until the site has looked again: its front page remembers for some seconds."""
    deadline = time.monotonic() + 20
    while words not in httpx.get(f"{site.url}/evidence/").text:
        assert time.monotonic() < deadline, f"{words} never came"
        time.sleep(0.1)


@pytest.fixture
def bilal(chromium: Browser, site: Site) -> Iterator[Person]:
    """Bilal, who looks on."""
    with Person(chromium, site.url, **IN_MOTION, **DESK) as person:
        yield person
        person.saw_no_errors()


@pytest.fixture
def published(site: Site) -> Iterator[None]:
    """An evaluation that came with the code is on the site, without checking all of it again."""
    played = (ROOT / "training" / "receipts").glob("*/episodes.jsonl.gz")
    folders = (path.parent for path in played)
    folder = next(one for one in folders if one.name == "ladder")
    summary = (folder / "summary.json").read_text()
    row = {
        "id": "evaluation-seen",
        "kind": "evaluate",
        "name": folder.name,
        "status": "done",
        "summary": summary,
        "config": (folder / "config.json").read_text(),
        **dict.fromkeys(("seeds", "machine"), "{}"),
        **dict.fromkeys(("chain", "code_version", "folder", "note"), ""),
        **dict.fromkeys(("done", "total"), 1),
        "cancel_asked": False,
        **dict.fromkeys(("created_at", "published_at"), "2026-11-21 12:00:00+00:00"),
    }
    names, places = ", ".join(row), ", ".join(["%s"] * len(row))
    site.execute(f"insert into training_run ({names}) values ({places})", *row.values())
    front_page_has(site, "of-winnable")
    yield
    site.execute("delete from training_run where id = %s", row["id"])


def shown(page: Page) -> int:
    """How many items of the talk have been said."""
    return page.locator(f"{STAGE} .beat:not(.is-later)").count()


def marks(page: Page) -> int:
    """How much of the chart is drawn."""
    return page.locator(f"{STAGE} svg [data-seq]:not(.is-later)").count()


def box(page: Page) -> object:
    return page.locator(STAGE).bounding_box()


def test_the_haggle_moves_its_chart_grows_and_nothing_jumps(bilal: Person) -> None:
    page = bilal.page
    page.goto("/")
    expect(page.locator(f"{STAGE}.is-ready")).to_be_visible()
    size, drawn = box(page), marks(page)
    expect(page.locator(f"{STAGE} .beat:not(.is-later)").nth(2)).to_be_attached()
    assert marks(page) > drawn
    assert box(page) == size


def test_pause_stops_it_and_play_goes_on_to_the_end(bilal: Person) -> None:
    page = bilal.page
    page.clock.install()
    page.goto("/")
    pause = page.locator(STAGE).get_by_role("button", name="Pause")
    expect(pause).to_be_visible()
    page.clock.run_for(3_000)
    pause.click()
    stood = shown(page)
    assert stood >= 2
    page.clock.run_for(20_000)
    assert shown(page) == stood
    page.locator(STAGE).get_by_role("button", name="Play", exact=True).click()
    page.clock.run_for(60_000)
    assert shown(page) == page.locator(f"{STAGE} .beat").count()
    again = page.locator(STAGE).get_by_role("button", name="Play again")
    again.press("Enter")
    assert shown(page) == 1
    expect(page.locator(STAGE).get_by_role("button", name="Pause")).to_be_focused()


def test_with_reduced_motion_it_lies_still_and_whole_until_asked(
    chromium: Browser, site: Site
) -> None:
    with Person(chromium, site.url, **DESK) as bilal:
        page = bilal.page
        page.clock.install()
        page.goto("/")
        play = page.locator(STAGE).get_by_role("button", name="Play again")
        expect(play).to_be_visible()
        page.clock.run_for(30_000)
        assert shown(page) == page.locator(f"{STAGE} .beat").count()
        play.click()
        page.clock.run_for(3_000)
        assert 1 < shown(page) < page.locator(f"{STAGE} .beat").count()
        bilal.saw_no_errors()


def test_without_scripts_the_talk_and_its_chart_are_there(chromium: Browser, site: Site) -> None:
    with Person(chromium, site.url, java_script_enabled=False, **PHONE) as bilal:
        page = bilal.page
        page.goto("/")
        last = page.locator(f"{STAGE} .ending")
        last.scroll_into_view_if_needed()
        expect(last).to_be_visible()
        expect(page.locator(f"{STAGE} .chart-dot").last).to_be_visible()
        expect(page.locator(f"{STAGE} [data-play]")).to_be_hidden()


@pytest.mark.parametrize("size", [PHONE, DESK])
def test_her_first_bid_is_one_click_away(
    chromium: Browser, site: Site, size: dict[str, Any]
) -> None:
    with Person(chromium, site.url, **size) as bilal:
        page = bilal.page
        page.goto("/")
        button = page.get_by_role("button", name="Start haggling")
        expect(button).to_be_in_viewport(ratio=1)
        button.click()
        expect(page.locator("#transcript [data-kind=offer][data-actor=buyer]")).to_be_visible()
        bilal.saw_no_errors()


def test_the_front_page_is_short(chromium: Browser, site: Site) -> None:
    with Person(chromium, site.url, **DESK) as bilal:
        bilal.page.goto("/")
        height = bilal.page.evaluate("document.documentElement.scrollHeight")
        assert height <= 5 * 900


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_phone_shows_all_of_it_without_scrolling_sideways(
    chromium: Browser, site: Site, scheme: str
) -> None:
    with Person(chromium, site.url, color_scheme=scheme, **PHONE) as bilal:
        page = bilal.page
        page.goto("/")
        expect(page.locator(f"{STAGE}.is-ready")).to_be_visible()
        has_no_sideways_scroll(page)
        for drawing in page.locator("main svg[role=img]:visible").all():
            room = drawing.bounding_box()
            assert room is not None
            assert room["x"] >= 0
            assert room["x"] + room["width"] <= 360
        bilal.saw_no_errors()


def test_letters_of_the_diagrams_can_be_read_on_a_phone(chromium: Browser, site: Site) -> None:
    with Person(chromium, site.url, **PHONE) as bilal:
        page = bilal.page
        page.goto("/training/")
        sizes = page.locator(".diagram svg:visible text").evaluate_all(
            """(texts) => texts.map((text) =>
              parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a)"""
        )
        assert len(sizes) > 20
        assert min(sizes) >= 12


def test_who_serves_now_is_asked_when_it_is_seen(bilal: Person) -> None:
    page, asked = bilal.page, []
    page.on("request", lambda request: asked.append(request.url))
    with page.expect_response("**/serving") as found:
        page.goto("/evidence/how/")
        page.keyboard.press("End")
    assert found.value.ok
    expect(page.locator("#serving:not([hx-get]) .backend.is-now")).to_have_count(1)
    with page.expect_response("**/replays/"):
        page.locator("header").get_by_role("link", name="Replays").click()
    assert sum(url.endswith("/serving") for url in asked) == 1


def test_the_other_denominator_is_a_key_press_away(bilal: Person, published: None) -> None:
    page = bilal.page
    page.goto("/evidence/")
    deals = page.get_by_role("radio", name="closed deals only")
    expect(page.locator(".figure-cell.of-winnable").first).to_be_visible()
    page.get_by_role("radio", name="all games where a deal was possible").focus()
    page.keyboard.press("ArrowRight")
    expect(deals).to_be_checked()
    expect(page.locator(".figure-cell.of-deals").first).to_be_visible()
    expect(page.locator(".figure-cell.of-winnable").first).to_be_hidden()


@pytest.mark.parametrize("size", [(1366, 768), (1440, 900), (360, 740)])
def test_the_button_stands_on_the_first_screen(
    chromium: Browser, site: Site, size: tuple[int, int]
) -> None:
    with Person(chromium, site.url, viewport={"width": size[0], "height": size[1]}) as person:
        person.page.goto(site.url)
        button = person.page.get_by_role("button", name="Start haggling")
        beside = person.page.locator(".hero-buttons a[href='/daily/']")
        links = person.page.locator(".hero-offer a:not(.button)")
        expect(links).to_have_count(2)
        bar = person.page.locator(".places .nav").bounding_box()
        assert bar is not None
        edge = bar["y"] if size[0] < 500 else size[1]  # on a phone it lies over the page
        for one in (button, beside, links.first, links.last):
            box = one.bounding_box()
            assert box is not None
            assert box["y"] + box["height"] <= edge
