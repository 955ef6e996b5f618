"""What Sauda pays at most: drawn around what a thing is worth, whatever is asked for it."""

import hashlib
import random
import statistics

import pytest

from bazaarbatna.bargain.budgets import AROUND_WORTH, WORTH_OF_FLOOR
from bazaarbatna.bargain.moves import Walk
from bazaarbatna.bargain.quantities import MAX_PRICE, MIN_PRICE, Paise
from negotiation.bargain import practice, sessions
from negotiation.bargain.pairs import pair_scenario
from negotiation.bargain.purchases import draw_cost
from negotiation.bargain.scenarios import (
    NewSale,
    draw_budget,
    pays_floor,
    scenario_of,
    stored_scenario,
)
from negotiation.bargain.web.brief import brief_of
from negotiation.models import Listing
from tests.support.builders import ASHA, rupees, told

FLOOR, STREET = rupees(1200), rupees(1600)
FROM = 0x5EED
"""Thousands of seeds follow this one."""
SEEDS = range(FROM, FROM + 3000)


def a_lamp(list_price: int = 200_000) -> Listing:
    return Listing(title="Brass lamp", list_price=list_price, street_price=STREET)


def own_sale(asking: int, floor: int) -> NewSale:
    return NewSale(title="Lamp", asking_price=Paise(asking), reservation_price=Paise(floor))


def budgets_of(sale: NewSale, *, has_zone: bool = False, seeds: range = SEEDS) -> list[Paise]:
    return [
        scenario_of(sale, lambda _, seed=seed: seed, has_zone=has_zone).sealed.budget  # type: ignore[misc]
        for seed in seeds
    ]


@pytest.mark.parametrize("street", [None, STREET], ids=["own thing", "catalogue"])
@pytest.mark.parametrize("has_zone", [False, True], ids=["usual", "promised"])
def test_a_budget_lies_between_the_floor_and_what_the_thing_is_worth(
    street: Paise | None, has_zone: bool
) -> None:
    drawn = [draw_budget(s, rupees(9000), FLOOR, street, has_zone=has_zone) for s in SEEDS]
    below = [budget for budget in drawn if budget < FLOOR]
    above = [budget for budget in drawn if budget >= FLOOR]
    assert bool(below) is not has_zone
    if below:
        assert 0.08 < len(below) / len(drawn) < 0.12
        assert min(below) >= 0.75 * FLOOR
        assert max(below) <= 0.98 * FLOOR
    near, far = AROUND_WORTH
    least = max(1.08 * FLOOR, near * (street or 1.2 * FLOOR))
    most = far * (street or 1.55 * FLOOR)
    assert least <= min(above) <= least + 0.02 * (most - least)
    assert most - 0.06 * (most - least) <= max(above) <= most


@pytest.mark.parametrize("street", [None, STREET], ids=["own thing", "catalogue"])
@pytest.mark.parametrize("has_zone", [False, True], ids=["usual", "promised"])
def test_three_or_ten_times_the_ask_changes_no_budget(street: Paise | None, has_zone: bool) -> None:
    # From here on no ask binds any more.
    free = Paise(round(AROUND_WORTH[1] * (street or 1.55 * FLOOR)) + 1)
    for seed in SEEDS:
        first, *others = (
            draw_budget(seed, Paise(times * free), FLOOR, street, has_zone=has_zone)
            for times in (1, 3, 10, MAX_PRICE // free)
        )
        assert others == [first] * 3


@pytest.mark.parametrize("over", [1.0, 1.05, 1.2, 1.5, 2.0])
def test_a_low_ask_is_all_that_is_paid_and_a_higher_one_gains_at_most_the_worth(
    over: float,
) -> None:
    asking = Paise(round(over * FLOOR))
    for seed in SEEDS:
        low, high = (draw_budget(seed, Paise(times * asking), FLOOR) for times in (1, 3))
        assert low <= high <= AROUND_WORTH[1] * 1.55 * FLOOR
        assert low <= max(asking, 1.08 * FLOOR + 1)


@pytest.mark.parametrize("over", [1.0, 1.04, 1.08])
def test_an_ask_at_the_floor_still_leaves_a_zone_or_is_hopeless(over: float) -> None:
    for seed in range(300):
        budget = draw_budget(seed, Paise(round(over * FLOOR)), FLOOR)
        assert budget <= 0.98 * FLOOR or budget == int(1.08 * FLOOR) + 1


def test_things_of_the_catalogue_are_bought_near_the_street_price() -> None:
    usual = budgets_of(NewSale(listing=a_lamp()))
    assert 1.0 * STREET < statistics.mean(usual) < 1.1 * STREET
    assert max(usual) <= AROUND_WORTH[1] * STREET
    dear = budgets_of(NewSale(listing=a_lamp(), asking_price=rupees(20_000)))
    assert dear == budgets_of(NewSale(listing=a_lamp(rupees(6000))))
    assert max(dear) <= AROUND_WORTH[1] * STREET


def test_a_higher_floor_for_a_known_thing_is_lost_not_paid() -> None:
    lamp, asking = a_lamp(), rupees(90_000)
    usual = budgets_of(NewSale(listing=lamp, asking_price=asking))
    for floor in (STREET, rupees(50_000)):
        sale = NewSale(listing=lamp, asking_price=asking, reservation_price=floor)
        assert budgets_of(sale) == usual
        promised = budgets_of(sale, has_zone=True, seeds=SEEDS[:300])
        assert min(promised) >= 1.08 * floor


def test_a_higher_floor_is_told_what_it_does_and_no_other() -> None:
    lamp = a_lamp()
    told = {
        floor: brief_of(
            scenario_of(
                NewSale(listing=lamp, reservation_price=floor and Paise(floor)), lambda _: 7
            ),
            "sauda",
            lamp,
            has_zone=False,
        ).walking_away
        for floor in (None, 100_000, 130_000)
    }
    assert told[None] == told[100_000]
    assert "she can always pay this floor" in told[100_000]
    assert "the higher you set your floor" in told[130_000]
    own = brief_of(scenario_of(own_sale(200_000, 130_000), lambda _: 7), "sauda", has_zone=False)
    assert "one game in ten" in own.walking_away


def test_a_listing_at_its_own_floor_has_a_zone_since_the_third_rule() -> None:
    """What is said of it holds for every draw; a class deals its own floors, so it is told less."""
    lamp = a_lamp()
    for seed in SEEDS[:500]:
        sale = scenario_of(NewSale(listing=lamp), lambda _, seed=seed: seed)  # type: ignore[misc]
        assert sale.zopa > 0
        assert pays_floor(sale.sealed, lamp)
        dealt = pair_scenario(lamp, lambda _, seed=seed: seed).sealed  # type: ignore[misc]
        assert not pays_floor(dealt, lamp)
    before = [
        scenario_of(NewSale(listing=lamp), lambda _, seed=seed: seed, rule=2).zopa  # type: ignore[misc]
        for seed in SEEDS
    ]
    assert 0.08 < sum(zone < 0 for zone in before) / len(before) < 0.12


def test_of_an_own_thing_only_the_floor_is_known_so_budgets_are_multiples_of_it() -> None:
    """Whoever doubles the floor doubles both ends of the zone: the share is what it was."""
    for seed in SEEDS:
        once = draw_budget(seed, MAX_PRICE, FLOOR) / FLOOR
        twice = draw_budget(seed, MAX_PRICE, Paise(2 * FLOOR)) / (2 * FLOOR)
        assert twice == pytest.approx(once, abs=1e-5)


@pytest.mark.parametrize("has_zone", [False, True])
@pytest.mark.parametrize(
    ("asking", "floor"),
    [
        (MIN_PRICE, MIN_PRICE),
        (2, 1),
        (MAX_PRICE, MIN_PRICE),
        (MAX_PRICE, MAX_PRICE - 1),
        (MAX_PRICE, MAX_PRICE),
    ],
)
def test_the_smallest_and_widest_prices_have_a_budget(
    asking: int, floor: int, has_zone: bool
) -> None:
    for seed in range(200):
        for street in (None, MIN_PRICE, 2**63 - 1):
            budget = draw_budget(seed, Paise(asking), Paise(floor), street, has_zone=has_zone)
            assert MIN_PRICE <= budget <= MAX_PRICE
            assert isinstance(budget, int)
            assert budget >= floor or not has_zone


@pytest.mark.parametrize("street", [None, STREET], ids=["own thing", "catalogue"])
def test_a_promise_changes_only_the_budgets_below_the_floor(street: Paise | None) -> None:
    changed = 0
    for seed in SEEDS:
        plain = draw_budget(seed, rupees(2000), FLOOR, street)
        sure = draw_budget(seed, rupees(2000), FLOOR, street, has_zone=True)
        assert 1.08 * FLOOR <= sure <= rupees(2000)
        changed += plain != sure
        assert (plain != sure) == (plain < FLOOR)
    assert 240 < changed < 360


def test_what_the_buyer_does_with_its_seed_says_nothing_about_budget_or_worth() -> None:
    # A policy may draw from Random(seed) and show it in its words; budget and worth must not be
    # the same draws, or a seller could read the one from the other.
    lots = [random.Random(seed).random() for seed in SEEDS]
    for street in (None, STREET):
        drawn = [draw_budget(seed, MAX_PRICE, FLOOR, street, has_zone=True) for seed in SEEDS]
        assert abs(statistics.correlation(lots, drawn)) < 0.06
    # Nor is an own thing's worth the budget's own luck under another name.
    known = [draw_budget(seed, MAX_PRICE, FLOOR, STREET, has_zone=True) for seed in SEEDS]
    own = [draw_budget(seed, MAX_PRICE, FLOOR, has_zone=True) for seed in SEEDS]
    luck = [one / STREET for one in known]
    worth = [one / part for one, part in zip(own, luck, strict=True)]
    assert abs(statistics.correlation(worth, luck)) < 0.06
    low, high = WORTH_OF_FLOOR
    assert low * FLOOR - 200 <= min(worth) <= max(worth) <= high * FLOOR + 200


def test_two_people_and_a_house_seller_get_budgets_around_the_street_price() -> None:
    dealt = [pair_scenario(a_lamp(rupees(8000)), lambda _, seed=seed: seed) for seed in SEEDS]  # type: ignore[misc]
    assert max(one.sealed.budget for one in dealt) <= AROUND_WORTH[1] * STREET
    assert 0.08 < sum(one.zopa < 0 for one in dealt) / len(dealt) < 0.12


BY_THE_FIRST_RULE = "f7f642ec3926b13317a924f7a1aa92a7ad4b04ef6494cc8763f6fee0ab00863a"
"""What the first thousand seeds have always drawn."""


def test_by_the_first_rule_everything_is_drawn_byte_for_byte_as_it_was() -> None:
    asking, reservation, street = Paise(200_000), Paise(120_000), 150_000
    drawn = [
        (draw_budget(seed, asking, reservation, rule=1), draw_cost(seed, street))
        for seed in range(1000)
    ]
    assert hashlib.sha256(repr(drawn).encode()).hexdigest() == BY_THE_FIRST_RULE


@pytest.mark.django_db
def test_a_game_keeps_the_budget_that_was_sealed() -> None:
    """Whatever rule is in force when it is read."""
    scenario = scenario_of(own_sale(1_200_000, FLOOR), lambda _: 7, rule=1)
    assert scenario.sealed.budget > 2 * FLOOR > draw_budget(7, Paise(1_200_000), FLOOR)
    game = sessions.open_dealt(ASHA, scenario, "sauda")
    sessions.opponent_turn(game.pk)
    sessions.play(game.pk, ASHA, Walk())
    assert told(game)[-1]["opened"]["budget"] == scenario.sealed.budget / 100
    game.refresh_from_db()
    again = practice.open_rematch(ASHA, game)
    assert stored_scenario(again).sealed == scenario.sealed
