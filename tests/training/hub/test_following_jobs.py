"""A job's lines come once each and in order, whatever becomes of the connection."""

import io
import threading
from collections.abc import Callable

import pytest

from tests.support.hub_server import TOKEN, HubServer, Trouble
from tests.training.hub.conftest import OLD_WAY, REPO
from training.hub.client import Hub
from training.hub.errors import Refused, Unreachable
from training.hub.following import follow
from training.hub.launching import Wish, check, launch
from training.models import Run
from training.runs import lifecycle

pytestmark = OLD_WAY

MakeRun = Callable[..., Run]


@pytest.fixture
def row(server: HubServer, hub: Hub, make_run: MakeRun) -> Run:
    """A launch whose job is under way."""
    return launch(hub, make_run(), check(Wish(REPO, "cpu-basic", "1h"), "0123456789ab"))


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits for a stand-in."""
    monkeypatch.setattr("training.hub.following.FIRST_WAIT_S", 0.01)
    monkeypatch.setattr("training.hub.following.LONGEST_WAIT_S", 0.02)


def log_of(row: Run) -> list[str]:
    return (lifecycle.folder_of(row) / "stdout.log").read_text().splitlines()


def test_lines_come_as_they_are_printed(server: HubServer, hub: Hub, row: Run) -> None:
    job = server.jobs[0]
    job.say("sft 1/8 loss 6.3", "sft 2/8 loss 5.1")
    out = io.StringIO()
    following = threading.Timer(0.05, lambda: (job.say("sft 8/8 loss 0.2"), job.end()))
    following.start()
    launch = follow(hub, row, out)
    following.join()
    assert out.getvalue().splitlines() == job.lines == log_of(row)
    assert (launch.state, launch.stage) == ("over", "COMPLETED")
    assert Run.objects.get(pk=row.pk).status == Run.Status.DONE


@pytest.mark.parametrize(("cuts", "readings"), [([4], 2), ([4, 2], 4), ([9, 0, 8, 9], 6)])
def test_a_broken_connection_is_taken_up_where_it_broke(
    server: HubServer, hub: Hub, row: Run, cuts: list[int], readings: int
) -> None:
    job = server.jobs[0]
    job.say(*[f"step {number}" for number in range(9)])
    job.end()
    server.cut_logs_after = cuts
    out = io.StringIO()
    follow(hub, row, out)
    told = [line for line in out.getvalue().splitlines() if not line.startswith("(")]
    assert told == job.lines == log_of(row)
    assert server.readers == readings


def test_following_twice_changes_nothing(server: HubServer, hub: Hub, row: Run) -> None:
    job = server.jobs[0]
    job.say("one", "two")
    job.end("ERROR", "out of memory")
    follow(hub, row, io.StringIO())
    again = io.StringIO()
    follow(hub, row, again)
    assert again.getvalue() == ""
    assert log_of(row) == ["one", "two"]
    told = Run.objects.get(pk=row.pk)
    assert told.status == Run.Status.FAILED
    assert "out of memory" in told.note


def test_half_a_line_left_by_a_crash_comes_whole(server: HubServer, hub: Hub, row: Run) -> None:
    job = server.jobs[0]
    job.say("one", "two", "three")
    job.end()
    folder = lifecycle.folder_of(row)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "stdout.log").write_text("one\ntw")
    out = io.StringIO()
    follow(hub, row, out)
    assert out.getvalue().splitlines() == ["two", "three"]
    assert log_of(row) == ["one", "two", "three"]


def test_a_secret_that_a_job_prints_is_hidden(server: HubServer, hub: Hub, row: Run) -> None:
    job = server.jobs[0]
    job.say(f"HF_TOKEN={TOKEN}", "Authorization: Bearer hf_mallory0123456789abcdef")
    job.end("ERROR", f"died of {TOKEN}")
    out = io.StringIO()
    follow(hub, row, out)
    told = Run.objects.get(pk=row.pk)
    written = (lifecycle.folder_of(row) / "stdout.log").read_text()
    for text in (out.getvalue(), written, told.note, str(told.config)):
        assert "hf_" not in text.replace("hf_job", "")
    assert out.getvalue().count("[secret]") == 2


def test_a_hub_that_stumbles_is_asked_again(server: HubServer, hub: Hub, row: Run) -> None:
    server.jobs[0].say("one")
    server.jobs[0].end()
    server.fail("GET", "/logs", Trouble(429, retry_after="0"), Trouble(500), Trouble(502))
    out = io.StringIO()
    follow(hub, row, out)
    assert out.getvalue().splitlines()[-1] == "one"
    assert log_of(row) == ["one"]
    assert TOKEN not in out.getvalue()


def test_a_hub_that_stays_away_leaves_the_job_alone(server: HubServer, hub: Hub, row: Run) -> None:
    server.fail("GET", "/logs", *[Trouble(503)] * 20)
    with pytest.raises(Unreachable):
        follow(hub, row, io.StringIO())
    assert Run.objects.get(pk=row.pk).status == Run.Status.RUNNING
    server.heal()
    server.jobs[0].say("one")
    server.jobs[0].end()
    follow(hub, row, io.StringIO())
    assert Run.objects.get(pk=row.pk).status == Run.Status.DONE


@pytest.mark.parametrize("status", [401, 403, 404])
def test_a_refusal_is_not_argued_with(server: HubServer, hub: Hub, row: Run, status: int) -> None:
    before = server.count("GET", "/logs")
    server.fail("GET", "/logs", Trouble(status))
    with pytest.raises(Refused):
        follow(hub, row, io.StringIO())
    assert server.count("GET", "/logs") == before + 1
