"""Models that are made once, and backends that have loaded them."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from agents.backends.base import Chat, Message
from agents.backends.local.backend import LocalBackend
from tests.support.local_models import when_ready
from tests.support.tiny_llama import make_tiny_llama
from tests.support.tiny_sauda import HOSTILE, OFFER, make_sauda, ship

ANOTHER = (*OFFER[:1], ('"price": 700, ',), *OFFER[2:])
"""The same words at another price."""

OBJECT = ('{"action": "offer", ', '"price": 150, ', '"message": "theek hai, ₹150"}')


def asha_asks(number: int = 0, **settings: object) -> Chat:
    """A chat like a turn's: rules that are always the same, then words of some length."""
    rules = "You are Sauda, a buyer in an Indian bazaar. Pay little, answer with JSON. " * 3
    words = f"game {number}: last price {100 * number + 70}, " + "box sealed, " * (number * 5 % 23)
    return Chat((Message("system", rules), Message("user", words)), **settings)  # type: ignore[arg-type]


@pytest.fixture(scope="session")
def babbling(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model with random weights, which never ends by itself."""
    return make_tiny_llama(tmp_path_factory.mktemp("llama") / "babbling", endless=True)


@pytest.fixture(scope="session")
def endless(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model that says "o o o" for ever: no brace closes its answer, no luck shortens it."""
    folder = tmp_path_factory.mktemp("llama") / "endless"
    return make_tiny_llama(folder, says=("o", " "), end="", endless=True, context=32_768)


@pytest.fixture(scope="session")
def scripted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model that answers everything with one offer and a word too many."""
    return make_tiny_llama(
        tmp_path_factory.mktemp("llama") / "scripted", says=(*OBJECT, " and more")
    )


@pytest.fixture(scope="session")
def babbler(babbling: Path) -> Iterator[LocalBackend]:
    yield from _running(LocalBackend(str(babbling), batch=8, timeout_s=30, stop_at_object=False))


@pytest.fixture(scope="session")
def speaker(scripted: Path) -> Iterator[LocalBackend]:
    yield from _running(LocalBackend(str(scripted), batch=8, timeout_s=30))


def _running(backend: LocalBackend) -> Iterator[LocalBackend]:
    asyncio.run(when_ready(backend))
    yield backend
    asyncio.run(backend.close())


@pytest.fixture(scope="session")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two stages of a small model that was trained to buy, one of them shipped as the voice."""
    folder = tmp_path_factory.mktemp("models")
    make_sauda(folder / "sauda-tiny-sft", name="sauda-tiny:sft")
    make_sauda(folder / "sauda-tiny-dpo", name="sauda-tiny:dpo", stages=ANOTHER, steer=True)
    ship(folder, "sauda-tiny-dpo")
    return folder


@pytest.fixture(scope="session")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small model that says whatever must not be said."""
    return make_sauda(
        tmp_path_factory.mktemp("models") / "hostile", name="sauda-tiny:bad", stages=HOSTILE
    )
