"""What every test shares."""

import functools
import gc
import os
import random
import secrets
import ssl
import sys
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import httpx._transports.default as transports
import hypothesis
import pytest
from django.utils import translation
from whitenoise.middleware import WhiteNoiseMiddleware
from xdist.scheduler import LoadFileScheduling

from tests.support.new_databases import copy_database, share
from tests.support.threads import let_go_of_connections

DATABASE_FIXTURES = {"db", "transactional_db", "_django_db_helper"}

# Hundreds of processes would compile the same code again, and so would each test run.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# The engine under pytest-asyncio and Playwright runs inside an event loop; our tests that touch
# the database from there do so on purpose and from one thread.
os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "true")

# openenv does without its page for a browser, which nobody opens here and which takes two seconds.
sys.modules["gradio"] = None  # type: ignore[assignment]

# Only tests that are about a trained model load one: the sites of all others start without.
os.environ.setdefault("SAUDA_LOCAL_MODEL", "none")

# Nor the voice in the box, which takes a core while it speaks.
os.environ.setdefault("SAUDA_VOICE_S", "0")

# Most tests of the sale are about models that speak and the rules behind them; those that are
# about the site's own buyer, the network, name it.
os.environ.setdefault("SAUDA_POLICY", "sauda")


# An example may be slow because the machine is busy; that says nothing about the code.
hypothesis.settings.register_profile("busy machines", deadline=None)
hypothesis.settings.load_profile("busy machines")


SLOW = {"browser", "gates", "live", "red_team", "training"}
"""Folders of tests that take minutes."""

FIRST = ("test_training_chain.py", "test_every_page.py", "test_study.py", "test_crowds.py")
"""Files of a minute and more: whoever begins one last lets the others wait."""


TOGETHER = ("tests/training/market/", "tests/training/stages/")
"""Folders whose files one process runs: they share what takes that process long to make."""


class Together(LoadFileScheduling):  # type: ignore[misc]  # untyped package
    """Gives each process whole files, and some folders as a whole."""

    def _split_scope(self, nodeid: str) -> str:
        return next((one for one in TOGETHER if nodeid.startswith(one)), nodeid.partition("::")[0])


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Together | None:
    """Where files are given out as they are, these are given out together."""
    return Together(config, log) if config.getoption("dist") == "loadfile" else None


SOAK_S = 900
"""What a large version may take, where everything else runs beside it."""


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Processes that share the work begin with what is slow, so that they end together.

    Files of the slow folders take turns: while those of one wait, those of another compute.
    """
    for item in items:
        if item.get_closest_marker("soak") and not item.get_closest_marker("timeout"):
            item.add_marker(pytest.mark.timeout(SOAK_S))
    if "PYTEST_XDIST_WORKER" not in os.environ:
        return
    files = dict.fromkeys(item.path for item in items)
    folders: dict[str, list[Path]] = {name: [] for name in sorted(SLOW)}
    for path in files:
        for name in SLOW.intersection(path.parts):
            folders[name].append(path)
    turn = {
        path: number / len(paths) for paths in folders.values() for number, path in enumerate(paths)
    }
    turn |= {path: -1.0 for path in turn if path.name in FIRST}
    items.sort(key=lambda item: turn.get(item.path, 1.0))


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """What is collected stays: looking for rubbish meanwhile takes a seventh of the time."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()


def pytest_collection_finish() -> None:
    """What was imported by now stays: collectors, and trainers that call them, look past it."""
    gc.freeze()


def pytest_configure() -> None:
    """Nor does this process know one, shipped or made here, not even while tests are collected."""
    from django.conf import settings

    share()
    # pytest-django has read the settings by now.
    settings.MODELS_DIR = settings.MODELS_DIR / "of-tests"
    settings.SAUDA_POLICY = os.environ["SAUDA_POLICY"]
    # A real hash of a password is slow on purpose.
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    settings.SAUDA_VOICE_S = float(os.environ["SAUDA_VOICE_S"])
    settings.SAUDA_LOCAL = {**settings.SAUDA_LOCAL, "model": os.environ["SAUDA_LOCAL_MODEL"]}


@pytest.fixture(scope="session")
def django_db_modify_db_settings(
    django_db_modify_db_settings_parallel_suffix: None, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """The database of tests is a copy of the one that the sites of this run begin with.

    It lies in a folder of this run: another one may go on beside it.
    """
    from django.conf import settings

    test = settings.DATABASES["default"].get("TEST", {})
    if test.get("NAME"):
        test["NAME"] = str(tmp_path_factory.mktemp("database") / Path(test["NAME"]).name)
        copy_database(Path(test["NAME"]))


@pytest.fixture(scope="session")
def django_db_keepdb() -> bool:
    """Nothing is made where it has been copied."""
    from django.conf import settings

    return bool(settings.DATABASES["default"].get("TEST", {}).get("NAME"))


@pytest.fixture(autouse=True, scope="session")
def place_of_models(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Tests that make one have a place for it."""
    from django.conf import settings

    settings.MODELS_DIR = tmp_path_factory.mktemp("models")


@pytest.fixture(autouse=True, scope="session")
def letters_in_memory() -> None:
    """What this process asks of a worker never lies in the folder of a real one."""
    from bazaar_site import celery_app

    celery_app.conf.broker_url = "memory://tests"


@pytest.fixture(autouse=True, scope="session")
def files_are_found_once() -> None:
    """Each test client makes the site's middleware anew; what whitenoise found stays found."""
    find, found = WhiteNoiseMiddleware.add_files_from_finders, dict[str, object]()
    read, folders = WhiteNoiseMiddleware.update_files_dictionary, dict[str, dict[str, object]]()

    def find_once(middleware: WhiteNoiseMiddleware) -> None:
        if not found:
            find(middleware)
            found.update(middleware.files)
        middleware.files.update(found)

    def read_once(middleware: WhiteNoiseMiddleware, root: str, prefix: str) -> None:
        if root not in folders:
            before = dict(middleware.files)
            read(middleware, root, prefix)
            folders[root] = {
                url: file for url, file in middleware.files.items() if before.get(url) is not file
            }
        middleware.files.update(folders[root])

    WhiteNoiseMiddleware.add_files_from_finders = find_once
    WhiteNoiseMiddleware.update_files_dictionary = read_once


@pytest.fixture(autouse=True, scope="session")
def authorities_are_read_once() -> None:
    """Each client of HTTP reads the world's certificates anew: a fiftieth of a second."""
    make = transports.create_ssl_context
    known = functools.lru_cache(make)

    def make_once(**told: Any) -> ssl.SSLContext:
        named = "SSL_CERT_FILE" in os.environ or "SSL_CERT_DIR" in os.environ
        if told["verify"] is not True or told["cert"] or named:
            return make(**told)
        return known(**told)

    transports.create_ssl_context = make_once


@pytest.fixture(autouse=True)
def apart(request: pytest.FixtureRequest) -> Iterator[None]:
    """No test meets what another has left; one fixture, for there are many tests.

    Each starts with unspent rate limits (those in the database go with its rollback), and a seed
    that nobody asked for is the same at every run: what fails can be repeated. Other ones:
    ``TEST_LUCK=7 make test``. Servers in processes of their own draw theirs.
    """
    from negotiation import limits

    limits.forget_settings()
    drawn, secrets._sysrand = secrets._sysrand, luck_of(request.node.nodeid)  # type: ignore[attr-defined]
    yield
    secrets._sysrand = drawn  # type: ignore[attr-defined]
    # A test client leaves the language of its last page behind in this thread.
    translation.deactivate()
    # A test without a database must not meet threads that still have one.
    if not DATABASE_FIXTURES.isdisjoint(request.fixturenames):
        let_go_of_connections()


def luck_of(test: str) -> random.Random:
    """Return the dice of a test."""
    return random.Random(f"{os.environ.get('TEST_LUCK', '')}:{test}")


@pytest.fixture(scope="session", autouse=True)
def time_that_is_set_passes() -> None:
    """Let the house take it for time that passes where a test puts the clock."""
    from django.utils import timezone

    from negotiation.games import jumps

    def wall() -> float:
        return timezone.now().timestamp()

    jumps._jumps = jumps.Jumps(wall, wall)
