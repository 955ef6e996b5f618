"""What is dealt: zones as promised, limits that nobody can work out from the other side."""

import random
import statistics

import pytest

from bazaarbatna.bargain.scenario import check_scenario
from negotiation.models import Listing
from rooms.errors import NothingToSell
from rooms.plan import Plan, Zone
from rooms.seating.dealing import WIDE, against_seller, deal, draw_limits, goods_of
from tests.support.rooms import goods

ZONES: tuple[Zone, ...] = ("usual", "wide", "narrow", "none")


def listing(list_price: int) -> Listing:
    return Listing(title="Lamp", list_price=list_price, street_price=list_price * 3 // 4)


@pytest.mark.parametrize("price", [700, 15_000, 200_000, 87_654_321])
@pytest.mark.parametrize("zone", ZONES)
def test_a_zone_is_what_its_name_says(zone: Zone, price: int) -> None:
    thing = listing(price)
    for seed in range(300):
        floor, budget = draw_limits(seed, thing, zone)
        width = budget - floor
        assert 0 < floor <= price
        match zone:
            case "wide":
                assert width >= WIDE * price
            case "narrow":
                assert 0 < width <= max(0.05 * price, 1 if price < 10_000 else 100)
            case "none":
                assert width < 0
            case "usual":
                assert budget > 0


def test_usual_zones_are_there_mostly_and_not_always() -> None:
    thing = listing(200_000)
    none = sum(
        budget < floor for floor, budget in (draw_limits(n, thing, "usual") for n in range(2000))
    )
    assert 0.05 < none / 2000 < 0.16


@pytest.mark.parametrize("zone", ["usual", "wide"])
def test_one_limit_says_little_of_the_other(zone: Zone) -> None:
    """Within a zone of known kind the width is spread wide, whatever the floor is."""
    thing = listing(2_000_000)
    pairs = [draw_limits(seed, thing, zone) for seed in range(1500)]
    low = statistics.median(floor for floor, _ in pairs)
    for part in ([p for p in pairs if p[0] < low], [p for p in pairs if p[0] >= low]):
        widths = [(budget - floor) / 2_000_000 for floor, budget in part if budget > floor]
        assert statistics.pstdev(widths) > 0.03
        assert len({round(width, 3) for width in widths}) > 60


def test_a_policy_that_draws_from_the_seed_learns_nothing() -> None:
    thing = listing(2_000_000)
    for seed in range(50):
        floor, budget = draw_limits(seed, thing, "wide")
        drawn = random.Random(seed)
        firsts = [drawn.uniform(0.45, 0.6) for _ in range(4)]
        assert all(abs(one * 2_000_000 - floor) > 1 for one in firsts)
        assert budget > floor


@pytest.mark.django_db
def test_a_deal_is_playable_and_of_the_plan() -> None:
    cheap, _, dear = goods(3)
    for zone in ZONES:
        dealt = deal(Plan(zone=zone, rounds=7, listings=(cheap.pk, dear.pk)))
        check_scenario(dealt.scenario)
        assert dealt.scenario.max_rounds == 7
        assert dealt.scenario.anchor == dealt.listing.list_price
        assert dealt.listing in (cheap, dear)
        sold = against_seller(dealt.scenario, "seller:firm", is_told=False)
        assert sold.persona_visible is False
        assert sold.sealed.persona == "firm"


@pytest.mark.django_db
def test_prices_choose_goods() -> None:
    goods(3)
    assert goods_of(Plan(least_price=2050, most_price=2150)).count() == 1
    with pytest.raises(NothingToSell):
        deal(Plan(least_price=900_000))


@pytest.mark.django_db
def test_the_same_luck_deals_the_same_and_other_luck_another() -> None:
    goods(3)
    plan = Plan(zone="wide")
    same = [deal(plan, random.Random(5).randrange).scenario.sealed for _ in range(2)]
    assert same[0] == same[1]
    assert deal(plan, random.Random(6).randrange).scenario.sealed != same[0]
