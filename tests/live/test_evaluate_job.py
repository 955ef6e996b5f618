"""An evaluation that staff start in the browser, played by a real worker."""

import os
import re
import signal
import time
from collections.abc import Iterator

import httpx
import pytest

from tests.support.servers import Site
from tests.support.waiting import until

WITHIN_S = 90
PAGE = "/admin/training/run/"
ASKED = {
    "name": "asked",
    "policies": ["sauda", "rules:linear"],
    "suites": ["single_deal", "career_10"],
    "variant": "sampled",
    "episodes": "20",
    "seed": "0",
}
LONG = ASKED | {"name": "long", "episodes": "2000"}
PASSWORD = "a long pass phrase"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A site with a queue of its own."""
    data_dir = tmp_path_factory.mktemp("asked")
    with Site(data_dir, catalogue=False, DJANGO_SUPERUSER_PASSWORD=PASSWORD) as running:
        running.manage(
            "createsuperuser", "--no-input", "--username=omar", "--email=omar@example.org"
        )
        yield running


@pytest.fixture(scope="module")
def omar(site: Site) -> Iterator[httpx.Client]:
    """Omar, who operates the site."""
    with httpx.Client(base_url=site.url, follow_redirects=True, timeout=30) as client:
        page = client.get("/admin/login/")
        assert page.status_code == 200
        answer = send(client, "/admin/login/", username="omar", password=PASSWORD, next=PAGE)
        assert "Runs" in answer.text
        yield client


def send(client: httpx.Client, address: str, **fields: object) -> httpx.Response:
    data = {**fields, "csrfmiddlewaretoken": client.cookies["csrftoken"]}
    return client.post(address, data=data, headers={"Referer": str(client.base_url)})


def started(omar: httpx.Client, asked: dict[str, object]) -> str:
    answer = send(omar, f"{PAGE}add/", **asked)
    found = re.search(r"/run/([\w-]+)/change/$", str(answer.url))
    assert found is not None, answer.text
    return found[1]


def state(site: Site, run: str) -> tuple[str, int]:
    [(status, done)] = site.query("select status, done from training_run where id = %s", run)
    return status, done


def test_staff_start_follow_publish_cancel_and_resume_what_a_worker_plays(
    site: Site, omar: httpx.Client
) -> None:
    short, long = started(omar, ASKED), started(omar, LONG)
    assert state(site, short) == ("queued", 0)
    with site.slow_worker() as worker:
        until(lambda: state(site, short)[0] == "done")
        is_shown(site, omar, short)
        # The next one has begun by itself; its worker is killed with all it plays with.
        until(lambda: state(site, long)[1] > 0)
        assert state(site, long)[0] == "running"
        os.killpg(worker.pid, signal.SIGKILL)
        worker.wait(WITHIN_S)
    # Whoever looks a few seconds later is told.
    until(lambda: "Interrupted" in omar.get(f"{PAGE}{long}/change/").text)
    left = state(site, long)[1]
    assert "only a finished run can be published" in send(omar, f"{PAGE}{long}/publish/").text
    send(omar, f"{PAGE}{long}/resume/")
    with site.slow_worker():
        until(lambda: state(site, long)[1] > left)
        asked = time.monotonic()
        send(omar, f"{PAGE}{long}/cancel/")
        until(lambda: state(site, long)[0] == "cancelled")
        print(f"cancelled after {time.monotonic() - asked:.1f} s")
    kept = (site.data_dir / "runs" / long / "episodes.jsonl").read_bytes()
    assert kept.count(b"\n") >= state(site, long)[1] > left


def is_shown(site: Site, omar: httpx.Client, run: str) -> None:
    """A finished run shows its end, and its numbers to everybody once it is published."""
    # Its process says so after it has written the end down.
    until(lambda: f"Run {run} is done" in omar.get(f"{PAGE}{run}/progress/").text)
    progress = omar.get(f"{PAGE}{run}/progress/")
    assert progress.headers["HX-Refresh"] == "true"
    assert "80 of 80 bargains" in progress.text
    assert httpx.get(f"{site.url}/training/receipts/{run}/summary.json").status_code == 404
    send(omar, f"{PAGE}{run}/publish/")
    summary = httpx.get(f"{site.url}/training/receipts/{run}/summary.json").json()
    assert [one["policy"] for one in summary["policies"]] == ["sauda", "rules:linear"]
    packed = httpx.get(f"{site.url}/training/receipts/{run}/episodes.jsonl.gz")
    assert packed.content[:2] == b"\x1f\x8b"
