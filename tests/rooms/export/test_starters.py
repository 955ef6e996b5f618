"""The scripts in an export run on it as it is, and say what the example says."""

import csv
import datetime as dt
import json
import math
import re
import runpy
import shutil
import subprocess
import sys
from pathlib import Path
from statistics import fmean, stdev

import pytest

from rooms.export.tables import PERSON_GAMES
from rooms.export.writing import SCRIPTS, STARTERS, TIMES, Times, export_to
from rooms.models import Room
from tests.support.class_rooms import a_game, ask, bid, takes, walks
from tests.support.studies import a_deal, a_participant, a_study

pytestmark = pytest.mark.django_db

EXAMPLE = runpy.run_path(str(Path(__file__).parents[3] / "examples/analyse_study.py"))


def run(folder: Path, *more: str) -> "subprocess.CompletedProcess[str]":
    # Without the site's packages: the standard library must do.
    command = [sys.executable, "-I", "-S", str(folder / "analyse.py"), *more]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


def test_a_rehearsal_is_analysed_only_where_that_is_asked_for(tmp_path: Path) -> None:
    room = a_study().room
    for number in range(3):
        pilot = a_participant(room, f"Pilot {number}", is_pilot=True)
        a_game(room, pilot, "sauda", [bid(1100), ask(1300), takes("buyer")], number=number + 1)
    export_to(room, tmp_path)
    refused = run(tmp_path)
    assert refused.returncode == 1
    assert "--trial takes those of a trial run" in refused.stderr
    done = run(tmp_path, "--trial")
    assert done.returncode == 0, done.stderr
    assert "seller\tdeal\t" in done.stdout
    assert run(tmp_path, str(tmp_path), "--trial").stdout == done.stdout


def test_the_python_one_runs_on_an_export_and_agrees_with_the_example(tmp_path: Path) -> None:
    room = a_study().room
    for arm, extra in (("chat", 0), ("silent", 150)):
        people = [a_participant(room, f"{arm}{number}", arm) for number in range(6)]
        for number in range(9):
            seller, buyer = people[number % 6], people[(number + 1 + number // 6) % 6]
            price = 1300 + 10 * number + extra
            deeds = [bid(1100), ask(price), takes("buyer")]
            deeds = deeds if number % 4 else [bid(1100), walks("seller")]
            a_game(room, seller, buyer, deeds, number=number + 1)
    a_deal(room, a_participant(room, "Pilot", is_pilot=True), "sauda")
    export_to(room, tmp_path)
    done = run(tmp_path)
    assert done.returncode == 0, done.stderr
    with (tmp_path / "results/means.csv").open(newline="") as file:
        found = {(row["side"], row["measure"], row["arm"]): row for row in csv.DictReader(file)}
    games = EXAMPLE["read_games"](tmp_path)
    for arm in ("chat", "silent"):
        mine = [game for game in games if game["arm"] == arm]
        for measure in ("deal", "share"):
            row = found["seller", measure, arm]
            mean, low, high = EXAMPLE["interval_by_people"](mine, measure)
            told = [float(row[name]) for name in ("mean", "low", "high")]
            assert told == pytest.approx([mean, low, high], abs=1e-3)
            assert row["games"] == str(len(mine))
    less = EXAMPLE["difference_by_people"](games, "chat", "silent", "share")["difference"]
    row = found["seller", "share", "silent less chat"]
    assert float(row["mean"]) == pytest.approx(less[0])
    assert float(row["low"]) == pytest.approx(less[1], abs=0.01)
    picture = (tmp_path / "results/shares.svg").read_text()
    assert picture.count("<circle") == 4  # two arms, both seats


def test_conditions_of_the_same_people_are_compared_within_them(tmp_path: Path) -> None:
    room = a_study().room
    gains = []
    for number in range(7):
        order = ["mute", "talk"] if number % 2 else ["talk", "mute"]
        one = a_participant(room, f"p{number}", conditions=order, dealt=2)
        prices = {"talk": 1400 + 20 * number, "mute": 1300 + 7 * number * number % 90}
        for round_, condition in enumerate(order, start=1):
            price = prices[condition]
            deeds = [bid(1100), ask(price), takes("buyer")]
            a_game(room, one, "sauda", deeds, number=round_)
        gains.append(prices["talk"] - prices["mute"])
    export_to(room, tmp_path)
    done = run(tmp_path)
    assert done.returncode == 0, done.stderr
    with (tmp_path / "results/means.csv").open(newline="") as file:
        found = {(row["measure"], row["arm"]): row for row in csv.DictReader(file)}
    assert {name for _, name in found} == {"chat", "talk", "mute", "talk less mute"}
    row = found["share", "talk less mute"]
    with (tmp_path / "person_games.csv").open(newline="") as file:
        shares = list(csv.DictReader(file))
    own = {(one["participant"], one["condition"]): float(one["share"]) for one in shares}
    each = [own[str(n), "talk"] - own[str(n), "mute"] for n in range(1, 8)]
    assert all((a > 0) == (b > 0) for a, b in zip(each, gains, strict=True))
    assert float(row["mean"]) == pytest.approx(fmean(each))
    low = fmean(each) - 2.4469 * stdev(each) / math.sqrt(7)
    assert float(row["low"]) == pytest.approx(low, abs=1e-3), "the paired t-test"


FACTORS = [
    {"name": name, "levels": [{"name": one} for one in levels]}
    for name, levels in (("tone", ["warm", "cold"]), ("anchor", ["low", "mid", "high"]))
]


def crossed_study() -> Room:
    """Six arms of two factors, four people in each, one game against the house."""
    study = a_study()
    study.design = {**study.design, "arms": [{"name": "all"}], "factors": FACTORS}
    study.save()
    arms = [f"{tone}_{anchor}" for tone in ("warm", "cold") for anchor in ("low", "mid", "high")]
    for number in range(24):
        one = a_participant(study.room, f"p{number}", arms[number % 6])
        price = 1210 + 7 * number + 25 * (number % 6)
        deeds = [bid(1100), walks("seller")] if number == 5 else [bid(1100), ask(price)]
        a_game(study.room, one, "sauda", deeds if number == 5 else [*deeds, takes("buyer")])
    return study.room


def means_in(folder: Path) -> dict[tuple[str, str], dict[str, str]]:
    with (folder / "results/means.csv").open(newline="") as file:
        return {(row["measure"], row["arm"]): row for row in csv.DictReader(file)}


def test_levels_are_compared_over_the_other_factor(tmp_path: Path) -> None:
    export_to(crossed_study(), tmp_path)
    assert run(tmp_path).returncode == 0
    found = means_in(tmp_path)
    with (tmp_path / "person_games.csv").open(newline="") as file:
        rows = [*csv.DictReader(file)]
    for factor, levels in (("tone", ("cold", "warm")), ("anchor", ("high", "low", "mid"))):
        shares = [
            [float(row["share"]) for row in rows if f"{factor}={one}" in row["levels"].split()]
            for one in levels
        ]
        for one, mine in zip(levels, shares, strict=True):
            row = found["share", f"{factor}={one}"]
            assert row["games"] == str(len(mine)) == str(24 // len(levels))
            assert float(row["mean"]) == pytest.approx(fmean(mine))
        for one, mine in zip(levels[1:], shares[1:], strict=True):
            row = found["share", f"{factor}={one} less {factor}={levels[0]}"]
            assert float(row["mean"]) == pytest.approx(fmean(mine) - fmean(shares[0]))


@pytest.mark.skipif(shutil.which("Rscript") is None, reason="R is not installed")
def test_r_compares_the_same_levels(tmp_path: Path) -> None:
    export_to(crossed_study(), tmp_path)
    assert run(tmp_path).returncode == 0
    ours = means_in(tmp_path)
    done = subprocess.run(
        ["Rscript", str(tmp_path / "analyse.R")], capture_output=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    theirs = means_in(tmp_path)
    assert list(theirs) == list(ours)
    for key, row in ours.items():
        for name in ("mean", "low", "high"):
            assert float(theirs[key][name]) == pytest.approx(float(row[name]), abs=0.002), key


@pytest.mark.parametrize(("turns", "stays"), [("", True), ("0", True), ("1", False), ("10", False)])
def test_games_that_rules_played_for_a_model_can_be_left_out(
    turns: str, stays: bool, tmp_path: Path
) -> None:
    export_to(crossed_study(), tmp_path)
    script, table = tmp_path / "analyse.py", tmp_path / "person_games.csv"
    script.write_text(script.read_text().replace("DROP_FALLBACK = False", "DROP_FALLBACK = True"))
    with table.open(newline="") as file:
        rows = [*csv.DictReader(file)]
    rows[0]["fallback_turns"] = turns
    with table.open("w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    assert run(tmp_path).returncode == 0
    assert means_in(tmp_path)["deal", "tone=warm"]["games"] == str(12 if stays else 11)


@pytest.mark.skipif(shutil.which("Rscript") is None, reason="R is not installed")
@pytest.mark.parametrize("name", ["export", "export (1)"])
def test_the_one_in_r_says_the_same_from_any_folder(name: str, tmp_path: Path) -> None:
    folder = tmp_path / name
    room = a_study().room
    for arm in ("chat", "silent"):
        order = ["mute", "talk"] if arm == "chat" else ["talk", "mute"]
        people = [a_participant(room, f"{arm}{n}", arm, conditions=order) for n in range(6)]
        for round_ in (1, 2):
            for number in range(0, 6, 2):
                seller, buyer = people[number], people[(number + 2 * round_ - 1) % 6]
                price = 1240 + 37 * number + 70 * round_ + 11 * len(arm)
                deeds = [bid(1100), ask(price), takes("buyer") if number else walks("buyer")]
                a_game(room, seller, buyer, deeds, number=round_)
    a_deal(room, people[0], "sauda", number=3)
    export_to(room, folder)
    told = []
    for command in ([sys.executable, "-I", "-S", "analyse.py"], ["Rscript", "analyse.R"]):
        script = str(folder / command.pop())
        done = subprocess.run(
            [*command, script], capture_output=True, text=True, cwd="/", timeout=60, check=False
        )
        assert done.returncode == 0, done.stderr
        with (folder / "results/means.csv").open(newline="") as file:
            told.append([list(row.values()) for row in csv.DictReader(file)])
    ours, in_r = told
    assert len(ours) > 12
    assert [row[:5] for row in ours] == [row[:5] for row in in_r]
    for one, other in zip(ours, in_r, strict=True):
        assert [*map(float, one[5:])] == pytest.approx([*map(float, other[5:])], abs=0.002), one


def test_it_says_that_there_is_nothing(tmp_path: Path) -> None:
    export_to(a_study().room, tmp_path)
    done = run(tmp_path)
    assert done.returncode == 1
    assert "no games" in done.stderr


def test_scripts_name_only_columns_that_are_there() -> None:
    texts = {name: (STARTERS / name).read_text() for name in SCRIPTS}
    own = set(re.findall(r"rows\$(\w+) <-", texts["analyse.R"])) - set(PERSON_GAMES.header)
    assert own == {"deal"}
    named = {
        "analyse.R": set(re.findall(r"(?:rows|mine|\]\])\$(\w+)", texts["analyse.R"])) - own,
        "analyse.py": set(re.findall(r'row\["(\w+)"\]', texts["analyse.py"])),
    }
    for name, columns in named.items():
        assert len(columns) > 6, name
        assert columns <= set(PERSON_GAMES.header), name


@pytest.mark.parametrize("times", TIMES)
def test_times_are_as_exact_as_asked(times: Times, tmp_path: Path) -> None:
    room = a_study().room
    moment = dt.datetime(2026, 3, 4, 5, 6, 7, 89, tzinfo=dt.UTC)
    a_participant(room, "Asha", consented_at=moment)
    assert export_to(room, tmp_path, times=times)["times"] == times
    row = json.loads((tmp_path / "participants.jsonl").read_text())
    texts = {"exact": moment.isoformat(), "minute": "2026-03-04T05:06:00+00:00"}
    assert row["consented_at"] == texts.get(times, "2026-03-04")
