"""Players for tests of the engine: a steady buyer, random ones, and two that play nonsense."""

import math
from random import Random
from typing import Any

from bazaarbatna.bargain import (
    Accept,
    BuyerObservation,
    Item,
    Move,
    Offer,
    Paise,
    Scenario,
    SealedValues,
    SellerObservation,
    Tells,
    Walk,
)


class SteadyBuyer:
    """Bids from 45 % of its limit upwards, evenly; takes an ask that its next bid would reach."""

    def __init__(self, seed: int = 0) -> None:
        self.first = 0.45 + seed % 5 / 50

    def act(self, observation: BuyerObservation) -> Move:
        limit = min(observation.budget, observation.opening_ask)
        share = self.first + (1 - self.first) * (observation.round - 1) / observation.max_rounds
        bid = Paise(max(1, int(limit * share)))
        if observation.standing_ask <= min(bid, observation.budget):
            return Accept("Theek hai, done.")
        return Offer(bid, f"I can do {bid / 100:.2f}.")


class PatientBuyer:
    """Names the same low price until the last round, then takes what it can."""

    def __init__(self, seed: int = 0) -> None:
        self.share = 0.5 + seed % 4 / 10

    def act(self, observation: BuyerObservation) -> Move:
        may_accept = observation.standing_ask <= observation.budget
        if observation.round == observation.max_rounds and may_accept:
            return Accept()
        return Offer(Paise(max(1, int(observation.opening_ask * self.share))))


class RandomBuyer:
    """Any legal-looking move."""

    def __init__(self, seed: int = 0) -> None:
        self.rng = Random(seed)

    def act(self, observation: BuyerObservation) -> Move:
        dice = self.rng.random()
        if dice < 0.03:
            return Walk("no")
        if dice < 0.10:
            return Accept("yes")
        return Offer(Paise(self.rng.randint(1, observation.budget)))


NONSENSE: tuple[Any, ...] = (
    None,
    "offer 50",
    {"action": "offer", "price": 50},
    Offer(math.nan),  # type: ignore[arg-type]
    Offer(math.inf),  # type: ignore[arg-type]
    Offer(-math.inf),  # type: ignore[arg-type]
    Offer(-5),  # type: ignore[arg-type]
    Offer(0),  # type: ignore[arg-type]
    Offer(10**400),  # type: ignore[arg-type]
    Offer(-(10**400)),  # type: ignore[arg-type]
    Offer(True),  # type: ignore[arg-type]
    Offer("1700"),  # type: ignore[arg-type]
    Offer(None),  # type: ignore[arg-type]
    Offer(1234.5678),  # type: ignore[arg-type]
    Offer(Paise(5000), "x" * 10_000),
    Offer(Paise(5000), None),  # type: ignore[arg-type]
    Offer(Paise(5000), b"bytes"),  # type: ignore[arg-type]
    Accept(),
    Accept(None),  # type: ignore[arg-type]
    Accept("y" * 5000),
    42,
    [],
    type,
    Offer,
)


class NonsensePlayer:
    """Mallory: either side, anything at all, sometimes even a legal move."""

    def __init__(self, seed: int = 0) -> None:
        self.rng = Random(seed)

    def act(self, observation: BuyerObservation | SellerObservation) -> Any:
        dice = self.rng.random()
        if dice < 0.02:
            return Walk(None)  # type: ignore[arg-type]
        if dice < 0.5:
            return Offer(Paise(self.rng.randint(-1000, 20_000)))
        return self.rng.choice(NONSENSE)

    def tells(self, seen: SellerObservation) -> Tells:
        return Tells(verbal_urgency=self.rng.random())


def a_scenario(
    anchor: int = 6000,
    reservation: int = 3150,
    cost: int = 3000,
    budget: int = 10000,
    rounds: int = 8,
    persona: str = "default",
    **rest: Any,
) -> Scenario:
    """Sixty rupees asked, a limit of 31.50, a hundred to spend; all prices in paise."""
    return Scenario(
        suite="test@1",
        item=Item("Steel tiffin"),
        max_rounds=rounds,
        anchor=Paise(anchor),
        sealed=SealedValues(
            Paise(reservation), Paise(cost), Paise(budget), rest.pop("seed", 7), persona
        ),
        salt="5a17",
        **rest,
    )
