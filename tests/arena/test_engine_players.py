"""The buyers of a match: legal whoever they are, in character, and coherent in their words."""

import functools
import logging
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from arena.auction.web.bidding import LINE_UP, MANNERS, PLAIN, RESTED, contested, manner_of
from arena.auction.web.buyers import (
    STAND_IN,
    in_a_match,
    player,
    player_of,
    seat_version,
)
from bazaarbatna.auction.events import ArenaEvent, ArenaMove, Bid, Hold, Leave, Take
from bazaarbatna.auction.match import ArenaState, place, start
from bazaarbatna.auction.observe import ArenaObservation, as_duel, observe, play_match
from bazaarbatna.auction.scenario import ArenaScenario
from bazaarbatna.bargain.moves import Accept, Offer, Walk
from bazaarbatna.bargain.quantities import Paise
from negotiation import policies
from tests.support.matches import a_full_match, a_match, a_table, end_of, envelopes, played
from tests.support.players import NONSENSE, NonsensePlayer


@functools.cache
def a_known_match(number: int) -> tuple[ArenaScenario, tuple[ArenaEvent, ...]]:
    """Match ``number`` of the usual four, played once for all tests here."""
    scenario = a_full_match(number)
    return scenario, played(scenario)


@pytest.fixture
def registered() -> Iterator[Callable[[str, Any], None]]:
    names = []

    def register(name: str, make: Any) -> None:
        policies.register(name, make, version=f"{name}@1")
        names.append(name)

    yield register
    for name in names:
        del policies._entries[name]


BUYERS = sorted({entry.name for entry in policies.policies("buyer")} | {"sauda"})


def deed(move: ArenaMove) -> tuple[object, ...]:
    return type(move).__name__, getattr(move, "price", None), move.signal


@pytest.mark.parametrize("name", BUYERS)
def test_every_registered_buyer_plays_legally_among_rivals(name: str) -> None:
    for number in range(12):
        scenario = a_full_match(number, line_up=(name, "sauda", "rules:random", name))
        events = play_match(scenario, lambda seat, s=scenario: player_of(s, seat))
        assert end_of(events).round <= scenario.max_rounds


def test_the_house_puts_no_words_into_an_envelope() -> None:
    for number in range(12):
        assert not [one for one in envelopes(a_known_match(number)[1]) if one.move.text]


def test_a_models_words_stay_with_an_unchanged_move_only() -> None:
    table = a_table((180_000, 190_000))
    seen = observe(start(table)[0], 0)
    move = in_a_match(seen, Offer(Paise(120_000), "Bhaiya, ₹1,200?"), "sauda", 3)
    assert move == Bid(Paise(120_000), "Bhaiya, ₹1,200?", "cooperate")
    wish = Offer(Paise(120_000), "₹1,200, my last word.")
    raised = in_a_match(observe(outbid(table), 0), wish, "sauda", 3)
    assert isinstance(raised, Bid)
    assert raised.price > wish.price
    assert raised.text == ""


def outbid(scenario: ArenaScenario) -> ArenaState:
    state, _ = start(scenario)
    state, _ = place(state, 0, Bid(Paise(110_000)))
    return place(state, 1, Bid(Paise(125_000)))[0]


def leading(scenario: ArenaScenario) -> ArenaState:
    state, _ = start(scenario)
    state, _ = place(state, 0, Bid(Paise(125_000)))
    return place(state, 1, Bid(Paise(110_000)))[0]


def test_in_front_a_buyer_keeps_its_money_and_outbid_it_raises() -> None:
    scenario = a_table((180_000, 190_000))
    wish = Offer(Paise(130_000))
    for name in ("sauda", "rules:smart"):
        calm = contested(observe(leading(scenario), 0), wish, manner_of(name), 1)
        assert isinstance(calm, Bid | Hold)
        assert getattr(calm, "price", 125_000) < 130_000
        pressed = contested(observe(outbid(scenario), 0), Offer(Paise(112_000)), manner_of(name), 1)
        assert isinstance(pressed, Bid)
        assert pressed.price > 120_000


def test_an_outbid_buyer_takes_a_good_ask_before_a_rival_does() -> None:
    seen = observe(outbid(a_table((300_000, 190_000))), 0)
    assert isinstance(contested(seen, Offer(Paise(112_000)), manner_of("sauda"), 1), Take)
    assert isinstance(contested(seen, Offer(Paise(112_000)), PLAIN, 1), Bid)


def test_in_the_last_round_the_outbid_go_as_far_as_rivals_can_drive_them() -> None:
    state = outbid(a_table((130_000, 190_000), rounds=2))
    move = contested(observe(state, 0), Offer(Paise(110_000)), manner_of("rules:smart"), 1)
    assert isinstance(move, Bid)
    # 95 % of the budget, down to the next price that a person would name.
    assert 110_000 < move.price == 120_000 <= 123_500
    assert move.price < state.ask


def test_aggressive_loses_patience_and_leaves() -> None:
    left = 0
    for number in range(40):
        scenario, events = a_known_match(number)
        for one in envelopes(events):
            if isinstance(one.move, Leave):
                seat = scenario.seats[one.buyer]
                left += seat.policy == "rules:aggressive"
    assert left > 5


@pytest.mark.parametrize("name", ["sauda", "rules:smart", "rules:og"])
@pytest.mark.parametrize("rival", ["rules:micro", "sauda"])
def test_whose_limit_is_under_the_floor_leaves_as_soon_as_that_shows(name: str, rival: str) -> None:
    scenario = a_table((70_000, 60_000))
    assert scenario.sealed.reservation > 70_000

    def sits(seat: int) -> Callable[[ArenaObservation], ArenaMove]:
        return player(rival if seat else name, 5, seat)

    state, _ = start(scenario)
    while state.ended is None:
        for seat in state.awaited:
            seen = observe(state, seat)
            move = sits(seat)(seen)
            asks = seen.asks[-RESTED:]
            rests = len(asks) == RESTED and len(set(asks)) == 1 and asks[-1] > seen.budget
            if seat == 0:
                assert isinstance(move, Leave) == rests or seen.outbid, (seen.round, move)
            state, _ = place(state, seat, move)
    assert state.ended.outcome == "walk"
    assert state.round < scenario.max_rounds


def test_nobody_who_bids_all_it_would_stays_behind() -> None:
    stayed = 0
    for number in range(40):
        scenario, _ = a_known_match(number)
        state, _ = start(scenario)
        while state.ended is None:
            for seat in state.awaited:
                seen = observe(state, seat)
                move = player_of(scenario, seat)(seen)
                most = manner_of(scenario.seats[seat].policy).most * seen.budget
                own = seen.own_bid or 0
                is_full = own > 0 and most - own < 0.01 * seen.standing_ask
                if seen.outbid and seen.standing_ask > seen.budget and is_full:
                    assert isinstance(move, Leave)
                    stayed += 1
                state, _ = place(state, seat, move)
    assert stayed >= 3


def signals_of(events: tuple[ArenaEvent, ...], seat: int) -> list[str | None]:
    bids = (one for one in envelopes(events) if one.buyer == seat)
    return [one.move.signal for one in bids if not isinstance(one.move, Leave)]


def test_the_four_signal_in_character() -> None:
    heard: dict[str, set[str | None]] = {name: set() for name in LINE_UP}
    for number in range(40):
        scenario, events = a_known_match(number)
        for seat, chair in enumerate(scenario.seats):
            signs = signals_of(events, seat)
            heard[chair.policy] |= set(signs)
            if chair.policy in ("rules:smart", "sauda"):
                assert signs[0] == "cooperate"
    assert heard["rules:aggressive"] <= {"compete", None}
    assert heard["rules:smart"] == {"cooperate", "compete"}
    assert heard["rules:og"] == {None}
    assert heard["sauda"] >= {"cooperate", "compete", "bluff", None}


def test_a_bluff_is_not_followed_by_a_raise_in_the_same_round() -> None:
    bluffs = 0
    for number in range(60):
        _, events = a_known_match(number)
        for one in envelopes(events):
            if one.move.signal == "bluff":
                bluffs += 1
                assert isinstance(one.move, Hold | Take)
    assert bluffs > 5


def test_the_forms_of_a_policy_share_its_manner_and_strangers_are_plain() -> None:
    assert manner_of("sauda:local") is MANNERS["sauda"]
    assert manner_of("rules:boulware") is PLAIN
    assert seat_version("rules:smart").startswith(policies.policy("rules:smart").version + "+")
    assert seat_version("sauda")[-6:] == seat_version("sauda:rules")[-6:]
    assert len({seat_version(name)[-6:] for name in LINE_UP}) == 4


@pytest.mark.parametrize("wish", NONSENSE)
def test_any_nonsense_of_a_policy_becomes_a_legal_move(wish: Any) -> None:
    for state in (start(a_table((180_000, 190_000)))[0], outbid(a_table((180_000, 190_000)))):
        for name in LINE_UP:
            move = in_a_match(observe(state, 0), wish, name, 5)
            place(state, 0, move)


def test_a_policy_that_breaks_holds_and_the_match_goes_on(
    caplog: pytest.LogCaptureFixture, registered: Callable[[str, Any], None]
) -> None:
    class Broken:
        def act(self, observation: object) -> object:
            raise RuntimeError("the model is gone")

    registered("test:broken", lambda seed: Broken())
    seen = observe(start(a_match(0))[0], 0)
    with caplog.at_level(logging.ERROR, logger="arena.auction.web.buyers"):
        assert player("test:broken", 1, 0)(seen) == Hold()
    assert "policy failed in a match" in caplog.text
    assert str(seen.budget) not in caplog.text


def test_mallory_among_the_buyers_stops_no_match(registered: Callable[[str, Any], None]) -> None:
    registered("test:mallory", NonsensePlayer)
    for number in range(20):
        scenario = a_full_match(number, line_up=("sauda", "test:mallory", "rules:smart"))
        assert end_of(played(scenario)).round <= scenario.max_rounds


def test_a_person_and_a_policy_that_is_gone_get_the_stand_in() -> None:
    scenario = a_table((180_000, 190_000), person=True)
    seen: ArenaObservation = observe(start(scenario)[0], 0)
    expected = player(STAND_IN, scenario.sealed.seed, 0)(seen)
    assert player_of(scenario, 0)(seen) == expected
    seen = observe(start(scenario)[0], 1)
    assert player_of(scenario, 1)(seen) == player(STAND_IN, scenario.sealed.seed, 1)(seen)


def test_a_duel_view_repeats_a_held_bid_and_tells_of_being_outbid() -> None:
    state = outbid(a_table((180_000, 190_000)))
    state, _ = place(state, 0, Hold("I wait."))
    state, _ = place(state, 1, Hold())
    duel = as_duel(observe(state, 0))
    assert duel.bids == (110_000, 110_000)
    assert [(turn.actor, turn.kind, turn.price) for turn in duel.turns][2] == (
        "buyer",
        "offer",
        110_000,
    )
    assert duel.turns[1].text.startswith("Someone offered more. ")
    assert duel.turns[3].text.startswith("Someone offered more. ")
    assert observe(state, 0).outbid_rounds == 2
    assert not any(turn.text.startswith("Someone") for turn in as_duel(observe(state, 1)).turns)


def test_walking_away_alone_is_leaving_the_match() -> None:
    seen = observe(start(a_table((180_000, 190_000)))[0], 0)
    assert contested(seen, Walk("bye")) == Leave("bye")
    assert contested(seen, Accept("yes")) == Bid(Paise(180_000), "yes")
