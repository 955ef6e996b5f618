"""The games of the population: goods, hidden values and rounds follow from the seed alone."""

from random import Random
from typing import NamedTuple

from bazaarbatna.bargain.budgets import draw_budget, draw_worth
from bazaarbatna.bargain.goods import GOODS
from bazaarbatna.bargain.people.families import Family
from bazaarbatna.bargain.people.manner import Manner, named_price, price_unit
from bazaarbatna.bargain.quantities import Paise, clamp_price
from bazaarbatna.bargain.scenario import Item, Scenario, SealedValues

ANCHOR = (20_00, 200_000_00)
"""Opening asks in the smallest unit, drawn evenly by order of magnitude."""
CURRENCIES = ("INR", "INR", "INR", "USD")
MARGIN = (1.0, 1.2)
"""Reservation price as a multiple of the cost."""
ROUNDS = (2, 14)
USUAL_ROUNDS = 10
USUAL = 0.3
"""How many games last ``USUAL_ROUNDS``, as those of the site; the others any of ``ROUNDS``."""
HURRIED = 0.2
"""How many buyers have a deadline, in games of four rounds or more."""
HOPELESS = 0.1
HOPELESS_BUDGET = (0.75, 0.98)
"""Share of games without a zone, and the budget there as a share of the reservation price."""
TIGHT = 0.5
"""How many budgets lie between reservation price and opening ask; the others may be higher."""
LEAST_BUDGET = 1.05
MOST_BUDGET = 1.3
"""Budgets as multiples of the reservation price and of the opening ask."""
SEED_LIMIT = 2**53


class Dealt(NamedTuple):
    """A game, and how its seller bargains: at first and once it has turned."""

    scenario: Scenario
    manners: tuple[Manner, Manner]


def deal(suite: str, family: Family, seed: int, rounds: int | None = None) -> Scenario:
    """Draw a game with one seller of a family; without ``rounds`` these are drawn, too."""
    return meet(suite, family, seed, rounds).scenario


def meet(
    suite: str, family: Family, seed: int, rounds: int | None = None, *, as_on_site: bool = False
) -> Dealt:
    """Draw a game and its seller, as ``deal`` does.

    ``as_on_site``: ten rounds, no deadline and a budget as a visitor's buyer has.
    """
    dice = Random(f"{suite}:{seed}")
    sealed_seed = dice.randrange(SEED_LIMIT)
    manners = family.draw(sealed_seed)
    floor = manners[0].floor
    low, high = ANCHOR
    price = low * (high / low) ** dice.random()
    anchor = named_price(price, int(price))
    reservation = _named_floor(floor, anchor)
    is_usual = dice.random() < USUAL or as_on_site
    drawn = USUAL_ROUNDS if is_usual else dice.randint(*ROUNDS)
    rounds = drawn if rounds is None else rounds
    is_hurried, due = dice.random() < HURRIED and not as_on_site, dice.random()
    cost = clamp_price(reservation / (MARGIN[0] + (MARGIN[1] - MARGIN[0]) * dice.random()))
    item = dice.choice(GOODS)
    scenario = Scenario(
        suite=suite,
        item=Item(item.title, item.category, item.condition, item.condition_label,
                  dice.choice(CURRENCIES)),
        max_rounds=rounds,
        anchor=anchor,
        sealed=SealedValues(
            reservation=reservation,
            cost=cost,
            budget=(_budget_of_site if as_on_site else _budget)(dice, anchor, reservation),
            seed=sealed_seed,
            persona=f"people:{family.name}",
            deadline=2 + int(due * (rounds - 2)) if is_hurried and rounds >= 4 else None,
        ),
        salt=f"{dice.getrandbits(128):032x}",
        seller=family.version,
    )  # fmt: skip
    return Dealt(scenario, manners)


def _named_floor(floor: float, anchor: int) -> Paise:
    unit = price_unit(anchor)
    return clamp_price(named_price(floor * anchor, anchor), high=anchor - unit)


def _budget(dice: Random, anchor: int, reservation: int) -> Paise:
    hopeless, tight, where = dice.random(), dice.random(), dice.random()
    if hopeless < HOPELESS:
        low, high = (share * reservation for share in HOPELESS_BUDGET)
    else:
        low = LEAST_BUDGET * reservation
        high = max(low, float(anchor) if tight < TIGHT else MOST_BUDGET * anchor)
    return clamp_price(low + (high - low) * where)


def _budget_of_site(dice: Random, anchor: int, reservation: int) -> Paise:
    worth = draw_worth(dice, reservation)
    return clamp_price(draw_budget(dice, anchor, reservation, worth))
