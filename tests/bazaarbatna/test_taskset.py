"""``verifiers`` plays the bazaar's taskset with a scripted model: nothing beyond this machine.

It pins a version of MCP that the rest of the tests cannot have: it gets an environment of its own.
"""

import importlib.util
import json
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


def test_a_message_that_is_null_is_none_and_another_kind_of_one_is_refused() -> None:
    told = []
    for message in ("", None):
        env = BazaarEnv()
        env.reset(seed=7, task="single_deal")
        told.append((env.offer(20, message), env.say(message), env.get_reward()))  # type: ignore[arg-type]
    assert told[0] == told[1]
    env.reset(seed=7, task="single_deal")
    env.offer(20)
    for message in (3, ["hello"], {}, True):
        for act in (env.say, lambda wrong: env.offer(21, wrong)):
            with pytest.raises(ValueError, match="Expected `str`"):
                act(message)  # type: ignore[arg-type]
    assert not env.is_over


@pytest.mark.parametrize("seed", [1.5, float("nan"), float("inf"), "x", [3], {}, "2.5"], ids=str)
def test_a_seed_that_is_no_whole_number_is_refused_in_a_sentence(seed: Any) -> None:
    with pytest.raises(ValueError, match="Expected `int"):
        BazaarEnv().reset(seed=seed)
    assert BazaarEnv().reset(seed="3") == BazaarEnv().reset(seed=3.0) == BazaarEnv().reset(seed=3)


@pytest.mark.parametrize("url", ["http://127.0.0.1:8000/env/bazaar", "localhost:8000", ""])
def test_an_address_that_is_no_sockets_is_refused_before_a_training_begins(url: str) -> None:
    with pytest.raises(ValueError, match="is no socket's address"):
        BazaarEnv(url)


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


NONSENSE = """
import asyncio, json, sys
from types import SimpleNamespace as Made
from bazaarbatna.envs.bargain import taskset

def told(name, arguments, env):
    function = Made(name=name, arguments=arguments)
    return taskset.answered(env, Made(id="1", function=function))["content"]

env, _ = taskset.opened("single_deal@sampled-1", None, 7)
said = [told(*one, env) for one in json.loads(sys.argv[1])]
assert not env.is_over
said.append(told("offer", '{"price": 20, "message": null}', env))

async def nothing(**_):
    return Made(choices=[])

model = Made(chat=Made(completions=Made(create=nothing)))
said.append(asyncio.run(taskset.asked(model, "x", [])))
print(json.dumps(said))
"""


def test_a_model_that_answers_nonsense_is_told_what_was_wrong_and_plays_on(
    verifiers: Path, tmp_path: Path
) -> None:
    calls = [
        ("offer", "[1]"), ("offer", "null"), ("offer", "3"), ("offer", "{"), ("buy", "{}"),
        ("get_reward", "{}"), ("offer", '{"price": NaN}'), ("offer", '{"price": 3, "x": 1}'),
    ]  # fmt: skip
    done = evaluated(verifiers, tmp_path, "-c", NONSENSE, json.dumps(calls), command=verifiers)
    assert done.returncode == 0, done.stderr
    *wrong, offered, walked = json.loads(done.stdout)
    assert [one.startswith("Not done: ") for one in wrong] == [True] * len(calls)
    assert wrong[:3] == ["Not done: The arguments of a tool are a JSON object."] * 3
    assert "Round 2 of" in offered
    assert walked == []
