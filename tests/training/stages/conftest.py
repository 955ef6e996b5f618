"""Tiny models that are made once, and folders in which stages leave what they make."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytest_django import DjangoDbBlocker

from tests.support.small_stages import Left, make_haggler, play, quick, runs_in
from tests.support.tiny_llama import make_tiny_llama, teach_tools
from training.stages import grpo, work
from training.stages.games import Deal


@pytest.fixture(scope="session")
def haggler(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model of the compact dialect that bids one of three prices."""
    return make_haggler(tmp_path_factory.mktemp("hagglers") / "haggler")


@pytest.fixture(scope="session")
def stranger(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A Llama from elsewhere that babbles, with a chat template that knows tools."""
    folder = tmp_path_factory.mktemp("strangers") / "llama"
    make_tiny_llama(folder, end="<|im_end|>", eos="<|im_end|>")
    teach_tools(folder)
    return folder


@pytest.fixture(scope="session")
def corpora(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Teacher games, made once for all tests."""
    return tmp_path_factory.mktemp("corpora")


@pytest.fixture
def folders(db: None, tmp_path: Path, corpora: Path) -> Iterator[Path]:
    """Runs of this test alone."""
    with runs_in(tmp_path, corpora):
        yield tmp_path


@pytest.fixture
def every_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stages give a line at every step, however short."""
    monkeypatch.setattr(work, "TELL_S", 0.0)


@pytest.fixture
def every_sign(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stages look at every step whether somebody wants them to stop."""
    monkeypatch.setattr(work, "BEAT_S", 0.0)


@pytest.fixture(scope="session")
def rounds() -> list[list[Deal]]:
    """The deals of every round of ``learned``, in order."""
    return []


@pytest.fixture(scope="session")
def learned(
    haggler: Path,
    corpora: Path,
    rounds: list[list[Deal]],
    tmp_path_factory: pytest.TempPathFactory,
    django_db_setup: None,
    django_db_blocker: DjangoDbBlocker,
) -> Left:
    """What GRPO leaves when nobody stops it."""
    played = grpo.BuyerRounds.play

    def noted(self: grpo.BuyerRounds, deals: list[Deal]) -> object:
        rounds.append(list(deals))
        return played(self, deals)

    with (
        django_db_blocker.unblock(),
        runs_in(tmp_path_factory.mktemp("learned"), corpora),
        pytest.MonkeyPatch.context() as patch,
    ):
        patch.setattr(grpo.BuyerRounds, "play", noted)
        return play(quick("grpo"), haggler)
