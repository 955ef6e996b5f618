"""What holds in every game, whoever plays: legal players, chancers and Mallory."""

from itertools import pairwise
from random import Random
from typing import get_args

import pytest
from hypothesis import assume, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from bazaarbatna.bargain import (
    Accept,
    Buyer,
    Ended,
    Event,
    GameOver,
    IllegalMove,
    Log,
    MessageSent,
    Offer,
    OfferAccepted,
    OfferMade,
    OfferWithdrawn,
    Opened,
    Paise,
    Seller,
    SellerRules,
    State,
    Tells,
    TellsShown,
    Walk,
    WalkedAway,
    apply,
    fold,
    from_text,
    highest_ask,
    is_kept,
    legal_moves,
    make_scenario,
    play_episode,
    say,
    show_tells,
    start,
    suite_ids,
    to_text,
)
from bazaarbatna.bargain.quantities import MAX_PRICE, MIN_PRICE
from tests.support.players import (
    NonsensePlayer,
    PatientBuyer,
    RandomBuyer,
    SteadyBuyer,
    a_scenario,
)

GAMES = 5000
BLOCKS = 10


def check_prices(log: Log) -> None:
    """Every price is a whole number in range and inside its side's own limit."""
    sealed = log.scenario.sealed
    asks = [log.scenario.anchor]
    for event in log.events:
        if not isinstance(event, OfferMade | OfferAccepted):
            continue
        assert type(event.price) is int
        assert MIN_PRICE <= event.price <= MAX_PRICE
        if event.actor == "buyer":
            assert event.price <= sealed.budget
        else:
            assert event.price >= sealed.reservation
            if isinstance(event, OfferMade):
                asks.append(event.price)
    raise_limit = 1 + log.scenario.rules.bluff_raise
    assert all(after <= before * raise_limit for before, after in pairwise(asks))


def check_order(log: Log) -> None:
    """Sides alternate within the round limit, one ending, and nothing after it."""
    assert isinstance(log.events[0], Opened)
    assert [isinstance(event, Ended) for event in log.events].count(True) == 1
    assert log.ended is not None
    moves = [e for e in log.events if isinstance(e, OfferMade | OfferAccepted | WalkedAway)]
    for number, move in enumerate(moves):
        assert move.actor == ("buyer", "seller")[number % 2]
        assert move.round == number // 2 + 1 <= log.scenario.max_rounds
    assert all(isinstance(move, OfferMade) for move in moves[:-1])


def check_end(log: Log) -> None:
    """A deal is at the standing price that was taken; shares add to 1; the promise was kept."""
    ended, opened = log.ended, log.events[0]
    assert ended is not None
    assert isinstance(opened, Opened)
    assert is_kept(opened.commitment, ended.opened, ended.salt)
    standing = {"seller": log.scenario.anchor}
    for event in log.events:
        if isinstance(event, OfferMade):
            standing[event.actor] = event.price
        if isinstance(event, OfferAccepted):
            taken_from = "seller" if event.actor == "buyer" else "buyer"
            assert event.price == ended.price == standing[taken_from]
    if ended.outcome == "deal":
        assert log.scenario.zopa >= 0
        assert 0.0 <= ended.buyer_share <= 1.0
        assert ended.buyer_share + ended.seller_share == pytest.approx(1.0, abs=1e-12)
    else:
        assert (ended.price, ended.buyer_share, ended.seller_share) == (None, 0.0, 0.0)


def a_game(number: int) -> Log:
    """Game ``number``: any suite, any buyer, the pinned seller or a player of nonsense."""
    rng = Random(number)
    suite = suite_ids()[number % len(suite_ids())]
    scenario = make_scenario(suite, seed=number)
    buyers: tuple[type[Buyer], ...] = (SteadyBuyer, PatientBuyer, RandomBuyer, NonsensePlayer)
    buyer = buyers[number // 16 % 4](number)  # type: ignore[call-arg]
    seller: Seller | None = NonsensePlayer(number + 1) if rng.random() < 0.3 else None
    return play_episode(scenario, buyer, seller=seller)


@pytest.mark.parametrize("block", range(BLOCKS))
def test_every_game_keeps_the_rules(block: int) -> None:
    size = GAMES // BLOCKS
    outcomes = set()
    for number in range(block * size, (block + 1) * size):
        log = a_game(number)
        check_prices(log)
        check_order(log)
        check_end(log)
        assert fold(log.scenario, log.events).ended == log.ended
        assert from_text(to_text(log)).log == log
        assert log.ended is not None
        outcomes.add((log.ended.outcome, log.ended.by))
    assert outcomes == {
        ("deal", "buyer"),
        ("deal", "seller"),
        ("walk", "buyer"),
        ("walk", "seller"),
        ("expired", None),
    }


class Table(RuleBasedStateMachine):
    """Asha and a buyer at one table, in any order, right and wrong."""

    @initialize(
        reservation=st.integers(1, 5000),
        markup=st.integers(0, 5000),
        budget=st.integers(1, 12000),
        rounds=st.integers(1, 6),
        bluff=st.sampled_from([0.0, 0.03]),
    )
    def open(self, reservation: int, markup: int, budget: int, rounds: int, bluff: float) -> None:
        self.scenario = a_scenario(
            anchor=reservation + markup,
            reservation=reservation,
            cost=reservation,
            budget=budget,
            rounds=rounds,
            rules=SellerRules(bluff_raise=bluff),
        )
        self.state, opening = start(self.scenario)
        self.events: list[Event] = list(opening)

    def take(self, result: tuple[State, tuple[Event, ...]]) -> None:
        self.state = result[0]
        self.events += result[1]

    @precondition(lambda self: self.state.ended is None)
    @rule(price=st.integers(-10, 13000), text=st.text(max_size=10))
    def offer(self, price: int, text: str) -> None:
        side = self.state.to_move
        assert side is not None
        sealed = self.scenario.sealed
        if side == "buyer":
            legal = 1 <= price <= sealed.budget
        else:
            legal = sealed.reservation <= price <= highest_ask(self.state)
        self.attempt(Offer(Paise(price), text), legal)

    @precondition(lambda self: self.state.ended is None)
    @rule()
    def accept(self) -> None:
        side = self.state.to_move
        assert side is not None
        self.attempt(Accept(), "accept" in legal_moves(self.state, side))

    @precondition(lambda self: self.state.ended is None)
    @rule(sure=st.integers(0, 3))
    def walk(self, sure: int) -> None:
        assume(sure == 3)
        self.attempt(Walk(), legal=True)

    def attempt(self, move: Offer | Accept | Walk, legal: bool) -> None:
        before, side = self.state, self.state.to_move
        assert side is not None
        if legal:
            self.take(apply(before, side, move))
        else:
            with pytest.raises(IllegalMove):
                apply(before, side, move)
            assert self.state is before

    @precondition(lambda self: self.state.ended is None)
    @rule(side=st.sampled_from(["buyer", "seller"]), text=st.text(max_size=10))
    def talk(self, side: str, text: str) -> None:
        prices = self.state.asks, self.state.bids, self.state.to_move
        self.take(say(self.state, side, text))  # type: ignore[arg-type]
        self.take(show_tells(self.state, "seller", Tells(repeat_phrases=len(text))))
        assert (self.state.asks, self.state.bids, self.state.to_move) == prices

    @rule(move=st.sampled_from([Offer(Paise(3000)), Accept(), Walk()]))
    def mallory_moves_out_of_turn(self, move: Offer | Accept | Walk) -> None:
        for side in ("buyer", "seller"):
            if side != self.state.to_move:
                with pytest.raises(GameOver if self.state.ended else IllegalMove):
                    apply(self.state, side, move)

    @invariant()
    def the_log_is_the_state(self) -> None:
        assert fold(self.scenario, self.events) == self.state

    @invariant()
    def somebody_may_move_until_the_end(self) -> None:
        movers = [side for side in ("buyer", "seller") if legal_moves(self.state, side)]
        assert len(movers) == (self.state.ended is None)
        assert self.state.round <= self.scenario.max_rounds


Table.TestCase.settings = settings(max_examples=300, stateful_step_count=25, deadline=None)
TestTable = Table.TestCase


def test_no_kind_of_event_is_left_out_above() -> None:
    kinds = {OfferMade, OfferAccepted, WalkedAway, MessageSent, TellsShown, Opened, Ended}
    # A price is taken back by people alone, in tests of its own.
    assert kinds == set(get_args(Event)) - {OfferWithdrawn}
