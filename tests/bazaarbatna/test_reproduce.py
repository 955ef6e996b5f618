"""Published findings beside ours: what the command counts, writes and the page shows."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.test import Client

from bazaarbatna.commands import Refused
from bazaarbatna.commands.reproduce import STUDIES, Receipt, read_goods, words
from tests.support.commands import ROOT
from training.runs import lifecycle

PLACES = (one / "shared" / "data" / "amazon_history" for one in ROOT.parents)
SHARED = next((one for one in PLACES if one.is_dir()), ROOT / "nowhere")
RECEIPT = lifecycle.RECEIPTS / "reproduced.json"


def command(*asked: object) -> subprocess.CompletedProcess[str]:
    words = [sys.executable, "-m", "bazaarbatna", "reproduce", *map(str, asked)]
    return subprocess.run(words, cwd=ROOT, check=False, capture_output=True, text=True)


def test_it_prints_every_study_and_writes_what_it_printed(tmp_path: Path) -> None:
    out = tmp_path / "receipt.json"
    done = command("--episodes", 12, "--out", out)
    assert done.returncode == 0, done.stderr
    found = json.loads(out.read_bytes())
    assert list(found["studies"]) == list(STUDIES)
    for name, figures in found["studies"].items():
        assert words()[name]["differs"] in done.stdout
        for one in figures:
            assert -1 <= one["low"] <= one["mean"] <= one["high"] <= 1
            assert f"{one['mean']:.3f}" in done.stdout
    assert (found["goods"], found["goods_from"]) == (8, "built-in sample")


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        (["nothing"], "There is no study 'nothing': og, frontier"),
        (["--data", "/nowhere"], "There are no goods of AmazonHistoryPrice in /nowhere"),
        (["--episodes", "0"], "0 is below 2"),
        (["--out", "/nowhere/receipt.json"], "no file can be written to /nowhere/receipt.json"),
    ],
)
def test_what_does_not_exist_is_told_in_a_sentence(asked: list[str], told: str) -> None:
    done = command(*asked)
    assert (done.returncode, "Traceback" in done.stderr) == (2, False)
    assert told in done.stderr


@pytest.mark.parametrize("text", ["{]", "[]x", '[{"title": 3}]', '[{"title": "Lamp"}]'])
def test_a_file_of_something_else_is_told_by_name(text: str, tmp_path: Path) -> None:
    (tmp_path / "home.json").write_text(text)
    with pytest.raises(Refused, match=r"home\.json is no file of AmazonHistoryPrice: "):
        read_goods(tmp_path)


def test_goods_are_those_with_a_discount_now(tmp_path: Path) -> None:
    rows = [
        {"title": "Lamp", "category": "home", "list_price": "$1,200.50", "current_price": "$900"},
        {"title": "Same", "category": "home", "list_price": "$10", "current_price": "$10"},
        {"title": "None", "category": "home", "list_price": None, "current_price": ""},
    ]
    (tmp_path / "home.json").write_text(json.dumps(rows))
    [lamp] = read_goods(tmp_path)
    assert (lamp.title, lamp.list_price, lamp.street_price, lamp.currency) == (
        "Lamp", 120_050, 90_000, "USD",
    )  # fmt: skip


def test_a_number_of_theirs_stands_only_beside_its_paper() -> None:
    for name, said in words().items():
        if name in STUDIES:
            assert said["source"].startswith("https://")
            assert re.search(r"\((?:\d{4}(?:, )?)+\)", said["theirs"]), "who, and when"


@pytest.mark.skipif(not SHARED.is_dir(), reason="the price history is not beside this checkout")
def test_the_receipt_is_what_the_command_counts(tmp_path: Path) -> None:
    out = tmp_path / "receipt.json"
    assert command("og", "--data", SHARED, "--out", out).returncode == 0
    shipped, found = json.loads(RECEIPT.read_bytes()), json.loads(out.read_bytes())
    assert shipped["studies"]["og"] == found["studies"]["og"]
    assert shipped["goods"] == found["goods"] == 850


@pytest.mark.django_db
def test_the_page_of_evidence_shows_the_receipt(client: Client) -> None:
    page = client.get("/evidence/").content.decode()
    figures = json.loads(RECEIPT.read_bytes())["studies"]["og"]
    for number, one in enumerate(figures):
        link = f'href="/training/receipts/reproduced.json#/studies/og/{number}"'
        assert f"{link}>{one['mean']:.2f}</a>" in page
    assert client.get("/training/receipts/reproduced.json").json()["goods"] == 850
    assert Receipt.__struct_fields__ == tuple(json.loads(RECEIPT.read_bytes()))
