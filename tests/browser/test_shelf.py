"""Finding a replay and passing it on, in a real browser."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.support.browsing import A_PRESS_MS, Person, expect, has_no_sideways_scroll
from tests.support.haggling import SLOPPY, sells_the_book
from tests.support.servers import Site


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A site with recorded games, so that there is something to find."""
    with Site(tmp_path_factory.mktemp("shelf")) as running:
        for suite, buyer in (
            ("single_deal@sampled-1", "sauda"),
            ("deceptive_seller@sampled-1", "rules:aggressive"),
        ):
            running.manage(
                *("record_games", "--suite", suite, "--buyer", buyer, "--games", "30"),
            )
        yield running


@pytest.fixture
def bilal(chromium: Browser, shop: Site) -> Iterator[Person]:
    """Bilal, who looks for games."""
    with Person(chromium, shop.url) as person:
        yield person
        person.saw_no_errors()


def titles(page: Page) -> list[str]:
    return page.locator(".shelf-title a").evaluate_all("(links) => links.map((a) => a.pathname)")


def count(page: Page) -> str:
    return page.locator(".shelf-count").inner_text()


def test_filters_order_and_the_back_button_agree_with_the_list(bilal: Person) -> None:
    page = bilal.page
    page.goto("/replays/")
    expect(page.locator(".shelf-count")).to_have_text("60 haggles, newest first")
    everything = titles(page)
    page.get_by_text("Filter", exact=True).click()
    page.get_by_label("Seller's persona").select_option("Deceptive")
    expect(page.locator(".shelf-count")).to_have_text("30 haggles, newest first")
    deceptive = titles(page)
    page.get_by_label("Order").select_option("By title, A to Z")
    expect(page.locator(".shelf-count")).to_have_text("30 haggles, by title, A to Z")
    expect(page).to_have_url(re.compile("sort=title"))
    page.get_by_role("link", name="After").click()
    expect(page).to_have_url(re.compile("older="))
    page.go_back()
    page.go_back()
    expect(page.locator(".shelf-count")).to_have_text("30 haggles, newest first")
    expect(page.get_by_label("Order")).to_have_value("newest")
    expect(page.get_by_label("Seller's persona")).to_have_value("deceptive")
    assert titles(page) == deceptive
    page.go_back()
    expect(page.locator(".shelf-count")).to_have_text("60 haggles, newest first")
    assert titles(page) == everything
    page.go_forward()
    expect(page.get_by_label("Seller's persona")).to_have_value("deceptive")
    page.get_by_role("link", name=re.compile("persona: Deceptive")).click()
    expect(page.locator(".shelf-count")).to_have_text("60 haggles, newest first")
    expect(page.get_by_role("list", name="Active filters")).to_have_count(0)


def test_what_was_searched_opens_at_the_first_press(bilal: Person) -> None:
    page = bilal.page
    page.goto("/replays/")
    found = page.locator(".shelf-title a").last.inner_text()
    page.get_by_role("searchbox", name="Search").fill(found)
    expect(page.get_by_role("list", name="Active filters")).to_contain_text(found)
    page.locator(".shelf-title a").first.click(delay=A_PRESS_MS)
    expect(page).to_have_url(re.compile(r"/replays/\w+/$"))


def test_every_control_works_without_a_script(chromium: Browser, shop: Site) -> None:
    with Person(chromium, shop.url, java_script_enabled=False) as bilal:
        page = bilal.page
        page.goto("/replays/")
        page.get_by_text("Filter", exact=True).click()
        page.get_by_label("Player").select_option("sauda")
        page.get_by_label("Order").select_option("Most rounds first")
        page.get_by_role("button", name="Find").click()
        expect(page.locator(".shelf-count")).to_have_text("30 haggles, most rounds first")
        page.get_by_role("link", name="After").click()
        expect(page.locator(".shelf-row")).to_have_count(10)
        page.get_by_role("link", name="Before").click()
        expect(page.locator(".shelf-row")).to_have_count(20)


@pytest.mark.parametrize("address", ["/replays/?persona=deceptive&sort=price", "/replays/import/"])
def test_the_shelf_fits_a_phone(address: str, chromium: Browser, shop: Site) -> None:
    with Person(chromium, shop.url, viewport={"width": 360, "height": 740}) as bilal:
        bilal.page.goto(address)
        has_no_sideways_scroll(bilal.page)
        bilal.saw_no_errors()


def test_asha_shares_a_private_replay_and_bilal_opens_it(chromium: Browser, site: Site) -> None:
    with Person(chromium, site.url) as asha:
        haggle = sells_the_book(asha, site)
        haggle.says(SLOPPY[0][0])
        haggle.my_turn(2)
        haggle.walks()
        page = asha.page
        page.goto(f"/replays/{haggle.game_id}/")
        with Person(chromium, site.url) as bilal:
            answer = bilal.page.goto(f"/replays/{haggle.game_id}/")
            assert answer is not None
            assert answer.status == 404
        page.get_by_role("button", name="Put it on the shelf").click()
        expect(page.get_by_text("Everybody with the link can see")).to_be_visible()
        # The keys work without the script; the link follows them only once it runs.
        expect(page.locator(".replay-chart.is-draggable")).to_be_visible()
        page.locator(".replay-slider").press("Home")
        page.locator(".replay-slider").press("ArrowRight")
        link = f"{site.url}/replays/{haggle.game_id}/?seq=2"
        expect(page.get_by_label("Link to this moment")).to_have_value(link)
        card = page.get_by_alt_text(re.compile("Preview of the link"))
        card.scroll_into_view_if_needed()
        expect(card).to_have_js_property("naturalWidth", 1200)
        asha.saw_no_errors()
    with Person(chromium, site.url) as bilal:
        bilal.page.goto(link)
        expect(bilal.page.locator(".step:visible")).to_have_attribute("data-seq", "2")
        expect(bilal.page.get_by_role("button", name="Take it off")).to_have_count(0)
        bilal.saw_no_errors()


def test_dragging_on_the_chart_scrubs(bilal: Person) -> None:
    page = bilal.page
    page.goto("/replays/?sort=rounds")
    page.locator(".shelf-title a").first.click()
    slider = page.locator(".replay-slider")
    expect(page.locator(".replay-chart.is-draggable")).to_be_visible()
    last = int(slider.get_attribute("max") or 0)
    expect(slider).to_have_value("0")
    page.keyboard.press("End")
    expect(slider).to_have_value(str(last))
    chart = page.locator(".replay-chart svg")
    chart.hover()  # waits until it has come to rest
    box = chart.bounding_box()
    assert box is not None
    middle = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + box["width"] / 2, middle)
    page.mouse.down()
    halfway = int(slider.input_value())
    page.mouse.move(box["x"] + 4, middle, steps=5)
    page.mouse.up()
    assert 0 < halfway < last
    expect(slider).to_have_value("0")
    expect(page.locator(".step:visible")).to_have_attribute("data-seq", "1")
