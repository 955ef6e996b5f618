"""The market's examples run as their first lines say."""

import re
import subprocess
import sys

import pytest

from bazaarbatna.envs.openenv.market import PREFIX
from bazaarbatna.market import make_market
from bazaarbatna.market.planner import play_scored
from bazaarbatna.market.policies.registry import make_policy
from tests.support import warm
from tests.support.commands import ROOT
from tests.support.examples import needed_by, told_to_install
from tests.support.servers import Site, free_port

NAMES = ("market_random", "market_expert", "market_labs")
PAGE = (ROOT / "docs" / "market_environments.md").read_text()


def command(name: str) -> list[str]:
    """How the first lines of an example say that it is run."""
    source = (ROOT / "examples" / f"{name}.py").read_text()
    told = re.search(r"^    python (-m )?(\S+)", source, re.M)
    assert told is not None
    return [sys.executable, *([told[1].strip()] if told[1] else []), told[2]]


def run(name: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return warm.run([*command(name), *arguments], knows=warm.CLIENTS)


def printed(name: str, *arguments: str) -> str:
    done = run(name, *arguments)
    assert done.returncode == 0, done.stderr
    return done.stdout


def mean(text: str) -> float:
    return float(re.findall(r"mean return (-?\d\.\d+)", text)[0])


def test_dice_lose_to_the_expert_who_gets_the_engines_own_returns(site: Site) -> None:
    at = ("--url", site.url + PREFIX, "--episodes", "12", "--task", "coalition_market")
    dice, expert = printed("market_random", *at), printed("market_expert", *at)
    assert "coalition_market: 12 episodes" in dice
    assert mean(expert) > mean(dice)
    totals = [
        play_scored(make_market("coalition_market", seed), make_policy("rule_expert", seed)).total
        for seed in range(12)
    ]
    assert f"mean return {sum(totals) / 12:.3f}" in expert
    assert re.search(r"jobs finished: \d+ of \d+", expert)


def test_labs_in_turn_print_a_line_each_and_the_same_twice() -> None:
    text = printed("market_labs", "--episodes", "3", "--task", "coalition_market")
    assert [line[:5] for line in text.splitlines()][:4] == ["lab_0", "lab_1", "lab_2", "lab_3"]
    assert mean(text) > 0
    assert printed("market_labs", "--episodes", "3", "--task", "coalition_market") == text


@pytest.mark.parametrize(
    ("name", "arguments", "told"),
    [
        ("market_expert", (), "Does the site run"),
        ("market_labs", ("--episodes", "0"), "--episodes is at least 1"),
    ],
)
def test_what_is_missing_is_said_in_a_line(
    name: str, arguments: tuple[str, ...], told: str
) -> None:
    nobody = () if arguments else ("--url", f"http://127.0.0.1:{free_port()}")
    done = run(name, *nobody, *arguments)
    assert done.returncode in (1, 2)
    assert told in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("name", NAMES)
def test_an_example_needs_no_more_than_its_first_lines_tell_to_install(name: str) -> None:
    assert needed_by(name) - {"bazaarbatna"} <= told_to_install(name)
    assert ("bazaarbatna" in needed_by(name)) == (command(name)[1] == "-m")
    assert f"`examples/{name}.py`" in PAGE


def test_the_clients_on_the_page_run_as_they_are_printed(
    site: Site, capsys: pytest.CaptureFixture[str]
) -> None:
    blocks = re.findall(r"```python\n(.*?)```", PAGE, re.S)
    assert len(blocks) == 4
    for block in blocks:
        code = block.replace("127.0.0.1:8000", f"127.0.0.1:{site.port}")
        exec(compile(code, "docs/market_environments.md", "exec"), {})
        assert re.search(r"-?\d\.\d+", capsys.readouterr().out)
