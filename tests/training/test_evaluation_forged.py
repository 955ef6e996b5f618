"""Mallory edits what an evaluation left, or gives it nowhere to write: refused in words."""

import gzip
import io
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from msgspec.structs import replace

from tests.support.evaluating import a_plan, a_run, all_rows
from training.evaluation.folder import Folder
from training.evaluation.published import pack, publish, write_receipt
from training.evaluation.rows import EpisodeRow, from_line, to_line
from training.evaluation.running import evaluate, open_evaluation
from training.models import Run
from training.runs import lifecycle

pytestmark = pytest.mark.django_db

LIES: list[Callable[[EpisodeRow], dict[str, Any]]] = [
    lambda deal: {"price": deal.reservation + 1},
    lambda deal: {"price": deal.reservation - 1},
    lambda deal: {"price": deal.budget + 1},
    lambda deal: {"price": None},
    lambda deal: {"buyer_share": 0.999},
    lambda deal: {"buyer_share": 0.999, "surplus": 0.999},
    lambda deal: {"surplus": 0.999},
    lambda deal: {"label": "tie" if deal.label != "tie" else "buyer win"},
    lambda deal: {"winnable": not deal.winnable},
    lambda deal: {"outcome": "walk"},
]


def test_bargains_as_they_are_played_contradict_nothing() -> None:
    rows = all_rows(a_plan(["rules:random", "rules:agreeable"], ["single_deal"], episodes=60))
    assert {row.outcome for row in rows} >= {"deal", "walk"}
    assert {row.winnable for row in rows} == {True, False}
    assert [row.contradiction() for row in rows] == [None] * len(rows)


@pytest.mark.parametrize("lie", LIES, ids=range(len(LIES)))
def test_a_row_whose_numbers_do_not_fit_its_prices_is_found(
    lie: Callable[[EpisodeRow], dict[str, Any]],
) -> None:
    deal = next(row for row in all_rows(a_plan(episodes=4)) if row.outcome == "deal")
    assert deal.contradiction() is None
    assert replace(deal, **lie(deal)).contradiction() in (*lie(deal), "buyer_share", "outcome")


@pytest.fixture
def shipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A receipt, as a fresh clone has."""
    run = a_run(tmp_path / "run", a_plan(episodes=4))
    publish(run)
    write_receipt(run, tmp_path / "receipts" / "small")
    run.delete()
    monkeypatch.setattr(lifecycle, "RECEIPTS", tmp_path / "receipts")
    return tmp_path / "receipts" / "small"


def test_a_receipt_with_such_a_row_is_refused_though_its_summary_still_follows(
    shipped: Path,
) -> None:
    path = shipped / "episodes.jsonl.gz"
    rows = [from_line(line) for line in gzip.decompress(path.read_bytes()).splitlines()]
    place = next(number for number, row in enumerate(rows) if row.outcome == "deal")
    rows[place] = replace(rows[place], price=rows[place].reservation)
    path.write_bytes(pack(b"".join(map(to_line, rows))))
    with pytest.raises(
        CommandError, match="buyer_share that does not follow from its other numbers"
    ):
        call_command("load_receipts")
    assert not Run.objects.exists()


@pytest.mark.parametrize(
    "facts",
    [
        [],
        {},
        {"id": "../../up"},
        {"name": "<script>"},
        {"published_at": "yesterday"},
        {"published_at": "2026-11-21"},
        {"published_at": "2026-11-21T10:00:00"},
        {"machine": "mine"},
    ],
    ids=str,
)
def test_a_receipt_that_does_not_say_whose_it_is_is_refused_in_words(
    shipped: Path, facts: Any
) -> None:
    path = shipped / "run.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | facts if facts else facts))
    with pytest.raises(CommandError, match="The receipt small cannot be used"):
        call_command("load_receipts")
    assert not Run.objects.exists()


def test_a_summary_with_a_number_of_its_own_is_refused(shipped: Path) -> None:
    path = shipped / "summary.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"best": "rules:linear"}))
    with pytest.raises(CommandError, match="does not follow from its bargains"):
        call_command("load_receipts")


def test_a_folder_that_cannot_be_written_is_told_in_a_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    wanted = ["--policies", "rules:linear", "--suites", "single_deal", "--episodes", "1"]
    with pytest.raises(CommandError, match="file"):
        call_command("evaluate", *wanted, "--out", str(tmp_path / "file"))
    assert not Run.objects.exists()


def test_a_disk_that_fails_in_the_middle_ends_the_run_in_words(tmp_path: Path) -> None:
    run = open_evaluation(a_plan(episodes=4), "small", Folder(tmp_path / "run"))
    # In the way of the summary: writing it fails as on a full disk.
    in_the_way = tmp_path / "run" / f".summary.json.{os.getpid()}"
    in_the_way.mkdir()
    with pytest.raises(CommandError, match=f"What was played is kept; .* --resume {run.pk}"):
        call_command("evaluate", "--resume", run.pk, "--workers", "1", stdout=io.StringIO())
    run.refresh_from_db()
    assert run.status == "failed"
    in_the_way.rmdir()
    evaluate(run, workers=1, out=io.StringIO())
    assert run.status == "done"


def test_an_empty_list_of_suites_is_not_all_of_them() -> None:
    with pytest.raises(CommandError, match="at least one suite"):
        call_command("evaluate", "--policies", "rules:linear", "--suites", "")
