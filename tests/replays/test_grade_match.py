"""Grades of a match of several buyers: the same search, one envelope at a time."""

import pytest
from django.test import Client

from arena.auction.web import matches
from arena.auction.web.orders import PERSON, Order
from arena.auction.web.records import actor
from arena.auction.web.what_if import before, fork
from bazaarbatna.auction.events import ArenaEvent, Leave, Placed
from bazaarbatna.auction.match import place
from bazaarbatna.auction.scenario import ArenaScenario
from negotiation.models import Game
from replays.grade import jobs
from replays.grade.jobs import candidates, grade_match, widths
from replays.grade.moves import GradedMove, word_for
from tests.support.matches import a_full_match, a_table, end_of, envelopes, played
from tests.support.tables import a_listing, plays_out
from tests.support.visitors import a_visitor, key_of

Played = tuple[ArenaScenario, tuple[ArenaEvent, ...], tuple[GradedMove, ...]]

RICH = 4
"""A match whose winner gets half of what it could."""


@pytest.fixture(scope="module")
def rich() -> Played:
    scenario = a_full_match(RICH)
    events = played(scenario)
    return scenario, events, tuple(grade_match(scenario, events))


def test_every_envelope_gets_a_grade(
    rich: Played,
) -> None:
    scenario, events, graded = rich
    placed = [(n, actor(e.buyer)) for n, e in enumerate(events, 1) if isinstance(e, Placed)]
    assert [(move.seq, move.actor) for move in graded] == placed != []
    assert all(0.0 <= move.loss <= 1.0 for move in graded)
    assert tuple(grade_match(scenario, events)) == graded


def test_leaving_a_match_that_one_would_win_is_a_blunder(
    rich: Played,
) -> None:
    scenario, events, _ = rich
    winner = end_of(events).winner
    assert winner is not None
    left = fork(scenario, events, winner, 1, Leave())
    (grade,) = [m for m in grade_match(scenario, left) if m.actor == actor(winner)]
    assert word_for(grade.loss).name == "blunder"
    assert grade.played == 0.0
    assert grade.best is not None
    assert grade.best.kind in ("offer", "accept", "hold")
    assert grade.line[-1].kind == "wins"


def test_a_buyer_who_can_pay_nothing_the_seller_takes_loses_nothing() -> None:
    scenario = a_table((150_000, 90_000))
    events = played(scenario)
    assert widths(scenario) == {"buyer-1": 50_000, "buyer-2": 0}
    poor = [move for move in grade_match(scenario, events) if move.actor == "buyer-2"]
    assert poor
    assert {move.loss for move in poor} == {0.0}


def test_the_better_move_is_one_that_could_be_made(
    rich: Played,
) -> None:
    scenario, events, _ = rich
    first = envelopes(events)[:6]
    assert len(first) == 6
    for made in first:
        state, _ = before(scenario, events, made.buyer, made.round)
        tried = candidates(state, made.buyer, made.move)
        assert len(tried) == len(set(tried)) > 3
        for move in tried:
            place(state, made.buyer, move)  # raises where a rule is broken


@pytest.mark.django_db
def test_a_person_sees_on_the_replay_what_was_left_in_the_own_seat() -> None:
    asha = a_visitor()
    line_up = ("rules:smart", "rules:boulware", PERSON)
    order = Order(listing=a_listing(), line_up=line_up, seed=3)
    match = matches.open_match(key_of(asha), order)
    plays_out(match.pk)
    game = Game.objects.get(pk=match.pk)
    assert jobs.run(game.pk)
    shown = asha.get(f"/replays/{game.pk}/").content.decode()
    assert "grades-strip" in shown
    assert 'class="grades-of-buyer-3"' in shown
    assert "You left " in shown or "You: no other move that we tried" in shown
    told = Client().get(f"/replays/{game.pk}/grades.json").json()
    assert set(told["accuracy"]) == {"buyer-1", "buyer-2", "buyer-3"}
    late = asha.get(f"/replays/{game.pk}/grades/", headers={"HX-Request": "true"})
    assert late.status_code == 286
    assert "talk-grade" not in late.content.decode()
