"""The table of suites, as published, and what is drawn from it."""

from collections.abc import Iterator

import pytest

from bazaarbatna.bargain import (
    VERSIONS,
    Career,
    ListingPrices,
    Paise,
    Scenario,
    UnknownSuite,
    make_scenario,
    suite,
    suite_ids,
)
from bazaarbatna.bargain.goods import GOODS, SAMPLE_LISTINGS
from bazaarbatna.bargain.suites import SUITES
from bazaarbatna.bargain.tasks import costs_behind

# name: level, rounds, episodes, anchor x cost, concession, walk p, inventory, persona, success
PUBLISHED = {
    "single_deal": ("easy", 8, 1, 2.0, 0.08, 0.05, 1, "default", 0.3),
    "asymmetric_pressure": ("medium", 8, 1, 2.0, 0.06, 0.08, 5, "default", 0.4),
    "career_10": ("hard", 8, 10, 2.0, 0.07, 0.10, 10, "default", 0.5),
    "deceptive_seller": ("hard", 10, 1, 2.0, 0.06, 0.05, 3, "deceptive", 0.35),
    "impatient_seller": ("medium", 8, 1, 2.0, 0.08, 0.15, 1, "impatient", 0.3),
    "collaborative_seller": ("easy", 8, 1, 2.0, 0.10, 0.02, 1, "collaborative", 0.4),
    "read_the_tells": ("expert", 10, 5, 2.2, 0.05, 0.08, 5, "deceptive", 0.45),
    "amazon_realistic": ("medium", 8, 1, 2.0, 0.08, 0.05, 1, "default", 0.3),
}
LAMP = ListingPrices("Lamp", "home", Paise(130000), Paise(80000))


def sampled(name: str, count: int = 2000) -> Iterator[Scenario]:
    return (make_scenario(f"{name}@sampled-1", seed) for seed in range(count))


def test_the_table_is_the_published_one() -> None:
    rows = {
        row.name: (
            row.level,
            row.rounds,
            row.episodes,
            row.anchor_factor,
            row.concession_rate,
            row.batna_walk_p,
            row.inventory,
            row.persona,
            row.success,
        )
        for row in SUITES
    }
    assert rows == PUBLISHED


def test_only_two_suites_have_a_career_and_one_a_deadline() -> None:
    assert {row.name for row in SUITES if row.career} == {"career_10", "read_the_tells"}
    assert {row.name: row.deadline for row in SUITES if row.deadline} == {"asymmetric_pressure": 5}


def test_every_suite_has_both_variants_in_its_ids() -> None:
    assert len(suite_ids()) == 16
    assert suite_ids()[:2] == ("single_deal@fixed-1", "single_deal@sampled-1")


@pytest.mark.parametrize("row", SUITES, ids=lambda row: row.name)
def test_the_game_type_says_how_long_and_for_what(row: object) -> None:
    kind = row.game_type  # type: ignore[attr-defined]
    assert (kind.rounds, kind.games) == (row.rounds, row.episodes)  # type: ignore[attr-defined]
    assert kind.utility == (0.0, 1.0)
    assert kind.information == "imperfect"


@pytest.mark.parametrize("bad", ["single_deal", "single_deal@sampled-2", "", "x" * 500])
def test_an_unknown_suite_is_answered_with_the_known_ones(bad: str) -> None:
    with pytest.raises(UnknownSuite, match="career_10@sampled-1") as refusal:
        suite(bad)
    assert len(str(refusal.value)) < 600


@pytest.mark.parametrize("name", [name for name in PUBLISHED if name != "amazon_realistic"])
def test_the_fixed_variant_holds_the_published_numbers(name: str) -> None:
    scenario = make_scenario(f"{name}@fixed-1", 3)
    factor = {"deceptive": 1.15, "collaborative": 0.9}.get(scenario.sealed.persona, 1.0)
    limit = {"collaborative": 3060}.get(scenario.sealed.persona, 3150)
    assert (scenario.sealed.cost, scenario.sealed.budget) == (3000, 10000)
    assert scenario.sealed.reservation == limit
    assert scenario.anchor == round(3000 * PUBLISHED[name][3] * factor)
    assert scenario.max_rounds == PUBLISHED[name][1]
    assert scenario.seller == VERSIONS[PUBLISHED[name][7]]


def test_sampled_costs_and_budgets_fill_their_ranges() -> None:
    games = list(sampled("single_deal"))
    costs = [game.sealed.cost for game in games]
    assert 2000 <= min(costs) < 2050
    assert 4450 < max(costs) <= 4500
    winnable = [game for game in games if game.zopa > 0]
    assert all(g.sealed.cost + 500 <= g.sealed.budget <= 13000 for g in winnable)
    assert max(g.sealed.budget for g in winnable) > 12800


def test_one_sampled_episode_in_ten_has_no_zone_of_agreement() -> None:
    for name in ("single_deal", "collaborative_seller", "amazon_realistic"):
        hopeless = sum(game.zopa <= 0 for game in sampled(name))
        assert 160 <= hopeless <= 240


def test_the_item_is_one_of_the_goods() -> None:
    assert {game.item for game in sampled("single_deal", 300)} == set(GOODS)


def test_the_same_seed_gives_the_same_scenario_and_another_does_not() -> None:
    for id_ in suite_ids():
        assert make_scenario(id_, 5, 0) == make_scenario(id_, 5, 0)
        assert make_scenario(id_, 5, 0) != make_scenario(id_, 6, 0)
        assert make_scenario(id_, 5, 0).salt != make_scenario(id_, 5, 1).salt


@pytest.mark.parametrize(("seed", "episode"), [(-1, 0), (0, -1), (0, 1024)])
def test_a_seed_or_episode_out_of_range_is_refused(seed: int, episode: int) -> None:
    with pytest.raises(ValueError, match="0 or more"):
        make_scenario("single_deal@fixed-1", seed, episode)


def test_a_listing_sets_the_anchor_the_cost_and_the_fixed_budget() -> None:
    scenario = make_scenario("amazon_realistic@fixed-1", 1, listing=LAMP)
    assert (scenario.anchor, scenario.sealed.budget) == (130000, 130000)
    assert (scenario.sealed.cost, scenario.sealed.reservation) == (56000, 58800)
    assert scenario.item.title == "Lamp"


def test_a_sampled_listing_budget_lies_between_the_limit_and_the_list_price() -> None:
    for seed in range(500):
        scenario = make_scenario("amazon_realistic@sampled-1", seed, listing=LAMP)
        if scenario.zopa > 0:
            assert 1.08 * 58800 - 1 <= scenario.sealed.budget <= 130000
        else:
            assert 0.75 * 58800 <= scenario.sealed.budget <= 0.98 * 58800


def test_without_a_listing_one_is_drawn() -> None:
    titles = {game.item.title for game in sampled("amazon_realistic", 200)}
    assert titles == {listing.title for listing in SAMPLE_LISTINGS}
    drawn = make_scenario("amazon_realistic@sampled-1", 1, listings=(LAMP,))
    assert drawn.item.title == "Lamp"


def test_a_listing_in_another_suite_is_a_mistake() -> None:
    with pytest.raises(ValueError, match="amazon_realistic"):
        make_scenario("single_deal@fixed-1", 1, listing=LAMP)


def test_a_career_lowers_the_stock_and_is_remembered() -> None:
    career = Career(games=5, deals=4, capitulations=1)
    rules = make_scenario("career_10@fixed-1", 1, 5, career).rules
    assert (rules.inventory, rules.inventory_start, rules.capitulation_rate) == (6, 10, 0.25)
    sold_out = make_scenario("read_the_tells@fixed-1", 1, 5, Career(games=9, deals=9))
    assert sold_out.rules.inventory == 1


def test_only_the_bluffer_may_raise() -> None:
    raising = {i for i in suite_ids() if make_scenario(i, 1).rules.bluff_raise}
    assert {i.split("@")[0] for i in raising} == {"deceptive_seller", "read_the_tells"}


@pytest.mark.parametrize("id_", suite_ids())
def test_an_opening_ask_gives_the_cost_away_to_who_knows_the_table(id_: str) -> None:
    for seed in range(300):
        scenario = make_scenario(id_, seed)
        known = costs_behind(id_, scenario.anchor, scenario.item.title)
        assert known == (scenario.sealed.cost,)


def test_an_ask_that_no_game_opens_with_has_no_cost_behind_it() -> None:
    assert costs_behind("single_deal@sampled-1", Paise(6001), "Brass diya") == ()
    assert costs_behind("amazon_realistic@sampled-1", Paise(6001), "LED desk lamp") == ()
