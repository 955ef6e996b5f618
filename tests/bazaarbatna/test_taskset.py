"""``verifiers`` plays the bazaar's taskset with a scripted model: nothing beyond this machine.

It pins a version of MCP that the rest of the tests cannot have: it gets an environment of its own.
"""

import importlib.util
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import bazaarbatna
from bazaarbatna.envs.bargain.tools import BazaarEnv
from bazaarbatna.envs.bargain.words import RULES
from tests.support.commands import ROOT
from tests.support.empty import KEPT, empty_python

pytestmark = pytest.mark.timeout(900)  # an index far away, a busy machine

EXAMPLE = ROOT / "examples" / "verifiers_bazaar.py"


@pytest.fixture(scope="module")
def example() -> ModuleType:
    spec = importlib.util.spec_from_file_location("verifiers_bazaar", EXAMPLE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def share_of(example: ModuleType, suite: str, seed: int) -> float:
    """Play as the scripted model does, in this process; the mean share over the bargains."""
    env = BazaarEnv()
    talk: list[dict[str, Any]] = [
        {"role": "system", "content": RULES},
        {"role": "user", "content": env.reset(seed=seed, task=suite)},
    ]
    while not env.is_over:
        said = example.scripted(talk)
        call = said["tool_calls"][0]["function"]
        told = getattr(env, call["name"])(**example.json.loads(call["arguments"]))
        talk += [said, {"role": "tool", "content": told}]
    return sum(env.shares) / len(env.shares)


def test_the_names_that_verifiers_looks_for_are_there_and_import_nothing_before_it() -> None:
    assert bazaarbatna.__all__ == ["BazaarHarness", "BazaarTable", "BazaarTaskset"]
    assert "verifiers" not in sys.modules
    with pytest.raises(AttributeError, match="has no attribute 'Nothing'"):
        bazaarbatna.Nothing  # noqa: B018


def test_the_shares_of_a_game_are_kept_bargain_by_bargain(example: ModuleType) -> None:
    env = BazaarEnv()
    env.reset(seed=3, task="career_10")
    while not env.is_over:
        env.accept()
    assert len(env.shares) == 10
    assert all(0 <= share <= 1 for share in env.shares)
    env.reset(seed=3)
    assert env.shares == []


@pytest.fixture(scope="module")
def verifiers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A Python that has it: the one that ``BAZAAR_VERIFIERS_PYTHON`` names, or a new one."""
    if there := os.environ.get("BAZAAR_VERIFIERS_PYTHON"):
        return Path(there)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    wanted = project["dependencies"] + project["optional-dependencies"]["verifiers"]
    return empty_python(tmp_path_factory.mktemp("verifiers") / "venv", *wanted)


def evaluated(
    python: Path, tmp_path: Path, *asked: str, command: str | Path = EXAMPLE
) -> subprocess.CompletedProcess[str]:
    words = [str(python)] if command == EXAMPLE else []
    kept = {**KEPT, "PYTHONPATH": str(ROOT), "COLUMNS": "300"}
    return subprocess.run(
        [*words, str(command), *asked], cwd=tmp_path, env=kept, capture_output=True, text=True,
        check=False,
    )  # fmt: skip


@pytest.mark.parametrize("suite", ["people", "read_the_tells"])
def test_verifiers_plays_the_games_of_the_suite(
    example: ModuleType, suite: str, verifiers: Path, tmp_path: Path
) -> None:
    done = evaluated(verifiers, tmp_path, "--suite", suite, "--games", "6")
    told = re.findall(r"game +(\d+) +share of the zone ([\d.]+)", done.stdout)
    wanted = {seed: share_of(example, suite, seed) for seed in range(6)}
    assert {int(seed): float(share) for seed, share in told} == pytest.approx(wanted, abs=5e-4)
    assert any(wanted.values())


def test_a_taskset_that_cannot_be_is_told_in_a_sentence(verifiers: Path, tmp_path: Path) -> None:
    words = ["bazaarbatna", "-m", "x", "--client.base-url", "http://127.0.0.1:9/v1"]
    words += ["--env.taskset.suite", "nowhere"]
    done = evaluated(verifiers, tmp_path, *words, command=verifiers.with_name("vf-eval"))
    said = " ".join((done.stdout + done.stderr).replace("\u2502", " ").split())
    told = "There is no task 'nowhere'. Known: single_deal" in said
    assert (done.returncode, told, "Traceback" in said) == (1, True, False)
