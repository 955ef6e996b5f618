"""A toy lab that is trained once: traces of a few episodes, then GRPO on whole ones."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytest_django import DjangoDbBlocker

from tests.support.small_stages import Left, play, quick, runs_in


@pytest.fixture(scope="session")
def corpora(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Traces, made once for all tests."""
    return tmp_path_factory.mktemp("traces")


@pytest.fixture
def folders(db: None, tmp_path: Path, corpora: Path) -> Iterator[Path]:
    """Runs of this test alone."""
    with runs_in(tmp_path, corpora):
        yield tmp_path


@pytest.fixture(scope="session")
def taught(
    corpora: Path,
    tmp_path_factory: pytest.TempPathFactory,
    django_db_setup: None,
    django_db_blocker: DjangoDbBlocker,
) -> Left:
    """What SFT leaves."""
    with django_db_blocker.unblock(), runs_in(tmp_path_factory.mktemp("taught"), corpora):
        return play(quick("market-sft"))


@pytest.fixture(scope="session")
def practised(
    taught: Left,
    corpora: Path,
    tmp_path_factory: pytest.TempPathFactory,
    django_db_setup: None,
    django_db_blocker: DjangoDbBlocker,
) -> Left:
    """What GRPO makes of it."""
    with django_db_blocker.unblock(), runs_in(tmp_path_factory.mktemp("practised"), corpora):
        return play(quick("market-grpo"), taught.folder / "model")
