"""``make audit`` says what is known of the packages, and never takes silence for good news."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from deploy.audit import verdict
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


def run(folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "deploy/audit.py", sys.executable, str(folder)],
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


def test_with_its_tools_it_writes_the_bill_and_tells_what_is_unknown(tmp_path: Path) -> None:
    # Stand-ins for the two programs, with what they printed without a net.
    tools = tmp_path / "venv" / "bin"
    tools.mkdir(parents=True)
    bill = json.dumps({"components": [{"name": "daphne"}]})
    (tools / "cyclonedx-py").write_text(
        f"#!/bin/sh\neval last=\\${{$#}}; echo '{bill}' > \"$last\"\n"
    )
    (tools / "pip-audit").write_text("#!/bin/sh\necho 'ConnectionError' >&2; exit 1\n")
    for program in tools.iterdir():
        program.chmod(0o755)
    done = run(tmp_path)
    assert (tmp_path / "bom.json").exists()
    assert done.returncode == 2
    assert "1 packages" in done.stdout
    assert "out of reach" in done.stdout


def test_the_site_does_not_depend_on_its_tools() -> None:
    pinned = (ROOT / "constraints.txt").read_text() + (ROOT / "pyproject.toml").read_text()
    for name in ("pip-audit", "pip_audit", "cyclonedx"):
        assert name not in pinned
