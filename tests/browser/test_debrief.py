"""A teacher looks at a class: what is on the wall, one dot opened, on a phone and on paper."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.support.browsing import Person, expect, has_no_sideways_scroll, serious_faults
from tests.support.servers import Site

FILLED = """
from django.test import Client
from tests.support.class_rooms import a_room, fill
room = a_room("Monday class")
fill(room, people=9, rounds=2)
teacher = Client()
teacher.force_login(room.host)
print("MADE", room.code, teacher.session.session_key)
"""


@pytest.fixture
def teacher(chromium: Browser, site: Site) -> Iterator[tuple[Person, str]]:
    """A host at the own desk, and the code of the room."""
    (line,) = [one for one in site.manage("shell", "-c", FILLED).splitlines() if "MADE" in one]
    _, code, session = line.split()
    with Person(chromium, site.url) as person:
        cookie = {"name": "sessionid", "value": session, "url": site.url}
        person.context.add_cookies([cookie])  # type: ignore[list-item]
        yield person, code
        person.saw_no_errors()


def test_a_class_is_looked_at(teacher: tuple[Person, str]) -> None:
    person, code = teacher
    page = person.page
    page.goto(f"/rooms/{code}/progress/")
    expect(page.get_by_text("Everybody has finished.")).to_be_visible()
    with page.expect_response(lambda answer: answer.url.endswith("/progress/")):
        pass
    page.get_by_role("link", name="The debrief").click()
    expect(page.get_by_role("heading", name="In one look")).to_be_visible()
    expect(page.get_by_role("button", name="Print")).to_be_visible()
    for width in (360, 768, 1440):
        page.set_viewport_size({"width": width, "height": 800})
        has_no_sideways_scroll(page)
    for summary in page.locator(".debrief-table summary").all():
        summary.click()
    assert serious_faults(page) == []

    page.get_by_role("button", name="Show names").click()
    expect(page.get_by_role("button", name="Hide names")).to_be_visible()
    page.get_by_role("button", name="Open it to the room").click()
    expect(page.get_by_role("button", name="Close it to the room")).to_be_visible()

    dot = page.locator("[aria-labelledby=zones-title] a").first
    address = str(dot.get_attribute("href"))
    dot.click()
    page.wait_for_url(f"**{address}")
    page.get_by_text("How it ended").click()
    expect(page.get_by_role("heading", name="The envelope, opened")).to_be_visible()


def test_each_slide_is_one_page_of_paper(teacher: tuple[Person, str]) -> None:
    person, code = teacher
    page = person.page
    # What A4 across leaves between margins of 14 mm, in CSS pixels.
    page.set_viewport_size({"width": 1017, "height": 688})
    page.emulate_media(media="print")
    page.goto(f"/rooms/{code}/debrief/")
    slides = page.locator(".debrief-slide")
    expect(page.locator(".debrief-host")).to_be_hidden()
    expect(page.locator(".debrief-table").first).to_be_hidden()
    for slide in slides.all():
        box = slide.bounding_box()
        assert box is not None
        assert box["height"] <= 688
