"""The example reads an export and says what is true of it."""

import csv
import runpy
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rooms.export.writing import export_to
from tests.support.class_rooms import a_game, ask, bid, takes
from tests.support.studies import a_participant, a_study

ROOT = Path(__file__).parents[3]

ARMS = ("chat", "silent")

EXAMPLE = runpy.run_path(str(ROOT / "examples/analyse_study.py"))


def a_series(
    dice: np.random.Generator, *, people: int, rounds: int, roles: str, arm: str = "all"
) -> list[dict[str, Any]]:
    """Games of a class in which everybody meets a new partner each round; true mean: 0.5.

    Everybody has a skill, which is in all of that person's games.
    """
    skill = dice.normal(0, 0.12, people + 1)
    half = people // 2
    games = []
    for _ in range(rounds):
        order = dice.permutation(np.arange(1, people + 1))
        if roles == "fixed":
            order = np.concatenate([np.sort(order[order <= half]), order[order > half]])
        for one, other in zip(order[:half], order[half:], strict=True):
            share = 0.5 + skill[one] - skill[other] + dice.normal(0, 0.1)
            games.append(
                {"arm": arm, "share": share, "deal": 1.0, "seller_participant": int(one),
                 "buyer_participant": int(other)}
            )  # fmt: skip
    EXAMPLE["set_clusters"](games)
    return games


@pytest.mark.parametrize("roles", ["fixed", "random"])
@pytest.mark.parametrize("people", [24, 40])
def test_of_a_series_with_mixed_partners_the_interval_covers_the_truth(
    roles: str, people: int
) -> None:
    dice, reach = np.random.default_rng(5), EXAMPLE["t_quantile"](people - 1)
    covered, by_pair, studies = 0, 0, 500
    for _ in range(studies):
        games = a_series(dice, people=people, rounds=4, roles=roles)
        mean, variance, freedom = EXAMPLE["people_level"](games, "share")
        assert freedom == people - 1
        covered += abs(mean - 0.5) <= reach * variance**0.5
        shares = np.array([game["share"] for game in games])
        by_pair += abs(mean - 0.5) <= 1.96 * shares.std(ddof=1) / len(games) ** 0.5
    # 500 studies: 0.95 give or take 0.02 at two errors; the estimate of few people is one, too.
    assert 0.92 <= covered / studies <= 0.98
    if roles == "fixed":
        assert by_pair / studies < 0.8, "pairs that meet once look independent, and are not"


def test_two_arms_without_a_difference_are_told_apart_as_often_as_chance_does() -> None:
    dice = np.random.default_rng(7)
    alarms = 0
    for _ in range(300):
        games = [
            game
            for arm in ("a", "b")
            for game in a_series(dice, people=24, rounds=3, roles="fixed", arm=arm)
        ]
        alarms += EXAMPLE["difference_by_people"](games, "a", "b", "share")["p"] < 0.05
    assert 0.02 <= alarms / 300 <= 0.09


def test_people_who_met_through_others_are_one_cluster() -> None:
    pairs = [(1, 2), (2, 3), (4, 5), (6, None), (None, 6), (5, 3), (7, 8)]
    games = [{"seller_participant": one, "buyer_participant": other} for one, other in pairs]
    EXAMPLE["set_clusters"](games)
    groups = EXAMPLE["clusters"](games)
    assert sorted(len(group) for group in groups) == [1, 2, 4]


def test_one_large_cluster_is_told_and_many_small_ones_are_drawn() -> None:
    series = a_series(np.random.default_rng(1), people=24, rounds=4, roles="random")
    assert EXAMPLE["tied_arms"]({"all": series}) == ["all"]
    text = EXAMPLE["method_text"]({"all": series}, ["all"])
    assert "the largest holds 48 of 48 games" in text
    assert "share a person" in text
    once = a_series(np.random.default_rng(1), people=24, rounds=1, roles="random")
    assert EXAMPLE["tied_arms"]({"all": once}) == []
    assert "bootstrap" in EXAMPLE["method_text"]({"all": once}, [])
    # Where each pair met once, both ways are of the same size.
    mean, variance, _ = EXAMPLE["people_level"](once, "share")
    low, high = EXAMPLE["interval"](EXAMPLE["clusters"](once), "share")[1:]
    assert (high - low) / 2 == pytest.approx(1.96 * variance**0.5, rel=0.15)
    assert low < mean < high


@pytest.mark.parametrize(("freedom", "exact"), [(5, 2.571), (10, 2.228), (120, 1.980)])
def test_the_quantiles_of_students_t_are_those_of_the_tables(freedom: int, exact: float) -> None:
    assert EXAMPLE["t_quantile"](freedom) == pytest.approx(exact, abs=0.001)


@pytest.mark.django_db
def test_an_export_of_a_class_that_mixed_says_so(tmp_path: Path) -> None:
    room = a_study().room
    people = {arm: [a_participant(room, f"{arm}{n}", arm) for n in range(6)] for arm in ARMS}
    for a, b, c, d, e, f in people.values():
        matches = [(a, b), (c, d), (e, f), (b, c), (d, e), (f, a)]
        for number, (one, other) in enumerate(matches):
            deeds = [bid(1100), ask(1900), bid(1300 + 50 * number), takes("seller")]
            a_game(room, one, other, deeds, number=1 + number // 3)
    export_to(room, tmp_path / "study")
    command = [sys.executable, "examples/analyse_study.py", str(tmp_path / "study")]
    done = subprocess.run(
        [*command, "--out", str(tmp_path / "out")],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert "| chat | 6 | 6 | 1 |" in done.stdout
    assert "chat: 1 clusters" in done.stdout
    assert "silent less chat, share: 0.000" in done.stdout
    assert "permutation" not in done.stdout


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
