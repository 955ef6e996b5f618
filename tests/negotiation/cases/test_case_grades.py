"""At which moves points were left, and what could be tried in their place."""

import json

import msgspec
import pytest
from django.test import Client

from bazaarbatna.cases import play
from bazaarbatna.cases.case import Package, in_library, other
from bazaarbatna.cases.packages import grid_of
from negotiation.cases.game import CASE, Dealt
from negotiation.cases.grading import better_for, costliest, graded
from negotiation.models import Game
from tests.negotiation.cases.test_case_pages import move, sits_down

SCOOTER = in_library()["scooter"]
POOR: Package = {"price": 45000, "day": "today", "warranty": "none", "helmet": "kept"}


def played(*moves: play.Move) -> tuple[play.State, list[play.Event]]:
    state, events = play.start(msgspec.structs.replace(SCOOTER, begins="a"), 1)
    log = [*events]
    for one in moves:
        state, happened = play.apply(state, state.turn, one)
        log += happened
    return state, log


def test_an_offer_leaves_what_costs_the_other_nothing() -> None:
    _, log = played(play.Move("offer", POOR), play.Move("offer", {"price": 40000}))
    (only,) = graded(SCOOTER, log)
    assert (only.seq, only.seat) == (2, "a")
    better = better_for(SCOOTER, "a", POOR)
    assert SCOOTER.points("b", better) >= SCOOTER.points("b", POOR)
    assert only.left == SCOOTER.points("a", better) - SCOOTER.points("a", POOR) > 0
    for role in ("a", "b"):
        best = better_for(SCOOTER, role, POOR)
        grid = grid_of(SCOOTER)
        fits = grid.points[other(role)] >= SCOOTER.points(other(role), POOR)
        assert SCOOTER.points(role, best) == grid.points[role][fits].max()


def test_nothing_is_left_on_the_frontier() -> None:
    grid = grid_of(SCOOTER)
    for at in grid.frontier[:: max(1, len(grid.frontier) // 5)]:
        package = grid.package(int(at))
        for role in ("a", "b"):
            assert SCOOTER.points(role, better_for(SCOOTER, role, package)) == SCOOTER.points(
                role, package
            )


def test_leaving_leaves_what_could_have_been_agreed_to() -> None:
    fair: Package = {"price": 45000, "day": "today", "warranty": "month", "helmet": "given"}
    _, log = played(play.Move("offer", fair), play.Move("walk"))
    offer, walk = graded(SCOOTER, log)
    assert (walk.action, walk.seat) == ("walk", "b")
    assert walk.left == SCOOTER.points("b", fair) - SCOOTER.b.outside
    assert costliest([offer, walk], "b") == walk
    assert costliest([offer], "b") is None


@pytest.mark.django_db(transaction=True)
def test_the_end_says_where_most_was_left_and_the_replay_tries_it(client: Client) -> None:
    game = sits_down(client, "scooter", "a")
    fields = {f"issue-{key}": value for key, value in POOR.items()}
    move(client, game, "offer", **fields)
    for _ in range(12):
        move(client, game, "walk")
    page = client.get(f"/cases/table/{game.pk}/").content.decode()
    assert "Move by move" in page
    events = CASE.position_of(Game.objects.get(pk=game.pk)).events
    worst = costliest(graded(SCOOTER, events), "a")
    assert worst is not None
    assert f"Most was left at your move {worst.seq}" in page
    replay = client.get(f"/replays/{game.pk}/?seq={worst.seq}").content.decode()
    assert "{&#x27;price" not in replay
    assert "points)" in replay
    offer = next(one for one in graded(SCOOTER, events) if one.seat == "a")
    told = json.dumps({"action": "offer", "package": offer.better, "text": ""})
    answer = client.post(f"/replays/{game.pk}/fork/", {"seq": offer.seq, "move": told})
    assert answer.status_code in (302, 303), answer.content.decode()


def test_a_better_package_is_the_first_to_try() -> None:
    state, _ = played()
    tries = CASE.tries(state, "a", play.Move("offer", POOR))
    assert tries[0].package == better_for(SCOOTER, "a", POOR)
    assert CASE.named(state, "a", tries[0]).endswith("points)")
    assert {CASE.named(state, "a", one) for one in tries[1:]} >= {"Leave without a deal"}
    assert Dealt(1, SCOOTER).case == SCOOTER
