"""``verifiers`` plays the bazaar's taskset with a scripted model: nothing beyond this machine.

It pins a version of MCP that the rest of the tests cannot have: where it is not installed,
``BAZAAR_VERIFIERS_PYTHON`` may name an interpreter that has it.
"""

import importlib.util
import os
import re
import subprocess
import sys
from types import ModuleType
from typing import Any

import pytest

import bazaarbatna
from bazaarbatna.envs.bargain.tools import BazaarEnv
from bazaarbatna.envs.bargain.words import RULES
from tests.support.commands import ROOT

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


@pytest.mark.parametrize("suite", ["people", "read_the_tells"])
def test_verifiers_plays_the_games_of_the_suite(example: ModuleType, suite: str) -> None:
    python = os.environ.get("BAZAAR_VERIFIERS_PYTHON", sys.executable)
    asked = subprocess.run(
        [python, "-c", "import verifiers.v1"], capture_output=True, text=True, check=False
    )
    if asked.returncode:
        pytest.skip("verifiers is not installed here; BAZAAR_VERIFIERS_PYTHON may name where it is")
    command = [python, str(EXAMPLE), "--suite", suite, "--games", "6"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    told = re.findall(r"game +(\d+) +share of the zone ([\d.]+)", done.stdout)
    wanted = {seed: share_of(example, suite, seed) for seed in range(6)}
    assert {int(seed): float(share) for seed, share in told} == pytest.approx(wanted, abs=5e-4)
    assert any(wanted.values())
