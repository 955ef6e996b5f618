"""The example reads an export and says what is true of it."""

import csv
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from bazaar_site.rooms.export.writing import export_to
from tests.support.class_rooms import a_game, ask, bid, takes
from tests.support.studies import a_participant, a_study

ROOT = Path(__file__).parents[3]


@pytest.mark.django_db
def test_the_table_and_the_figures_come_from_the_export(tmp_path: Path) -> None:
    room = a_study().room
    for number in range(30):
        arm = ("chat", "silent")[number % 2]
        one, other = (a_participant(room, f"{name}{number}", arm) for name in ("A", "B"))
        price = 1300 if arm == "chat" else 1600
        deeds = [bid(1100 + number), ask(1900), bid(price + number), takes("seller")]
        a_game(room, one, other, deeds)
    pilot = a_participant(room, "Pilot", "chat", is_pilot=True)
    a_game(room, pilot, "sauda", [bid(1250), takes("seller")])
    export_to(room, tmp_path / "study")
    command = [sys.executable, "examples/analyse_study.py", str(tmp_path / "study")]
    done = subprocess.run(
        [*command, "--out", str(tmp_path / "out")],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    with (tmp_path / "out" / "table.csv").open(newline="") as file:
        chat, silent = csv.DictReader(file)
    assert (chat["arm"], chat["games"], chat["clusters"]) == ("chat", "15", "15")
    assert float(chat["deals"]) == 1
    # Floor 1,200, budget 1,700: (price - 1,200) / 500, the mean of 1,300 + 0, 2, ... 28.
    assert float(chat["share"]) == pytest.approx(114 / 500)
    assert float(silent["share"]) == pytest.approx(415 / 500)
    assert float(chat["share_low"]) < 114 / 500 < float(chat["share_high"])
    assert "silent less chat, share: 0.602" in done.stdout
    assert "p = 0.0001" in done.stdout
    assert "permutation" in done.stdout
    for name in ("shares.svg", "first_bids.svg"):
        picture = ET.parse(tmp_path / "out" / name).getroot()
        tag = "{http://www.w3.org/2000/svg}"
        assert len(picture.findall(f".//{tag}circle")) >= 30
        assert picture.find(f"{tag}title") is not None
