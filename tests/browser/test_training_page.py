"""The page /training/ in a real browser: curves read by keyboard, games on a phone, no scripts."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.support.browsing import Person, expect, has_no_sideways_scroll
from tests.support.servers import Site
from training.pages.public.views import PARTS

PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}


@pytest.fixture(scope="module")
def school(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A site with the published stages of a model, games with strangers, and a small ladder."""
    with Site(tmp_path_factory.mktemp("school"), catalogue=False) as running:
        running.manage("shell", "-c", "from tests.support.school import schooled; schooled()")
        few = ("--policies", "sauda,rules:smart", "--episodes", "4", "--workers", "1", "--publish")
        running.manage("evaluate", *few, "--suites", "single_deal")
        running.manage("evaluate_strangers", *few, "--sellers", "firm", "--samples", "2")
        yield running


def test_bilal_reads_a_curve_with_the_arrow_keys(chromium: Browser, school: Site) -> None:
    with Person(chromium, school.url) as bilal:
        page = bilal.page
        page.goto("/training/")
        page.locator("#stage-grpo").get_by_role("link").click()
        figure = page.locator("#stage-grpo .run-curve").first
        figure.get_by_role("slider").focus()
        page.keyboard.press("Home")
        expect(figure.locator("output")).to_have_text(re.compile(r"step 1: 1\.7"))
        page.keyboard.press("ArrowRight")
        expect(figure.locator("output")).to_have_text(re.compile(r"step 2: "))
        bilal.saw_no_errors()


def test_on_a_phone_nothing_is_wider_than_the_page(chromium: Browser, school: Site) -> None:
    with Person(chromium, school.url, **PHONE) as bilal:
        for part in ("", *(f"{name}/" for name in PARTS)):
            bilal.page.goto(f"/training/{part}")
            has_no_sideways_scroll(bilal.page)
        bilal.page.goto("/training/games/")
        game = bilal.page.locator(".same-game").nth(1)
        game.locator("> summary").click()
        expect(game.locator(".same-buyer").first).to_be_visible()
        has_no_sideways_scroll(bilal.page)
        bilal.saw_no_errors()


def test_without_scripts_every_number_of_a_curve_is_in_its_table(
    chromium: Browser, school: Site
) -> None:
    with Person(chromium, school.url, java_script_enabled=False) as bilal:
        bilal.page.goto("/training/stages/")
        figure = bilal.page.locator("#stage-sft .run-curve").first
        figure.locator("summary").click()
        expect(figure.get_by_role("row")).to_have_count(13)
        bilal.page.goto("/training/ladder/")
        expect(bilal.page.get_by_role("link", name="Receipt").first).to_be_visible()
