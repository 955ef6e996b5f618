"""Sauda's turn happens exactly once, whatever the policy does."""

import logging
from collections.abc import Callable

import pytest

from bazaarbatna.bargain.moves import Accept, Move, Offer
from bazaarbatna.bargain.observe import BuyerObservation
from bazaarbatna.bargain.quantities import Paise
from negotiation import policies
from negotiation.bargain import sessions
from negotiation.bargain.commands import Say
from tests.negotiation.sessions.conftest import Act, bids
from tests.support.builders import ASHA, a_sale, a_started_sale, kinds, rupees, told

pytestmark = pytest.mark.django_db
Scripted = Callable[[Act], str]


def fails(observation: BuyerObservation) -> Move:
    raise ZeroDivisionError("a bug in a policy")


def bids_too_much(observation: BuyerObservation) -> Move:
    return Offer(Paise(observation.budget + 1))


def returns_nonsense(observation: BuyerObservation) -> Move:
    return None  # type: ignore[return-value]


def test_the_opening_bid_is_made_once() -> None:
    game = a_sale()
    assert sessions.opponent_turn(game.pk)
    assert not sessions.opponent_turn(game.pk)
    assert kinds(game) == ["seller opened", "buyer offer"]


@pytest.mark.parametrize("act", [fails, bids_too_much, returns_nonsense])
def test_a_policy_that_fails_never_stops_the_game(
    act: Act, scripted: Scripted, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.ERROR):
        game = a_started_sale(policy=scripted(act))
        first = told(game)[-1]
        assert first["backend"] == "last-resort"
        assert 0 < first["price"] <= 1000
        sessions.play(game.pk, ASHA, Offer(rupees(1900)))
        assert sessions.opponent_turn(game.pk)
    assert told(game)[-1]["price"] == first["price"], "the last resort holds its bid"
    assert "policy failed" in caplog.text


def test_a_failing_policy_tells_the_log_no_secret(
    scripted: Scripted, caplog: pytest.LogCaptureFixture
) -> None:
    game = a_started_sale(policy=scripted(bids_too_much), seed=8_000_000_000_000_001)
    sealed = sessions.position_of(game).state.scenario.sealed
    assert str(sealed.budget) not in caplog.text
    assert str(sealed.seed) not in caplog.text


def test_a_policy_that_was_taken_away_leaves_the_game_playable(scripted: Scripted) -> None:
    name = scripted(bids(100000))
    game = a_started_sale(policy=name)
    entry = policies._entries.pop(name)
    try:
        sessions.play(game.pk, ASHA, Offer(rupees(1900)))
        assert sessions.opponent_turn(game.pk)
    finally:
        policies._entries[name] = entry
    assert told(game)[-1]["backend"] == "last-resort"


def test_a_buyer_without_a_reply_stays_silent_and_is_not_asked_forever(
    scripted: Scripted,
) -> None:
    game = a_started_sale(policy=scripted(bids(100000)))
    sessions.play(game.pk, ASHA, Say("kal barish hogi kya"))
    assert not sessions.opponent_turn(game.pk)
    assert kinds(game)[-1] == "seller tells"


def test_a_reply_that_fails_is_silence(caplog: pytest.LogCaptureFixture) -> None:
    class Mute:
        def act(self, observation: BuyerObservation) -> Move:
            return Offer(Paise(100000))

        def reply(self, observation: BuyerObservation) -> str:
            raise OSError("no line")

    policies.register("test:mute", lambda seed: Mute(), version="mute@1")
    try:
        game = a_started_sale(policy="test:mute")
        sessions.play(game.pk, ASHA, Say("kal barish hogi kya"))
        assert not sessions.opponent_turn(game.pk)
    finally:
        del policies._entries["test:mute"]
    assert "policy failed to reply" in caplog.text


def test_the_buyer_sees_nothing_but_its_own_observation(scripted: Scripted) -> None:
    seen: list[BuyerObservation] = []

    def look(observation: BuyerObservation) -> Move:
        seen.append(observation)
        return Offer(Paise(100000))

    a_started_sale(policy=scripted(look), reservation_price=rupees(1234.56))
    [observation] = seen
    assert "123456" not in repr(observation)


def test_a_buyer_that_accepts_ends_the_game(scripted: Scripted) -> None:
    game = a_started_sale(policy=scripted(bids(100000)), asking_price=rupees(1200))
    sealed = sessions.position_of(game).state.scenario.sealed
    accepting = scripted(lambda observation: Accept("Done!"))
    game.policy = accepting
    game.save(update_fields=["policy"])
    sessions.play(game.pk, ASHA, Offer(rupees(1200)))
    assert sessions.opponent_turn(game.pk)
    last = told(game)[-1]
    assert last["kind"] == ("ended" if sealed.budget >= 120000 else "offer")
