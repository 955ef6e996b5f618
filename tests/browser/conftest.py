"""A real Chromium against a real Daphne; every page error fails the test that met it."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.support.browsing import Person, Started
from tests.support.servers import Site
from tests.support.services import skip_without


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = f"{Path(__file__).parent}{os.sep}"
    for item in items:
        if str(item.path).startswith(here):
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A served site with the catalogue loaded, shared by all browser tests."""
    with Site(tmp_path_factory.mktemp("site")) as running:
        yield running


@pytest.fixture(scope="session")
def started() -> Iterator[Started]:
    """Playwright and its browser, which take a second of a processor to start."""
    skip_without("Chromium")
    with Started() as started:
        yield started


@pytest.fixture(scope="module")
def chromium(started: Started) -> Iterator[Browser]:
    """One browser; each person in it has a profile of their own, none outlives a module."""
    with started.at_work() as browser:
        yield browser
        for context in browser.contexts:
            context.close()


@pytest.fixture
def asha(chromium: Browser, site: Site) -> Iterator[Person]:
    """Asha, who sells; nothing may go wrong in her console."""
    with Person(chromium, site.url) as person:
        yield person
        person.saw_no_errors()
