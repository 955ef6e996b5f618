"""The rules of cases, their files, their grids."""

import itertools
import time
from random import Random
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bazaarbatna.bargain.errors import GameOver, IllegalMove, NotYourTurn
from bazaarbatna.cases import play
from bazaarbatna.cases.case import (
    ROLES,
    Case,
    CaseError,
    Choice,
    Issue,
    Option,
    Package,
    Side,
    Value,
    from_toml,
    in_library,
    other,
)
from bazaarbatna.cases.packages import Grid, grid_of, missed, remarks
from bazaarbatna.players.package_trials import drawn_case

LIBRARY = in_library()

SMALL = """
id = "small"
title = { en = "Small" }
lede = { en = "Small" }
facts = { en = "Small" }
begins = "a"
rounds = 3
[a]
name = { en = "Asha" }
sheet = { en = "Hers" }
outside = 30
[b]
name = { en = "Bilal" }
sheet = { en = "His" }
outside = 20
[[issues]]
kind = "number"
key = "price"
label = { en = "Price" }
low = 0
high = 10
step = 5
a = [[0, 0], [10, 50]]
b = [[0, 50], [5, 40], [10, 0]]
[[issues]]
kind = "choice"
key = "day"
label = { en = "Day" }
options = [
  { key = "soon", label = { en = "soon" }, a = 50, b = 0 },
  { key = "late", label = { en = "late" }, a = 0, b = 50 },
]
"""


def small(**changed: Any) -> Case:
    return msgspec.structs.replace(from_toml(SMALL), **changed)


@pytest.mark.parametrize(
    ("was", "becomes", "told"),
    [
        ('id = "small"', 'id = "Small Case"', "$.id"),
        ("low = 0", 'low = "none"', "$.issues[0].low"),
        ("high = 10", "high = 11", "steps of 5 from 0 do not reach 11"),
        ("high = 10", "high = 0", "is not below"),
        ("a = [[0, 0], [10, 50]]", "a = [[0, 0], [9, 50]]", "issues.price: points are given"),
        (
            "a = [[0, 0], [10, 50]]",
            "a = [[10, 0], [0, 50]]",
            "points are given at values that rise",
        ),
        ('key = "late"', 'key = "soon"', "two have the key soon"),
        ('key = "day"', 'key = "price"', "two have the key price"),
        ('name = { en = "Asha" }', 'name = { hi = "आशा" }', "a.name: no words in en"),
        ("step = 5", "step = 5\ncolour = 1", "colour"),
        ("step = 5", "step = 0", "$.issues[0].step"),
        ("rounds = 3", "rounds = 1", "$.rounds"),
        ('begins = "a"', "begins =", "(at line 6"),
        ('kind = "choice"', 'kind = "dice"', "dice"),
        ("outside = 20", "", "outside"),
    ],
)
def test_a_fault_of_a_file_names_its_place(was: str, becomes: str, told: str) -> None:
    with pytest.raises(CaseError) as caught:
        from_toml(SMALL.replace(was, becomes, 1))
    assert told in str(caught.value)


def test_all_faults_are_told_at_once() -> None:
    text = SMALL.replace("high = 10", "high = 11").replace('key = "late"', 'key = "soon"')
    with pytest.raises(CaseError) as caught:
        from_toml(text)
    assert len(caught.value.faults) == 4  # the step, both roles' knots, the option


def test_points_lie_on_straight_lines_between_knots() -> None:
    price = small().issues[0]
    assert price.points("a") == (0, 25, 50)
    assert price.points("b") == (50, 40, 0)


@pytest.mark.parametrize("name", sorted(LIBRARY))
def test_a_case_of_the_library_is_whole_in_both_languages(name: str) -> None:
    case = LIBRARY[name]
    assert case.languages == ("en", "hi")
    assert case.guide.keys() == {"en", "hi"}
    grid = grid_of(case)
    if name != "laptop":
        assert [float(grid.points[role].max()) for role in ROLES] == [100, 100]


def values_of(issue: Issue) -> list[Value]:
    return [*issue.values]


def beaten(a: float, b: float, points: list[tuple[float, float]]) -> bool:
    return any(x >= a and y >= b and (x > a or y > b) for x, y in points)


@given(st.integers(0, 10_000))
def test_the_grid_agrees_with_brute_force(seed: int) -> None:
    case = drawn_case(seed)
    grid = Grid(case)
    packages: list[Package] = [
        dict(zip((issue.key for issue in case.issues), values, strict=True))
        for values in itertools.product(*map(values_of, case.issues))
    ][:400]
    dice = Random(seed)
    for at in (0, len(packages) - 1, dice.randrange(len(packages))):
        assert grid.package(at) == packages[at]
        assert grid.index(packages[at]) == at
        for role in ROLES:
            assert grid.points[role][at] == pytest.approx(case.points(role, packages[at]))
    if len(grid) <= 400:
        points = [(case.points("a", one), case.points("b", one)) for one in packages]
        best = {one for one in points if not beaten(*one, points)}
        found = {
            (case.points("a", p), case.points("b", p)) for p in map(grid.package, grid.frontier)
        }
        assert found == best
        joint = max(a + b for a, b in points)
        assert float(grid.joint.max()) == pytest.approx(joint)
        if grid.nash is not None:
            assert beaten(*points[grid.nash], points) is False


def test_five_issues_of_eight_options_are_quick() -> None:
    dice = np.random.RandomState(3)
    issues = tuple(
        Choice(
            f"i{at}",
            {"en": "x"},
            tuple(Option(f"o{one}", {"en": "x"}, *dice.rand(2).tolist()) for one in range(8)),
        )
        for at in range(5)
    )
    side = Side({"en": "x"}, {"en": "x"}, 0.5)
    case = small(issues=issues, a=side, b=side)
    began = time.perf_counter()
    grid = Grid(case)
    assert len(grid) == 32768
    assert 0 < len(grid.frontier) < 32768
    assert grid.nash is not None
    print(f"{time.perf_counter() - began:.3f} s for 32,768 packages")


def test_the_author_is_told_what_there_is_to_find() -> None:
    (told,) = remarks(LIBRARY["project"])
    assert (told.code, told.figures["best"], told.figures["even"]) == ("to-find", 155.0, 132.0)
    assert [one.code for one in remarks(LIBRARY["laptop"])] == ["no-zone"]
    flat = Choice(
        "x", {"en": "x"}, tuple(Option(k, {"en": k}, 50, p) for k, p in (("o", 9), ("p", 2)))
    )
    assert "equal-points" in [one.code for one in remarks(small(issues=(flat,)))]


def test_kinds_of_issues_are_recognised() -> None:
    kinds = dict(
        zip((i.key for i in LIBRARY["job"].issues), grid_of(LIBRARY["job"]).kinds(), strict=True)
    )
    assert kinds["start"] == "compatible"
    assert kinds["home"] == "integrative"
    assert grid_of(LIBRARY["laptop"]).kinds() == ("distributive",)


@given(st.integers(0, 10_000), st.integers(0, 10_000))
def test_a_missed_trade_hurts_nobody_and_is_real(seed: int, at: int) -> None:
    case = drawn_case(seed)
    grid = grid_of(case)
    deal = grid.package(at % len(grid))
    trade = missed(case, deal)
    if trade is None:
        return
    better = {**deal, **trade.changes}
    assert 1 <= len(trade.changes) <= 2
    for role in ROLES:
        gain = case.points(role, better) - case.points(role, deal)
        assert gain == pytest.approx(trade.gains[role], abs=0.02)
        assert gain >= -1e-6


def moves_of(case: Case, dice: Random) -> play.Move:
    issues = [one for one in case.issues if dice.random() < 0.9] or [case.issues[0]]
    package: Package = {one.key: dice.choice(values_of(one)) for one in issues}
    action = dice.choices(("offer", "accept", "say", "walk"), (12, 4, 1, 0.3))[0]
    if action == "offer":
        return play.Move("offer", package, "words")
    return play.Move(action, text="words")  # type: ignore[arg-type]  # one of the four


@given(st.integers(0, 100_000))
def test_any_game_keeps_the_rules(seed: int) -> None:
    dice = Random(seed)
    limits = dice.choice(("hard", "soft"))
    case = msgspec.structs.replace(drawn_case(seed % 50), limits=limits)
    state, log = play.start(case, seed)
    while state.ended is None:
        mover, before = state.turn, state
        with pytest.raises(NotYourTurn):
            play.apply(state, other(mover), play.Move("walk"))
        move = moves_of(case, dice)
        try:
            state, events = play.apply(state, mover, move)
        except IllegalMove:
            assert state is before
            state, events = play.apply(state, mover, play.Move("say", text="so"))
        log += events
        assert state.turn == other(mover)
    assert state.moves <= 2 * case.rounds
    with pytest.raises(GameOver):
        play.apply(state, state.turn, play.Move("walk"))
    ended = state.ended
    if ended.outcome == "deal":
        last = next(one for one in reversed(log) if isinstance(one, play.Accepted))
        assert ended.package == state.standing[other(last.seat)]
        assert case.is_whole(ended.package)
        for role in ROLES:
            assert ended.points[role] == case.points(role, ended.package)
            assert limits == "soft" or ended.points[role] >= case.side(role).outside
    else:
        assert ended.points == {role: case.side(role).outside for role in ROLES}
    # The same moves, the same log, to the byte; through JSON and back.
    again, told = play.start(case, seed)
    for event in log:
        if move_told := play.move_of(event):
            again, happened = play.apply(again, *move_told)
            told += happened
    assert msgspec.json.encode(told) == msgspec.json.encode(log)
    assert msgspec.json.decode(msgspec.json.encode(log), type=tuple[play.Event, ...]) == log


@pytest.mark.parametrize(
    ("move", "told"),
    [
        (play.Move("offer", {"price": 3}), "no value"),
        (play.Move("offer", {"colour": 3}), "no value"),
        (play.Move("offer", {"price": True}), "no value"),
        (play.Move("offer", {}), "at least one"),
        (play.Move("offer", {"price": 0, "day": "late"}), "less than you have"),
        (play.Move("accept"), "whole package"),
        (play.Move("accept", {"price": 5}), "Only an offer"),
        (play.Move("say"), "no words"),
        (play.Move("say", text="x" * 501), "500"),
    ],
)
def test_a_move_against_the_rules_says_which(move: play.Move, told: str) -> None:
    state, _ = play.start(small(), 1)
    with pytest.raises(IllegalMove, match=told):
        play.apply(state, "a", move)


def test_a_partial_package_stands_but_cannot_be_accepted() -> None:
    state, _ = play.start(small(), 1)
    state, _ = play.apply(state, "a", play.Move("offer", {"day": "soon"}))
    with pytest.raises(IllegalMove, match="whole"):
        play.apply(state, "b", play.Move("accept"))


@pytest.mark.parametrize("reveal", ["own", "price", "all", "at_debrief"])
def test_the_end_tells_what_the_case_reveals(reveal: str) -> None:
    case = small(reveal=reveal)
    state, log = play.start(case, 1)
    state, one = play.apply(state, "a", play.Move("offer", {"price": 5, "day": "soon"}))
    state, two = play.apply(state, "b", play.Move("accept"))
    running = [play.shown(event, "b", is_over=False) for event in (*log, *one, *two)]
    over = [play.shown(event, "b", is_over=True) for event in (*log, *one, *two)]
    for told in (running, over if reveal != "all" else running):
        assert "Hers" not in repr(told)
        assert "'a': 25" not in repr(told)
    assert ("Hers" in repr(over)) is (reveal == "all")
    assert ("a" in over[-1]["points"]) is (reveal == "all")
    assert "a" not in running[-1]["points"]


def test_the_same_case_twice_is_the_same_bytes() -> None:
    for name, case in LIBRARY.items():
        assert msgspec.json.encode(in_library()[name]) == msgspec.json.encode(case)
