"""A real Chromium against a real Daphne; every page error fails the test that met it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.support.browsing import LAUNCH_ARGS, Person
from tests.support.servers import Site
from tests.support.services import CHROMIUM, skip_without


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A served site with the catalogue loaded, shared by all browser tests."""
    with Site(tmp_path_factory.mktemp("site")) as running:
        yield running


# Playwright's sync API keeps an event loop on this thread for as long as it is started, and the
# asyncio tests of other modules could not start theirs beside it: so it lives for one module.
@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """One browser for all tests of a module; each person in it has a profile of their own."""
    skip_without("Chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=LAUNCH_ARGS)
        yield browser
        browser.close()


@pytest.fixture
def asha(chromium: Browser, site: Site) -> Iterator[Person]:
    """Asha, who sells; nothing may go wrong in her console."""
    with Person(chromium, site.url) as person:
        yield person
        person.saw_no_errors()
