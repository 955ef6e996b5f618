"""What the site warns its operator of, and what it keeps quiet about."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from bazaar_site.checks import PROBLEMS, problems
from bazaar_site.env import Env
from bazaar_site.env_secrets import make_signing_key
from tests.support.commands import ROOT, inherited
from tests.support.warm import run

KEY = "only-for-tests-but-as-long-as-a-real-one-0123456789"
PAGE = (ROOT / "docs" / "deploy.md").read_text()


def documented() -> dict[str, str]:
    """The variables of a public site as the docs give them, with keys of its own."""
    block = re.search(r"```ini\n(.*?)```", PAGE, re.S)
    assert block
    own = {"BAZAAR_SECRET_KEY": KEY, "BAZAAR_SIGNING_KEY": make_signing_key()}
    return dict(line.split("=", 1) for line in block[1].splitlines()) | own


def warned(**changes: str) -> list[str]:
    """Ids of the problems of the documented site with these changes; "" takes a variable away."""
    told = {name: value for name, value in (documented() | changes).items() if value}
    return [row.id for row in problems(Env(**told))]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("id_", "changes"),
    [
        ("bazaar.W002", {"BAZAAR_SECRET_KEY": ""}),
        ("bazaar.W003", {"REDIS_URL": ""}),
        ("bazaar.W004", {"BAZAAR_DEBUG": "true"}),
        ("bazaar.W005", {"BAZAAR_ALLOWED_HOSTS": "bazaar.example,*"}),
        ("bazaar.W006", {"BAZAAR_HTTPS": "false"}),
        ("bazaar.W007", {"TRUSTED_PROXIES": ""}),
        ("bazaar.W010", {"BAZAAR_SECRET_KEY": "your-own"}),
        ("bazaar.W010", {"BAZAAR_SECRET_KEY": "abcd" * 20}),
        ("bazaar.W011", {"SAUDA_POLICY": "sauda-netwrok"}),
        ("bazaar.W011", {"SAUDA_POLICY": "seller:people"}),
        ("bazaar.W012", {"BAZAAR_SIGNING_KEY": ""}),
    ],
)
def test_each_slip_of_a_public_site_is_warned_of(id_: str, changes: dict[str, str]) -> None:
    assert warned() == []
    assert warned(**changes) == [id_]


@pytest.mark.parametrize(
    "money",
    [
        {"SAUDA_HF_USD_PER_MILLION_IN": "0", "SAUDA_HF_USD_PER_MILLION_OUT": "0"},
        {"SAUDA_GATE_DAILY_USD": "1000"},
    ],
)
def test_a_metered_model_needs_a_cap_that_counts(money: dict[str, str]) -> None:
    endpoint = {"SAUDA_HF_URL": "https://models.example"}
    assert warned(**endpoint) == []
    assert warned(**endpoint, **money) == ["bazaar.W001"]
    assert warned(**endpoint, **money, SAUDA_BACKENDS="ollama,rules") == []
    assert warned(**money) == []


def test_a_framed_site_needs_https() -> None:
    framed = {"BAZAAR_FRAMED_BY": "https://pages.example"}
    assert warned(**framed) == []
    assert "bazaar.W009" in warned(**framed, BAZAAR_HTTPS="false")


@pytest.mark.parametrize("hosts", ["localhost", "127.0.0.1,[::1]", "127.0.0.2"])
def test_a_site_of_one_machine_is_left_in_peace(hosts: str) -> None:
    private = Env(BAZAAR_ALLOWED_HOSTS=hosts, BAZAAR_DEBUG="true")  # type: ignore[call-arg]
    assert problems(private) == []
    shared = Env(BAZAAR_ALLOWED_HOSTS=hosts, BAZAAR_WEB_PROCESSES="2")  # type: ignore[call-arg]
    assert [row.id for row in problems(shared)] == ["bazaar.W003"]


def test_every_warning_says_what_to_do_and_stands_in_the_docs() -> None:
    for row in PROBLEMS:
        assert re.search(r"[A-Z]+_[A-Z_]+", row.hint), row.id
        assert f"| `{row.id}` |" in PAGE


def check(folder: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return run(
        [sys.executable, "manage.py", "check", "--fail-level", "WARNING", *arguments],
        env={**inherited(), "BAZAAR_DATA_DIR": str(folder), **environment},
    )


def test_the_documented_settings_pass_djangos_own_inspection(tmp_path: Path) -> None:
    done = check(tmp_path, "--deploy", **documented())
    assert done.returncode == 0, done.stderr
    assert done.stdout + done.stderr == "System check identified no issues (0 silenced).\n"


def test_a_start_with_a_slip_shows_the_warning(tmp_path: Path) -> None:
    done = check(tmp_path, **documented() | {"BAZAAR_DEBUG": "true"})
    assert done.returncode == 1
    assert "bazaar.W004" in done.stderr
