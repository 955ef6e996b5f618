"""A real Daphne process, and people at the wire."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.arena import PAUSELESS
from tests.support.modelled import Models, a_modelled_site
from tests.support.pairs import Pair, both_alive, one_at_each
from tests.support.people import Visitor
from tests.support.servers import Site


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = f"{Path(__file__).parent}{os.sep}"
    for item in items:
        if str(item.path).startswith(here):
            item.add_marker(pytest.mark.live)


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A served site that answers at once, shared by the tests that leave it running."""
    with Site(tmp_path_factory.mktemp("live"), catalogue=False) as running:
        yield running


@pytest.fixture
def asha(site: Site) -> Iterator[Visitor]:
    """Asha, who sells."""
    visitor = Visitor(site)
    yield visitor
    visitor.close()


@pytest.fixture
def chetan(site: Site) -> Iterator[Visitor]:
    """Chetan, who must never see."""
    visitor = Visitor(site)
    yield visitor
    visitor.close()


@pytest.fixture
def mallory(site: Site) -> Iterator[Visitor]:
    """Mallory, who attacks."""
    visitor = Visitor(site)
    yield visitor
    visitor.close()


@pytest.fixture(scope="session")
def arena_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A site whose matches have short pauses, and whose people have all the time they want."""
    pauses = {**PAUSELESS, "BAZAAR_ARENA_PAUSE_S": "0.15", "BAZAAR_ARENA_TURN_S": "60"}
    with Site(tmp_path_factory.mktemp("arena"), **pauses) as running:
        yield running


@pytest.fixture(scope="session")
def modelled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Models]:
    """A site with models, shared."""
    with a_modelled_site(tmp_path_factory.mktemp("models")) as models:
        yield models


@pytest.fixture
def models(modelled: Models) -> Models:
    """The same, with both models well."""
    modelled.forget()
    return modelled


@pytest.fixture
def pair(served: Pair) -> Pair:
    """Two processes of one site, both alive; a module's own ``served`` says how they are served."""
    return both_alive(served)


@pytest.fixture
def people(pair: Pair) -> Iterator[tuple[Visitor, Visitor]]:
    """Asha at the first process, Bilal at the second."""
    with one_at_each(pair) as people:
        yield people
