"""Where a variable's value comes from, and what a wrong one is told."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from bazaar_site.env import Env
from tests.support.commands import inherited
from tests.support.warm import run

LOOK = """
import django, json, logging
django.setup()
logging.disable()
from django.conf import settings
from django.test import Client
answer = Client(headers={"Host": "bazaar.example"}).get("/healthz", secure=True)
cookies = [settings.SESSION_COOKIE_SAMESITE, settings.CSRF_COOKIE_SAMESITE]
print(json.dumps({**answer.headers, "cookies": cookies}))
"""
"""A program that prints what a site with the settings of its environment answers."""


@pytest.fixture
def secrets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of secrets that the environment names."""
    monkeypatch.setenv("BAZAAR_SECRETS_DIR", str(tmp_path))
    for name in ("BAZAAR_SECRET_KEY", "DATABASE_URL"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


def test_a_file_of_its_name_holds_a_variable(secrets: Path) -> None:
    (secrets / "BAZAAR_SECRET_KEY").write_text("only in a file\n")
    (secrets / "DATABASE_URL").write_text("postgres://bazaar@db/bazaar\n")
    env = Env()
    assert env.secret_key is not None
    assert env.secret_key.get_secret_value() == "only in a file"
    assert env.database_url == "postgres://bazaar@db/bazaar"
    assert "only in a file" not in repr(env)


def test_the_environment_goes_before_the_file(
    secrets: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (secrets / "DATABASE_URL").write_text("postgres://from@file/bazaar")
    monkeypatch.setenv("DATABASE_URL", "postgres://from@environment/bazaar")
    assert Env().database_url == "postgres://from@environment/bazaar"


def test_a_folder_that_is_not_there_holds_nothing(
    secrets: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BAZAAR_SECRETS_DIR", str(secrets / "nowhere"))
    assert Env().secret_key is None


def test_all_wrong_values_are_named_at_once() -> None:
    wrong = {
        "BAZAAR_LIMIT_GAMES": "often",
        "BAZAAR_FRAMED_BY": "http://pages.example",
        "TRUSTED_PROXIES": "the proxy",
        "SAUDA_OLLAMA_URL": "localhost",
        "SAUDA_BACKENDS": "oracle",
        "BAZAAR_WEB_PROCESSES": "0",
    }
    with pytest.raises(ValidationError) as found:
        Env(**wrong)  # type: ignore[arg-type]
    assert {str(error["loc"][0]) for error in found.value.errors()} == set(wrong)


def test_a_wrong_key_is_named_and_not_shown() -> None:
    wrong = {"BAZAAR_SIGNING_KEY": "one-letter-was-lost", "BAZAAR_METRICS_TOKEN": "too-short"}
    with pytest.raises(ValidationError) as found:
        Env(**wrong)  # type: ignore[arg-type]
    told = str(found.value)
    assert all(name in told and value not in told for name, value in wrong.items())


def look_at_a_site(folder: Path, **environment: str) -> dict[str, Any]:
    settings = {
        "DJANGO_SETTINGS_MODULE": "bazaar_site.settings",
        "BAZAAR_DATA_DIR": str(folder),
        "BAZAAR_HTTPS": "true",
        "BAZAAR_ALLOWED_HOSTS": "bazaar.example",
        **environment,
    }
    done = run([sys.executable, "-c", LOOK], env={**inherited(), **settings})
    assert done.returncode == 0, done.stderr
    return dict(json.loads(done.stdout))


def test_nobody_frames_the_site_unless_the_operator_names_them(tmp_path: Path) -> None:
    alone = look_at_a_site(tmp_path)
    assert alone["X-Frame-Options"] == "DENY"
    assert "frame-ancestors 'none'" in alone["Content-Security-Policy"]
    assert alone["cookies"] == ["Lax", "Lax"]
    framed = look_at_a_site(tmp_path, BAZAAR_FRAMED_BY="https://pages.example, https://b.example")
    assert "X-Frame-Options" not in framed
    policy = framed["Content-Security-Policy"]
    assert "frame-ancestors https://pages.example https://b.example;" in f"{policy};"
    assert framed["cookies"] == ["None", "None"]
