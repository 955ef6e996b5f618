"""Matches that nobody comes back to are ended by the sweep; nothing else is touched."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from arena.gpu_market.web import actions, finding, matches, running
from arena.gpu_market.web.finished import checked, document
from arena.gpu_market.web.game import MARKET
from arena.models import MarketMatch
from bazaarbatna.bargain.errors import GameOver
from bazaarbatna.market import WAIT, fold
from bazaarbatna.market.events import LabFinished
from negotiation.games.event_log import to_payload
from negotiation.models import EventRow, Game
from tests.support.markets import a_market, a_persons_market, plays_out, where

pytestmark = pytest.mark.django_db


def ages(match: MarketMatch, hours: float) -> MarketMatch:
    """Let nothing have happened in a match for some hours."""
    then = timezone.now() - timedelta(hours=hours)
    Game.objects.filter(pk=match.pk).update(created_at=then)
    EventRow.objects.filter(game=match.pk).update(created_at=then)
    return match


def as_stored(match: MarketMatch) -> MarketMatch:
    return MarketMatch.objects.select_related("game").get(pk=match.pk)


def sweeps() -> list[str]:
    """Find and end what was left, as the sweeper of a process does."""
    found = running.orphans()
    return [one for one in found if running.claim(one) and running.end(one)]


def test_a_person_who_stays_away_has_left_the_market_and_it_ends_by_its_rules() -> None:
    match = ages(a_persons_market(), 25)
    matches.act(match.pk, "asha", WAIT)
    ages(match, 25)
    assert sweeps() == [match.pk]
    row = as_stored(match)
    assert (row.is_over, row.is_abandoned, row.game.status) == (True, True, "ended")
    assert (row.runner, row.held_until) == ("", None)
    MARKET.positions.forget_all()
    events = where(match).events
    assert fold(MARKET.scenario_of(match.pk), events).ended is not None
    assert [one.lab for one in events if isinstance(one, LabFinished)] == ["lab_0"]
    assert finding.card(row)["abandoned"] is True
    told = document(row)
    assert told["match"]["abandoned"] is True
    assert checked(to_payload(told)).ended is not None
    with pytest.raises(GameOver):
        matches.act(match.pk, "asha", WAIT)
    assert sweeps() == []


def test_a_demo_that_is_left_paused_is_played_to_its_end() -> None:
    match = a_market(pace_s=30)
    actions.pace(match.pk, "asha", True)
    ages(match, 25)
    assert sweeps() == [match.pk]
    row = as_stored(match)
    assert (row.is_over, row.is_paused, row.is_abandoned) == (True, False, True)
    same = a_market(pace_s=0)
    assert where(match).events == where(same).events
    assert row not in finding.ended()
    assert same in finding.ended()


def test_what_is_played_now_or_is_over_is_left_alone() -> None:
    young = ages(a_persons_market(), 23)
    acted = ages(a_persons_market(), 25)
    matches.act(acted.pk, "asha", WAIT)
    slow = ages(a_market(pace_s=60), 25)
    over = a_persons_market()
    plays_out(over)
    ages(over, 1000)
    before = [(where(one).events, as_stored(one).is_over) for one in (young, acted, slow, over)]
    assert sweeps() == []
    after = [(where(one).events, as_stored(one).is_over) for one in (young, acted, slow, over)]
    assert before == after
    assert not as_stored(over).is_abandoned


def test_who_comes_back_in_that_moment_plays_on(monkeypatch: pytest.MonkeyPatch) -> None:
    match = ages(a_persons_market(), 25)
    held = where(match)
    matches.act(match.pk, "asha", WAIT)
    ages(match, 25)
    monkeypatch.setattr(running, "position_of", lambda game: held)
    assert not running.end(match.pk)
    assert not as_stored(match).is_over
    matches.act(match.pk, "asha", WAIT)


def test_a_demo_that_goes_on_in_that_moment_is_not_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    match = ages(a_market(pace_s=60), 25)
    actions.pace(match.pk, "asha", True)
    until_awaited = running.until_awaited

    def meanwhile(*args: Any) -> Any:
        MarketMatch.objects.filter(pk=match.pk).update(is_paused=False)
        return until_awaited(*args)

    monkeypatch.setattr(running, "until_awaited", meanwhile)
    before = where(match).events
    assert not running.end(match.pk)
    assert (where(match).events, as_stored(match).is_over) == (before, False)


def test_the_hours_are_a_setting(settings: Any) -> None:
    match = ages(a_persons_market(), 2)
    assert sweeps() == []
    settings.MARKET_LEFT_HOURS = 1.5
    assert sweeps() == [match.pk]


def test_its_page_says_that_it_was_abandoned() -> None:
    match = ages(a_persons_market(public=True), 25)
    html = Client().get(f"/market/{match.pk}/").content.decode()
    assert "Abandoned" not in html
    sweeps()
    html = Client().get(f"/market/{match.pk}/").content.decode()
    assert "Abandoned: whoever played in it did not come back" in html
    assert "The market is closed" in html
