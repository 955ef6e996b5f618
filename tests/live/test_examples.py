"""The examples run as their first lines say, against a site that is really served."""

import json
import os
import re
import sys

import pytest

from bazaarbatna.envs.openenv.bazaar import PREFIX
from tests.support import warm
from tests.support.commands import ROOT
from tests.support.faulty_server import FaultyServer
from tests.support.model_answers import Asked, Say
from tests.support.servers import Site, free_port


def run(site: Site, name: str, *arguments: str, **environment: str) -> str:
    """Run an example from the repository's folder and give what it printed."""
    base = site.url if name == "rule_agent" else site.ws_url
    url = base + PREFIX + ("" if name == "rule_agent" else "/ws")
    command = [sys.executable, f"examples/{name}.py", "--url", url, *arguments]
    done = warm.run(command, env={**os.environ, **environment}, knows=warm.CLIENTS)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_random_agent_plays_and_the_same_seed_prints_the_same(site: Site) -> None:
    arguments = ("--games", "5", "--task", "read_the_tells")
    first = run(site, "random_agent", *arguments)
    assert re.search(r"read_the_tells: 5 games, mean score 0\.\d+, deals \d+%", first)
    assert run(site, "random_agent", *arguments) == first


def test_the_rule_agent_beats_the_dice(site: Site) -> None:
    rules, dice = (
        float(re.findall(r"mean score (\d\.\d+)", run(site, name, "--games", "30"))[0])
        for name in ("rule_agent", "random_agent")
    )
    assert rules > dice


@pytest.mark.parametrize(
    ("name", "arguments", "told"),
    [
        ("random_agent", (), "Does the site run"),
        ("rule_agent", (), "Does the site run"),
        ("llm_agent", (), "Do both run"),
        ("random_agent", ("--games", "0"), "--games is at least 1"),
    ],
)
def test_what_is_missing_is_said_in_a_line(
    name: str, arguments: tuple[str, ...], told: str
) -> None:
    nobody = f"127.0.0.1:{free_port()}"
    url = f"http://{nobody}" if name == "rule_agent" else f"ws://{nobody}/ws"
    model = ("--model", "m", "--server", f"http://{nobody}/v1") if name == "llm_agent" else ()
    command = [sys.executable, f"examples/{name}.py", "--url", url, *model, *arguments]
    done = warm.run(command, knows=warm.CLIENTS)
    assert done.returncode in (1, 2)
    assert re.search(told, done.stderr)
    assert "Traceback" not in done.stderr


def test_the_llm_agent_plays_through_any_chat_server(site: Site) -> None:
    def answer(asked: Asked) -> Say:
        told = asked.messages[-1]["content"]
        if "Round 1 " in told:
            return Say('I would rather talk about cricket. {"action": "offer", "price": NaN}')
        if "Round 2 " in told:
            return Say('Sure: {"action": "offer", "price": 30, "message": "Tees?"} ok?')
        return Say('{"action": "walk", "price": null, "message": "Bas."}')

    with FaultyServer() as server:
        server.answer_with(answer)
        said = run(
            site,
            "llm_agent",
            *("--model", "stand-in", "--games", "2", "--seed", "3"),
            OPENAI_BASE_URL=f"{server.url}/v1",
            OPENAI_API_KEY="key-of-asha",
        )
        prompts = json.dumps([asked.messages for asked in server.asked])
    assert said.count("round 1: asked") == 2
    assert '"price": 30' in said
    assert "walk; the limit was" in said
    assert "single_deal: 2 games, mean score 0.000" in said
    assert "key-of-asha" not in said + prompts
    assert "reservation" not in prompts


@pytest.mark.parametrize(("page", "printed"), [("docs/environment.md", 3), ("README.md", 1)])
def test_the_client_in_ten_lines_runs_as_it_is_printed(
    site: Site, page: str, printed: int, capsys: pytest.CaptureFixture[str]
) -> None:
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / page).read_text(), re.S)
    clients = [block for block in blocks if "http://127.0.0.1:8000" in block or "ws://" in block]
    assert len(clients) == printed
    for block in clients:
        assert len([line for line in block.splitlines() if line.strip()]) <= 12
        code = block.replace("127.0.0.1:8000", f"127.0.0.1:{site.port}")
        exec(compile(code, page, "exec"), {})
        assert re.search(r"(deal|walk|expired)", capsys.readouterr().out)
