"""Sellers of the population opposite people: the moves of suites, words that may be said."""

from random import Random

import msgspec
import pytest

from agents.output_guard.coherence import is_coherent, is_mere_talk, is_plain
from agents.output_guard.secrets import names_secret
from agents.sellers.people import SOMEBODY, LivePerson, PeoplePolicies, somebody
from agents.speech.promises import is_promise
from agents.testing.players import BUYERS, TO_SELLERS, a_scenario
from bazaarbatna.bargain import (
    Accept,
    Item,
    Offer,
    Paise,
    Scenario,
    State,
    apply,
    observe_seller,
    say,
    start,
)
from bazaarbatna.bargain.people.families import family_names, family_of
from bazaarbatna.bargain.people.held_out import HELD_OUT
from bazaarbatna.bargain.people.manner import price_unit
from bazaarbatna.bargain.people.paths import PathFamily
from bazaarbatna.bargain.people.seller import PersonSeller
from negotiation.bargain import opponent
from negotiation.bargain.honesty import certify
from negotiation.bargain.shops import PEOPLE, SHOPS
from negotiation.policies import policies, policy

FAMILIES = [name for name in family_names() if not isinstance(family_of(name), PathFamily)]
NAMES = [SOMEBODY, *(f"{SOMEBODY}-{name}" for name in (*FAMILIES, "recorded"))]


def a_game(seed: int, rounds: int = 10) -> Scenario:
    scenario = a_scenario(Random(seed), rounds=rounds)
    return msgspec.structs.replace(scenario, item=Item("Kettle", "kitchen", "A small dent"))


def rounded(scenario: Scenario) -> Scenario:
    """The same game with a reservation price that people would name."""
    unit = price_unit(scenario.anchor)
    reservation = Paise(max(unit, scenario.sealed.reservation // unit * unit))
    sealed = msgspec.structs.replace(scenario.sealed, reservation=reservation)
    return msgspec.structs.replace(scenario, sealed=sealed)


def test_every_family_can_be_chosen_and_has_a_stall() -> None:
    here = {entry.name for entry in policies("seller")}
    assert set(NAMES) <= here
    assert {f"{SOMEBODY}-{family.name}" for family in HELD_OUT} <= here
    assert {shop.policy for shop in SHOPS if shop.group == PEOPLE} == set(NAMES[1:])
    assert SHOPS[0].policy == SOMEBODY
    for name in NAMES:
        entry = policy(name)
        assert (entry.side, entry.live) == ("seller", None)
        assert entry.version.startswith(f"{name}@4#")
        assert len(entry.version) <= 80
    assert len({policy(name).version for name in NAMES}) == len(NAMES)
    assert PeoplePolicies().find("seller:people-nobody") is None


@pytest.mark.parametrize("name", NAMES)
def test_its_moves_are_legal_and_its_words_give_nothing_away(name: str) -> None:
    """Seeds 0 to 44, three kinds of buyers, who also talk."""
    for seed in range(45):
        dice, scenario = Random(seed), a_game(seed)
        state, opening = start(scenario)
        events = [*opening]
        while state.to_move is not None:
            if state.to_move == "buyer":
                if seed % 2:
                    state, said = say(state, "buyer", TO_SELLERS[seed % len(TO_SELLERS)])
                    events += said
                    turn = opponent.take(state, name)
                    assert turn is not None
                    state = turn.state
                    events += turn.events
                state, happened = apply(state, "buyer", BUYERS[seed % 3](state, dice))
            else:
                move = policy(name).make(scenario.sealed.seed).act(observe_seller(state))
                assert move.text
                assert is_plain(move.text, 320)
                assert not names_secret(move.text, scenario.sealed.reservation)
                assert is_coherent(move.text, observe_seller(state), move)
                state, happened = apply(state, "seller", move)
            events += happened
        sheet = certify(events, "seller", names_secret, is_promise)
        assert sheet.honest, sheet


def test_it_moves_as_it_does_in_suites() -> None:
    for name in FAMILIES:
        for seed in range(20):
            scenario = rounded(a_game(seed))
            sealed = msgspec.structs.replace(scenario.sealed, persona=f"people:{name}", seed=seed)
            scenario = msgspec.structs.replace(scenario, sealed=sealed)
            state, _ = start(scenario)
            for share in (0.4, 0.5, 0.55, 0.6, 0.6):
                bid = min(int(share * scenario.anchor), scenario.sealed.budget)
                state, _ = apply(state, "buyer", Offer(Paise(bid), "theek hai?"))
                if state.to_move is None:
                    break
                seen = observe_seller(state)
                told, live = (
                    PersonSeller(scenario).act(seen),
                    LivePerson.drawn(family_of(name), seed).act(seen),
                )
                assert msgspec.structs.replace(told, text="") == msgspec.structs.replace(
                    live, text=""
                )
                state, _ = apply(state, "seller", live)
                if state.to_move is None:
                    break


def test_somebody_is_one_of_all_families_and_the_same_one_again() -> None:
    drawn = [somebody(seed).manners for seed in range(400)]
    assert drawn == [somebody(seed).manners for seed in range(400)]
    found = {
        name for name in FAMILIES for seed in range(400)
        if family_of(name).draw(seed) == drawn[seed]
    }  # fmt: skip
    assert found == set(FAMILIES)


def _told(state: State, name: str, seed: int) -> str:
    return policy(name).make(seed).reply(observe_seller(state))  # type: ignore[no-any-return]


@pytest.mark.parametrize(
    ("said", "language"),
    [
        ("hello, is it still there?", "english"),
        ("bhaiya kitna kam karoge?", "hinglish"),
        ("कितना कम करेंगे?", "hindi"),
    ],
)
def test_it_answers_mere_words_in_the_language_of_the_buyer(said: str, language: str) -> None:
    """Seed 3."""
    from bazaarbatna.bargain.people.seller import all_lines

    state, _ = start(a_game(3))
    heard: list[str] = []
    for _ in range(3):
        state, _ = say(state, "buyer", said)
        text = _told(state, SOMEBODY, 3)
        assert text in all_lines()[language]["talk"]
        assert is_mere_talk(text, observe_seller(state))
        assert text not in heard
        heard.append(text)
        state, _ = say(state, "seller", text)


def test_a_price_at_the_limit_is_made_without_being_spoken() -> None:
    """All seeds whose seller comes down to its reservation price: 60 games, climbing bids."""
    silent = 0
    for seed in range(60):
        scenario = rounded(a_game(seed))
        state, _ = start(scenario)
        while state.to_move is not None:
            bid = min(
                scenario.sealed.reservation - 1,
                scenario.sealed.budget,
                int((0.5 + 0.04 * state.round) * scenario.anchor),
            )
            state, _ = apply(state, "buyer", Offer(Paise(max(bid, 1))))
            seen = observe_seller(state)
            move = somebody(seed).act(seen)
            if isinstance(move, Offer) and move.price == seen.reservation:
                assert not any(character.isdigit() for character in move.text)
                silent += 1
            assert not isinstance(move, Accept)
            state, _ = apply(state, "seller", move)
    assert silent > 5


def test_no_ask_stops_at_an_odd_reservation_price() -> None:
    """60 games, climbing bids below it: every ask is the opening one or a round number."""
    for seed in range(60):
        scenario = a_game(seed)
        state, _ = start(scenario)
        unit = price_unit(scenario.anchor)
        while state.to_move is not None:
            bid = min(
                scenario.sealed.reservation - 1, int((0.5 + 0.04 * state.round) * scenario.anchor)
            )
            state, _ = apply(state, "buyer", Offer(Paise(max(min(bid, scenario.sealed.budget), 1))))
            move = somebody(seed).act(observe_seller(state))
            if isinstance(move, Offer):
                assert move.price % unit == 0 or move.price == scenario.anchor
            state, _ = apply(state, "seller", move)
