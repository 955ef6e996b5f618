"""Model servers that the tests of this folder share."""

from collections.abc import Iterator

import pytest

from tests.support.faulty_server import FaultyServer
from tests.support.model_servers import TransformersServe
from tests.support.tiny_llama import make_tiny_llama


@pytest.fixture(scope="session")
def babbling_model(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TransformersServe]:
    """A real server of a real model, which babbles."""
    folder = make_tiny_llama(tmp_path_factory.mktemp("served") / "tiny")
    with TransformersServe(folder) as server:
        yield server


@pytest.fixture(scope="session")
def _scripted() -> Iterator[FaultyServer]:
    with FaultyServer() as server:
        yield server


@pytest.fixture
def scripted(_scripted: FaultyServer) -> FaultyServer:
    """A server that answers what the test tells it."""
    _scripted.reset()
    return _scripted
