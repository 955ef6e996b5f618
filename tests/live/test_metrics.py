"""What Prometheus reads: the operator's alone, the same from every process, and nobody's secret."""

import re
from collections.abc import Iterator

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families
from websockets.asyncio.client import connect

from tests.support.people import Visitor
from tests.support.servers import Site
from tests.support.services import Postgres, Redis, missing
from tests.support.waiting import in_time, until

pytestmark = [
    pytest.mark.services,
    pytest.mark.skipif(bool(missing()), reason=f"not installed: {missing()}"),
]

TOKEN = "a-token-of-the-operator"
Sample = dict[tuple[str, tuple[str, ...]], float]


@pytest.fixture(scope="module")
def twins(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Site, Site]]:
    """Two web processes and a worker with one data folder."""
    folder = tmp_path_factory.mktemp("counted")
    with Postgres() as postgres, Redis() as redis:
        told = {
            "DATABASE_URL": postgres.url,
            "REDIS_URL": redis.url,
            "BAZAAR_METRICS_TOKEN": TOKEN,
        }
        first = Site(folder, catalogue=False, **told)
        second = Site(folder, catalogue=False, **told)
        first.prepare()
        first.start()
        second.start()
        try:
            with first.worker():
                yield first, second
        finally:
            first.kill()
            second.kill()


def read(site: Site, token: str = TOKEN) -> httpx.Response:
    return httpx.get(f"{site.url}/metrics", headers={"Authorization": f"Bearer {token}"})


def samples(site: Site) -> Sample:
    answer = read(site)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"].startswith("text/plain")
    return {
        (sample.name, tuple(sample.labels.values())): sample.value
        for family in text_string_to_metric_families(answer.text)
        for sample in family.samples
    }


def value(site: Site, name: str, *labels: str) -> float:
    return samples(site).get((name, labels), 0.0)


def test_nobody_else_finds_anything(twins: tuple[Site, Site]) -> None:
    for token in ("wrong", TOKEN[:-1], TOKEN + "x", "é"):
        refused = httpx.get(
            f"{twins[0].url}/metrics", headers={b"Authorization": f"Bearer {token}".encode()}
        )
        assert refused.status_code == 404
        assert "bazaar_" not in refused.text
        assert "sessionid" not in refused.headers.get("set-cookie", "")
    assert httpx.get(f"{twins[0].url}/metrics").status_code == 404
    assert read(twins[0]).status_code == 200


async def test_a_game_is_counted_in_whichever_process_it_was_played(
    twins: tuple[Site, Site],
) -> None:
    before = samples(twins[1])
    asha = Visitor(twins[0])
    game_id = asha.opens_a_zone(title="Ganga-jamuni lota of Chetan")
    async with asha.at(game_id) as line:
        await line.send("sync")
        await line.hear_event("offer", "buyer")
        now = samples(twins[1])
        assert now["bazaar_sockets_open", ("sell",)] == 1
        assert now["bazaar_games_running", ("sell",)] >= 1
        await line.send("offer", price=1900)
        await line.hear_event("offer", "buyer")
        await line.send("walk")
        await line.hear_event("ended")
    job = "replays.tasks.grade_game"
    await in_time(
        lambda: value(twins[1], "bazaar_job_seconds_count", job, "success") == 1, every_s=0.2
    )
    after = samples(twins[1])
    asha.close()

    def grown(name: str, *labels: str) -> float:
        return after.get((name, labels), 0.0) - before.get((name, labels), 0.0)

    turns = sum(grown("bazaar_turn_seconds_count", source) for source in ("model", "bank", "rules"))
    assert turns == 2
    assert grown("bazaar_games_ended_total") == 1
    assert grown("bazaar_sockets_opened_total", "sell") == 1
    assert after["bazaar_sockets_open", ("sell",)] == 0
    assert after["bazaar_job_wait_seconds_count", (job,)] == 1
    assert after["bazaar_queue_jobs", ("bazaar",)] == 0
    assert grown("bazaar_http_answers_total", "2xx") >= 2
    here, there = (
        {told: count for told, count in samples(site).items() if "turn_seconds" in told[0]}
        for site in twins
    )
    assert here == there
    text = read(twins[0]).text
    secrets = ("lota", "Chetan", game_id, asha.cookies.partition("=")[2][:10], TOKEN, "127.0.0.1")
    assert [one for one in secrets if one in text] == []


def test_a_label_has_only_values_of_ours(twins: tuple[Site, Site]) -> None:
    mallory = Visitor(twins[0])
    for path in ("/<script>/", "/sell/x'y/", "/ws/own-label/", "/env/own-label/ws"):
        mallory.http.get(path)
    mallory.close()
    known = re.compile(
        r"(model|bank|rules|hf|ollama|local|ok|failed|passed|[0-9]xx|sell|buy|arena|market|watch"
        r"|pair|games|rooms|environment|other|gathering|playing|bazaar|training|negotiation|agents"
        r"|replays|bazaar_site|success|failure|retry|gate-[a-z-]+|[0-9.]+|\+Inf|rps"
        r"|replays\.tasks\.[a-z_]+|bazaar_site\.[a-z_.]+|training\.[a-z_.]+)"
    )
    values = {label for name, labels in samples(twins[0]) for label in labels}
    assert sorted(one for one in values if not known.fullmatch(one)) == []


async def test_sockets_of_a_process_that_was_killed_are_not_open(
    twins: tuple[Site, Site],
) -> None:
    asha = Visitor(twins[1])
    game_id = asha.opens()
    async with connect(
        f"{twins[1].ws_url}/ws/sell/{game_id}/", additional_headers={"Cookie": asha.cookies},
        proxy=None,
    ):  # fmt: skip
        assert value(twins[0], "bazaar_sockets_open", "sell") == 1
        twins[1].kill()
        assert value(twins[0], "bazaar_sockets_open", "sell") == 0
    asha.close()
    twins[1].start()


def test_jobs_that_nobody_takes_are_seen_to_wait(tmp_path_factory: pytest.TempPathFactory) -> None:
    told = {"BAZAAR_METRICS_LOCAL": "true"}
    with Site(tmp_path_factory.mktemp("alone"), catalogue=False, **told) as site:
        bilal = Visitor(site)
        game_id = bilal.opens()
        token = bilal.http.cookies.get("csrftoken", "")
        address = f"/sell/{game_id}/move/"
        walk = {"data": {"action": "walk"}, "headers": {"X-CSRFToken": token}}
        until(lambda: bilal.http.post(address, **walk).status_code != 409)  # type: ignore[arg-type]
        until(lambda: value(site, "bazaar_queue_jobs", "bazaar") >= 1)
        until(lambda: value(site, "bazaar_queue_oldest_seconds", "bazaar") > 0.2)
        through = {"X-Forwarded-For": "198.51.100.7"}
        assert httpx.get(f"{site.url}/metrics").status_code == 200
        assert httpx.get(f"{site.url}/metrics", headers=through).status_code == 404
        bilal.close()


def test_without_a_setting_there_is_nothing(site: Site) -> None:
    assert httpx.get(f"{site.url}/metrics").status_code == 404
    assert not (site.data_dir / "metrics").exists()
