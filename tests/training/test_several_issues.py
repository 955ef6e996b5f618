"""The page of evidence says of several issues what the library's command has counted."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from django.test import Client

from bazaarbatna.players.package_trials import Receipt, receipt_of
from training.pages.public import several_issues
from training.runs import lifecycle

ROOT = Path(__file__).parents[2]
RECEIPT = lifecycle.RECEIPTS / "several_issues.json"


def test_the_command_writes_what_a_trial_finds(tmp_path: Path) -> None:
    out = tmp_path / "receipt.json"
    asked = ["--games", "6", "--seed", "800000", "--receipt", str(out)]
    subprocess.run([sys.executable, "-m", "bazaarbatna", "cases", *asked], cwd=ROOT, check=True)
    found = json.loads(out.read_bytes())
    trial = receipt_of(range(800_000, 800_006))
    assert found["rows"][0]["own"] == pytest.approx(trial.rows[0].own)
    assert Receipt.__struct_fields__ == tuple(found)


def in_places_of(path: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "bazaarbatna", "cases", "--people", str(path)]
    return subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True)


def test_it_sits_in_the_places_of_people(tmp_path: Path) -> None:
    path = tmp_path / "talks.jsonl"
    weights = [{"Food": 5, "Water": 4, "Wood": 3}, {"Food": 3, "Water": 4, "Wood": 5}]
    talks = [{"weights": weights, "points": points} for points in ([21, 18], [5, 5])]
    path.write_text("\n".join(map(json.dumps, talks)))
    people, ours = in_places_of(path).stdout.splitlines()
    assert (
        people == f"people, 2 talks: 50% deals, joint {39 / 42:.3f} of the most, 12.2 points each"
    )
    assert ours.startswith("ours with itself, 2 talks: 100% deals")


@pytest.mark.parametrize("text", ["", "{}", "no dialogue", '{"weights": [{"a": 1}, {"b": 1}]}'])
def test_a_file_without_dialogues_is_told_so(tmp_path: Path, text: str) -> None:
    path = tmp_path / "talks.jsonl"
    path.write_text(text)
    done = in_places_of(path)
    assert done.returncode == 2
    assert done.stderr.startswith(str(path))
    assert "Traceback" not in done.stderr


@pytest.mark.django_db
def test_evidence_shows_every_row_with_its_figures(client: Client) -> None:
    page = client.get("/evidence/").content.decode()
    rows = json.loads(RECEIPT.read_bytes())["rows"]
    assert len(rows) == 11
    for at, row in enumerate(rows):
        link = f'href="/training/receipts/several_issues.json#/rows/{at}/behind"'
        is_compared = row["behind"] is not None and "told" not in row["name"]
        assert (link in page) is is_compared, row["name"]
        assert f"<td>{row['own']:.2f}</td>" in page
    assert client.get("/training/receipts/several_issues.json").json()["rows"] == rows


@pytest.mark.django_db
def test_without_a_receipt_the_page_has_no_such_part(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(several_issues, "SEVERAL_ISSUES", "no_such_receipt")
    assert 'id="several-issues"' not in client.get("/evidence/").content.decode()


def test_what_is_published_is_reached() -> None:
    ours, *others = json.loads(RECEIPT.read_bytes())["rows"]
    assert ours["joint"] >= 0.95
    assert ours["itself"] >= 0.98
    assert all(row["behind"]["low"] > 0 for row in others if "told" not in row["name"])
