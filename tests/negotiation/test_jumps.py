"""Clocks that are put: nobody loses or gains time, and nothing stays taken."""

from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.test import override_settings
from django.utils import timezone

from negotiation import limits
from negotiation.bargain import opponent_turns, pairs, sessions
from negotiation.bargain.clocks import clocks_of, seconds_left
from negotiation.bargain.commands import Say
from negotiation.bargain.terms import Terms
from negotiation.errors import RateLimited
from negotiation.games import jumps
from negotiation.games.visitors import is_unstored_key, unstored_key
from negotiation.models import Game, Listing

HOUR_S = 3600.0
NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
ASHA, RAVI = "a" * 32, "b" * 32


class Clock:
    """A wall clock that somebody puts, and what goes by beside it."""

    def __init__(self) -> None:
        self.wall = self.steady = 1_000_000.0
        self.jumps = jumps.Jumps(lambda: self.wall, lambda: self.steady)

    def pass_(self, seconds: float) -> None:
        self.wall, self.steady = self.wall + seconds, self.steady + seconds
        self.jumps.look()

    def age(self, at: float) -> float:
        return self.wall - self.jumps.of_now(at)


@pytest.mark.parametrize("put_s", [HOUR_S, -HOUR_S])
def test_what_was_stored_before_and_after_a_jump_is_as_old_as_it_is(put_s: float) -> None:
    clock = Clock()
    before = clock.wall
    clock.pass_(10)
    clock.wall += put_s
    clock.pass_(5)
    after = clock.wall
    clock.pass_(20)
    assert (clock.age(before), clock.age(after)) == (35, 20)
    # And back again.
    clock.wall -= put_s
    clock.pass_(1)
    assert (clock.age(before), clock.age(after)) == (36, 21)


def test_what_is_due_stays_due_as_soon_as_it_was() -> None:
    clock = Clock()
    due = clock.wall + 60
    clock.pass_(10)
    clock.wall += HOUR_S
    clock.pass_(10)
    assert clock.jumps.of_now(due, ahead_s=60) - clock.wall == 40
    due_later = clock.wall + 60
    clock.pass_(10)
    assert clock.jumps.of_now(due_later, ahead_s=60) - clock.wall == 50


def test_a_clock_that_only_goes_on_moves_nothing() -> None:
    clock = Clock()
    at = clock.wall
    for _ in range(100):
        clock.pass_(1.5)
    clock.wall += 1  # a leap second
    clock.pass_(1)
    assert clock.age(at) == 152


@pytest.mark.django_db
@pytest.mark.parametrize("put_s", [HOUR_S, -HOUR_S])
def test_a_person_keeps_the_time_that_was_left(
    monkeypatch: pytest.MonkeyPatch, put_s: float
) -> None:
    steady = [0.0]
    with time_machine.travel(NOW, tick=False) as moment:
        own = jumps.Jumps(lambda: timezone.now().timestamp(), lambda: steady[0])
        monkeypatch.setattr(jumps, "_jumps", own)
        listing = Listing.objects.create(
            title="Cooker", category="Kitchen", list_price=200_000, street_price=160_000,
            source_key="c",
        )  # fmt: skip
        cards = pairs.pair_scenario(listing, lambda _: 7, has_zone=True)
        terms = Terms(clock_s=120, absent_s=60)
        names = {"seller": "Asha", "buyer": "Ravi"}
        game = sessions.open_pair(ASHA, RAVI, cards, names=names, listing=listing, terms=terms)

        def passes(seconds: float, put_s: float = 0.0) -> None:
            steady[0] += seconds
            moment.shift(seconds + put_s)

        passes(10)
        pairs.play(game.pk, RAVI, Say("1200"))
        passes(20)
        assert not pairs.look_after(sessions.current(game.pk)[0])
        passes(5, put_s)
        game = sessions.current(game.pk)[0]
        assert not pairs.look_after(game)
        clocks = clocks_of(game)
        assert seconds_left(clocks) == pytest.approx(60 - 25)
        assert clocks.used == pytest.approx({"buyer": 10, "seller": 0})
        pairs.play(game.pk, ASHA, Say("1900"))
        passes(61)
        # Whoever is gone is missed as soon as ever.
        assert seconds_left(clocks_of(sessions.current(game.pk)[0])) == 0


@pytest.mark.django_db
def test_a_turn_whose_thinker_died_is_free_after_the_clock_was_put_back() -> None:
    held = Game.objects.create(title="Lamp", thinking_until=timezone.now())
    rows = Game.objects.filter(pk=held.pk)
    opponent_turns.TURN.extend(rows)
    assert not rows.filter(opponent_turns.TURN.is_free()).exists()
    with time_machine.travel(timezone.now() - timedelta(hours=1)):
        assert rows.filter(opponent_turns.TURN.is_free()).exists()
        held.refresh_from_db()
        assert not opponent_turns.TURN.is_held(held)
        # Silence was an answer: nobody asks again.
        opponent_turns.TURN.keep(rows)
        assert not rows.filter(opponent_turns.TURN.is_free()).exists()


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["messages", "frames"])
def test_a_clock_that_was_put_back_keeps_nobody_waiting(name: limits.Name) -> None:
    few = {name: "2/minute"}
    with override_settings(LIMITS=few):
        limits.forget_uses()
        with time_machine.travel(NOW, tick=False) as moment:
            for _ in range(2):
                limits.spend(name, "asha")
            with pytest.raises(RateLimited):
                limits.spend(name, "asha")
            moment.move_to(NOW - timedelta(hours=1))
            limits.spend(name, "asha")
            limits.spend(name, "asha")
            with pytest.raises(RateLimited):
                limits.spend(name, "asha")
    limits.forget_uses()


def test_a_visitor_of_before_midnight_is_known_when_it_is_yesterday_again() -> None:
    with time_machine.travel(NOW):
        key = unstored_key()
    with time_machine.travel(NOW - timedelta(days=1)):
        assert is_unstored_key(key)
    with time_machine.travel(NOW - timedelta(days=2)):
        assert not is_unstored_key(key)
