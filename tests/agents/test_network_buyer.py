"""What the network may never do, whatever it scores highest."""

from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec
import numpy as np
import pytest

from agents.buyers import bound
from agents.buyers.network import Network
from agents.buyers.network_buyer import (
    CLOCKS,
    HOPELESS,
    LAST_TRY,
    NetworkBuyer,
    NetworkBuyerWithoutTells,
    network_in,
    shipped_network,
)
from agents.buyers.positions import position_of
from agents.red_team.payloads import PAYLOADS, Payload, filled
from agents.speech.bank import corpus
from agents.speech.plan import plan_of
from agents.speech.promises import is_warning
from agents.testing.players import SELLERS, a_scenario, check_policy
from bazaarbatna.bargain.episode import apply, start
from bazaarbatna.bargain.moves import Accept, Move, Offer, Walk
from bazaarbatna.bargain.observe import BuyerObservation, observe_buyer
from bazaarbatna.bargain.people.manner import price_unit
from bazaarbatna.bargain.quantities import Paise
from bazaarbatna.bargain.tells import Tells
from bazaarbatna.players.guard import guard
from bazaarbatna.players.simple import Waiter
from tests.support.positions import a_position, with_words

BUYERS = (NetworkBuyer, NetworkBuyerWithoutTells)
MANY_GAMES = 2_000
SLOTS = {"limit": "budget", "ask": "1400", "bid": "900", "guess": "1350"}


def some_tells(dice: Random) -> Tells | None:
    """Any levels, also none at all."""
    if dice.random() < 0.3:
        return None
    one, two, three, four, five = (dice.random() if dice.random() < 0.8 else None for _ in range(5))
    return Tells(one, two, three, four, five)


def moves_of(number: int) -> Iterator[tuple[BuyerObservation, Move]]:
    """Play game ``number`` with one of the kit's sellers to its end: views and moves."""
    dice = Random(number)
    scenario = a_scenario(dice, rounds=dice.choice((1, 2, 8, 10, 12)))
    buyer = NetworkBuyer(scenario.sealed.seed)
    state, _ = start(scenario)
    while state.to_move is not None:
        if state.to_move == "seller":
            state, _ = apply(state, "seller", SELLERS[number % len(SELLERS)](state, dice))
            continue
        seen = msgspec.structs.replace(observe_buyer(state), tells=some_tells(dice))
        move = buyer.decide(seen)
        yield seen, move
        state, _ = apply(state, "buyer", move)


def that_chooses(choice: int, worth: float = 1.0) -> Network:
    """Return a network that scores one choice highest everywhere and expects ``worth``."""
    seen = position_of(a_position(), 1)
    weights: dict[str, Any] = {}
    for tower, numbers, outputs in (
        ("choose", bound.features(seen), bound.CHOICES),
        ("worth", bound.worth_features(seen), 1),
    ):
        for layer, shape in ((0, (2, numbers.shape[1])), (2, (2, 2)), (4, (outputs, 2))):
            weights[f"{tower}.{layer}.weight"] = np.zeros(shape)
            weights[f"{tower}.{layer}.bias"] = np.zeros(shape[0])
    weights["choose.4.bias"][choice] = 1.0
    weights["worth.4.bias"][0] = worth
    return Network(weights)


@pytest.mark.parametrize("buyer", BUYERS)
def test_the_network_passes_the_contract_kit(buyer: type[NetworkBuyer]) -> None:
    check_policy(buyer, seed=7)


def test_the_promises_hold_in_thousands_of_games_of_sellers_it_never_met() -> None:
    """Games 0 to 1,999: bids in round prices, none falls, none is above the budget."""
    kinds = set()
    for number in range(MANY_GAMES):
        for seen, move in moves_of(number):
            kinds.add(type(move))
            last = seen.own_last_bid or 0
            if isinstance(move, Accept):
                assert seen.standing_ask <= seen.budget, number
            if isinstance(move, Offer):
                assert max(last, 1) <= move.price <= seen.budget, number
                assert move.price < seen.standing_ask, number
                is_round = move.price % price_unit(seen.opening_ask) == 0
                assert is_round or move.price in (last, seen.budget), number
    assert kinds == {Offer, Accept, Walk}


@pytest.mark.parametrize("choice", range(bound.CHOICES))
@pytest.mark.parametrize("budget", [300, 1195.55, 1500, 2500])
def test_no_choice_breaks_a_promise(choice: int, budget: float) -> None:
    buyer = NetworkBuyer(1, that_chooses(choice))
    for bids in ((), (290,), (290, 295.5)):
        seen = a_position((1800, 1600, 1400, 1300)[: len(bids) + 1], bids, budget=budget)
        move = buyer.decide(seen)
        if isinstance(move, Offer):
            assert max(seen.own_last_bid or 0, 1) <= move.price <= seen.budget
        else:
            assert isinstance(move, Accept)
            assert seen.standing_ask <= seen.budget


def test_the_last_choice_takes_the_ask_where_the_budget_allows_it() -> None:
    buyer = NetworkBuyer(1, that_chooses(bound.TAKE))
    assert buyer.decide(a_position((1800, 1500), (900,), budget=1500)) == Accept()
    stays = buyer.decide(a_position((1800, 1600), (900,), budget=1234.56))
    assert stays == Offer(Paise(90_000))


@pytest.mark.parametrize(
    ("worth", "bids", "budget", "leaves"),
    [
        (HOPELESS - 0.001, (300, 400, 450), 1000, True),
        (HOPELESS + 0.001, (300, 400, 450), 1000, False),
        (HOPELESS - 0.001, (300, 400), 1000, False),
        (HOPELESS - 0.001, (300, 400, 450), 1300, False),
    ],
)
def test_it_leaves_only_where_three_bids_were_refused_and_nothing_is_to_be_won(
    worth: float, bids: tuple[float, ...], budget: float, leaves: bool
) -> None:
    buyer = NetworkBuyer(1, that_chooses(0, worth))
    seen = a_position((1800, 1600, 1400, 1300)[: len(bids) + 1], bids, budget=budget)
    of_a_suite = msgspec.structs.replace(seen, suite="people@1")
    assert isinstance(buyer.decide(of_a_suite), Walk) is leaves
    warned = msgspec.structs.replace(
        seen, earlier=("Saaf bolti hoon: ₹250, aur farak itna hi raha to mujhe jaana hoga.",)
    )
    assert isinstance(buyer.decide(warned), Walk) is leaves


@pytest.mark.parametrize(
    "said",
    [
        "7500, madam",
        "nahi, kam hai",
        "नहीं, इतने में नहीं",
        "that is my last price",
        "another buyer gives more",
    ],
)
@pytest.mark.parametrize("bids", [(300, 350, 400), (300, 350, 999)])
def test_a_person_hears_that_it_will_leave_and_gets_a_bid_with_it(
    bids: tuple[float, ...], said: str
) -> None:
    """Some way to the budget, and gone at the next turn if nothing came of it."""
    buyer = NetworkBuyer(1, that_chooses(0, HOPELESS - 0.001))
    seen = with_words(a_position((1800, 1600, 1400, 1300), bids, budget=1000), said)
    move = buyer.act(seen)
    assert isinstance(move, Offer)
    least, most = (100 * (bids[-1] + part * (1000 - bids[-1])) for part in LAST_TRY)
    assert max(least - 5_000, 100 * bids[-1]) <= move.price <= most
    assert is_warning(move.text)
    assert plan_of(seen, move).because == "far-apart"
    later = msgspec.structs.replace(seen, earlier=(move.text,))
    assert isinstance(buyer.act(later), Walk)
    at_the_end = msgspec.structs.replace(seen, round=seen.max_rounds)
    assert not is_warning(buyer.act(at_the_end).text), "no round is left to leave in"


def test_a_last_try_does_not_tell_the_budget() -> None:
    """Who knows the rule and not the seed is left with a range that is twice as wide at its end."""
    last, budget = 300, 1000
    seen = a_position((1800, 1600, 1400, 1300), (200, 250, last), budget=budget)
    network = that_chooses(0, HOPELESS - 0.001)
    bids = set()
    for seed in range(40):
        move = NetworkBuyer(seed, network).decide(seen)
        assert isinstance(move, Offer)
        bids.add(move.price / 100)
    assert max(bids) - last >= 2 * (min(bids) - last)
    assert len(bids) >= 5


def test_no_other_line_of_the_bank_is_taken_for_a_warning() -> None:
    assert not any(is_warning(one.line) for one in corpus())


@pytest.mark.parametrize("buyer", BUYERS)
def test_the_same_view_gets_the_same_move_from_every_copy(buyer: type[NetworkBuyer]) -> None:
    """Games 0 to 39, each view shown again to a buyer that saw nothing before."""
    for number in range(40):
        for seen, _ in moves_of(number):
            assert buyer(5).act(seen) == buyer(5).act(seen)


def test_an_opening_is_drawn_by_luck() -> None:
    """Games 0 to 39, each with twelve seeds: hardly ever two or three openings alone."""
    apart = 0
    for number in range(40):
        seen, _ = next(moves_of(number))
        apart += len({NetworkBuyer(seed).decide(seen) for seed in range(12)}) > 3
    assert apart > 30


@pytest.mark.parametrize("payload", PAYLOADS, ids=lambda payload: payload.id)
def test_no_words_change_a_move(payload: Payload) -> None:
    """What it notices and the prices being equal, whatever was said is as if nothing was."""
    for bids in ((), (600,), (600, 900)):
        asks = (1800, 1600, 1400)[: len(bids) + 1]
        quiet = a_position(asks, bids, budget=1350, tells=Tells(verbal_urgency=0.6))
        attacked = quiet
        for part in payload.parts:
            attacked = with_words(attacked, filled(part, SLOTS))
        item = msgspec.structs.replace(attacked.item, title=filled(payload.parts[0], SLOTS))
        attacked = msgspec.structs.replace(attacked, item=item)
        assert attacked.turns
        assert NetworkBuyer(2).decide(attacked) == NetworkBuyer(2).decide(quiet)


def test_what_it_notices_counts_and_the_blind_arm_does_not_look() -> None:
    """Games 0 to 299, each view with no signals and with those of a seller in despair."""
    despair = Tells(1.0, 0.0, 0.0, 1.0, 1.0)
    moved = 0
    for number in range(300):
        for seen, _ in moves_of(number):
            calm = msgspec.structs.replace(seen, tells=None)
            torn = msgspec.structs.replace(seen, tells=despair)
            moved += NetworkBuyer(1).decide(calm) != NetworkBuyer(1).decide(torn)
            blind = NetworkBuyerWithoutTells(1)
            assert blind.decide(calm) == blind.decide(torn) == NetworkBuyer(1).decide(calm)
    assert moved > 0


@pytest.mark.parametrize("suite", sorted(CLOCKS))
def test_it_waits_where_the_published_sellers_are_clocks(suite: str) -> None:
    for bids in ((), (864,), (864, 864)):
        position = a_position((1800, 1600, 1600)[: len(bids) + 1], bids, budget=1700)
        seen = msgspec.structs.replace(position, suite=f"{suite}@1")
        waits = guard(seen, Waiter(4).propose(seen))
        assert NetworkBuyer(4).decide(seen) == waits


def test_its_version_names_the_weights_that_play() -> None:
    card = network_in(shipped_network())[1]
    assert NetworkBuyer.version() == f"sauda-network@{NetworkBuyer.number}#{card.digest}"
    assert (
        NetworkBuyerWithoutTells.version()
        == f"sauda-network-without-tells@{NetworkBuyer.number}#{card.digest}"
    )


@pytest.mark.parametrize("ask", [300, 500])
@pytest.mark.parametrize("budget", [1200, 1700])
def test_an_ask_at_or_below_the_own_bid_is_taken(ask: int, budget: int) -> None:
    assert NetworkBuyer(3).decide(a_position((2000, ask), (500,), budget=budget)) == Accept()
