"""A host writes a study without code, a participant goes through it on a phone."""

import re

import pytest
from playwright.sync_api import Browser, FilePayload, Page

from tests.support.browsing import Person, expect, has_no_sideways_scroll, listens
from tests.support.commands import manage
from tests.support.haggling import Haggle
from tests.support.servers import Site

PHONE = {"width": 360, "height": 740}


@pytest.fixture(scope="module")
def password(site: Site) -> str:
    """The password of a host called priya."""
    told = manage(site.environment, "add_host", "priya")
    return told.split("Password: ")[1].split()[0]


def takes_a_study(host: Page, password: str, title: str) -> None:
    """Log in, open a room and take a ready-made study for it."""
    host.goto("/account/login/")
    host.get_by_label("Name").fill("priya")
    host.get_by_label("Password").fill(password)
    host.get_by_role("button", name="Log in").click()
    host.goto("/rooms/")
    first = host.locator(".ready-room").filter(has_text="A first bargain")
    first.get_by_role("button", name="Open this room").click()
    host.wait_for_url(re.compile("/desk/$"))
    host.get_by_role("link", name="Make it a study").click()
    study = host.locator(".card").filter(has_text=title)
    study.get_by_role("button", name="Take this one").click()


def makes_a_study(host: Page, password: str) -> str:
    """Open a room, take a ready-made study, change it, go live; give its link."""
    takes_a_study(host, password, "Chat on, chat off")
    expect(host.get_by_role("heading", level=1)).to_have_text("How people agree on a price")
    host.get_by_role("button", name="End the pilot").click()
    host.get_by_role("link", name="Name whom people can write to.").click()
    host.get_by_label("Whom to write to").fill("Priya Rao, priya@example.org")
    host.get_by_role("button", name="Keep", exact=True).click()
    host.get_by_role("link", name="Payment and ways out").click()
    host.locator("[name='exits.finished.code']").fill("C1A2B3")
    host.get_by_role("button", name="Keep", exact=True).click()
    host.get_by_role("link", name="Survey before").click()
    host.get_by_role("button", name="Date", exact=True).click()
    added = host.locator("#before-4")
    added.get_by_label("Question", exact=True).fill("When did you last bargain?")
    added.get_by_label("Must be answered").uncheck()
    host.get_by_role("button", name="Keep", exact=True).click()
    host.get_by_role("link", name="Arms and rules").click()
    rules = host.locator("#plan")
    rules.get_by_label("Who buys for the house").select_option("rules:agreeable")
    host.get_by_role("button", name="Keep", exact=True).click()
    host.get_by_role("button", name="End the pilot").click()
    expect(host.get_by_text("What people do now counts.")).to_be_visible()
    return host.get_by_label("For participants").input_value()


def takes_a_study_within_people(host: Page, password: str) -> str:
    """Take the ready-made study with an order and beliefs, change it in forms; give a test link."""
    takes_a_study(host, password, "Words and no words")
    host.get_by_role("link", name="Asked during and between games").click()
    host.locator("#beliefs").get_by_role("button", name="Add a question").click()
    added = host.locator("#beliefs-2")
    added.get_by_label("Name in the data").fill("price")
    added.get_by_label("What it is about").select_option("price")
    added.get_by_label("In these rounds only").fill("1")
    host.get_by_role("button", name="Keep", exact=True).click()
    host.get_by_role("link", name="Arms and rules").click()
    host.locator("#plan").get_by_label("Who buys for the house").select_option("rules:agreeable")
    host.locator("#conditions").get_by_role("button", name="Add a condition").click()
    added = host.locator("#conditions-2")
    added.get_by_label("Title for you").fill("Again")
    added.get_by_label("Read before its first game").fill("Now a **third** time.")
    host.get_by_role("button", name="Keep", exact=True).click()
    return host.get_by_label("For a test run").input_value()


def plays_one(page: Page) -> None:
    """Read what is new, answer what is asked beside the game, then walk away."""
    expect(page.get_by_role("heading", level=1)).to_have_text("Before the next game")
    has_no_sideways_scroll(page)
    page.get_by_role("button", name="Go on").click()
    page.get_by_role("link", name="Sit down").click()
    page.wait_for_url(re.compile(r"/sell/\w+/$"))
    haggle = Haggle(page)
    haggle.connection("live")
    haggle.my_turn(1)
    limit = page.get_by_label("What is the most that the buyer would pay, do you think?")
    expect(limit).to_be_visible()
    expect(page.locator(".composer")).to_be_hidden()
    has_no_sideways_scroll(page)
    limit.fill("many")
    page.get_by_role("button", name="Answer", exact=True).click()
    expect(page.get_by_text("Write a number, like 12.")).to_be_visible()
    limit.fill("950")
    page.get_by_label("How likely is it that you will agree?").press("Enter")
    expect(limit).to_have_count(0)
    expect(page.locator(".composer")).to_be_visible()
    haggle.walks()
    page.get_by_role("link", name="Back to the room").first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("About the game you played")
    has_no_sideways_scroll(page)
    page.get_by_role("group", name="The outcome was fair").get_by_label("3").check()
    page.get_by_role("group", name="I am content").get_by_label("2").check()
    page.get_by_role("button", name="Go on").click()


def test_people_play_conditions_in_turn_and_say_what_they_think(
    chromium: Browser, site: Site, password: str
) -> None:
    with (
        Person(chromium, site.url) as host,
        Person(chromium, site.url, viewport=PHONE) as asha,
    ):
        page = asha.page
        page.goto(takes_a_study_within_people(host.page, password))
        page.get_by_label("I am 18 or older").check()
        page.get_by_role("button", name="Take part").click()
        page.get_by_label("For how many rounds").fill("10")
        page.get_by_label("Leave without a deal").check()
        page.get_by_role("button", name="Check my answers").click()
        page.get_by_label("How old are you?").fill("34")
        page.get_by_label("Every month").check()
        page.get_by_role("group", name="I like to bargain.").get_by_label("6").check()
        page.get_by_role("button", name="Go on").click()
        for _ in range(3):
            plays_one(page)
        expect(page.get_by_role("heading", level=1)).to_have_text("After the bargain")
        page.get_by_role("button", name="Go on").click()
        expect(page.get_by_role("heading", level=1)).to_contain_text("Thank")
        host.page.reload()
        expect(host.page.get_by_text("→")).to_be_visible()
        host.saw_no_errors()
        asha.saw_no_errors(but="422")


ASKS = """
title = "A guess"
information = "You sell."
beliefs = [{ name = "limit" }]
[consent]
text = "It is free."
[plan]
meeting = "policy"
roles = "seller"
starts_itself = true
"""


def test_a_question_beside_a_game_is_covered_by_nothing_on_a_phone(
    chromium: Browser, site: Site, password: str
) -> None:
    with (
        Person(chromium, site.url) as host,
        Person(chromium, site.url, viewport=PHONE) as asha,
    ):
        takes_a_study(host.page, password, "Chat on, chat off")
        host.page.get_by_text("Bring another file").click()
        file = FilePayload(name="study.toml", mimeType="text/plain", buffer=ASKS.encode())
        host.page.get_by_label("File", exact=True).set_input_files(files=[file])
        host.page.get_by_role("button", name="Replace this study by it").click()
        page = asha.page
        page.goto(host.page.get_by_label("For a test run").input_value())
        page.get_by_label("I am 18 or older").check()
        page.get_by_role("button", name="Take part").click()
        page.get_by_role("link", name="Sit down").click()
        page.wait_for_url(re.compile(r"/sell/\w+/$"))
        skip = page.get_by_role("button", name="Skip")
        expect(skip).to_be_in_viewport(ratio=1)
        asked, own = (page.locator(one).bounding_box() for one in (".belief-form", ".composer"))
        assert asked
        assert own
        assert asked["y"] + asked["height"] <= own["y"] + 1
        skip.click()
        expect(page.locator(".composer")).to_be_in_viewport(ratio=1)


def test_a_study_runs_itself(chromium: Browser, site: Site, password: str) -> None:
    with (
        Person(chromium, site.url) as host,
        Person(chromium, site.url, viewport=PHONE) as asha,
    ):
        link = makes_a_study(host.page, password)
        page = asha.page
        page.goto(link.replace("{{%PROLIFIC_PID%}}", "5f1a2b3c4d5e"))
        has_no_sideways_scroll(page)
        page.get_by_role("button", name="Take part").click()
        expect(page.get_by_text("Tick this box to take part.")).to_be_visible()
        page.get_by_label("I am 18 or older").check()
        page.get_by_role("button", name="Take part").click()

        expect(page.get_by_role("heading", level=1)).to_have_text("How it works")
        has_no_sideways_scroll(page)
        page.get_by_label("Accept, any deal is good").check()
        page.get_by_label("For how many rounds").fill("10")
        page.get_by_role("button", name="Check my answers").click()
        expect(page.get_by_text("2 tries are left.")).to_be_visible()
        page.get_by_label("Leave without a deal").check()
        page.get_by_role("button", name="Check my answers").click()

        expect(page.get_by_role("heading", level=1)).to_have_text("Before you bargain")
        has_no_sideways_scroll(page)
        page.get_by_label("How old are you?").fill("34")
        page.get_by_label("Every month").check()
        # A reload loses nothing, and two tabs are one participant.
        listens(page)
        page.reload()
        expect(page.get_by_label("How old are you?")).to_have_value("34")
        expect(page.get_by_label("Every month")).to_be_checked()
        other = asha.context.new_page()
        other.goto(page.url)
        page.get_by_role("group", name="I like to bargain.").get_by_label("6").check()
        page.get_by_role("button", name="Go on").click()
        page.wait_for_url(re.compile(r"/rooms/[A-Z]{6}/$"))
        other.get_by_role("button", name="Go on").click()
        expect(other).not_to_have_url(re.compile("/before/"))
        other.close()

        page.get_by_role("link", name="Sit down").click()
        page.wait_for_url(re.compile(r"/sell/\w+/$"))
        has_no_sideways_scroll(page)
        haggle = Haggle(page)
        haggle.connection("live")
        haggle.my_turn(1)
        haggle.walks()
        page.get_by_role("link", name="Back to the room").first.click()

        expect(page.get_by_role("heading", level=1)).to_have_text("After the bargain")
        has_no_sideways_scroll(page)
        page.get_by_role("group", name="The outcome was fair").get_by_label("3").check()
        page.get_by_role("group", name="I am content").get_by_label("2").check()
        page.get_by_role("button", name="Go on").click()
        expect(page.get_by_text("1 answer needs another look.")).to_be_visible()
        listens(page)
        page.locator("input[type=range]").press("ArrowRight")
        page.get_by_role("button", name="Go on").click()
        expect(page.get_by_text("C1A2B3")).to_be_visible()
        expect(page.get_by_role("link", name="Hand it in and go back")).to_have_attribute(
            "href", "https://app.prolific.com/submissions/complete?cc=C1A2B3"
        )
        has_no_sideways_scroll(page)

        host.page.reload()
        expect(host.page.get_by_text("1 of 200 places are taken.")).to_be_visible()
        host.page.get_by_role("link", name="Payments").click()
        expect(host.page.get_by_text("1 participant, 1.80 GBP in all.")).to_be_visible()
        host.saw_no_errors(but="422")
        asha.saw_no_errors(but="422")
