"""A person with a browser of their own, and what went wrong in it."""

import asyncio
import re
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Any, Self

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Browser, ConsoleMessage, Page, expect, sync_playwright

from tests.support.services import CHROMIUM

LAUNCH_ARGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
IN_MOTION = {"reduced_motion": "no-preference"}
"""For a person who wants to see what moves."""
OF_COLOURS = ["color-contrast", "link-in-text-block"]
"""Rules of axe that depend on the theme."""

A_PRESS_MS = 100
"""How long a finger is down: what is drawn anew meanwhile hears no click."""

PATIENCE_MS = 60_000
"""How long a page may take on a busy machine; nothing waits for it where it comes."""
expect.set_options(timeout=PATIENCE_MS)

# A blocked style or script is reported as an event before anything is printed.
_REPORT_VIOLATIONS = """
document.addEventListener("securitypolicyviolation", (event) =>
  console.error(
    `CSP ${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`));
"""


class Started:
    """A browser that waits: ``with Started() as started, started.at_work() as browser``.

    Playwright's sync API keeps an event loop on this thread. While nobody is at work the loop is
    put aside, so that asyncio tests of other modules can start theirs.
    """

    def __enter__(self) -> Self:
        self._playwright = sync_playwright().start()
        self._loop = asyncio.get_running_loop()
        self._browser: Browser | None = None
        asyncio._set_running_loop(None)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        asyncio._set_running_loop(self._loop)
        if self._browser is not None:
            self._browser.close()
        self._playwright.stop()

    @contextmanager
    def at_work(self) -> Iterator[Browser]:
        """Take the loop up again for a while; a browser that has ended is started anew."""
        asyncio._set_running_loop(self._loop)
        try:
            if self._browser is None or not self._browser.is_connected():
                self._browser = self._playwright.chromium.launch(
                    executable_path=CHROMIUM, args=LAUNCH_ARGS
                )
            yield self._browser
        finally:
            asyncio._set_running_loop(None)


class Person:
    """One profile: its cookies, its first tab, and every complaint of its pages.

    It wants no motion, which only costs time: ``**IN_MOTION`` for who does.
    """

    def __init__(self, browser: Browser, url: str, **context: Any) -> None:
        self.url = url
        self.context = browser.new_context(base_url=url, **{"reduced_motion": "reduce", **context})
        self.context.set_default_timeout(PATIENCE_MS)
        self.context.add_init_script(_REPORT_VIOLATIONS)
        self.complaints: list[str] = []
        self.context.on("console", self._hear)
        self.context.on("weberror", lambda error: self._hear_error(str(error.error)))
        self.page: Page = self.context.new_page()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.context.close()

    def _hear_error(self, error: str) -> None:
        # Chromium reports it as an error of the page when its own fade between two pages gave up.
        if not error.startswith("Transition was"):
            self.complaints.append(error)

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.complaints.append(f"{message.type} on {self._where(message)}: {message.text}")

    def _where(self, message: ConsoleMessage) -> str:
        page = message.page.url if message.page else "?"
        return f"{page} ({message.location.get('url', '')})"

    def saw_no_errors(self, but: str = r"(?!)") -> None:
        """Fail with what the console said; ``but`` matches what is expected (a cut line, say)."""
        unexpected = [line for line in self.complaints if not re.search(but, line)]
        assert not unexpected, "\n".join(unexpected)


def listens(page: Page) -> None:
    """The page's scripts have come: until then keys, and a pointer that moves, go unheard."""
    expect(page.locator("[data-behaviour]:not(.is-ready)")).to_have_count(0)


def has_no_sideways_scroll(page: Page) -> None:
    """Fail with the elements that stick out of a page that is too wide."""
    wide = page.evaluate(
        """() => {
          const width = document.documentElement.clientWidth;
          if (document.documentElement.scrollWidth <= width) return [];
          return [...document.querySelectorAll("body *")]
            .filter((element) => element.getBoundingClientRect().right > width + 1)
            .map((element) => `${element.tagName}.${element.className} ${element.id}`)
            .slice(0, 12);
        }"""
    )
    assert not wide, f"{page.url} is too wide: {wide}"


def serious_faults(page: Page) -> list[str]:
    """Return what axe calls serious on a page by day, and of its colours by night.

    Nothing on the page moves from now on: what fades in has no colour yet.
    """
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    faults = _faults(page, {})
    page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    faults += _faults(page, {"runOnly": OF_COLOURS})
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    return faults


def _faults(page: Page, options: dict[str, Any]) -> list[str]:
    # Half a megabyte: a page is given it once.
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    asked = {"resultTypes": ["violations"], **options}
    found = page.evaluate("async (asked) => (await axe.run(asked)).violations", asked)
    return [
        f"{one['id']} ({one['help']}) at {[node['html'] for node in one['nodes']]}"
        for one in found
        if one["impact"] in ("serious", "critical")
    ]


__all__ = [
    "LAUNCH_ARGS",
    "PATIENCE_MS",
    "Person",
    "Started",
    "expect",
    "has_no_sideways_scroll",
    "serious_faults",
]
