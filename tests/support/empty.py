"""An empty environment of Python, as whoever installs from our pages has it."""

import os
import site
import subprocess
import venv
from pathlib import Path

import pytest

KEPT = {
    name: kept for name, kept in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")
}


def empty_python(folder: Path, *wanted: str, sees_ours: bool = False) -> Path:
    """Install into a new environment; skip where no package index is in reach.

    With ``sees_ours`` it has all that this one has, and what is wanted comes alone.
    """
    venv.create(folder, with_pip=True)
    python = folder / "bin" / "python"
    if sees_ours:
        [there] = folder.glob("lib/python*/site-packages")
        (there / "ours.pth").write_text("\n".join(site.getsitepackages()))
    install(python, *(["--no-deps"] if sees_ours else []), *wanted)
    return python


def install(python: Path, *wanted: str) -> None:
    """Install more."""
    command = [str(python), "-m", "pip", "install", "--quiet", "--no-compile", *wanted]
    done = subprocess.run(command, env=KEPT, check=False, capture_output=True, text=True)
    if done.returncode and "No matching distribution" in done.stderr:
        pytest.skip("no package index is in reach")
    assert done.returncode == 0, done.stderr


def run_in(python: Path, *words: str, cwd: Path) -> str:
    """Run its Python; give what it prints."""
    command = [str(python), "-W", "ignore", *words]
    done = subprocess.run(command, cwd=cwd, env=KEPT, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout
