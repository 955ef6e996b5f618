"""The seller of a match: whom it looks at, what it asks next, and its version."""

from statistics import fmean

import msgspec
import pytest

from arena.auction.web.bidding import LINE_UP
from arena.auction.web.buyers import player_of
from bazaarbatna.auction import selling
from bazaarbatna.auction.events import AskLowered, Bid, Hold, Sold
from bazaarbatna.auction.making import make_match
from bazaarbatna.auction.match import start
from bazaarbatna.auction.observe import play_match
from bazaarbatna.auction.selling import attention, front_runner, luck_of, next_ask, version
from bazaarbatna.bargain.errors import UnknownSuite
from bazaarbatna.bargain.goods import SAMPLE_LISTINGS
from bazaarbatna.bargain.quantities import InvalidPrice, Paise
from bazaarbatna.bargain.scenario import SellerRules
from bazaarbatna.bargain.sellers import SELLERS
from tests.support import golden_arena
from tests.support.matches import a_match, a_seat, a_table, end_of, scripted

ASK = Paise(200_000)


def prices(*rupees: float | None) -> tuple[Paise | None, ...]:
    return tuple(None if one is None else Paise(round(one * 100)) for one in rupees)


@pytest.mark.parametrize("persona", SELLERS)
def test_a_seller_that_sells_otherwise_has_another_version(persona: str) -> None:
    assert golden_arena.recorded()[version(persona)] == golden_arena.digest(persona), (
        "Raise NUMBER in bazaarbatna/auction/selling.py, then run "
        "`python -m tests.support.golden_arena`."
    )


def test_a_precise_seller_names_rupees_and_paise_where_its_version_did() -> None:
    """Logs of the first version are folded by what was true then."""
    scenario = make_match(
        SAMPLE_LISTINGS[0], (a_seat("rules:micro"), a_seat("sauda")), "deceptive", 4
    )
    assert [price % 100 for price in (scenario.anchor, *scenario.sealed.budgets)] == [0, 0, 0]
    asks = {}
    for label in ("rule:arena-deceptive@1#0", scenario.seller):
        one = msgspec.structs.replace(scenario, seller=label, anchor=Paise(261_537))
        asks[label] = [next_ask(one, round_, one.anchor, None, (0.0, 0.0)) for round_ in (1, 2, 3)]
    old, new = asks.values()
    assert any(price % 100 for price in old)
    assert not [price for price in new if price % 100]
    assert all(0 <= now - then < 100 for then, now in zip(old, new, strict=True))


@pytest.mark.parametrize("name", golden_arena.MANNERED)
def test_a_buyer_that_behaves_otherwise_among_rivals_has_another_version(name: str) -> None:
    recorded = golden_arena.recorded()[golden_arena.manner_label(name)]
    assert recorded == golden_arena.manner_digest(name), (
        "Raise NUMBER in arena/auction/web/bidding.py, then run "
        "`python -m tests.support.golden_arena`."
    )


def test_a_changed_number_changes_the_version(monkeypatch: pytest.MonkeyPatch) -> None:
    before = {version(persona) for persona in SELLERS}
    monkeypatch.setattr(selling, "RULES", selling.ArenaRules(closes_at=0.97))
    assert not before & {version(persona) for persona in SELLERS}


def test_attention_follows_the_fourth_power_of_bid_over_ask() -> None:
    shares = attention(ASK, prices(1000, 2000, None), (None, None, None))
    assert shares == (round(1 / 17, 4), round(16 / 17, 4), 0.0)
    assert attention(ASK, prices(None, None), (None, "compete")) == (0.0, 0.0)


def test_a_sign_turns_heads_and_a_bluff_as_much_as_the_truth() -> None:
    bids = prices(1500, 1500)
    plain = attention(ASK, bids, (None, None))[0]
    loud = attention(ASK, bids, ("compete", None))[0]
    assert loud == attention(ASK, bids, ("bluff", None))[0] > plain
    assert attention(ASK, bids, ("cooperate", None))[0] < plain


def test_equal_bids_go_to_whom_the_seller_looks_at_and_then_to_luck() -> None:
    bids = prices(1500, 1500, 1400)
    lucks = [luck_of(seed, 1) for seed in range(40)]
    loud = attention(ASK, bids, (None, "compete", "compete"))
    assert {front_runner(bids, loud, luck) for luck in lucks} == {1}
    even = attention(ASK, bids, (None, None, None))
    assert {front_runner(bids, even, luck) for luck in lucks} == {0, 1}
    assert front_runner(prices(None, None), (0.0, 0.0), lucks[0]) is None


def test_a_close_rival_keeps_the_ask_up() -> None:
    scenario = a_table((190_000, 190_000))
    asks = []
    for rival in (None, 900, 1400, 1600):
        bids = prices(1600, rival)
        asks.append(next_ask(scenario, 6, ASK, bids[0], attention(ASK, bids, (None, None))))
    assert asks == sorted(asks)
    assert asks[0] == 170_000
    assert asks[-1] == 190_000


def test_98_percent_of_the_ask_is_enough_and_less_is_not() -> None:
    scenario = a_table((199_000, 150_000))
    _, sold = scripted(scenario, {1: Bid(Paise(196_000))}, {})
    assert isinstance(sold[-2], Sold)
    assert sold[-2].price == 196_000
    _, kept = scripted(scenario, {1: Bid(Paise(195_999))}, {})
    assert end_of(kept).round > 1


def test_a_bid_above_the_ask_pays_the_ask() -> None:
    _, sold = scripted(a_table((250_000, 150_000)), {1: Bid(Paise(240_000))}, {})
    assert end_of(sold).price == 200_000


def test_a_late_bid_above_the_reservation_price_is_taken_with_the_chance_of_the_rule() -> None:
    taken = 0
    for seed in range(400):
        scenario = msgspec.structs.replace(
            a_table((150_000, 150_000), seed=seed), rules=SellerRules(concession_rate=0.0)
        )
        _, events = scripted(scenario, {9: Bid(Paise(110_000))}, {})
        assert end_of(events).round > 9
        taken += end_of(events).round == 10
    chance = (110_000 - 100_000) / (200_000 - 100_000) * 10 / 12
    assert taken / 400 == pytest.approx(chance, abs=0.04)


def asks_of(persona: str) -> list[int]:
    scenario = a_table((50_000, 50_000), persona=persona, reservation=139_111)
    _, events = scripted(scenario, {}, {})
    return [event.price for event in events if isinstance(event, AskLowered)]


def test_a_seller_of_round_numbers_does_not_name_its_reservation_price() -> None:
    for persona in ("default", "impatient", "collaborative"):
        asks = asks_of(persona)
        assert asks[-1] == asks[-2] == 139_500
        assert all(ask % 500 == 0 for ask in asks)
    assert any(ask % 100 for ask in asks_of("deceptive"))


def test_the_reservation_price_is_never_spoken_and_silence_does_not_betray_it() -> None:
    silent_above = 0
    for persona in SELLERS:
        for seed in range(12):
            scenario = a_table((50_000, 50_000), reservation=139_100, persona=persona, seed=seed)
            _, events = scripted(scenario, {}, {})
            asks = [scenario.anchor]
            for event in events:
                if not isinstance(event, AskLowered):
                    continue
                has_number = any(character.isdigit() for character in event.text)
                assert "1,391" not in event.text
                assert not has_number or f"₹{event.price // 100:,}" in event.text
                assert has_number or event.price in (asks[-1], 139_100) or event.round % 3 == 0
                silent_above += not has_number and event.price not in (asks[-1], 139_100)
                asks.append(event.price)
    assert silent_above > 20


def test_more_buyers_pay_more() -> None:
    means = []
    for count in (2, 3, 4):
        paid = []
        for number in range(120):
            listing = SAMPLE_LISTINGS[number % len(SAMPLE_LISTINGS)]
            seats = tuple(a_seat(LINE_UP[(number + at) % 4]) for at in range(count))
            scenario = make_match(listing, seats, list(SELLERS)[number // 8 % 4], number)
            events = play_match(scenario, lambda at, s=scenario: player_of(s, at))
            paid.append((end_of(events).price or 0) / scenario.anchor)
        means.append(fmean(paid))
    assert means[0] < means[1] < means[2]


def test_the_line_up_changes_no_budget_and_the_seed_changes_all() -> None:
    listing = SAMPLE_LISTINGS[0]
    four = tuple(a_seat(name) for name in LINE_UP)
    one, other = (
        make_match(listing, four, "default", 5),
        make_match(listing, four[2:], "default", 5),
    )
    assert one.sealed.budgets[:2] == other.sealed.budgets
    assert one.salt == other.salt
    assert make_match(listing, four, "default", 6).sealed != one.sealed
    assert make_match(listing, four[::-1], "default", 5).sealed == one.sealed


def test_a_match_is_only_made_of_what_exists() -> None:
    listing, seats = SAMPLE_LISTINGS[0], tuple(a_seat(name) for name in LINE_UP)
    with pytest.raises(UnknownSuite, match="No seller has the persona 'grumpy'"):
        make_match(listing, seats, "grumpy", 1)
    with pytest.raises(ValueError, match="A seed is 0 or more"):
        make_match(listing, seats, "default", -1)
    for wrong in (seats[:1], (*seats, seats[0])):
        with pytest.raises(ValueError, match="needs 2 to 4 buyers"):
            play_match(make_match(listing, wrong, "default", 1), lambda seat: lambda seen: Hold())


def test_sealed_values_do_not_print() -> None:
    scenario = a_match(3)
    assert repr(scenario.sealed) == "ArenaSealed(...)"
    assert str(scenario.sealed.budgets[0]) not in repr(scenario)
    assert str(scenario.sealed.seed) not in repr(msgspec.structs.replace(scenario, salt=""))


def test_a_scenario_that_cannot_be_played_is_refused() -> None:
    good = a_table((180_000, 190_000))
    start(good)
    assert not good.is_sealed_to_viewers
    assert a_table((180_000, 190_000), person=True).is_sealed_to_viewers
    with pytest.raises(ValueError, match="at least one round"):
        start(a_table((180_000, 190_000), rounds=0))
    with pytest.raises(InvalidPrice, match="A price of this match is out of range"):
        start(a_table((180_000, 0)))
    with pytest.raises(InvalidPrice, match="cannot be below the floor"):
        start(a_table((180_000, 190_000), anchor=99_999))
    short = msgspec.structs.replace(good.sealed, budgets=good.sealed.budgets[:1])
    with pytest.raises(ValueError, match="one budget each"):
        start(msgspec.structs.replace(good, sealed=short))
