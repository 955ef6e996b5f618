"""The kit finds what is wrong with a seller and says what to do."""

from random import Random
from typing import ClassVar

import pytest

from agents.sellers.rule_seller import sellers
from agents.testing.players import check_reply, check_seller
from bazaarbatna.bargain.moves import Accept, Move, Offer, Walk
from bazaarbatna.bargain.observe import SellerObservation
from bazaarbatna.bargain.quantities import Paise
from tests.support.selling import a_stall, with_talk


class Dull:
    """Mallory's seller: sells at a good bid, holds its ask, and well, until a test breaks it."""

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def act(self, observation: SellerObservation) -> Move:
        bid = observation.standing_bid
        if bid is not None and bid >= observation.reservation:
            return Accept()
        return Offer(observation.standing_ask)


class Undersells(Dull):
    def act(self, observation: SellerObservation) -> Move:
        return Accept()


class Refuses(Dull):
    def act(self, observation: SellerObservation) -> Move:
        return Offer(observation.standing_ask)


class Dives(Dull):
    def act(self, observation: SellerObservation) -> Move:
        move = super().act(observation)
        low = Paise(max(observation.reservation - 1, 1))
        return Offer(low) if isinstance(move, Offer) else move


class Climbs(Dull):
    def act(self, observation: SellerObservation) -> Move:
        move = super().act(observation)
        return Offer(Paise(observation.standing_ask + 1)) if isinstance(move, Offer) else move


class Sulks(Dull):
    def act(self, observation: SellerObservation) -> Move:
        move = super().act(observation)
        return Walk() if isinstance(move, Offer) else move


class Mumbles(Dull):
    def act(self, observation: SellerObservation) -> Move:
        return "170"  # type: ignore[return-value]


class Floats(Dull):
    def act(self, observation: SellerObservation) -> Move:
        move = super().act(observation)
        return Offer(0.5 + move.price) if isinstance(move, Offer) else move  # type: ignore[arg-type]


class Forgets(Dull):
    """Plays by a die that nobody can throw again."""

    dice: ClassVar[Random] = Random(1)

    def act(self, observation: SellerObservation) -> Move:
        return Offer(Paise(self.dice.randint(1, observation.standing_ask)))


class Says(Dull):
    words: ClassVar[str]

    def act(self, observation: SellerObservation) -> Move:
        move = super().act(observation)
        limit = observation.reservation / 100
        return type(move)(**{**_fields(move), "text": self.words.format(limit=limit)})


class Leaks(Says):
    words = "at least {limit:.2f}"


class Shouts(Says):
    words = "<b>take it</b>"


class Misprices(Dull):
    def act(self, observation: SellerObservation) -> Move:
        move = super().act(observation)
        other = f"{observation.standing_ask * 3 / 100:.0f} rupees"
        return type(move)(**{**_fields(move), "text": other})


def _fields(move: Move) -> dict[str, object]:
    return {"price": move.price} if isinstance(move, Offer) else {}


@pytest.mark.parametrize("row", sellers(), ids=lambda row: row.name)
def test_our_own_sellers_pass(row) -> None:  # type: ignore[no-untyped-def]
    check_seller(row.make, games=45, seed=3)


def test_an_honest_dull_seller_passes() -> None:
    check_seller(Dull, games=15)


@pytest.mark.parametrize(
    ("make", "advice"),
    [
        (Undersells, "Accepted below the reservation price"),
        (Refuses, "was not taken"),
        (Dives, "below the reservation price: apply the guard last"),
        (Climbs, "An ask went up"),
        (Sulks, "without three bids in bad faith"),
        (Mumbles, "return an Offer, Accept or Walk"),
        (Floats, "whole number of paise"),
        (Forgets, "keep nothing between turns"),
        (Leaks, "gives the reservation price away"),
        (Shouts, "not one plain line"),
        (Misprices, "names another price than the move"),
    ],
)
def test_a_broken_seller_is_told_what_to_do(make: type[Dull], advice: str) -> None:
    with pytest.raises(AssertionError, match=advice):
        check_seller(make)


@pytest.mark.parametrize(
    ("words", "advice"),
    [
        ("", "say one short line"),
        (None, "must return text"),
        ("how about 850?", "names a price"),
        ("two\nlines", "not one plain line"),
        ("no less than seven hundred", "gives the reservation price away"),
    ],
)
def test_a_bad_reply_is_told_what_to_do(words: object, advice: str) -> None:
    class Chats(Dull):
        def reply(self, observation: SellerObservation) -> object:
            return words

    with pytest.raises(AssertionError, match=advice):
        check_reply(Chats, 1, with_talk(a_stall(), "hello"))


def test_a_silent_seller_has_no_reply_to_check() -> None:
    assert check_reply(Dull, 1, a_stall()) == ""


def test_sellers_have_names_and_versions_of_their_own() -> None:
    rows = sellers()
    assert [row.name for row in rows] == [
        "seller:default",
        "seller:firm",
        "seller:flexible",
        "seller:deceptive",
    ]
    assert len({row.version for row in rows}) == len(rows)
    assert all(row.version.startswith(f"{row.name}@") for row in rows)
    assert sellers()[0].make is rows[0].make
