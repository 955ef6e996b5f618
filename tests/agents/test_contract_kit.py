"""The kit finds what is wrong with a policy and says what to do."""

from random import Random
from typing import ClassVar

import pytest

from agents.testing.players import check_policy, check_reply
from bazaarbatna.bargain.moves import Accept, Move, Offer
from bazaarbatna.bargain.observe import BuyerObservation
from bazaarbatna.bargain.quantities import Paise
from tests.support.positions import a_position, with_words


class Broken:
    """Mallory's buyer: bids low, and well, until a test breaks it."""

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def act(self, observation: BuyerObservation) -> Move:
        last = observation.own_last_bid
        if last is not None and last >= observation.standing_ask:
            return Accept()
        return Offer(Paise(min(last or 1, observation.budget)))


class Spends(Broken):
    def act(self, observation: BuyerObservation) -> Move:
        return Offer(Paise(observation.budget + 1))


class Falls(Broken):
    def act(self, observation: BuyerObservation) -> Move:
        return Offer(Paise(max(100 - len(observation.bids), 1)))


class Haggles(Broken):
    """Goes on after an agreement."""

    def act(self, observation: BuyerObservation) -> Move:
        return Offer(Paise(max(observation.own_last_bid or 0, 1)))


class AcceptsAll(Broken):
    def act(self, observation: BuyerObservation) -> Move:
        return Accept()


class Floats(Broken):
    def act(self, observation: BuyerObservation) -> Move:
        return Offer(17.5)  # type: ignore[arg-type]


class Mumbles(Broken):
    def act(self, observation: BuyerObservation) -> Move:
        return "170"  # type: ignore[return-value]


class Forgets(Broken):
    """Plays by a die that nobody can throw again."""

    dice: ClassVar[Random] = Random(1)

    def act(self, observation: BuyerObservation) -> Move:
        return Offer(Paise(self.dice.randint(1, observation.budget)))


class Tells(Broken):
    def act(self, observation: BuyerObservation) -> Move:
        return Offer(Paise(1), f"I have {observation.budget / 100:.2f}")


class Shouts(Broken):
    def act(self, observation: BuyerObservation) -> Move:
        return Offer(Paise(1), "<b>take it</b>")


def test_an_honest_dull_buyer_passes() -> None:
    check_policy(Broken)


@pytest.mark.parametrize(
    ("make", "advice"),
    [
        (Spends, "outside 1..budget: apply bazaarbatna.players.guard last"),
        (Falls, "A bid fell: apply bazaarbatna.players.guard last"),
        (Haggles, "was not taken: apply bazaarbatna.players.guard last"),
        (AcceptsAll, "above the budget: apply bazaarbatna.players.guard last"),
        (Floats, "whole number of paise"),
        (Mumbles, "return an Offer, Accept or Walk"),
        (Forgets, "keep nothing between turns"),
        (Tells, "names the budget: pass it through agents.output_guard.coherence"),
        (Shouts, "not one short plain line"),
    ],
)
def test_a_broken_buyer_is_told_what_to_do(make: type[Broken], advice: str) -> None:
    with pytest.raises(AssertionError, match=advice):
        check_policy(make)


@pytest.mark.parametrize(
    ("words", "advice"),
    [
        ("", "say one short line"),
        (None, "must return text"),
        ("how about 1,300?", "names a price"),
        ("two\nlines", "one short plain line"),
        ("I have fifteen hundred", "names the budget"),
    ],
)
def test_a_bad_reply_is_told_what_to_do(words: object, advice: str) -> None:
    class Chats(Broken):
        def reply(self, observation: BuyerObservation) -> object:
            return words

    position = with_words(a_position((1800,), (1000,), budget=1500), "hello")
    with pytest.raises(AssertionError, match=advice):
        check_reply(Chats, 1, position)


def test_a_silent_policy_has_no_reply_to_check() -> None:
    assert check_reply(Broken, 1, a_position()) == ""
