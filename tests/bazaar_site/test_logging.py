"""Logs tell what happened, and never what is sealed."""

import errno
import json
import logging
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
import redis
import structlog
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st
from psycopg.errors import AdminShutdown

from bazaar_site.env import env
from bazaar_site.logging import SEALED_KEYS, configure_logging, without_sealed
from tests.support.finished import a_scenario

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(params=[True, False], ids=["json", "text"])
def as_json(request: pytest.FixtureRequest) -> Iterator[bool]:
    configure_logging("DEBUG", as_json=request.param)
    yield request.param
    configure_logging(env.log_level, as_json=env.log_json)


def test_the_words_and_the_open_values_are_written(
    as_json: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    structlog.get_logger("sale").info("moved", game="k3f", price=170)
    logging.getLogger("django.request").warning("not found: %s", "/nowhere/")
    told = capsys.readouterr().err
    assert all(part in told for part in ("moved", "k3f", "170", "not found: /nowhere/"))
    if as_json:
        lines = [json.loads(line) for line in told.splitlines()]
        assert [line["level"] for line in lines] == ["info", "warning"]
        assert lines[0]["price"] == 170
        assert lines[0]["timestamp"].endswith("Z")


def test_a_foreign_host_name_leaves_no_traceback(
    as_json: bool, client: Client, capsys: pytest.CaptureFixture[str]
) -> None:
    for host in ("", "evil.example", "a b"):
        assert client.get("/env/bazaar/health", headers={"host": host}).status_code == 400
    told = capsys.readouterr().err
    assert "DisallowedHost" not in told
    assert "Traceback" not in told


@pytest.mark.parametrize("key", sorted(SEALED_KEYS))
def test_no_sealed_key_is_written_wherever_it_stands(
    as_json: bool, key: str, capsys: pytest.CaptureFixture[str]
) -> None:
    secret = 424_242
    hidden = {key: secret, "seen": "open"}
    say = structlog.get_logger("sale")
    say.info("flat", **{key: secret})
    say.info("deep", state=[{"inner": (hidden, {key.upper(): secret})}])
    say.info("placed %s", hidden)
    say.bind(**{key: secret}).info("bound")
    plain = logging.getLogger("plain")
    plain.info("extra", extra={key: secret, "state": hidden})
    plain.info("placed %s and %s", hidden, [hidden])
    plain.info("mapped %(seen)s", hidden)
    with structlog.contextvars.bound_contextvars(**{key: secret}):
        say.info("in context")
    told = capsys.readouterr().err
    assert len(told.splitlines()) == 8
    assert "open" in told
    assert str(secret) not in told


def test_a_scenario_is_named_and_not_printed(
    as_json: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    scenario = a_scenario()
    structlog.get_logger("sale").info("started", of=scenario, all=[scenario.sealed])
    logging.getLogger("plain").info("started %s", scenario)
    told = capsys.readouterr().err
    assert told.count("<Scenario>") == 2
    assert not [part for part in ("a1b2c3", "170000", "120000") if part in told]


def test_a_traceback_shows_lines_and_no_values(
    as_json: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(budget: int) -> float:
        return budget / 0

    for say in (structlog.get_logger("sale"), logging.getLogger("plain")):
        try:
            fail(424_242)
        except ZeroDivisionError:
            say.exception("the turn failed")
    told = capsys.readouterr().err
    assert told.count("ZeroDivisionError") == 2
    assert "424242" not in told


def test_entries_below_the_level_are_not_written(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logging("ERROR")
    try:
        structlog.get_logger("quiet").warning("nothing to see")
        logging.getLogger("quiet").warning("nothing to see")
        assert capsys.readouterr().err == ""
    finally:
        configure_logging(env.log_level, as_json=env.log_json)


@given(
    st.recursive(
        st.integers() | st.text(max_size=5),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(st.sampled_from(["budget", "Salt", "ask", "text"]), inner, max_size=4)
        ),
        max_leaves=20,
    )
)
def test_nothing_but_sealed_keys_is_taken_away(value: object) -> None:
    def keys(inside: object) -> list[str]:
        if isinstance(inside, dict):
            return [*inside, *(key for inner in inside.values() for key in keys(inner))]
        return [key for inner in inside for key in keys(inner)] if isinstance(inside, list) else []

    left = without_sealed(value)
    assert not {"budget", "Salt"} & set(keys(left))
    if not {"budget", "Salt"} & set(keys(value)):
        assert left == value


def test_values_nested_too_deep_are_cut_off() -> None:
    deep: object = {"budget": 1}
    for _ in range(50):
        deep = [deep]
    assert "budget" not in repr(without_sealed(deep))


def test_a_real_process_logs_json_when_told(tmp_path: Path) -> None:
    code = (
        "import django; django.setup(); import logging;"
        "logging.getLogger('x').warning('hello', extra={'budget': 424242})"
    )
    settings = {
        "DJANGO_SETTINGS_MODULE": "bazaar_site.settings",
        "BAZAAR_DATA_DIR": str(tmp_path),
        "BAZAAR_LOG_JSON": "true",
        "PATH": os.environ["PATH"],
    }
    ran = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT, env=settings, capture_output=True, text=True, check=True,
    )  # fmt: skip
    entry = json.loads(ran.stderr.splitlines()[-1])
    assert entry["event"] == "hello"
    assert "424242" not in ran.stderr


def test_a_level_that_does_not_exist_stops_the_start_with_its_name(tmp_path: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", "import bazaar_site.env"],
        cwd=ROOT,
        env={"BAZAAR_LOG_LEVEL": "LOUD", "BAZAAR_DATA_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 1
    assert "BAZAAR_LOG_LEVEL" in ran.stderr


def test_an_outage_is_told_once_in_one_line(
    as_json: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    full = OSError(errno.ENOSPC, "No space left on device")
    away = redis.ConnectionError("refused")
    starting = psycopg.OperationalError("the database system is starting up")
    log = logging.getLogger("negotiation.limits")
    for wrong in [full, away, starting, AdminShutdown("stopped")] * 50:
        try:
            raise RuntimeError("it failed") from wrong
        except RuntimeError:
            log.exception("move of %s failed", "asha" if wrong is full else "ravi")
    told = capsys.readouterr().err
    assert "Traceback" not in told
    assert len(told.splitlines()) == 1
    assert "it failed" in told


def test_what_is_no_outage_keeps_its_traceback_each_time(
    as_json: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    for _ in range(3):
        try:
            raise RuntimeError("ours")
        except RuntimeError:
            logging.getLogger("negotiation.limits").exception("it broke")
    assert capsys.readouterr().err.count("Traceback") == 3
