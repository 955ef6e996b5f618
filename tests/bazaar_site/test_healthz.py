"""``/healthz``: 200 while every configured part answers, 503 by the minute one does not."""

import httpx
import pytest
from django.test import Client

from tests.support.servers import Site
from tests.support.services import Redis, skip_without


@pytest.mark.django_db(transaction=True)
def test_a_site_with_its_own_database_is_well(client: Client) -> None:
    answer = client.get("/healthz")
    assert (answer.status_code, answer.json()) == (
        200,
        {
            "status": "ok",
            "parts": {"process": "ok", "database": "ok", "worker": "away", "training": "away"},
        },
    )
    assert "no-store" in answer["Cache-Control"]


def test_it_is_a_question_and_sets_no_cookie(db: None, client: Client) -> None:
    assert client.post("/healthz").status_code == 405
    assert not client.get("/healthz").cookies


@pytest.mark.services
def test_a_stopped_redis_is_named_and_nothing_else(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    skip_without("redis-server")
    folder = tmp_path_factory.mktemp("healthz")
    with Redis() as redis, Site(folder, catalogue=False, REDIS_URL=redis.url) as site:
        well = httpx.get(f"{site.url}/healthz")
        assert (well.status_code, well.json()["parts"]["redis"]) == (200, "ok")
        redis.stop()
        ill = httpx.get(f"{site.url}/healthz", timeout=10)
        assert ill.status_code == 503
        assert ill.json() == {
            "status": "failing",
            "parts": {
                "process": "ok",
                "database": "ok",
                "redis": "failing",
                "worker": "away",
                "training": "away",
            },
        }
