"""From the page of a course, on another site, to a seat; and from a frame of it to a link there."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, Page

from tests.support.browsing import Person, expect, has_no_sideways_scroll, serious_faults
from tests.support.course_platform import CLIENT_ID, DEPLOYMENT, CoursePlatform
from tests.support.servers import Site


@contextmanager
def a_platform(site: Site, host: str) -> Iterator[CoursePlatform]:
    with CoursePlatform(host) as platform:
        platform.tool = site.url
        said = platform.addresses()
        site.manage(
            *("lti_platform", "add", f"School at {platform.url}", "--issuer", said["issuer"]),
            *("--login-url", said["login_url"], "--token-url", said["token_url"]),
            *("--keys-url", said["keys_url"], "--client-id", CLIENT_ID),
            *("--deployment", DEPLOYMENT),
        )
        yield platform


def a_host(site: Site, name: str) -> str:
    """Make a host's account, and give its password."""
    return site.manage("add_host", name).split("Password: ")[1].split()[0]


def logs_in(page: Page, name: str, password: str) -> None:
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Log in").click()


def opens_a_room(page: Page) -> str:
    page.goto("/rooms/")
    first = page.locator(".ready-room").filter(has_text="A first bargain")
    first.get_by_role("button", name="Open this room").click()
    expect(page).to_have_url(re.compile("/desk/$"))
    return page.url.split("/")[4]


def test_from_a_course_to_a_seat_and_back_to_the_course(chromium: Browser, site: Site) -> None:
    password = a_host(site, "teacher-of-a-course")
    with Person(chromium, site.url) as host, a_platform(site, "localhost") as away:
        host.page.goto("/account/login/")
        logs_in(host.page, "teacher-of-a-course", password)
        code = opens_a_room(host.page)
        with Person(chromium, site.url, viewport={"width": 360, "height": 740}) as asha:
            comes_from_a_course(asha, away, code)
        host.page.goto("/rooms/lti/")
        assert serious_faults(host.page) == []
        has_no_sideways_scroll(host.page)
        host.page.goto(f"{away.url}/course?sub=t-1&role=Instructor&room={code}")
        host.page.get_by_role("link", name="Bargaining").click()
        expect(host.page).to_have_url(re.compile(f"{code}/desk/$"))
        expect(host.page.get_by_text("They go there when you open")).to_be_visible()
        host.saw_no_errors()
    with Person(chromium, site.url) as teacher, a_platform(site, "127.0.0.1") as near:
        chooses_in_a_frame(teacher, near, password, code)
    # At another site than ours the frame has no cookie: the platform keeps what is needed.
    with Person(chromium, site.url) as teacher, a_platform(site, "localhost") as far:
        chooses_in_a_frame(teacher, far, password, code, keeps="&stores=1")


def comes_from_a_course(asha: Person, platform: CoursePlatform, code: str) -> None:
    asha.page.goto(f"{platform.url}/course?sub=s-1&room={code}")
    asha.page.get_by_role("link", name="Bargaining").click()
    expect(asha.page.get_by_text("What passes between")).to_be_visible()
    assert serious_faults(asha.page) == []
    has_no_sideways_scroll(asha.page)
    asha.page.get_by_label("What shall we call you here?").fill("Asha")
    asha.page.get_by_role("button", name="Come in").click()
    expect(asha.page.get_by_role("heading", name="You are in")).to_be_visible()
    asha.page.goto(f"{platform.url}/course?sub=s-1&room={code}&frame=1")
    button = asha.page.frame_locator("iframe").get_by_role("link", name="Open the room")
    with asha.context.expect_page() as opened:
        button.click()
    expect(opened.value).to_have_url(re.compile(f"/rooms/{code}/$"))
    asha.saw_no_errors()


def chooses_in_a_frame(
    teacher: Person, platform: CoursePlatform, password: str, code: str, keeps: str = ""
) -> None:
    teacher.page.goto(f"{platform.url}/course?sub=t-1&role=Instructor&frame=1&choose=1{keeps}")
    frame = teacher.page.frame_locator("iframe")
    with teacher.context.expect_page() as opened:
        frame.get_by_role("link", name="Choose in a new window").click()
    window = opened.value
    logs_in(window, "teacher-of-a-course", password)
    window.get_by_role("listitem").filter(has_text=code).get_by_role("button").click()
    expect(window.get_by_text("press Go on there")).to_be_visible()
    window.close()
    frame.get_by_role("link", name="Go on").click()
    frame.get_by_role("button", name="Put it into the course").click()
    expect(frame.get_by_text("Linked")).to_be_visible()
    assert list(platform.answers[0]) == ["JWT"]
    teacher.saw_no_errors()
