"""Bots from elsewhere against a served site with a real worker: clients, hostile ones, a crash."""

import json
import sys
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from openenv.core import GenericEnvClient
from websockets.sync.client import connect

from bazaarbatna.bargain.sealed_seeds import commitment, seed_of
from tests.support.bots import halfway
from tests.support.servers import Site
from tests.support.waiting import until
from tests.support.warm import run
from tests.support.workers import Worker

WITHIN_S = 90
SUITES = 8
BARGAINS = 21
"""One game of every sampled suite, of which one has ten bargains and one five."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A site whose bots play one game of each suite."""
    few = {"BAZAAR_BOT_EPISODES": "1"}
    limits = {"BAZAAR_LIMIT_BOTS": "1000/hour", "BAZAAR_LIMIT_BOT_PLAYS": "1000/hour"}
    with Site(tmp_path_factory.mktemp("bots"), catalogue=False, **few, **limits) as running:
        yield running


@pytest.fixture(scope="module")
def worker(site: Site) -> Iterator[Worker]:
    """One worker for all; a test that kills it starts it again."""
    with Worker(site, is_slow=True) as worker:
        yield worker


class Owner:
    """A program of Asha's that looks after her bot."""

    def __init__(self, site: Site, name: str) -> None:
        told = httpx.post(f"{site.url}/api/bots/", json={"name": name})
        assert told.status_code == 201, told.text
        self.token = str(told.json()["token"])
        self.id = str(told.json()["id"])
        self.address = f"{site.url}/api/bots/{self.id}/"

    def play(self) -> dict[str, Any]:
        plays = httpx.get(self.address).json()["plays"]
        return dict(plays[0]) if plays else {}


def everything_in(client: Any, token: str | None, heard: list[str]) -> str:
    """Play with OpenEnv's own client until the site deals no more; give what it said then."""
    given = {} if token is None else {"token": token}
    while True:
        try:
            seen = client.reset(**given)
        except RuntimeError as told:
            return str(told)
        heard.append(json.dumps([seen.observation, seen.metadata]))
        assert seen.reward is None
        while not seen.done:
            seen = client.step(halfway(seen.observation))
            heard.append(json.dumps([seen.observation, seen.metadata]))
            assert seen.reward is None


def test_a_client_plays_with_openenvs_own_client_and_is_verified_in_a_second_session(
    site: Site, worker: Worker
) -> None:
    owner, heard = Owner(site, "Client bot"), []
    with GenericEnvClient(base_url=f"{site.url}/env/bots").sync() as env:
        assert "summed up" in everything_in(env, owner.token, heard)
        until(lambda: owner.play().get("state") == "is being checked")
        assert "Connect anew" in everything_in(env, owner.token, heard)
    played = owner.play()
    assert (played["bargains_done"], played["bargains"]) == (BARGAINS, BARGAINS)
    assert played["key"] is None
    assert not played["verified"]
    header = {"Authorization": f"Bearer {owner.token}"}
    again = GenericEnvClient(base_url=f"{site.url}/env/bots", headers=header).sync()
    with again as env:
        assert "summed up" in everything_in(env, None, heard)
    until(lambda: owner.play()["verified"])
    played = owner.play()
    assert commitment(played["key"]) == played["commitment"]
    seeds = [seed_of(played["key"], id_, 0) for id_ in suites_of(heard)]
    assert len(set(seeds)) == SUITES
    received = "".join(heard)
    for secret in ("reservation", "salt", owner.token, played["key"], *map(str, seeds)):
        assert secret not in received
    page = httpx.get(f"{site.url}/bots/{owner.id}/").text
    assert "verified" in page
    assert owner.token not in page
    assert owner.token not in site.log


def suites_of(heard: list[str]) -> set[str]:
    return {json.loads(text)[0]["suite"] for text in heard}


def test_a_broken_line_is_gone_on_with_and_a_reset_never_deals_another_game(site: Site) -> None:
    owner = Owner(site, "Broken line")

    def says(line: Any, kind: str, **data: Any) -> dict[str, Any]:
        line.send(json.dumps({"type": kind, "data": data}))
        return dict(json.loads(line.recv())["data"])

    address = f"{site.ws_url}/env/bots/ws"
    with connect(address) as line:
        first = says(line, "reset", token=owner.token)
        moved = says(line, "step", action="offer", price=20)
    with connect(address) as line:
        again = says(line, "reset", token=owner.token)
        assert again["observation"] == moved["observation"]
        assert again["observation"]["episode_id"] == first["observation"]["episode_id"]
        assert says(line, "reset")["observation"] == moved["observation"]
        with connect(address) as newer:
            assert says(newer, "reset", token=owner.token)["observation"] == moved["observation"]
            refused = says(line, "step", action="offer", price=30)
            assert refused["code"] == "SESSION_ERROR"
            assert says(newer, "step", action="offer", price=30)["observation"]["round"] == 3


def test_mallory_at_the_door_of_the_bots_gets_errors_and_nothing_else(site: Site) -> None:
    owner = Owner(site, "At the door")
    address = f"{site.ws_url}/env/bots/ws"

    def told(line: Any, text: str) -> dict[str, Any]:
        line.send(text)
        return dict(json.loads(line.recv()))

    with connect(address) as line:
        for text, code in (
            ("nonsense", "INVALID_JSON"),
            ("[]", "VALIDATION_ERROR"),
            ('{"type": "steal"}', "UNKNOWN_TYPE"),
            ('{"type": "step", "data": {"action": "walk"}}', "SESSION_ERROR"),
            ('{"type": "state"}', "SESSION_ERROR"),
            ('{"type": "reset"}', "SESSION_ERROR"),
            ('{"type": "reset", "data": {"token": 7}}', "VALIDATION_ERROR"),
            ('{"type": "reset", "data": {"token": "x", "seed": 3}}', "VALIDATION_ERROR"),
            ('{"type": "reset", "data": {"token": "x", "task": "x"}}', "VALIDATION_ERROR"),
            ('{"type": "step", "data": {"action": "offer", "price": NaN}}', "INVALID_JSON"),
        ):
            answer = told(line, text)
            assert (answer["type"], answer["data"]["code"]) == ("error", code), text
        wrong = told(line, json.dumps({"type": "reset", "data": {"token": owner.token + "x"}}))
        assert wrong["data"]["code"] == "SESSION_ERROR"
        assert owner.token not in json.dumps(wrong)
    with connect(address) as line:
        assert told(line, json.dumps({"type": "reset", "data": {"token": owner.token}}))
        state = told(line, '{"type": "state"}')["data"]
        assert state["bargains"] == BARGAINS
        assert "seed" not in state


def test_a_play_survives_a_worker_that_is_killed(site: Site, worker: Worker) -> None:
    owner, heard = Owner(site, "Survivor"), list[str]()
    worker.kill()
    with GenericEnvClient(base_url=f"{site.url}/env/bots").sync() as env:
        assert "summed up" in everything_in(env, owner.token, heard)
    sql = "SELECT number, moves FROM bots_table WHERE play_id = %s"
    run = owner.play()["id"]
    kept = site.query(sql, run)
    assert all(json.loads(moves) for _, moves in kept)
    # A worker had taken the play and is dead since.
    site.execute("UPDATE bots_play SET held_until = %s", "2026-01-01 00:00:00")
    worker.start()
    until(lambda: owner.play().get("state") == "is being checked")
    with GenericEnvClient(base_url=f"{site.url}/env/bots").sync() as env:
        assert "summed up" in everything_in(env, owner.token, heard)
    until(lambda: owner.play()["verified"])
    assert site.query(sql, run)[: len(kept)] == kept
    played = owner.play()
    assert (played["bargains_done"], played["failed_answers"]) == (BARGAINS, 0)
    files = httpx.get(f"{site.url}/bots/{owner.id}/{run}/episodes.jsonl.gz")
    assert files.status_code == 200


def test_the_example_plays_as_its_first_lines_say(site: Site, worker: Worker) -> None:
    owner = Owner(site, "Example")

    def example() -> str:
        command = [sys.executable, "examples/my_bot.py", site.ws_url, owner.token]
        done = run(command)
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert "summed up" in example()
    until(lambda: owner.play().get("state") == "is being checked")
    assert "summed up" in example()
    until(lambda: owner.play()["verified"])
    assert owner.play()["share_of_winnable"]["mean"] > 0.2
