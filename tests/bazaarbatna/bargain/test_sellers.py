"""The four personas play by their numbers."""

import re
from itertools import pairwise
from random import Random

import msgspec
import pytest

from bazaarbatna.bargain import (
    VERSIONS,
    Accept,
    Move,
    Offer,
    OfferMade,
    Paise,
    Scenario,
    SellerRules,
    Walk,
    advance,
    make_scenario,
    make_seller,
    observe_seller,
    play_episode,
    start,
    suite_ids,
)
from bazaarbatna.bargain.sellers import SELLERS
from bazaarbatna.bargain.sellers.base import RuleSeller, concession_rate, inventory_pressure
from bazaarbatna.bargain.sellers.persona import patience
from tests.support.golden_sellers import digest, recorded
from tests.support.players import PatientBuyer, RandomBuyer, SteadyBuyer, a_scenario

ONE_RULE = SellerRules(concession_rate=0.08, batna_walk_p=0.0)


class FixedLuck(Random):
    """Every draw comes out the same."""

    def __init__(self, value: float) -> None:
        super().__init__(0)
        self.value = value

    def random(self) -> float:
        return self.value


def scenario_for(persona: str, **changes: object) -> Scenario:
    numbers = SELLERS[persona].persona
    plain: dict[str, object] = {
        "persona": persona,
        "anchor": round(6000 * numbers.anchor_factor),
        "reservation": round(3000 * numbers.reservation_factor),
        "rules": msgspec.structs.replace(ONE_RULE, bluff_raise=numbers.bluff_raise),
    }
    return a_scenario(**(plain | changes))  # type: ignore[arg-type]


def answers(
    scenario: Scenario, bids: list[int], luck: float = 0.999
) -> tuple[list[Move], RuleSeller]:
    """What the seller answers to these bids, with every draw of chance the same."""
    persona = scenario.sealed.persona
    seller = SELLERS[persona](scenario, FixedLuck(luck))
    state, _ = start(scenario)
    moves = []
    for bid in bids:
        state, _ = advance(state, Offer(Paise(bid)))
        move = seller.act(observe_seller(state))
        moves.append(move)
        state, _ = advance(state, move)
        if state.ended:
            break
    return moves, seller


def asks(moves: list[Move]) -> list[int]:
    return [move.price for move in moves if isinstance(move, Offer)]


def test_the_numbers_of_the_table() -> None:
    table = {
        name: (
            p.anchor_factor,
            p.concession_factor,
            p.walk_factor,
            p.closes_at,
            p.late_factor,
            p.reservation_factor,
            patience(p, 10),
        )
        for name, p in ((name, seller.persona) for name, seller in SELLERS.items())
    }
    assert table == {
        "default": (1.0, 1.0, 1.0, 0.98, 1.0, 1.05, 10),
        "deceptive": (1.15, 0.7, 1.0, 1.0, 0.6, 1.05, 10),
        "impatient": (1.0, 1.5, 1.5, 0.95, 1.3, 1.05, 8),
        "collaborative": (0.9, 1.3, 0.3, 0.95, 1.0, 1.02, 10),
    }


def test_patience_has_a_least() -> None:
    impatient = SELLERS["impatient"].persona
    assert [patience(impatient, rounds) for rounds in (4, 5, 6, 7, 10)] == [4, 4, 4, 5, 8]


def test_stock_presses_by_what_is_left_of_it() -> None:
    assert inventory_pressure(SellerRules()) == 0.5
    assert inventory_pressure(SellerRules(inventory=5, inventory_start=5)) == 1.0
    assert inventory_pressure(SellerRules(inventory=1, inventory_start=10)) == 0.1


def test_the_rate_grows_with_stock_shrinks_with_capitulations_and_has_a_cap() -> None:
    default, impatient = SELLERS["default"].persona, SELLERS["impatient"].persona
    assert concession_rate(default, ONE_RULE) == pytest.approx(0.08 * 1.25)
    pushover = msgspec.structs.replace(ONE_RULE, capitulation_rate=1.0)
    assert concession_rate(default, pushover) == pytest.approx(0.08 * 1.25 * 0.7)
    eager = SellerRules(concession_rate=0.2, inventory=5, inventory_start=5)
    assert concession_rate(impatient, eager) == 0.25


def test_the_default_seller_comes_down_evenly_and_stops_at_its_limit() -> None:
    moves, _ = answers(scenario_for("default"), [2900] * 8)
    assert asks(moves) == [5400, 4800, 4200, 3600, 3150, 3150, 3150, 3150]


def test_the_impatient_seller_drops_twice_then_barely_and_leaves() -> None:
    moves, _ = answers(scenario_for("impatient", reservation=1000, cost=900), [950] * 8)
    # 15 % a round by the schedule, and 8 % then 16 % of the anchor on top of it.
    assert asks(moves) == [4620, 3240, 3208, 3176, 3144, 3113]
    assert isinstance(moves[6], Walk)


def test_the_collaborative_seller_leans_toward_a_fair_price() -> None:
    moves, seller = answers(scenario_for("collaborative"), [2900] * 2)
    first = 0.7 * 5400 * (1 - seller.rate) + 0.3 * (3300 + 5400) / 2
    second = 0.7 * 5400 * (1 - 2 * seller.rate) + 0.3 * (3300 + first) / 2
    assert asks(moves) == [round(first), round(second)]


def test_the_deceptive_seller_fakes_two_drops_and_then_pulls_back_up() -> None:
    scenario = scenario_for("deceptive", reservation=1000, cost=900)
    moves, seller = answers(scenario, [950] * 6, luck=0.2)
    path = asks(moves)
    assert path[0] == round(6900 * (1 - seller.rate) * 0.92)
    assert path[1] == round(min(6900 * (1 - 2 * seller.rate), path[0]) * 0.92)
    for before, after in pairwise(path[1:]):
        assert after == int(before * 1.03)


def test_the_deceptive_seller_without_luck_follows_its_schedule() -> None:
    moves, seller = answers(scenario_for("deceptive"), [2900] * 4)
    assert seller.rate == pytest.approx(0.08 * 0.7 * 1.25)
    assert asks(moves) == [round(6900 * (1 - seller.rate * t)) for t in (1, 2, 3, 4)]


@pytest.mark.parametrize(
    ("persona", "closing"),
    [("default", 5880), ("deceptive", 6900), ("impatient", 5700), ("collaborative", 5130)],
)
def test_a_bid_near_enough_to_the_ask_closes_at_the_bid(persona: str, closing: int) -> None:
    scenario = scenario_for(persona)
    state, _ = start(scenario)
    for bid, closes in ((closing, True), (closing - 1, False)):
        # A flat seller, so that the counter cannot fall to the bid by itself.
        flat = msgspec.structs.replace(scenario, rules=SellerRules(concession_rate=0.0))
        seen = msgspec.structs.replace(
            observe_seller(advance(state, Offer(Paise(1)))[0]), bids=(Paise(bid),)
        )
        move = SELLERS[persona](flat, FixedLuck(0.999)).act(seen)
        if persona in ("default", "deceptive"):
            assert isinstance(move, Accept) is closes
        elif closes:
            assert isinstance(move, Accept)


def test_a_near_bid_below_the_limit_does_not_close() -> None:
    scenario = scenario_for("default", anchor=3200)
    (move,), _ = answers(scenario, [3149])
    assert move == Offer(Paise(3150), move.text)


def test_a_counter_that_reaches_the_bid_is_an_acceptance_at_the_bid() -> None:
    moves, _ = answers(scenario_for("default"), [5450])
    assert isinstance(moves[0], Accept)


def test_a_lowball_ends_the_game_by_the_published_chance() -> None:
    rules = SellerRules(concession_rate=0.08, batna_walk_p=0.4)
    lowball, sane = 2834, 2835  # 90 % of 3150
    for persona, chance in (("default", 0.05), ("impatient", 0.075), ("collaborative", 0.015)):
        limit = 3150 if persona != "collaborative" else 3060
        bid = lowball if persona != "collaborative" else 2753
        scenario = scenario_for(persona, rules=rules, reservation=limit)
        (left,), _ = answers(scenario, [bid], luck=chance - 0.001)
        (stayed,), _ = answers(scenario, [bid], luck=chance + 0.001)
        assert (isinstance(left, Walk), isinstance(stayed, Offer)) == (True, True)
    (move,), _ = answers(scenario_for("default", rules=rules), [sane], luck=0.0)
    assert isinstance(move, Offer)


@pytest.mark.parametrize(
    ("persona", "factor"),
    [("default", 1.0), ("deceptive", 0.6), ("impatient", 1.3), ("collaborative", 1.0)],
)
def test_late_a_sufficient_bid_may_be_taken(persona: str, factor: float) -> None:
    rules = SellerRules(concession_rate=0.0, batna_walk_p=0.0)
    scenario = scenario_for(persona, rules=rules, anchor=6000, reservation=3000)
    bid = 4000
    chance = (bid - 3000) / 3000 * 7 / 8 * factor
    assert len(answers(scenario, [bid] * 7, luck=chance - 0.001)[0]) == 7
    late = answers(scenario, [bid] * 7, luck=chance - 0.001)[0][6]
    not_yet = answers(scenario, [bid] * 6, luck=0.0)[0][-1]
    unlucky = answers(scenario, [bid] * 7, luck=min(chance + 0.001, 0.999))[0][6]
    assert isinstance(late, Accept)
    if persona == "default":
        assert isinstance(not_yet, Offer)
        assert isinstance(unlucky, Offer)


def test_a_turn_takes_the_same_luck_whatever_was_bid() -> None:
    scenario = make_scenario("deceptive_seller@fixed-1", 9)
    streams = []
    for bid in (100, 5000):
        seller = make_seller(scenario)
        state, _ = start(scenario)
        state, _ = advance(state, Offer(Paise(bid)))
        seen = observe_seller(state)
        seller.tells(seen)
        seller.act(seen)
        streams.append(seller._rng.getstate())
    assert streams[0] == streams[1]


def test_an_unknown_persona_is_answered_with_the_known_ones() -> None:
    with pytest.raises(ValueError, match="default, deceptive, impatient, collaborative"):
        make_seller(a_scenario(persona="grumpy"))


def test_the_base_seller_has_no_shape_of_its_own() -> None:
    class Shapeless(RuleSeller):
        persona = SELLERS["default"].persona

    state, _ = start(a_scenario())
    state, _ = advance(state, Offer(Paise(1000)))
    with pytest.raises(NotImplementedError):
        Shapeless(a_scenario(), Random(1)).act(observe_seller(state))


def test_a_version_names_the_persona_and_its_numbers() -> None:
    assert set(VERSIONS) == set(SELLERS)
    for persona, version in VERSIONS.items():
        assert re.fullmatch(rf"rule:{persona}@\d+#[0-9a-f]{{12}}", version)
    assert len(set(VERSIONS.values())) == 4


@pytest.mark.parametrize("persona", SELLERS)
def test_a_seller_that_behaves_otherwise_has_another_version(persona: str) -> None:
    known = recorded()
    version = VERSIONS[persona]
    assert version in known, (
        f"{version} is new: check that the change is meant, then run "
        "`python -m tests.support.golden_sellers`."
    )
    assert digest(persona) == known[version], (
        f"{version} plays otherwise than when it was recorded: raise `number` in its file."
    )


NUMBER_WORDS = set(
    re.findall(
        r"\w+",
        """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen
        fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty
        ninety hundred thousand lakh half quarter double ek do teen char chaar paanch chhe chhah
        saat aath nau das gyarah barah bees pachees tees chalis pachas saath sattar assi nabbe sau
        hazaar hazar dedh dhai sava paune aadha""",
    )
)


@pytest.mark.parametrize("persona", SELLERS)
def test_no_line_holds_a_number_but_the_counter_price(persona: str) -> None:
    lines = SELLERS[persona].persona.lines
    for kind in lines.__struct_fields__:
        for line in getattr(lines, kind):
            assert not re.search(r"\d", line)
            assert not NUMBER_WORDS & set(re.findall(r"[a-z]+", line.lower()))
            assert line.count("{price}") == (kind == "counter")


def test_no_message_ever_holds_the_cost_or_the_limit() -> None:
    for suite in suite_ids():
        for seed in range(40):
            for make in (SteadyBuyer, PatientBuyer, RandomBuyer):
                log = play_episode(make_scenario(suite, seed), make(seed))
                sealed = log.scenario.sealed
                secrets = {sealed.cost / 100, sealed.reservation / 100}
                for event in log.events:
                    text = getattr(event, "text", "")
                    if getattr(event, "actor", "") != "seller" or not text:
                        continue
                    spoken = {float(number) for number in re.findall(r"\d+(?:\.\d+)?", text)}
                    assert not spoken & secrets
                    if isinstance(event, OfferMade):
                        assert spoken <= {event.price / 100}


@pytest.mark.parametrize("persona", SELLERS)
@pytest.mark.parametrize("seed", range(8))
def test_chances_are_how_often_a_seller_answers_so(persona: str, seed: int) -> None:
    rng = Random(f"chances:{persona}:{seed}")
    raise_ = SELLERS[persona].persona.bluff_raise
    rules = msgspec.structs.replace(ONE_RULE, batna_walk_p=0.3, bluff_raise=raise_)
    scenario = scenario_for(persona, rules=rules, rounds=8)
    state, _ = start(scenario)
    seller, memory = make_seller(scenario), 0
    for _ in range(rng.randrange(6)):
        state, _ = advance(state, Offer(Paise(2900)))
        seen = observe_seller(state)
        counter = seller.act(seen)
        assert isinstance(counter, Offer)
        memory = next(
            one.memory for one in seller.chances(seen, memory) if one.answer == counter.price
        )
        state, _ = advance(state, counter)
    late = msgspec.structs.replace(state, round=rng.choice((state.round, 6, 7, 8)))
    bid = rng.choice([bid for bid in (2000, 2900, 3200, 3400, 4000) if bid < late.standing_ask])
    seen = observe_seller(advance(late, Offer(Paise(bid)))[0])
    found: dict[object, float] = {}
    for one in seller.chances(seen, memory):
        found[one.answer] = found.get(one.answer, 0.0) + one.probability
    assert sum(found.values()) == pytest.approx(1)
    times, counted = 4000, dict.fromkeys(found, 0)
    for _ in range(times):
        move = seller.twin(rng).act(seen)
        counted[move.price if isinstance(move, Offer) else type(move).__name__.lower()] += 1
    for answer, likely in found.items():
        # Five standard deviations of a share of so many draws.
        spread = 5 * (likely * (1 - likely) / times) ** 0.5 + 1e-9
        assert abs(counted[answer] / times - likely) <= spread, answer
