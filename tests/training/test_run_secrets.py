"""No token and no key is ever written: not in a log, a run's row or a run's log."""

import logging
import subprocess
import sys
from pathlib import Path

import pytest

from bazaar_site.env import env
from bazaar_site.env_secrets import secret_values
from bazaar_site.logging import configure_logging
from negotiation import secret_values as hidden
from negotiation.secret_values import HIDDEN, keep_secret, scrub, scrub_json
from training.jobs import worker
from training.runs import lifecycle

TOKEN = "hidden-value-of-a-test-5f3a"


@pytest.fixture(autouse=True)
def only_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hidden, "_secret", set())
    monkeypatch.setattr(hidden, "_known", hidden._known)


def test_secrets_are_known_by_the_names_of_their_variables(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    names = ("HF_TOKEN", "ANTHROPIC_API_KEY", "OPENAI_API_KEY", "SAUDA_HF_TOKEN", "PG_PASSWORD")
    for name in names:
        monkeypatch.setenv(name, f"value-of-{name}")
    monkeypatch.setenv("BAZAAR_SECRETS_DIR", "/run/secrets-of-a-test")
    values = {value.lower() for value in secret_values(env)}
    assert {f"value-of-{name}".lower() for name in names} <= values
    assert "/run/secrets-of-a-test" not in values


def test_the_password_of_an_address_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    site = env.model_copy(update={"database_url": "postgres://asha:wordwordword@db/bazaar"})
    assert "wordwordword" in set(secret_values(site))


@pytest.mark.parametrize(
    "told",
    [
        "hf_abcdefghijklmnopqrstuv",
        "the key sk-" + 24 * "x",
        "Authorization: Bearer abc.def.ghi-jkl",
        "https://asha:hunter22@hub.example/x",
    ],
)
def test_what_looks_like_a_key_is_hidden_though_nobody_named_it(told: str) -> None:
    assert scrub(told) != told
    assert HIDDEN in scrub(told)


def test_short_values_and_plain_words_stay() -> None:
    keep_secret(["test", "", TOKEN])
    line = "a test of 3,000 steps, hf_hub and sk-learn at http://127.0.0.1:8000/"
    assert scrub(line) == line
    assert scrub(f"{TOKEN}!") == f"{HIDDEN}!"


def test_json_is_searched_at_any_depth() -> None:
    keep_secret([TOKEN])
    dirty = {"a": [{"b": f"x {TOKEN}"}], "n": 1, TOKEN: None}
    assert TOKEN not in str(scrub_json(dirty))
    assert scrub_json(dirty)["n"] == 1


@pytest.mark.parametrize("as_json", [True, False])
def test_a_log_line_and_its_traceback_carry_no_secret(
    as_json: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    keep_secret([TOKEN])
    configure_logging("INFO", as_json=as_json)
    try:
        try:
            raise ValueError(f"refused: {TOKEN}")
        except ValueError:
            logging.getLogger("hub").exception("the hub said no to %s", TOKEN)
    finally:
        configure_logging(env.log_level, as_json=env.log_json)
    told = capsys.readouterr().err
    assert "the hub said no to" in told
    assert "Traceback" in told
    assert TOKEN not in told


@pytest.mark.django_db(transaction=True)
def test_neither_the_row_nor_the_log_of_a_run_carries_one(
    settings: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep_secret([TOKEN])
    settings.RUNS_DIR = tmp_path  # type: ignore[attr-defined]
    config = {"stage": "sft", "config": {"hub": TOKEN}}
    run = lifecycle.open_run("told", kind="sft", config=config, seeds={}, total=1, waits=True)
    assert lifecycle.claim(run)
    popen = subprocess.Popen
    program = f"import sys; sys.exit('cannot log in with {TOKEN}')"
    monkeypatch.setattr(
        worker.subprocess,
        "Popen",
        lambda _, **options: popen([sys.executable, "-c", program], **options),
    )
    worker.play(run)
    lifecycle.end(run, "failed", f"refused {TOKEN}")
    run.refresh_from_db()
    log = (tmp_path / run.pk / "stdout.log").read_text()
    assert "cannot log in with" in log
    assert TOKEN not in log + str(run.config) + run.note
