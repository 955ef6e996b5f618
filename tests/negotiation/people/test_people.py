"""What holds for every seller of the population, whatever the buyer does."""

import itertools
import re
from random import Random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bazaarbatna.bargain import (
    Accept,
    BuyerObservation,
    Log,
    Move,
    Offer,
    OfferMade,
    Paise,
    SellerObservation,
    UnknownSeller,
    Walk,
    WalkedAway,
    advance,
    apply,
    legal_moves,
    observe_buyer,
    observe_seller,
    play_episode,
    start,
)
from bazaarbatna.bargain.people.dealing import deal
from bazaarbatna.bargain.people.families import (
    FAMILIES,
    LIMITS,
    Family,
    family_names,
    family_of,
)
from bazaarbatna.bargain.people.held_out import HELD_OUT, plug_in
from bazaarbatna.bargain.people.manner import WHOLE_FIELDS, named_price, price_unit
from bazaarbatna.bargain.people.seller import LANGUAGES, PersonSeller, all_lines, line
from bazaarbatna.bargain.people.signals import remember
from bazaarbatna.bargain.people.suites import people_suite, people_suite_ids
from bazaarbatna.bargain.proposals import repair

EVERY = (*FAMILIES, *HELD_OUT)
MOODS = {
    "counter", "hold", "split", "final", "rival", "urgent", "insulted", "list_price", "accept",
    "walk", "bare", "talk",
}  # fmt: skip
WORDLESS = {"hold", "accept", "walk", "bare", "talk"}

plug_in()


class ShareBuyer:
    """Bids shares of the opening ask, one after the other; then takes the ask or leaves."""

    def __init__(self, shares: list[float]) -> None:
        self.shares = shares

    def act(self, observation: BuyerObservation) -> Move:
        at = len(observation.bids)
        if at >= len(self.shares):
            return Accept() if observation.standing_ask <= observation.budget else Walk()
        wanted = int(self.shares[at] * observation.opening_ask)
        return Offer(Paise(max(1, min(wanted, observation.budget))))


class Watched:
    """A seller whose every move is kept with what it saw."""

    def __init__(self, seller: PersonSeller) -> None:
        self.seller = seller
        self.turns: list[tuple[SellerObservation, Move]] = []
        self.tells = seller.tells

    def act(self, seen: SellerObservation) -> Move:
        move = self.seller.act(seen)
        self.turns.append((seen, move))
        return move


def a_game(family: Family, seed: int, shares: list[float]) -> tuple[Log, Watched]:
    scenario = deal(f"people-{family.name}@1", family, seed)
    watched = Watched(PersonSeller(scenario))
    return play_episode(scenario, ShareBuyer(shares), seller=watched), watched


GAMES = {
    "family": st.sampled_from(EVERY),
    "seed": st.integers(0, 2**53 - 1),
    "shares": st.lists(st.floats(0.01, 1.2), max_size=14),
}


@given(**GAMES)
@settings(max_examples=400, deadline=None, derandomize=True)
def test_asks_never_rise_and_never_fall_below_the_reservation_price(
    family: Family, seed: int, shares: list[float]
) -> None:
    log, watched = a_game(family, seed, shares)
    reservation = log.scenario.sealed.reservation
    for seen, move in watched.turns:
        if isinstance(move, Offer):
            assert seen.bids[-1] < move.price <= seen.asks[-1]
            assert move.price >= reservation
            is_named = move.price % price_unit(seen.asks[0]) == 0
            assert is_named or move.price in (reservation, seen.asks[-1])
        elif isinstance(move, Accept):
            assert seen.bids[-1] >= reservation


@given(**GAMES)
@settings(max_examples=300, deadline=None, derandomize=True)
def test_every_move_is_legal_as_it_is(family: Family, seed: int, shares: list[float]) -> None:
    scenario = deal("people@1", family, seed)
    seller, buyer = PersonSeller(scenario), ShareBuyer(shares)
    state, _ = start(scenario)
    while state.ended is None:
        state, _ = advance(state, repair(state, "buyer", buyer.act(observe_buyer(state))))
        if state.ended is not None:
            break
        move = seller.act(observe_seller(state))
        assert repair(state, "seller", move) == move
        kind = {Offer: "offer", Accept: "accept", Walk: "walk"}[type(move)]
        assert kind in legal_moves(state, "seller")
        state, _ = apply(state, "seller", move)


@given(**GAMES)
@settings(max_examples=300, deadline=None, derandomize=True)
def test_it_leaves_only_for_an_insult_a_standstill_or_its_deadline(
    family: Family, seed: int, shares: list[float]
) -> None:
    log, watched = a_game(family, seed, shares)
    for seen, move in watched.turns:
        if isinstance(move, Walk):
            manner = watched.seller.manner(seen.round)
            memory = remember(seen.asks, seen.bids, manner.insult)
            insulted = seen.bids[-1] < manner.insult * seen.asks[0]
            stalled = memory.stalled > manner.patience
            assert insulted or stalled or seen.round >= manner.deadline_round(seen.max_rounds)
    assert sum(isinstance(event, WalkedAway) for event in log.events) <= 1


@given(**GAMES)
@settings(max_examples=200, deadline=None, derandomize=True)
def test_the_same_seed_and_bids_give_the_same_bytes(
    family: Family, seed: int, shares: list[float]
) -> None:
    first, second = (msgspec.msgpack.encode(a_game(family, seed, shares)[0]) for _ in range(2))
    assert first == second


@given(**GAMES)
@settings(max_examples=300, deadline=None, derandomize=True)
def test_the_only_number_in_its_words_is_the_price_it_names(
    family: Family, seed: int, shares: list[float]
) -> None:
    log, watched = a_game(family, seed, shares)
    for _, move in watched.turns:
        said = re.findall(r"\d[\d,]*(?:\.\d\d)?", move.text)
        named = [round(100 * float(one.replace(",", ""))) for one in said]
        assert named in ([], [move.price] if isinstance(move, Offer) else [])
    assert all(event.text for event in log.events if isinstance(event, OfferMade)
               if event.actor == "seller")  # fmt: skip


@given(**GAMES)
@settings(max_examples=150, deadline=None, derandomize=True)
def test_a_turn_hangs_on_nothing_but_what_is_seen(
    family: Family, seed: int, shares: list[float]
) -> None:
    _, watched = a_game(family, seed, shares)
    late = watched.seller.twin()
    for seen, move in reversed(watched.turns):
        assert late.tells(seen) == watched.seller.tells(seen)
        assert late.act(seen) == move


def test_a_twin_with_other_luck_is_the_same_person() -> None:
    scenario = deal("people@1", FAMILIES[0], 5)
    seller = PersonSeller(scenario)
    other = seller.twin(Random(1))
    assert other.manners == seller.manners
    state, _ = start(scenario)
    state, _ = advance(state, Offer(Paise(scenario.anchor // 2)))
    seen = observe_seller(state)
    assert other.tells(seen) != seller.tells(seen)
    assert seller.twin().tells(seen) == seller.tells(seen)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_every_mood(language: str) -> None:
    moods = all_lines()[language]
    assert set(moods) == MOODS
    for mood, lines in moods.items():
        assert len(set(lines)) == len(lines) >= 3 or mood == "split"
        for said in lines:
            assert said.count("{price}") == (mood not in WORDLESS)
            assert not re.search(r"\d", said)


def test_all_languages_are_spoken() -> None:
    scenario = deal("people@1", FAMILIES[0], 0)
    state, _ = start(scenario)
    state, _ = advance(state, Offer(Paise(1)))
    seen = observe_seller(state)
    said = {line("accept", seed, seen) for seed in range(200)}
    assert all(said & set(all_lines()[language]["accept"]) for language in LANGUAGES)


@pytest.mark.parametrize("family", EVERY, ids=lambda family: family.name)
def test_a_family_draws_within_the_limits_and_not_the_same_twice(family: Family) -> None:
    drawn = [family.draw(seed) for seed in range(200)]
    assert len({first.floor for first, _ in drawn}) > 150
    for first, second in drawn:
        for manner in (first, second):
            for name, (low, high) in LIMITS.items():
                assert low <= getattr(manner, name) <= high, name
        assert second.floor == first.floor
        assert second.deadline == first.deadline
    assert all(LIMITS[name][0] <= low <= high <= LIMITS[name][1]
               for name, (low, high) in family.ranges.items())  # fmt: skip


def test_what_is_drawn_outside_lies_outside() -> None:
    halver = FAMILIES[0]
    tails = msgspec.structs.replace(family_of("extreme"), of=(halver,))
    for seed in range(100):
        manner, _ = tails.draw(seed)
        for name, (low, high) in halver.ranges.items():
            if name not in WHOLE_FIELDS:
                assert not low < getattr(manner, name) < high, name


def test_a_label_of_another_version_is_refused() -> None:
    label = FAMILIES[0].version
    assert family_of(label) is FAMILIES[0]
    with pytest.raises(UnknownSeller, match="halver"):
        family_of(label[:-1] + ("0" if label[-1] != "0" else "1"))
    with pytest.raises(UnknownSeller, match="halver"):
        family_of("nobody")


@pytest.mark.parametrize("family", EVERY, ids=lambda family: family.name)
def test_the_games_of_a_seed_are_sound(family: Family) -> None:
    zones = 0
    for seed in range(300):
        scenario = deal("people@1", family, seed)
        sealed = scenario.sealed
        assert scenario.seller == family.version
        assert sealed.cost <= sealed.reservation < scenario.anchor
        assert scenario.anchor % price_unit(scenario.anchor) == 0
        assert sealed.deadline is None or 2 <= sealed.deadline < scenario.max_rounds
        zones += scenario.zopa > 0
    assert 0.84 < zones / 300 < 0.96


def test_opening_asks_are_spread_over_the_orders_of_magnitude() -> None:
    """Seeds 0 to 999: round numbers, a quarter of them under 200 and a quarter above 20,000."""
    asks = sorted(deal("people@1", FAMILIES[0], seed).anchor for seed in range(1000))
    assert (asks[0], asks[-1]) >= (20_00, 150_000_00)
    assert 150_00 < asks[250] < 270_00
    assert 15_000_00 < asks[750] < 27_000_00
    assert len(set(asks)) > 120


WRONG_IDS = (
    "people", "people@2", "people@1-rounds-", "people@1-rounds-0", "people@1-rounds-21",
    "people@1-rounds-x", "people@1-rounds-04", "people@1-rounds-٣", "people-nobody@1",
    "single_deal@sampled-1",
)  # fmt: skip


def test_suites_are_found_by_their_ids_and_no_others() -> None:
    ids = people_suite_ids()
    assert ids[:4] == ("people@1", "people-held-out@1", "paths@1", "paths-fit@1")
    assert len(ids) == 2 + len(family_names())
    for id_ in ids:
        found = people_suite(id_)
        assert found is not None
        assert found.deal(7) == found.deal(7)
        assert found.deal(7).suite == id_
    short = people_suite("people@1-rounds-4")
    assert short is not None
    assert {short.deal(seed).max_rounds for seed in range(20)} == {4}
    for wrong in WRONG_IDS:
        assert people_suite(wrong) is None, wrong
    with pytest.raises(ValueError, match="0 or more"):
        people_suite("people@1").deal(-1)  # type: ignore[union-attr]


def test_the_mixture_meets_every_family_by_its_weight() -> None:
    suite = people_suite("people@1")
    assert suite is not None
    met = [suite.deal(seed).sealed.persona.removeprefix("people:") for seed in range(3000)]
    whole = sum(family.weight for family in FAMILIES)
    for family in FAMILIES:
        assert met.count(family.name) / 3000 == pytest.approx(family.weight / whole, abs=0.03)


@pytest.mark.parametrize(
    ("price", "anchor", "named"),
    [(123_45, 500_00, 120_00), (123_45, 499_00, 125_00), (7, 30, 7), (99_999, 100_000, 100_000)],
)
def test_prices_are_round(price: int, anchor: int, named: int) -> None:
    assert named_price(price, anchor) == named


def test_each_family_does_what_its_name_says() -> None:
    """Against a buyer who climbs from 0.5 by 0.03 a round, 400 games each."""
    climb = [0.5 + 0.03 * place for place in range(14)]
    still = [0.5] * 14
    facts = {}
    for family in EVERY:
        falls, rounds, walked = [], [], 0
        for seed in range(400):
            log, watched = a_game(family, seed, climb)
            path = [log.scenario.anchor, *(move.price for _, move in watched.turns
                                           if isinstance(move, Offer))]  # fmt: skip
            falls.append(sum(after < before for before, after in itertools.pairwise(path)))
            stood, _ = a_game(family, seed, still)
            end = stood.ended
            assert end is not None
            rounds.append(end.round)
            walked += end.outcome == "walk" and end.by == "seller"
        facts[family.name] = (sum(falls) / 400, sum(rounds) / 400, walked / 400)
    assert min(facts, key=lambda name: facts[name][0]) == "firm"
    assert max(facts["reciprocal"][0], facts["needy"][0], facts["bluffer"][0]) > 1.5
    assert facts["impatient"][1] < facts["bluffer"][1]
    assert facts["impatient"][2] > 0.25
    assert facts["proud"][2] > facts["halver"][2]
