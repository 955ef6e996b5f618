"""Say what the site is made of, and which known faults that has: what `make audit` runs.

``python deploy/audit.py PYTHON FOLDER [SECONDS]`` writes ``FOLDER/bom.json``, a CycloneDX bill of
materials: the packages that PYTHON has. It looks up every version of ``constraints.txt``. Its tools
live in ``FOLDER/venv``: the site does not depend on them. No step takes longer than so many
seconds. Standard library only.
"""

import datetime as dt
import json
import os
import signal
import subprocess
import sys
import tomllib
import venv
from collections.abc import Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PINS = ROOT / "constraints.txt"
FAULTS, UNKNOWN = 1, 2

STEP_S = 900.0
"""How long a step may take where nothing else is said; alone on a machine none takes a minute."""

SERVICES = ("pypi", "osv")
"""Where pip-audit asks: the package index, or osv.dev."""

Answer = dict[str, Any]


class Slow(Exception):
    """A step that took too long."""


def main(python: str, folder: Path, step_s: float = STEP_S) -> int:
    """Return 0 where every package is known to have no known fault, else 1 or 2."""
    try:
        return _audit(python, folder, step_s)
    except Slow as slow:
        _say(
            f"{slow} took more than {step_s:g} s and was ended: nothing is known of it. "
            f"On a busy machine: make audit AUDIT_S={4 * step_s:g}"
        )
        return UNKNOWN


def _audit(python: str, folder: Path, step_s: float) -> int:
    tools = folder / "venv" / "bin"
    if not (tools / "cyclonedx-py").exists() and not _fetch(folder / "venv", step_s):
        _say("The tools are not here, and no package index can be reached: nothing was looked at.")
        return UNKNOWN
    bill = folder / "bom.json"
    told = ["--pyproject", str(ROOT / "pyproject.toml"), "--output-reproducible"]
    command = [str(tools / "cyclonedx-py"), "environment", python, *told, "-o", str(bill)]
    made = _run("The bill of materials", command, step_s)
    if made.returncode:
        _say(f"No bill of materials: {made.stderr.strip()}")
        return UNKNOWN
    count = len(json.loads(bill.read_text())["components"])
    _say(f"{bill}: {count} packages")
    service = _who_knows(tools / "pip-audit", folder / "one.txt", step_s)
    report = _looked_up(tools / "pip-audit", PINS, service, step_s) if service else None
    code, words = verdict(report, answers())
    _say(words)
    return code


def answers() -> list[Answer]:
    """Return the faults of which somebody has found that they do not concern this site."""
    told = tomllib.loads((ROOT / "deploy" / "advisories.toml").read_text())
    found: list[Answer] = told.get("answer", [])
    return found


def verdict(
    report: dict[str, Any] | None, known: Sequence[Answer] = (), today: dt.date | None = None
) -> tuple[int, str]:
    """Judge what pip-audit found; a package that it could not look up is no good news."""
    if report is None:
        return (
            UNKNOWN,
            "The list of known faults is out of reach (neither the package index nor osv.dev says "
            f"anything of {_first()}): nothing is known of the versions. Ask where one of them "
            "answers.",
        )
    found, today = report["dependencies"], today or dt.datetime.now(dt.UTC).date()
    skipped = [one for one in found if "skip_reason" in one]
    lines, open_, used = [], 0, []
    for package in found:
        for fault in package.get("vulns", ()):
            answer = _answer_to(package, fault, known)
            used += [answer] if answer else []
            open_ += answer is None or answer["until"] < today
            lines.append(_line(package, fault, answer, today))
    stale = [one for one in known if one not in used]
    lines += [f"{one['package']}: {one['id']} is found no more; its answer can go" for one in stale]
    if skipped:
        lines.append(
            f"{len(skipped)} of {len(found)} packages could not be looked up: "
            "that they have no faults is not known."
        )
    elif not open_:
        lines.append(f"{len(found)} packages looked up, no known faults{' else' * bool(used)}.")
    return FAULTS if open_ else UNKNOWN if skipped else 0, "\n".join(lines)


def _answer_to(package: Answer, fault: Answer, known: Sequence[Answer]) -> Answer | None:
    names = {fault["id"], *fault.get("aliases", ())}
    return next((a for a in known if a["id"] in names and a["package"] == package["name"]), None)


def _line(package: Answer, fault: Answer, answer: Answer | None, today: dt.date) -> str:
    mended = ", ".join(fault["fix_versions"]) or "no version yet"
    line = f"{package['name']} {package['version']}: {fault['id']}, mended in {mended}"
    if answer is None:
        return line
    if answer["until"] < today:
        return f"{line}; answered until {answer['until']}, which is over: {answer['why']}"
    return f"{line}; answered until {answer['until']}: {answer['why']}"


def _fetch(folder: Path, step_s: float) -> bool:
    venv.create(folder, with_pip=True)
    wanted = ["--quiet", "--requirement", str(ROOT / "deploy" / "audit.txt")]
    command = [str(folder / "bin" / "python"), "-m", "pip", "install", *wanted]
    return _run("Installing the tools", command, step_s).returncode == 0


def _first() -> str:
    return next(line for line in PINS.read_text().splitlines() if line.startswith("Django=="))


def _who_knows(program: Path, one: Path, step_s: float) -> str | None:
    # A mirror may have all packages and know of no faults: one question shows it, not hundreds.
    one.write_text(f"{_first()}\n")
    for service in SERVICES:
        report = _looked_up(program, one, service, step_s)
        if report and not any("skip_reason" in package for package in report["dependencies"]):
            return service
    return None


def _looked_up(program: Path, pins: Path, service: str, step_s: float) -> dict[str, Any] | None:
    wanted = ["--requirement", str(pins), "--no-deps", "--disable-pip"]
    how = ["--vulnerability-service", service, "--progress-spinner", "off", "--format", "json"]
    done = _run("Looking up known faults", [str(program), *wanted, *how], step_s)
    try:
        report: dict[str, Any] = json.loads(done.stdout)
    except ValueError:
        return None
    return report


def _run(what: str, command: Sequence[str], step_s: float) -> "subprocess.CompletedProcess[str]":
    pipe = subprocess.PIPE
    started = subprocess.Popen(  # noqa: S603  ours
        command, stdout=pipe, stderr=pipe, text=True, start_new_session=True
    )
    try:
        out, err = started.communicate(timeout=step_s)
    except subprocess.TimeoutExpired:
        os.killpg(started.pid, signal.SIGKILL)  # what it has started too
        started.communicate()
        raise Slow(what) from None
    return subprocess.CompletedProcess(command, started.returncode, out, err)


def _say(words: str) -> None:
    sys.stdout.write(f"{words}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], Path(sys.argv[2]), *map(float, sys.argv[3:])))
