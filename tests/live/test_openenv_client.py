"""The openenv package's own client and validator against a site that is really served."""

import asyncio
import functools
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from openenv.cli._validation import validate_running_environment
from openenv.core import GenericEnvClient
from openenv.core.env_server import Action
from openenv.validation import Level, Verdict, run_validation
from openenv.validation.types import ProviderCapability
from websockets.asyncio.client import ClientConnection, connect

from bazaarbatna.bargain import grade, make_scenario, play_suite_game
from bazaarbatna.envs.openenv.bazaar import PREFIX
from bazaarbatna.envs.openenv.frames import LONGEST
from bazaarbatna.envs.openenv.market import PREFIX as MARKET_PREFIX
from negotiation.hanging_up import CLOSE_FULL
from tests.support import warm
from tests.support.commands import ROOT
from tests.support.openenv_clients import (
    TypedClient,
    connect_from,
    hold_places,
    take_a_place,
)
from tests.support.players import SteadyBuyer
from tests.support.secrets import leaks
from tests.support.servers import Site

SUITES = ("single_deal@fixed-1", "career_10@sampled-1", "read_the_tells@sampled-1")


def steady(seen: dict[str, Any], first: float = 0.45) -> dict[str, Any]:
    """The moves of ``SteadyBuyer(0)``, from JSON."""
    limit = min(round(seen["budget"] * 100), round(seen["opening_ask"] * 100))
    share = first + (1 - first) * (seen["round"] - 1) / seen["max_rounds"]
    bid = max(1, int(limit * share))
    if round(seen["standing_ask"] * 100) <= min(bid, round(seen["budget"] * 100)):
        return {"action": "accept", "message": "Theek hai, done."}
    return {"action": "offer", "price": bid / 100, "message": f"I can do {bid / 100:.2f}."}


class Asked(Action):
    action: str
    price: float | None = None
    message: str = ""


@pytest.mark.parametrize("suite", SUITES)
async def test_the_async_client_plays_the_game_that_the_engine_plays(
    site: Site, suite: str
) -> None:
    async with GenericEnvClient(base_url=site.url + PREFIX) as env:
        for seed in (1, 2):
            result = await env.reset(seed=seed, task=suite)
            rewards = []
            while not result.done:
                result = await env.step(steady(result.observation))
                rewards.append(result.reward)
            logs = play_suite_game(suite, seed, lambda _: SteadyBuyer(0))
            assert result.metadata["score"] == grade(suite, logs)
            assert len(rewards) == sum(
                sum(
                    type(event).__name__ in ("OfferMade", "OfferAccepted", "WalkedAway")
                    and event.actor == "buyer"
                    for event in log.events
                )
                for log in logs
            )
            state = await env.state()
            assert (state["done"], state["seed"]) == (True, seed)


def test_the_sync_client_plays_too_at_the_bare_host(site: Site) -> None:
    with GenericEnvClient(base_url=site.url).sync() as env:
        result = env.reset(seed=5, variant="fixed", episode_id="mine")
        while not result.done:
            result = env.step(steady(result.observation))
        assert result.observation["outcome"] in ("deal", "walk", "expired")
        assert env.state()["episode_id"] == "mine"


def test_a_typed_client_reads_every_field(site: Site) -> None:
    with TypedClient(base_url=site.url + PREFIX).sync() as env:
        result = env.reset(seed=3)
        result = env.step(Asked(action="offer", price=result.observation.opening_ask / 2))
        assert result.observation.round == 2
        assert env.state().step_count == 1


def test_a_refusal_reaches_the_caller_in_words_and_the_session_goes_on(site: Site) -> None:
    with GenericEnvClient(base_url=site.url + PREFIX).sync() as env:
        with pytest.raises(RuntimeError, match=r"reset starts one.*EXECUTION_ERROR"):
            env.step({"action": "walk"})
        with pytest.raises(RuntimeError, match=r"Known: single_deal.*VALIDATION_ERROR"):
            env.reset(task="nothing")
        env.reset(seed=1)
        with pytest.raises(RuntimeError, match=r"\$.data.price.*VALIDATION_ERROR"):
            env.step({"action": "offer", "price": "forty"})
        assert env.step({"action": "walk"}).done


async def test_thirty_two_clients_each_play_their_own_game(site: Site) -> None:
    async def play(seed: int) -> tuple[int, float]:
        async with GenericEnvClient(base_url=site.url + PREFIX) as env:
            result = await env.reset(seed=seed, task="single_deal")
            while not result.done:
                result = await env.step(steady(result.observation))
            return seed, result.metadata["score"]

    for seed, score in await asyncio.gather(*map(play, range(32))):
        logs = play_suite_game("single_deal@sampled-1", seed, lambda _: SteadyBuyer(0))
        assert score == grade("single_deal@sampled-1", logs)


async def test_nothing_that_chetan_receives_is_hidden_before_the_end(site: Site) -> None:
    url = site.ws_url + PREFIX + "/ws"
    wrong = ("{", '{"type":"peek"}', '{"type":"step","data":{"action":"peek"}}', "[]")
    async with connect(url, proxy=None) as chetan:
        for seed in range(6):
            scenario = make_scenario("read_the_tells@sampled-1", seed)
            data = {"seed": seed, "task": "read_the_tells"}
            got = [await asked(chetan, {"type": "reset", "data": data})]
            for number in range(4):
                bid = {"action": "offer", "price": 1.0 + number / 100}
                got.append(await asked(chetan, {"type": "step", "data": bid}))
                got.append(await asked(chetan, {"type": "state"}))
                got.append(await asked(chetan, wrong[number]))
            for text in got:
                if json.loads(text)["data"].get("observation", {}).get("result"):
                    break
                bids = [1.0 + number / 100 for number in range(4)]
                assert leaks(text, scenario, own_bids=bids) == []


async def asked(socket: ClientConnection, frame: object) -> str:
    await socket.send(frame if isinstance(frame, str) else json.dumps(frame))
    return str(await socket.recv())


async def test_mallory_cannot_hang_up_on_herself_with_a_wrong_frame(site: Site) -> None:
    async with connect(site.ws_url + PREFIX + "/ws", proxy=None) as mallory:
        for frame in ("", "{}", "[" * 9000, "x" * LONGEST, '{"type":"step","data":null}'):
            assert json.loads(await asked(mallory, frame))["type"] == "error"
        await mallory.send(b"\x00\xff")
        assert json.loads(await mallory.recv())["data"]["code"] == "INVALID_JSON"
        assert json.loads(await asked(mallory, {"type": "reset"}))["type"] == "observation"
    assert "Traceback" not in site.log


async def test_a_page_of_another_site_may_not_open_the_socket(site: Site) -> None:
    with pytest.raises(Exception, match="403"):
        async with connect(
            site.ws_url + PREFIX + "/ws",
            proxy=None,
            origin="https://evil.example",  # type: ignore[arg-type]
        ):
            raise AssertionError("the door was open")


ELSEWHERE = "127.0.0.9"
"""An address of which no other test leaves a game behind."""


async def test_a_flood_of_sessions_is_told_so_and_ends_when_they_leave(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = site.ws_url + PREFIX + "/ws"
    monkeypatch.setattr(
        "openenv.core.env_client.ws_connect", functools.partial(connect_from, ELSEWHERE)
    )
    async with hold_places(url, 64, ELSEWHERE):
        async with connect_from(ELSEWHERE, url) as late:
            told = json.loads(await late.recv())["data"]
            assert (told["code"], told["max_sessions"]) == ("CAPACITY_REACHED", 64)
            assert "64 sessions" in told["message"]
            await late.wait_closed()
            assert late.close_code == CLOSE_FULL
        async with connect_from(ELSEWHERE, url) as hasty:
            # As clients do, it speaks before it listens: the error is its answer.
            told = json.loads(await asked(hasty, {"type": "reset"}))["data"]
            assert told["code"] == "CAPACITY_REACHED"
            await hasty.wait_closed()
            assert hasty.close_code == CLOSE_FULL
        with (
            pytest.raises(RuntimeError, match="CAPACITY_REACHED"),
            GenericEnvClient(base_url=site.url + PREFIX).sync() as env,
        ):
            env.reset()
    await take_a_place(url, ELSEWHERE)


def test_it_passes_at_the_bare_host_too_as_a_container_is_asked(site: Site) -> None:
    report = validate_running_environment(site.url, timeout_s=30)
    assert report["summary"]["failed_criteria"] == []


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """What a clone holds of what the validator reads, without local data beside it."""
    for name in ("openenv.yaml", "pyproject.toml", "README.md"):
        (tmp_path / name).write_bytes((ROOT / name).read_bytes())
    return tmp_path


COMMANDS = """
import json, sys
from openenv.cli.__main__ import app
from typer.testing import CliRunner

done = [CliRunner().invoke(app, arguments) for arguments in json.loads(sys.argv[1])]
print(json.dumps([[one.exit_code, one.stdout] for one in done]))
"""
"""Both of the package's commands in one process: importing them takes seconds."""


def test_the_packages_validator_passes_against_the_url_and_on_the_repository(
    site: Site, checkout: Path
) -> None:
    commands = [
        ["validate", "--url", site.url + PREFIX, "--timeout", "30", "--json"],
        ["validate", str(checkout), "--json"],
    ]
    done = warm.run([sys.executable, "-c", COMMANDS, json.dumps(commands)], knows=warm.CLIENTS)
    assert done.returncode == 0, done.stderr
    (url_code, url_said), (folder_code, folder_said) = json.loads(done.stdout)
    by_url, of_folder = json.loads(url_said), json.loads(folder_said)
    assert (url_code, by_url["passed"], by_url["mode"]) == (0, True, "simulation")
    assert by_url["summary"]["failed_criteria"] == []
    assert folder_code == 0, folder_said
    statuses = {row["check_id"]: row["status"] for row in of_folder["results"]}
    assert statuses.pop("static.manifest") == "pass"
    # The rest needs a container, or a grader that the package does not have yet.
    assert set(statuses.values()) == {"skip"}
    assert run_validation(checkout, max_level=Level.STATIC).verdict is Verdict.PASS


BARGAINING = [{"action": "offer", "price": 20.0 + n, "message": "Bas."} for n in range(60)]
PITCHING = [{"action": "make_pitch", "message": f"We need hours in round {n}."} for n in range(12)]


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize(
    ("prefix", "task", "actions"),
    [
        (PREFIX, "career_10", [*BARGAINING, {"action": "accept"}, {"action": "walk"}]),
        (MARKET_PREFIX, "coalition_market", [{"action": "fly"}, *PITCHING]),
    ],
    ids=["bazaar", "market"],
)
def test_the_packages_runtime_graders_pass_without_a_container(
    site: Site, checkout: Path, prefix: str, task: str, actions: list[dict[str, Any]]
) -> None:
    class Served:
        """Gives the validator a site that is there already, where its own would build an image."""

        name = "served"
        capabilities = frozenset({ProviderCapability.IMAGE_BUILD})
        supported_network_modes = frozenset({"no-network", "public"})
        base_url = site.url + prefix

        def build(self, root: Path, execution: Any) -> str:
            return "sha256:" + "0" * 64

        def start(self, spec: Any) -> Any:
            return self

        def inspect(self) -> dict[str, Any]:
            return {}

        def stop(self) -> None:
            """Leave it running."""

    plan = {
        "plan_schema_version": "1",
        "reset": {"episode_id": "validated", "seed": 7, "options": {"task": task}},
        "actions": actions,
    }
    (checkout / "validation").mkdir()
    (checkout / "validation" / "runtime.json").write_text(json.dumps(plan))
    manifest = (checkout / "openenv.yaml").read_text()
    (checkout / "openenv.yaml").write_text(manifest + "  execution: {dockerfile: Dockerfile}\n")
    report = run_validation(checkout, max_level=Level.RUNTIME, provider=Served())
    results = {row.check_id: (row.status.value, row.evidence) for row in report.results}
    for check in ("startup", "reward_well_formed", "observation_schema", "state_contract"):
        assert results[f"runtime.{check}"][0] == "pass", results[f"runtime.{check}"]


def test_the_web_process_brings_none_of_the_packages_extras() -> None:
    code = (
        "import sys, django, os; os.environ['DJANGO_SETTINGS_MODULE'] = 'bazaar_site.settings';"
        "django.setup(); import bazaar_site.asgi, bazaar_site.urls;"
        "print([m for m in ('gradio', 'mcp', 'fastmcp', 'openenv', 'fastapi', 'uvicorn')"
        " if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "[]"
