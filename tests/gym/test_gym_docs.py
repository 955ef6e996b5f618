"""docs/gym.md says what the code does: its examples run, its tables have every key."""

import re
from pathlib import Path
from typing import Any

import gymnasium
import pytest

from agents.sweeps import SWEEP_BUYERS
from bazaarbatna.envs.auction.parallel import ArenaParallelEnv, parallel_env
from bazaarbatna.envs.bargain.gymnasium_env import BazaarEnv
from bazaarbatna.envs.bargain.resets import OPTIONS
from bazaarbatna.envs.cases.gymnasium_env import CaseEnv
from bazaarbatna.envs.market.gymnasium_env import GpuMarketEnv
from bazaarbatna.envs.market.labs import LabsEnv
from bazaarbatna.envs.market.labs import env as labs_env

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "gym.md").read_text()
EXAMPLES = re.findall(r"```python\n(.*?)```", PAGE, re.S)


@pytest.mark.parametrize(
    "example", EXAMPLES, ids=["table", "tables", "learner", "case", "arena", "sweep"]
)
def test_every_example_runs_and_prints(example: str, capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(example, "gym.md", "exec"), {})
    printed = capsys.readouterr().out
    assert printed
    assert "nan" not in printed


def test_the_learner_of_the_page_learns(capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(EXAMPLES[2], "gym.md", "exec"), {})
    means = [float(line.split()[3]) for line in capsys.readouterr().out.splitlines()]
    assert sum(means[-3:]) / 3 > means[0] + 0.05


def described(space: gymnasium.Space[object], key: str) -> str:
    if isinstance(space, gymnasium.spaces.Discrete):
        return f"| `{key}` | Discrete({space.n}) |"
    assert isinstance(space, gymnasium.spaces.Box)
    return f"| `{key}` | Box({space.shape[0]}), {space.low[0]:g}..{space.high[0]:g} |"


def test_the_tables_of_spaces_are_those_of_the_code() -> None:
    one, many = BazaarEnv().observation_space, parallel_env().observation_space("buyer_1")
    assert isinstance(many, gymnasium.spaces.Dict)
    rows = [described(space, key) for key, space in one.spaces.items()]
    rows += [described(many[key], key) for key in ("prices", "budget", "clock", "rivals")]
    assert [row for row in rows if row not in PAGE] == []


def test_every_argument_option_and_key_of_info_is_named() -> None:
    env = BazaarEnv("impatient_seller")
    _, info = env.reset(seed=3)
    *_, after = env.step({"move": 2, "price": [0.0]})
    names = {*OPTIONS, *info, *after, "grid", "words", "render_mode"}
    assert sorted(name for name in names if name not in PAGE) == []


def test_the_figures_have_a_row_for_every_buyer() -> None:
    assert [name for name in SWEEP_BUYERS if f"| `{name}` |" not in PAGE] == []


HEADINGS = {
    "Description", "Action Space", "Observation Space", "Rewards",
    "Starting State", "Episode End", "Arguments", "Version History",
}  # fmt: skip


@pytest.mark.parametrize("made", [BazaarEnv, CaseEnv, GpuMarketEnv, ArenaParallelEnv, LabsEnv])
def test_an_environment_is_described_under_gymnasiums_headings(made: type) -> None:
    found = re.findall(r"^    ## (.*)$", made.__doc__ or "", re.M)
    assert {one for heading in found for one in heading.split(", ")} >= HEADINGS


@pytest.mark.parametrize("env", [parallel_env(), labs_env()])
def test_agents_are_named_as_pettingzoo_recommends(env: Any) -> None:
    assert [name for name in env.possible_agents if not re.fullmatch(r"[a-z]+_\d", name)] == []
