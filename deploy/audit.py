"""Say what the site is made of, and which known faults that has: what `make audit` runs.

``python deploy/audit.py PYTHON FOLDER`` writes ``FOLDER/bom.json``, a CycloneDX bill of materials:
the packages that PYTHON has. It looks up every version of ``constraints.txt``. Its tools live in
``FOLDER/venv``: the site does not depend on them. Standard library only.
"""

import json
import subprocess
import sys
import venv
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
FAULTS, UNKNOWN = 1, 2


def main(python: str, folder: Path) -> int:
    """Return 0 where every package is known to have no known fault, else 1 or 2."""
    tools = folder / "venv" / "bin"
    if not (tools / "cyclonedx-py").exists() and not _fetch(folder / "venv"):
        _say("The tools are not here, and no package index can be reached: nothing was looked at.")
        return UNKNOWN
    bill = folder / "bom.json"
    told = ["--pyproject", str(ROOT / "pyproject.toml"), "--output-reproducible"]
    made = _run(str(tools / "cyclonedx-py"), "environment", python, *told, "-o", str(bill))
    if made.returncode:
        _say(f"No bill of materials: {made.stderr.strip()}")
        return UNKNOWN
    count = len(json.loads(bill.read_text())["components"])
    _say(f"{bill}: {count} packages")
    code, words = verdict(_looked_up(tools / "pip-audit"))
    _say(words)
    return code


def verdict(report: dict[str, Any] | None) -> tuple[int, str]:
    """Judge what pip-audit found; a package that it could not look up is no good news."""
    if report is None:
        return (
            UNKNOWN,
            "The list of known faults is out of reach: nothing is known of the versions.",
        )
    found = report["dependencies"]
    faulty = [one for one in found if one.get("vulns")]
    skipped = [one for one in found if "skip_reason" in one]
    lines = [
        f"{one['name']} {one['version']}: {fault['id']}"
        f", mended in {', '.join(fault['fix_versions']) or 'no version yet'}"
        for one in faulty
        for fault in one["vulns"]
    ]
    if skipped:
        lines.append(
            f"{len(skipped)} of {len(found)} packages could not be looked up: "
            "that they have no faults is not known."
        )
    if not lines:
        lines.append(f"{len(found)} packages looked up, no known faults.")
    return FAULTS if faulty else UNKNOWN if skipped else 0, "\n".join(lines)


def _fetch(folder: Path) -> bool:
    venv.create(folder, with_pip=True)
    wanted = ["--quiet", "--requirement", str(ROOT / "deploy" / "audit.txt")]
    done = _run(str(folder / "bin" / "python"), "-m", "pip", "install", *wanted)
    return done.returncode == 0


def _looked_up(program: Path) -> dict[str, Any] | None:
    wanted = ["--requirement", str(ROOT / "constraints.txt"), "--no-deps", "--disable-pip"]
    done = _run(str(program), *wanted, "--progress-spinner", "off", "--format", "json")
    try:
        report: dict[str, Any] = json.loads(done.stdout)
    except ValueError:
        return None
    return report


def _run(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603  ours


def _say(words: str) -> None:
    sys.stdout.write(f"{words}\n")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], Path(sys.argv[2])))
