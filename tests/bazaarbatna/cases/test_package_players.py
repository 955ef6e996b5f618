"""Players of packages: what they know, what they do, and how they compare on a few cases."""

from itertools import pairwise
from random import Random

import msgspec
import numpy as np
import pytest

from bazaarbatna.cases import play
from bazaarbatna.cases.case import ROLES, Case, Choice, Role, in_library, other
from bazaarbatna.cases.packages import grid_of
from bazaarbatna.players.package_trials import FixedPie, RandomPackages, drawn_case, partner, trial
from bazaarbatna.players.packages import (
    Player,
    Trader,
    move_for,
    yardsticks,
)
from bazaarbatna.players.views import view_of
from bazaarbatna.players.wishes import estimated


def everybody(case: Case) -> list[Player]:
    players = [Trader(), *yardsticks(grid_of(case).frontier).values()]
    return [*players, FixedPie(Random(1)), RandomPackages(), partner(5)]


@pytest.mark.parametrize("seed", range(12))
def test_everybody_plays_by_the_rules_and_never_below_no_deal(seed: int) -> None:
    case = drawn_case(seed)
    for one, two in zip(everybody(case), reversed(everybody(case)), strict=True):
        state, _ = play.start(case, seed)
        dice = Random(seed)
        while state.ended is None:
            player = one if state.turn == "a" else two
            state, _ = play.apply(state, state.turn, move_for(player, state, state.turn, dice))
        for role in ROLES:
            assert state.ended.points[role] >= case.side(role).outside


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("name", [*in_library(), *range(6)])
def test_the_trader_never_only_takes_back(name: str | int, role: Role) -> None:
    """Whoever bid 21,000 does not bid 20,500 next, whether the other stands still or comes."""
    case = in_library()[name] if isinstance(name, str) else drawn_case(name)
    points = {issue.key: dict(zip(issue.values, issue.points(role), strict=True))
              for issue in case.issues}  # fmt: skip
    grid = grid_of(case)
    best = grid.package(int(np.argmax(grid.points[other(role)])))
    for rival in (None, *yardsticks(grid.frontier).values()):
        state, _ = play.start(case, 1)
        dice = Random(2)
        while state.ended is None:
            if state.turn == role:
                move = move_for(Trader(), state, role, dice)
            elif rival is None:
                move = play.Move("offer", best)
            else:
                move = move_for(rival, state, state.turn, dice)
            state, _ = play.apply(state, state.turn, move)
        mine = [one.package for one in state.history if one.seat == role]
        for one, two in pairwise(mine):
            gained = [points[key][two[key]] - points[key][one[key]] for key in one]
            assert min(gained) < 0 or max(gained) == 0, (one, two)


def otherwise(case: Case, role: str) -> Case:
    """Return the case with other points, another sheet and offer for one role."""
    dice = Random(9)
    issues = tuple(
        msgspec.structs.replace(
            issue,
            options=tuple(
                msgspec.structs.replace(one, **{role: dice.uniform(0, 90)}) for one in issue.options
            ),
        )
        for issue in case.issues
        if isinstance(issue, Choice)
    )
    side = msgspec.structs.replace(case.side(role), outside=1.0)
    return msgspec.structs.replace(case, issues=issues, **{role: side})


@pytest.mark.parametrize("role", ROLES)
def test_the_trader_knows_its_own_points_only(role: str) -> None:
    case = drawn_case(3)
    changed = otherwise(case, other(role))
    grid = grid_of(case)
    moves = []
    for version in (case, changed):
        state = play.State(version, role)
        luck, made = Random(4), []
        offers = Random(2)
        for _ in range(5):
            move = move_for(Trader(), state, role, luck)
            made.append(move)
            if move.action != "offer":
                break
            answer = grid.package(offers.randrange(len(grid)))
            history = (
                *state.history,
                play.Offered(role, move.package, {}, {}),
                play.Offered(other(role), answer, {}, {}),
            )
            state = msgspec.structs.replace(
                state, history=history, moves=state.moves + 2, standing={other(role): answer}
            )
        moves.append(made)
    assert moves[0] == moves[1]


def test_it_learns_what_the_other_holds_on_to() -> None:
    found = []
    for seed in range(40):
        case = drawn_case(seed)
        grid = grid_of(case)
        state, _ = play.start(msgspec.structs.replace(case, begins="b", limits="soft"), seed)
        order = np.argsort(-grid.points["b"], kind="stable")
        for at in range(4):
            state, _ = play.apply(
                state, "b", play.Move("offer", grid.package(int(order[at * len(order) // 30])))
            )
            state, _ = play.apply(
                state, "a", play.Move("offer", grid.package(int(np.argmax(grid.points["a"]))))
            )
        guess = np.concatenate(estimated(view_of(state, "a")))
        truth = np.concatenate(grid.parts["b"])
        blind = np.concatenate(estimated(view_of(play.start(case, seed)[0], "a")))
        found.append((np.corrcoef(guess, truth)[0, 1], np.corrcoef(blind, truth)[0, 1]))
    learnt, before = np.nanmean(np.array(found), axis=0)
    assert learnt > before + 0.2
    assert learnt > 0.7


def test_ours_is_ahead_of_every_yardstick_on_a_few_cases() -> None:
    rows = trial(range(500_000, 500_100))
    ours, *others, told, lied_to = rows
    assert ours.name == "trader"
    assert (told.name, lied_to.name) == ("trader, told the truth", "trader, told lies")
    assert len(others) == 8
    assert all(ours.own > row.own for row in others), rows
    assert all(row.behind is not None for row in others)
