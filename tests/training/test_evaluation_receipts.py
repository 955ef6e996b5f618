"""Receipts: what ships with the code holds, and nobody can edit a number into it."""

import gzip
import io
import json
import shutil
from functools import cache
from pathlib import Path

import msgspec
import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.test import Client

from bazaarbatna.bargain.tasks import suite_ids
from bazaarbatna.market.policies.registry import is_trained
from negotiation.policies import policies
from tests.support.evaluating import a_plan, a_run
from tests.support.receipts import load_receipts
from training.evaluation import BadReceipt, BrokenRun, published
from training.evaluation.domain import read_row
from training.evaluation.markets.players import others_version, player_fact
from training.evaluation.markets.summary import MarketRow
from training.evaluation.plan import suite_fact
from training.evaluation.published import newest, pack, publish, write_receipt
from training.evaluation.rows import Row
from training.evaluation.running import check_same_play
from training.models import Run
from training.runs import lifecycle

pytestmark = pytest.mark.django_db


@pytest.fixture
def shipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of receipts with one in it, as a fresh clone has."""
    run = a_run(tmp_path / "run", a_plan(episodes=4))
    publish(run)
    folder = tmp_path / "receipts"
    write_receipt(run, folder / "small")
    run.delete()
    monkeypatch.setattr(lifecycle, "RECEIPTS", folder)
    return folder


def test_the_shipped_receipts_follow_from_their_bargains() -> None:
    assert "receipts follow from their" in load_receipts()
    found = newest()
    assert found is not None
    assert all(one.mean.share_of_winnable is not None for one in found.rows)


def test_the_shipped_bargains_are_still_played_that_way() -> None:
    # A version that still has its name must still play its games.
    for name in published.names():
        receipt = published.read(name)
        lines = gzip.decompress((lifecycle.RECEIPTS / name / "episodes.jsonl.gz").read_bytes())
        rows = [row for row in map(read_row, lines.splitlines()) if is_current(row)]
        # Strangers are no suites, and models are not at hand here: rules play the ladder again.
        assert rows or receipt.facts.kind not in ("evaluate", "market")
        check_same_play(receipt.plan, rows, "another commit")


@cache
def versions() -> tuple[dict[str, str], dict[str, str]]:
    sellers = {id_: suite_fact(id_, 1).seller for id_ in suite_ids()}
    return {one.name: one.version for one in policies("buyer")}, sellers


def is_current(row: Row) -> bool:
    if isinstance(row, MarketRow):
        if is_trained(row.policy):
            return False
        # Its versions follow from how it is played, so that every change has another name.
        assert (row.policy_version, row.opponent) == (
            player_fact(row.policy).version,
            others_version(),
        ), "play the market's receipts anew (docs/evaluation.md)"
        return True
    buyers, sellers = versions()
    return (row.policy_version, row.opponent) == (buyers.get(row.policy), sellers.get(row.suite))


def test_loading_twice_loads_once(shipped: Path) -> None:
    assert "1 receipts follow from their 28 bargains; 1 loaded." in load_receipts()
    assert "0 loaded" in load_receipts()
    [run] = Run.objects.all()
    assert (run.status, run.done, run.folder) == ("done", 28, "receipts/small")


def test_what_an_operator_has_withdrawn_stays_withdrawn(shipped: Path) -> None:
    load_receipts()
    Run.objects.update(published_at=None)
    assert "0 loaded" in load_receipts()
    assert newest() is None


def test_a_receipt_that_was_replaced_takes_its_run_away(shipped: Path) -> None:
    load_receipts()
    path = shipped / "small" / "run.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"id": "another"}))
    load_receipts()
    assert [run.pk for run in Run.objects.all()] == ["another"]


def test_a_number_that_was_edited_is_found(shipped: Path) -> None:
    path = shipped / "small" / "summary.json"
    summary = json.loads(path.read_text())
    summary["policies"][0]["mean"]["win_rate"]["mean"] += 0.01
    path.write_text(json.dumps(summary))
    with pytest.raises(
        CommandError, match=r"does not follow .*policies\[0\]\.mean\.win_rate\.mean"
    ):
        load_receipts()
    assert not Run.objects.exists()


def test_bargains_that_were_edited_are_found(shipped: Path) -> None:
    path = shipped / "small" / "episodes.jsonl.gz"
    lines = gzip.decompress(path.read_bytes()).splitlines(keepends=True)
    better = msgspec.json.decode(lines[0]) | {"surplus": 1.0, "buyer_share": 1.0}
    path.write_bytes(pack(b"".join([msgspec.json.encode(better) + b"\n", *lines[1:]])))
    with pytest.raises(BadReceipt, match="does not follow"):
        published.read("small")
    path.write_bytes(pack(b"".join(lines[1:])))
    with pytest.raises(BadReceipt, match="rows of"):
        published.read("small")
    path.write_bytes(path.read_bytes()[:200])
    with pytest.raises(BadReceipt, match="cannot be used"):
        published.read("small")


def test_a_last_digit_that_another_machine_rounds_is_no_edit() -> None:
    written = {"a": [1, 0.123456, None], "b": "x"}
    assert published.differs(written, {"a": [1, 0.123457, None], "b": "x"}) is None
    assert published.differs(written, {"a": [1, 0.123466, None], "b": "x"}) is not None
    assert published.differs(written, {"a": [1, 0.123456, 0.0], "b": "x"}) is not None
    assert published.differs(written, {"a": [1, 0.123456], "b": "x"}) is not None


def test_packing_the_same_bargains_gives_the_same_bytes(tmp_path: Path) -> None:
    assert pack(b"bargains\n") == pack(b"bargains\n")
    packed = []
    for name in ("a", "b"):
        run = a_run(tmp_path / name, a_plan(episodes=4), name)
        publish(run)
        packed.append((tmp_path / name / "episodes.jsonl.gz").read_bytes())
    assert packed[0] == packed[1]


def test_only_what_is_finished_can_be_published(tmp_path: Path) -> None:
    run = a_run(tmp_path / "a", a_plan(episodes=4))
    Run.objects.update(status=Run.Status.INTERRUPTED)
    with pytest.raises(BrokenRun, match="only a finished run"):
        publish(run)
    with pytest.raises(CommandError, match="There is no run 'nothing'"):
        call_command("publish_run", "nothing")
    with pytest.raises(CommandError, match="A receipt's name"):
        call_command("publish_run", run.pk, "--receipt", "../../up")


def test_the_newest_published_evaluation_is_the_one_that_is_shown(tmp_path: Path) -> None:
    assert newest() is None
    older = a_run(tmp_path / "a", a_plan(["rules:linear"], episodes=4), "older")
    newer = a_run(tmp_path / "b", a_plan(["rules:split"], episodes=4), "newer")
    publish(newer)
    publish(older)
    found = newest()
    assert found is not None
    assert (found.run, found.name) == (older.pk, "older")
    assert [one.policy for one in found.rows] == ["rules:linear"]
    assert found.made.suites[0].seller.startswith("rule:default@")
    call_command("publish_run", older.pk, "--withdraw", stdout=io.StringIO())
    assert newest() is not None
    assert newest().run == newer.pk  # type: ignore[union-attr]


def test_everybody_can_download_what_is_published_and_nothing_else(
    tmp_path: Path, client: Client
) -> None:
    run = a_run(tmp_path / "a", a_plan(episodes=4))
    addresses = [
        f"/training/receipts/{run.pk}/{name}"
        for name in ("summary.json", "config.json", "episodes.jsonl.gz")
    ]
    assert [client.get(one).status_code for one in addresses] == [404] * 3
    publish(run)
    summary, config, episodes = (client.get(one) for one in addresses)
    assert summary.content == (tmp_path / "a" / "summary.json").read_bytes()
    assert config.content == (tmp_path / "a" / "config.json").read_bytes()
    packed = b"".join(episodes.streaming_content)  # type: ignore[arg-type]
    assert gzip.decompress(packed) == (tmp_path / "a" / "episodes.jsonl").read_bytes()
    assert episodes["Content-Type"] == "application/gzip"
    assert "Content-Encoding" not in episodes
    assert client.post(addresses[0]).status_code == 405
    shutil.rmtree(tmp_path / "a")
    assert client.get(addresses[0]).status_code == 200
    assert client.get(addresses[2]).status_code == 404


def test_a_receipt_from_before_there_were_grades_still_holds(shipped: Path) -> None:
    path = shipped / "small" / "summary.json"
    summary = json.loads(path.read_bytes())
    for result in summary["policies"]:
        for card in (result["mean"], *result["suites"].values()):
            assert card.pop("grade")["mean"] > 0
            card.pop("solved_rate")
    path.write_text(json.dumps(summary))
    assert published.read("small").summary.policies[0].mean.grade is None


def test_a_grade_that_does_not_follow_is_refused(shipped: Path) -> None:
    path = shipped / "small" / "summary.json"
    summary = json.loads(path.read_bytes())
    summary["policies"][0]["mean"]["grade"]["mean"] += 0.01
    path.write_text(json.dumps(summary))
    with pytest.raises(BadReceipt, match=r"mean\.grade\.mean is"):
        published.read("small")
