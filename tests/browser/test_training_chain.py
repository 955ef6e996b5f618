"""Omar trains a toy model from the admin, and Asha sells something to it."""

import re
import time
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.support.browsing import Person, expect, has_no_sideways_scroll, listens
from tests.support.servers import Site
from tests.support.waiting import until
from tests.support.warm import TRAINING

PASSWORD = "a long pass phrase"
ADD = "/admin/training/run/add/?what=chain&size=toy"
STAGE_MS = 900_000
"""Patience, not a measure: on two quiet cores a stage takes 15 to 30 seconds."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A site with its worker for long work, and Omar, who operates it."""
    told = {"DJANGO_SUPERUSER_PASSWORD": PASSWORD, "OMP_NUM_THREADS": "1", "HF_HUB_OFFLINE": "1"}
    with Site(tmp_path_factory.mktemp("chain"), **told) as running:
        running.manage("createsuperuser", "--no-input", "--username=omar", "--email=o@example.org")
        with running.slow_worker(knows=TRAINING):
            yield running


@pytest.fixture
def omar(chromium: Browser, site: Site) -> Iterator[Person]:
    """Omar at his desk."""
    with Person(chromium, site.url) as person:
        page = person.page
        page.goto("/admin/login/?next=/admin/training/run/")
        page.get_by_label("Username").fill("omar")
        page.get_by_label("Password").fill(PASSWORD)
        page.get_by_role("button", name="Log in").click()
        expect(page.get_by_role("heading", level=1)).to_contain_text("run")
        yield person
        person.saw_no_errors()


def opens(page: Page, stage: str) -> None:
    """Go to another stage of the chain that is on the page."""
    page.locator(".run-chain").get_by_role("link", name=stage).click()
    expect(page.locator(".run-chain [aria-current=step]")).to_contain_text(stage)


def is_on_the_page(page: Page, words: str) -> None:
    expect(page.locator(".run-status").first).to_have_text(words, timeout=STAGE_MS)


@pytest.mark.soak
@pytest.mark.timeout(STAGE_MS / 1000)
def test_a_chain_from_the_admin_becomes_a_buyer_one_can_sell_to(
    omar: Person, asha: Person, site: Site
) -> None:
    page, began = omar.page, time.monotonic()
    page.goto(ADD)
    page.get_by_label("Name").fill("tiny")
    page.get_by_role("button", name="Start").click()
    expect(page.locator(".run-chain li")).to_have_count(6)
    is_on_the_page(page, "Done")
    opens(page, "Pretraining")
    is_on_the_page(page, "Done")

    opens(page, "SFT")
    is_on_the_page(page, "Running")
    expect(page.locator("#run-log")).to_contain_text("sft of a toy model", timeout=STAGE_MS)
    page.get_by_role("button", name="Cancel", exact=True).click()
    is_on_the_page(page, "Cancelled")
    opens(page, "GRPO")
    expect(page.locator(".run-note")).to_contain_text("which was cancelled")
    opens(page, "SFT")
    page.get_by_role("button", name="Resume").click()
    is_on_the_page(page, "Done")
    reads_a_curve(page)
    for stage in ("GRPO", "DPO", "Evaluation"):
        opens(page, stage)
        is_on_the_page(page, "Done")
    print(f"a toy chain, with one stage cancelled and resumed: {time.monotonic() - began:.0f} s")

    opens(page, "DPO")
    expect(page.locator(".run-hand")).to_contain_text("Players can choose tiny")
    everybody_sees(page, asha)
    sells_to_it(asha, site)


def reads_a_curve(page: Page) -> None:
    """Hover, then walk along the curve with the arrow keys."""
    curve = page.locator(".run-curve").first
    drawing, value = curve.locator("svg"), curve.locator("output")
    listens(page)
    drawing.hover()
    expect(value).to_have_text(re.compile(r"^step \d+: "))
    drawing.focus()
    page.keyboard.press("Home")
    first = value.inner_text()
    page.keyboard.press("ArrowRight")
    expect(value).not_to_have_text(first)
    expect(drawing).to_have_attribute("aria-valuetext", value.inner_text())


def everybody_sees(page: Page, asha: Person) -> None:
    """Publish the run; Asha, who has no account, finds it, on a phone too."""
    page.get_by_role("button", name="Publish").click()
    expect(page.get_by_role("button", name="Withdraw")).to_be_visible()
    asha.page.goto("/training/runs/")
    asha.page.get_by_role("link", name="tiny-dpo").click()
    expect(asha.page.locator(".run-status")).to_have_text("Done")
    expect(asha.page.locator("#run-log")).to_have_count(0)
    asha.page.set_viewport_size({"width": 360, "height": 800})
    has_no_sideways_scroll(asha.page)
    asha.page.set_viewport_size({"width": 1280, "height": 800})


def sells_to_it(asha: Person, site: Site) -> None:
    """Choose the new voice for a sale and hear it answer."""
    page = asha.page
    page.goto("/sell/?q=sharma+maths")
    page.locator("#stall a").first.click()
    page.get_by_text("More: who speaks for Sauda").click()
    voice = page.get_by_label("Who speaks for Sauda")
    option = voice.locator("option", has_text="(tiny)")
    voice.select_option(value=option.get_attribute("value"))
    page.get_by_role("button", name="Start the haggle").click()
    page.wait_for_selector("[data-send]:not([disabled])")
    page.locator("[data-text]").fill("180, ekdum naya hai")
    page.keyboard.press("Enter")
    expect(page.locator("#transcript [data-actor=buyer]").first).to_be_visible(timeout=STAGE_MS)
    served = "select distinct backend from negotiation_eventrow where backend != ''"
    until(lambda: bool(site.query(served)))
