"""``make audit`` says what is known of the packages, and never takes silence for good news."""

import contextlib
import datetime as dt
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from deploy.audit import answers, verdict
from tests.support.commands import ROOT

GOOD = {"name": "daphne", "version": "4.2.3", "vulns": []}
BAD = {
    "name": "pillow",
    "version": "1.0",
    "vulns": [{"id": "PYSEC-1", "fix_versions": ["1.1"]}, {"id": "PYSEC-2", "fix_versions": []}],
}
SKIPPED = {"name": "torch", "skip_reason": "not found"}


@pytest.mark.parametrize(
    ("found", "code", "words"),
    [
        ([GOOD], 0, "1 packages looked up, no known faults."),
        ([GOOD, BAD], 1, "pillow 1.0: PYSEC-1, mended in 1.1"),
        ([BAD], 1, "pillow 1.0: PYSEC-2, mended in no version yet"),
        ([GOOD, SKIPPED], 2, "1 of 2 packages could not be looked up"),
        ([BAD, SKIPPED], 1, "1 of 2 packages could not be looked up"),
    ],
)
def test_what_was_found_is_said(found: list[dict[str, Any]], code: int, words: str) -> None:
    told = verdict({"dependencies": found})
    assert told[0] == code
    assert words in told[1]


def test_a_list_out_of_reach_is_no_good_news() -> None:
    code, words = verdict(None)
    assert code == 2
    assert "out of reach" in words


TODAY = dt.date(2027, 1, 1)
ANSWER = {
    "id": "CVE-7",
    "package": "pillow",
    "why": "No such picture is read.",
    "until": dt.date(2027, 6, 30),
}
SEVEN = {**GOOD, "name": "pillow"} | {
    "vulns": [{"id": "PYSEC-7", "aliases": ["CVE-7"], "fix_versions": ["9"]}]
}


@pytest.mark.parametrize(
    ("found", "answer", "code", "words"),
    [
        ([SEVEN], ANSWER, 0, "answered until 2027-06-30: No such picture is read."),
        ([SEVEN], ANSWER, 0, "no known faults else."),
        ([SEVEN], {**ANSWER, "until": TODAY - dt.timedelta(1)}, 1, "which is over"),
        ([SEVEN], {**ANSWER, "package": "django"}, 1, "is found no more"),
        ([{**SEVEN, "name": "django"}], ANSWER, 1, "mended in 9"),
        ([GOOD], ANSWER, 0, "pillow: CVE-7 is found no more; its answer can go"),
        ([SEVEN, SKIPPED], ANSWER, 2, "could not be looked up"),
    ],
)
def test_a_fault_that_was_answered_is_told_and_counts_again_when_its_day_is_over(
    found: list[dict[str, Any]], answer: dict[str, Any], code: int, words: str
) -> None:
    told = verdict({"dependencies": found}, [answer], TODAY)
    assert told[0] == code
    assert words in told[1]


def test_every_answer_says_of_what_why_and_until_when() -> None:
    for one in answers():
        assert set(one) == {"id", "package", "why", "until"}
        assert isinstance(one["until"], dt.date)
        assert len(one["why"]) > 30


def run(folder: Path, *seconds: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "deploy/audit.py", sys.executable, str(folder), *seconds],
        cwd=ROOT, env={**os.environ, "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": ""},
        capture_output=True, text=True, check=False,
    )  # fmt: skip


def test_without_a_net_it_says_so_in_one_line(tmp_path: Path) -> None:
    done = run(tmp_path)
    assert done.returncode == 2
    assert done.stderr == ""
    assert done.stdout == (
        "The tools are not here, and no package index can be reached: nothing was looked at.\n"
    )


BILL = """#!/bin/sh
eval last=\\${$#}; echo '{"components": [{"name": "daphne"}]}' > "$last"
"""
PACKAGES = {"dependencies": [GOOD]}
"""What a service answers that knows the one package."""


def with_tools(folder: Path, bill: str, audit: str) -> Path:
    """Lay stand-ins for the two programs into a folder."""
    tools = folder / "venv" / "bin"
    tools.mkdir(parents=True)
    (tools / "cyclonedx-py").write_text(bill)
    (tools / "pip-audit").write_text(audit)
    for program in tools.iterdir():
        program.chmod(0o755)
    return folder


def test_with_its_tools_it_writes_the_bill_and_tells_what_is_unknown(tmp_path: Path) -> None:
    done = run(with_tools(tmp_path, BILL, "#!/bin/sh\necho 'ConnectionError' >&2; exit 1\n"))
    assert (tmp_path / "bom.json").exists()
    assert done.returncode == 2
    assert "1 packages" in done.stdout
    assert "out of reach" in done.stdout


def test_an_index_without_a_list_of_faults_is_asked_once_and_not_for_each_package(
    tmp_path: Path,
) -> None:
    none = json.dumps({"dependencies": [SKIPPED]})
    asked = tmp_path / "asked"
    done = run(with_tools(tmp_path, BILL, f"#!/bin/sh\necho \"$@\" >> {asked}\necho '{none}'\n"))
    assert done.returncode == 2
    assert "out of reach" in done.stdout
    assert "Django==" in done.stdout
    lines = asked.read_text().splitlines()
    assert ["constraints.txt" in line for line in lines] == [False, False]
    assert [line.partition("--vulnerability-service ")[2].split()[0] for line in lines] == [
        "pypi", "osv",
    ]  # fmt: skip


def test_where_the_index_knows_nothing_the_other_service_is_asked_for_all(tmp_path: Path) -> None:
    script = (
        "#!/bin/sh\ncase \"$*\" in *' osv '*) echo '" + json.dumps(PACKAGES) + "';; "
        "*) echo nothing; exit 1;; esac\n"
    )
    done = run(with_tools(tmp_path, BILL, script))
    assert done.returncode == 0
    assert "1 packages looked up, no known faults." in done.stdout


@pytest.mark.parametrize(
    ("hangs", "seconds", "words"),
    [
        ("cyclonedx-py", 2, "The bill of materials took more"),
        ("pip-audit", 10, "Looking up known faults took more"),
    ],
)
def test_a_step_that_hangs_is_ended_with_all_it_started_and_says_what_to_do(
    tmp_path: Path, hangs: str, seconds: int, words: str
) -> None:
    with_tools(tmp_path, BILL, "")
    hang = f"#!/bin/sh\necho $$ > {tmp_path}/group\nsh -c 'sleep 600; echo no'\n"
    (tmp_path / "venv" / "bin" / hangs).write_text(hang)
    done = run(tmp_path, str(seconds))
    assert done.returncode == 2
    assert words in done.stdout
    assert f"make audit AUDIT_S={4 * seconds}" in done.stdout
    assert done.stderr == ""
    assert alive(int((tmp_path / "group").read_text())) == []


def alive(group: int) -> list[str]:
    """Processes of a group that still run; who has ended may wait for somebody to hear of it."""
    found = []
    for file in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            state, _, its_group = file.read_text().rpartition(") ")[2].split()[:3]
            found += [file.parent.name] if int(its_group) == group and state != "Z" else []
    return found


def test_the_site_does_not_depend_on_its_tools() -> None:
    pinned = (ROOT / "constraints.txt").read_text() + (ROOT / "pyproject.toml").read_text()
    for name in ("pip-audit", "pip_audit", "cyclonedx"):
        assert name not in pinned
