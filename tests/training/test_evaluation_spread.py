"""A run that background workers play: what whoever asked does where they fail, or none comes."""

from collections.abc import Sequence

import msgspec
import pytest
from django.utils import timezone
from kombu.exceptions import OperationalError

from bazaarbatna.players.simple import Split
from negotiation.policies import UnknownPolicy
from training.evaluation import spreading
from training.evaluation.bazaar import Bazaar
from training.evaluation.playing import PlayedOf, Unit
from training.evaluation.rows import Row
from training.evaluation.running import Stopped
from training.evaluation.spreading import Spread, answered, help_out, played_by
from training.evaluation.workers import PolicyFailed, Tick, play_all
from training.models import Order, Run
from training.runs import lifecycle
from training.tasks import play_orders

pytestmark = pytest.mark.django_db

POLICY, SUITE = "rules:split", "single_deal@sampled-1"


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setattr(spreading, "LOOK_S", 0.0)
    return lifecycle.open_run("spread", config={}, seeds={}, total=30)


@pytest.fixture
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spreading, "ALONE_AFTER_S", 0.0)


def units() -> list[Unit]:
    return [Unit(POLICY, SUITE, seed) for seed in range(30)]


def nothing() -> None:
    """Nobody stops anything."""


def spread(run: Run, tick: Tick = nothing) -> Sequence[PlayedOf[Row]]:
    return list(play_all(units(), 1, tick, played_by(Spread(run.pk, 2))))


def in_order(played: Sequence[PlayedOf[Row]]) -> list[PlayedOf[Row]]:
    return sorted(played, key=lambda one: one.unit.seed)


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker that helps as soon as it is asked."""
    monkeypatch.setattr(play_orders, "apply_async", lambda args, *_, **__: help_out(*args))


def test_workers_play_what_one_process_plays(run: Run, at_once: None) -> None:
    assert in_order(spread(run)) == in_order(list(play_all(units(), 1, nothing)))
    assert not Order.objects.exists()


def test_where_nobody_can_be_asked_the_games_are_played_here(
    run: Run, alone: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(*_: object, **__: object) -> None:
        raise OperationalError

    monkeypatch.setattr(play_orders, "apply_async", away)
    assert len(spread(run)) == 30


def test_nobody_is_waited_for_twice(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """A league asks many times: where no worker answered once, the next games begin at once."""
    monkeypatch.setattr(play_orders, "apply_async", lambda *_, **__: None)
    asked, spread = [msgspec.json.encode(units()[:1])], Spread(run.pk, 2)
    monkeypatch.setattr(spreading, "ALONE_AFTER_S", 0.0)
    straight = answered(spread, "games", asked, nothing)
    monkeypatch.setattr(spreading, "ALONE_AFTER_S", 1e9)
    looks = iter(range(5))

    def look() -> None:
        next(looks)

    assert answered(spread, "games", asked, look) == straight
    monkeypatch.setattr(play_orders, "apply_async", lambda args, *_, **__: help_out(*args))
    assert answered(spread, "games", asked, nothing) == straight
    assert not spread.alone


def test_who_plays_alone_gives_signs_of_life_between_games_and_stops_when_asked(
    run: Run, alone: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(play_orders, "apply_async", lambda *_, **__: None)
    ticks = 0

    def stop() -> None:
        nonlocal ticks
        ticks += 1
        if ticks == 10:
            raise Stopped("Cancelled.")

    with pytest.raises(Stopped):
        spread(run, stop)
    assert not Order.objects.exists()


@pytest.mark.parametrize("who", ["at_once", "alone"])
def test_a_policy_that_fails_is_named_with_its_error_first(
    who: str, run: Run, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(play_orders, "apply_async", lambda *_, **__: None)
    request.getfixturevalue(who)
    monkeypatch.setattr(Split, "propose", lambda *_: 1 / 0)
    with pytest.raises(PolicyFailed, match=f"{POLICY} failed in {SUITE}: ZeroDivisionError"):
        spread(run)


def test_a_machine_without_the_buyer_leaves_its_games_and_plays_the_others(
    run: Run, alone: None, at_once: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A buyer that was trained here lies on no other machine: its games are played here."""
    other, known = "rules:og", Bazaar.policy
    wanted = [*units(), *(Unit(other, SUITE, seed) for seed in range(30))]
    straight = list(play_all(wanted, 1, nothing))
    asking = [True]

    def policy(self: Bazaar, name: str) -> object:
        if name == POLICY and not asking:
            raise UnknownPolicy(name)
        return known(self, name)

    helped: list[int] = []

    def on_the_other_machine(args: tuple[str], *_: object, **__: object) -> None:
        asking.clear()
        helped.append(help_out(*args))
        asking.append(True)

    monkeypatch.setattr(Bazaar, "policy", policy)
    monkeypatch.setattr(play_orders, "apply_async", on_the_other_machine)
    found = list(play_all(wanted, 1, nothing, played_by(Spread(run.pk, 1))))
    assert sorted(found, key=lambda one: one.unit) == sorted(straight, key=lambda one: one.unit)
    assert sum(helped) == 2  # orders of the one that it knows


def test_what_was_left_by_somebody_who_never_went_on_is_forgotten(
    run: Run, at_once: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    Order.objects.create(run="long ago", number=0, errand="games", version="", asked=b"")
    Order.objects.update(made_at=timezone.now() - spreading.FORGOTTEN)
    spread(run)
    assert not Order.objects.exists()
