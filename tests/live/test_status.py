"""``/status/`` says in words what works, also when what keeps the games is gone."""

import re
from pathlib import Path

import httpx
import pytest

from tests.support.servers import Site
from tests.support.services import Postgres, Redis, missing
from tests.support.waiting import until

pytestmark = [
    pytest.mark.services,
    pytest.mark.skipif(bool(missing()), reason=f"not installed: {missing()}"),
]


def page(site: Site, language: str = "en") -> str:
    answer = httpx.get(f"{site.url}/status/", headers={"accept-language": language}, timeout=30)
    assert answer.status_code == 200, answer.text
    assert "sessionid" not in answer.headers.get("set-cookie", "")
    assert "no-store" in answer.headers["cache-control"]
    return answer.text


def states(html: str) -> list[str]:
    return re.findall(r'data-state="(\w+)"', html)


def headline(html: str) -> str:
    (found,) = re.findall(r"<h1>(.+?)</h1>", html)
    return str(found)


def test_it_says_what_works_and_what_waits(tmp_path: Path) -> None:
    with Postgres() as postgres, Redis() as redis:
        told = {"DATABASE_URL": postgres.url, "REDIS_URL": redis.url}
        with Site(tmp_path / "site", catalogue=False, **told) as site:
            assert states(page(site)) == ["ok", "ok", "away", "away"]
            assert headline(page(site)) == "Games work, some things wait"
            with site.slow_worker():
                until(lambda: states(page(site)) == ["ok", "ok", "away", "ok"], every_s=0.5)
            redis.stop()
            until(lambda: states(page(site)) == ["ok", "failing", "away", "away"], every_s=0.5)
            assert headline(page(site)) == "Something is out of order"
            postgres.stop()
            until(lambda: states(page(site))[0] == "failing", every_s=0.5)
            gone = page(site)
            assert headline(gone) == "Something is out of order"
            assert "Traceback" not in gone
            for secret in (postgres.url, redis.url, str(postgres.port), "psycopg", str(tmp_path)):
                assert secret not in gone
            assert re.search(r"[ऀ-ॿ]", headline(page(site, "hi")))
