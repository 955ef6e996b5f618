"""Stored matches: every turn is one transaction, and nobody takes a turn twice."""

from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.utils import timezone

from arena.errors import NoSeat
from arena.gpu_market import twins as twin_seats
from arena.gpu_market.web import actions, finding, matches, players, running
from arena.gpu_market.web.errors import BadAction, BadMarket, NoControls
from arena.gpu_market.web.game import MARKET
from arena.gpu_market.web.orders import Order, checked
from arena.gpu_market.web.players import Turn
from arena.models import MarketMatch
from bazaarbatna.bargain.errors import GameOver, NotYourTurn
from bazaarbatna.market import WAIT, Malformed, MarketAction, apply, fold
from bazaarbatna.market.events import OfferMade, TurnTaken
from negotiation.errors import RateLimited, UnknownGame
from negotiation.games.event_log import ClaimLost
from negotiation.models import EventRow, Game
from tests.support.markets import a_market, a_persons_market, plays_out, where

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def read_from_the_log() -> Iterator[None]:
    """Nothing is kept from one test to the next."""
    MARKET.positions.forget_all()
    yield
    MARKET.positions.forget_all()


def as_stored(match: MarketMatch) -> MarketMatch:
    return MarketMatch.objects.select_related("game").get(pk=match.pk)


def test_a_demo_stands_at_its_opening_and_goes_on_turn_by_turn() -> None:
    match = a_market()
    assert match.seats == ["rule_expert", "archetype", "archetype"]
    opening = where(match)
    assert (opening.state.round, opening.state.turn) == (0, 0)
    matches.step(match.pk)
    after = where(match)
    assert after.state.turn == 1
    assert after.events[: opening.seq] == opening.events


def test_a_demo_that_is_played_out_is_closed_and_its_log_folds() -> None:
    match = a_market()
    plays_out(match)
    row = as_stored(match)
    assert (row.is_over, row.game.status, row.game.rounds_used) == (True, "ended", 5)
    assert row.game.ended_at is not None
    assert matches.step(match.pk) is None
    MARKET.positions.forget_all()
    position = where(match)
    assert fold(MARKET.scenario_of(match.pk), position.events).ended is not None


def test_a_match_without_a_pace_is_over_at_once() -> None:
    match = a_market(task="coalition_market", pace_s=0)
    assert match.is_over
    assert where(match).state.ended is not None
    assert as_stored(match).game.status == Game.Status.ENDED


def test_a_demo_played_at_once_or_turn_by_turn_is_the_same_match() -> None:
    slow = a_market(policy="random_valid")
    plays_out(slow)
    quick = a_market(policy="random_valid", pace_s=0)
    assert where(quick).events == where(slow).events


def test_each_turn_names_who_served_it() -> None:
    match = a_market(pace_s=0)
    turns = EventRow.objects.filter(game=match.pk, kind="turn").order_by("seq")
    assert [row.policy_version for row in turns][:3] == [
        "rule_expert@1",
        "archetype@1",
        "archetype@1",
    ]
    assert {row.backend for row in turns} == {"rules"}
    assert not EventRow.objects.filter(game=match.pk, backend="rules").exclude(kind="turn").exists()


def test_a_policy_that_breaks_waits_and_the_match_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> object:
        raise RuntimeError("no idea")

    monkeypatch.setattr(twin_seats, "make_live_policy", broken)
    match = a_market(pace_s=0)
    own = EventRow.objects.filter(game=match.pk, backend=players.LAST_RESORT)
    assert own.count() == 5
    assert as_stored(match).is_over


def test_a_persons_match_waits_for_the_person_and_then_goes_round() -> None:
    match = a_persons_market(lab=1)
    assert match.seats == ["archetype", "person", "archetype"]
    assert not match.is_public
    assert (where(match).state.round, where(match).state.turn) == (0, 1)
    matches.act(match.pk, "asha", WAIT)
    assert (where(match).state.round, where(match).state.turn) == (1, 1)


def test_a_person_who_finishes_lets_the_market_go_on_to_its_end() -> None:
    match = a_persons_market()
    matches.act(match.pk, "asha", MarketAction("finish"))
    assert as_stored(match).is_over
    with pytest.raises(GameOver):
        matches.act(match.pk, "asha", WAIT)


def test_an_action_that_breaks_a_rule_uses_the_turn_up_and_one_without_form_does_not() -> None:
    match = a_persons_market()
    before = where(match)
    with pytest.raises(BadAction):
        matches.act(match.pk, "asha", Malformed("nonsense"))
    assert where(match) == before
    matches.act(match.pk, "asha", MarketAction("accept_offer", offer_id="offer_1_0_99"))
    assert where(match).state.round == 1
    result = where(match).state.results[0]
    assert result is not None
    assert result.code == "unknown_offer"


def test_an_action_for_another_round_is_refused() -> None:
    match = a_persons_market()
    matches.act(match.pk, "asha", WAIT, round_=0)
    with pytest.raises(NotYourTurn):
        matches.act(match.pk, "asha", WAIT, round_=0)
    assert where(match).state.round == 1


def test_of_two_writers_on_one_position_the_second_stores_nothing() -> None:
    match = a_persons_market()
    position = where(match)
    turn = Turn(*apply(position.state, 0, WAIT))
    other = Turn(*apply(position.state, 0, MarketAction("send_message", message="Both of us")))
    matches.append(match.game, position, [turn])
    with pytest.raises(ClaimLost):
        matches.append(match.game, position, [other])
    MARKET.positions.forget_all()
    assert sum(isinstance(one, TurnTaken) for one in where(match).events) == 1


def test_a_lost_claim_is_told_to_the_person_as_a_turn_already_taken(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    match = a_persons_market()
    stale = where(match)
    matches.act(match.pk, "asha", WAIT)
    monkeypatch.setattr(matches, "position_of", lambda game: stale)
    with pytest.raises(NotYourTurn):
        matches.act(match.pk, "asha", WAIT)


def test_a_persons_match_is_nobody_elses_affair() -> None:
    match = a_persons_market()
    for visitor in ("chetan", ""):
        with pytest.raises(UnknownGame):
            matches.find(match.pk, visitor)
        with pytest.raises(UnknownGame):
            matches.act(match.pk, visitor, WAIT)
    shown = a_persons_market(public=True)
    assert matches.find(shown.pk, "chetan").pk == shown.pk
    with pytest.raises(NoSeat):
        matches.act(shown.pk, "chetan", WAIT)


def test_who_watches_a_demo_plays_no_lab() -> None:
    match = a_market()
    with pytest.raises(NoSeat):
        matches.act(match.pk, "asha", WAIT)


@pytest.mark.parametrize(
    ("wanted", "field"),
    [
        ({"task": "sell"}, "task"),
        ({"policy": "nobody"}, "policy"),
        ({"policy": "person"}, "policy"),
        ({"lab": 3}, "lab"),
        ({"lab": -1}, "lab"),
        ({"options": ("sudden_supply",)}, "options"),
    ],
)
def test_an_order_that_cannot_be_carried_out_says_why(
    wanted: dict[str, object], field: str
) -> None:
    with pytest.raises(BadMarket) as refused:
        a_market(**wanted)
    assert refused.value.field == field
    assert not Game.objects.exists()


def test_a_lab_that_only_some_worlds_have_is_found_one() -> None:
    for number in range(6):
        plan = checked(Order("coalition_market", lab=4), lambda below, n=number: 7919 * n % below)
        assert len(plan.scenario.labs) == 5


def test_only_its_starter_paces_a_demo() -> None:
    match = a_market()
    with pytest.raises(NoControls):
        actions.pace(match.pk, "chetan", pause=True)
    with pytest.raises(NoControls):
        actions.pace(a_persons_market().pk, "asha", pause=True)
    assert not actions.pace(match.pk, "asha", pause=True)
    assert matches.step(match.pk) is None
    assert actions.pace(match.pk, "asha", pause=False, pace_s=0.5)
    assert as_stored(match).pace_s == 0.5
    for wrong in (-1.0, 61.0, float("nan")):
        with pytest.raises(BadMarket):
            actions.pace(match.pk, "asha", pause=True, pace_s=wrong)


def test_a_step_lets_one_lab_act_and_stops() -> None:
    match = a_market()
    for turn in (1, 2, 0):
        assert not actions.pace(match.pk, "asha", "step")
        assert where(match).state.turn == turn
        assert as_stored(match).is_paused


def test_too_many_demos_under_way_are_refused_and_paused_ones_do_not_count() -> None:
    demos = [a_market() for _ in range(actions.RUNNING_PER_CLIENT)]
    with pytest.raises(RateLimited):
        actions.check_room("local")
    actions.check_room("elsewhere")
    actions.pace(demos[0].pk, "asha", pause=True)
    actions.check_room("local")
    a_market()
    with pytest.raises(RateLimited):
        actions.pace(demos[0].pk, "asha", pause=False)


def test_a_demo_is_held_by_one_process_until_it_dies() -> None:
    match = a_market()
    rows = MarketMatch.objects.filter(pk=match.pk)
    assert running.orphans() == [match.pk]
    assert running.claim(match.pk)
    assert running.orphans() == []
    later = timezone.now() + timedelta(seconds=3)
    rows.update(runner="another", held_until=later)
    assert not running.claim(match.pk)
    assert not running.renew(match.pk)
    rows.update(held_until=timezone.now() - timedelta(seconds=1))
    assert running.orphans() == [match.pk]
    assert running.claim(match.pk)
    actions.pace(match.pk, "asha", pause=True)
    assert running.orphans() == []
    assert not running.claim(match.pk)


def test_a_persons_match_is_run_by_nobody() -> None:
    match = a_persons_market()
    assert running.orphans() == []
    assert not running.claim(match.pk)
    assert matches.step(match.pk) is None


def test_markets_stay_off_the_shelf_of_bargaining_games() -> None:
    from replays.browse.shelf import Filters, browse, visible

    plays_out(a_persons_market())
    a_market(pace_s=0)
    assert not visible("asha").exists()
    assert browse("asha", Filters(mine=True)).games == ()
    assert browse("asha", Filters()).games == ()


def test_the_list_leaves_out_what_is_private_paused_forgotten_or_a_what_if() -> None:
    shown, paused, forgotten = a_market(), a_market(), a_market(policy="archetype")
    a_persons_market()
    actions.pace(paused.pk, "asha", pause=True)
    Game.objects.filter(pk=forgotten.pk).update(created_at=timezone.now() - timedelta(days=2))
    assert [one.pk for one in finding.live()] == [shown.pk]
    assert finding.ended() == []
    plays_out(shown)
    assert [one.pk for one in finding.ended()] == [shown.pk]
    assert finding.live() == []


def test_the_opening_offers_are_in_the_log() -> None:
    events = where(a_market()).events
    assert sum(isinstance(one, OfferMade) for one in events) == 2
