"""What holds in every match, whoever plays: chancers in any order, and Mallory."""

from collections.abc import Sequence
from itertools import pairwise
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from bazaarbatna.auction.events import (
    ArenaEvent,
    ArenaMove,
    AskLowered,
    AttentionTurned,
    Bid,
    Ended,
    Hold,
    Leave,
    Opened,
    Placed,
    RoundRevealed,
    Sold,
    Take,
)
from bazaarbatna.auction.match import ArenaState, fold, place, start
from bazaarbatna.auction.observe import observe, play_match
from bazaarbatna.auction.scenario import ArenaScenario
from bazaarbatna.bargain.errors import BrokenLog, GameOver, IllegalMove, NotYourTurn
from bazaarbatna.bargain.quantities import MAX_PRICE, MIN_PRICE, Paise
from bazaarbatna.bargain.sealed import is_kept
from tests.support.matches import a_match, a_table, chancer, end_of, envelopes

MATCHES = 2400
BLOCKS = 4

ENCODER = msgspec.json.Encoder()
DECODER: msgspec.json.Decoder[tuple[ArenaEvent, ...]] = msgspec.json.Decoder(tuple[ArenaEvent, ...])


def a_random_match(number: int) -> tuple[ArenaScenario, tuple[ArenaEvent, ...]]:
    scenario = a_match(number)
    order = list(range(len(scenario.seats)))
    Random(number).shuffle(order)
    return scenario, play_match(scenario, lambda seat: chancer(number), order=order)


def check_prices(scenario: ArenaScenario, events: Sequence[ArenaEvent]) -> None:
    """No bid above a budget, the ask or below an earlier bid; no ask that rises or goes too low."""
    sealed = scenario.sealed
    asks = [event.price for event in events if isinstance(event, Opened | AskLowered)]
    assert all(
        sealed.reservation <= after <= before for before, after in pairwise([*asks, asks[-1]])
    )
    standing: dict[int, Paise] = {}
    for revealed in (event for event in events if isinstance(event, RoundRevealed)):
        ask = asks[revealed.round - 1]
        for bid in revealed.bids:
            if bid.price is None:
                assert bid.buyer not in standing or bid.action == "walk"
                continue
            assert type(bid.price) is int
            assert MIN_PRICE <= bid.price <= min(sealed.budgets[bid.buyer], ask, MAX_PRICE)
            assert bid.price >= standing.get(bid.buyer, 0)
            standing[bid.buyer] = bid.price


def check_order(scenario: ArenaScenario, events: Sequence[ArenaEvent]) -> None:
    """One opening, one ending, one envelope per buyer and round, none after leaving."""
    assert isinstance(events[0], Opened)
    assert [isinstance(event, Ended) for event in events].count(True) == 1
    there = set(range(len(scenario.seats)))
    for round_ in range(1, end_of(tuple(events)).round + 1):
        placed = [event for event in envelopes(tuple(events)) if event.round == round_]
        assert {event.buyer for event in placed} == there
        assert len(placed) == len(there)
        there -= {event.buyer for event in placed if isinstance(event.move, Leave)}
    assert end_of(tuple(events)).round <= scenario.max_rounds
    assert max(event.round for event in envelopes(tuple(events))) == end_of(tuple(events)).round


def check_end(scenario: ArenaScenario, events: Sequence[ArenaEvent]) -> None:
    """A deal is the winner's standing bid, the highest; shares are parts of one pie."""
    ended, opened = end_of(tuple(events)), events[0]
    assert isinstance(opened, Opened)
    assert is_kept(opened.commitment, ended.opened, ended.salt)
    last = [event for event in events if isinstance(event, RoundRevealed)][-1]
    standing = {bid.buyer: bid.price for bid in last.bids if bid.price is not None}
    if ended.winner is None:
        assert (ended.price, ended.seller_share, sum(ended.shares)) == (None, 0.0, 0.0)
        stayed = any(bid.action != "walk" for bid in last.bids)
        assert ended.outcome == ("expired" if stayed else "walk")
        assert ended.round == scenario.max_rounds or not stayed
        return
    assert ended.outcome == "deal"
    assert ended.price == standing[ended.winner] == max(standing.values())
    assert scenario.sealed.reservation <= standing[ended.winner]
    assert all(0.0 <= share <= 1.0 for share in (*ended.shares, ended.seller_share))
    assert sum(ended.shares) + ended.seller_share == pytest.approx(1.0, abs=1e-12)
    assert all(share == 0 for seat, share in enumerate(ended.shares) if seat != ended.winner)
    sold = events[-2]
    assert isinstance(sold, Sold)
    assert sold.capitulated == (sold.price > 0.85 * scenario.anchor)


def check_attention(events: Sequence[ArenaEvent]) -> None:
    for event in events:
        if isinstance(event, AttentionTurned):
            assert all(0.0 <= share <= 1.0 for share in event.shares)
            assert sum(event.shares) == pytest.approx(1.0, abs=5e-4) or sum(event.shares) == 0


@pytest.mark.parametrize("block", range(BLOCKS))
def test_every_match_keeps_the_rules(block: int) -> None:
    size = MATCHES // BLOCKS
    outcomes = set()
    for number in range(block * size, (block + 1) * size):
        scenario, events = a_random_match(number)
        check_prices(scenario, events)
        check_order(scenario, events)
        check_end(scenario, events)
        check_attention(events)
        assert fold(scenario, events).ended == end_of(events)
        outcomes.add(end_of(events).outcome)
    assert outcomes == {"deal", "walk", "expired"}


def test_every_prefix_of_a_log_folds_to_the_position_it_left() -> None:
    for number in range(40):
        scenario, events = a_random_match(number)
        state, _ = start(scenario)
        for length, event in enumerate(events, start=1):
            if isinstance(event, Placed):
                state, _ = place(state, event.buyer, event.move)
            assert fold(scenario, events[:length]) == state
        assert DECODER.decode(ENCODER.encode(events)) == events


def test_a_log_that_was_tampered_with_does_not_fold() -> None:
    broken = 0
    for number in range(60):
        scenario, events = a_random_match(number)
        at = 1 + number % (len(events) - 1)
        without, twice = events[:at] + events[at + 1 :], events[: at + 1] + events[at:]
        for log in (without, twice, events[1:], ()):
            try:
                ended = fold(scenario, log).ended
            except BrokenLog:
                broken += 1
            else:
                # Cut off at its end, or two envelopes of one round exchanged their places.
                assert at >= len(events) - 1 or ended is None or ended == end_of(events)
    assert broken > 200


def test_the_order_of_envelopes_changes_nothing_but_the_log() -> None:
    for number in range(150):
        scenario = a_match(number)
        seats = list(range(len(scenario.seats)))
        results = set()
        for turn in range(3):
            Random(f"{number}:{turn}").shuffle(seats)
            players = [chancer(number)] * len(seats)
            events = play_match(scenario, players.__getitem__, order=list(seats))
            told = tuple(event for event in events if not isinstance(event, Placed))
            results.add(ENCODER.encode(told))
        assert len(results) == 1


def test_the_same_seed_gives_the_same_bytes() -> None:
    for number in range(50):
        assert ENCODER.encode(a_random_match(number)) == ENCODER.encode(a_random_match(number))


def positions(number: int) -> list[ArenaState]:
    scenario, events = a_random_match(number)
    state, _ = start(scenario)
    found = [state]
    for event in envelopes(events):
        state, _ = place(state, event.buyer, event.move)
        found.append(state)
    return found


def other_budgets(state: ArenaState, seat: int) -> ArenaState:
    sealed = state.scenario.sealed
    budgets = tuple(
        budget if at == seat else Paise(budget + 12_345) for at, budget in enumerate(sealed.budgets)
    )
    changed = msgspec.structs.replace(
        sealed, budgets=budgets, cost=Paise(sealed.cost + 1), seed=sealed.seed + 1
    )
    return msgspec.structs.replace(
        state, scenario=msgspec.structs.replace(state.scenario, sealed=changed, salt="other")
    )


def other_words(state: ArenaState, seat: int) -> ArenaState:
    rounds = tuple(
        tuple(
            bid if bid.buyer == seat else msgspec.structs.replace(bid, text="Chetan reads this")
            for bid in opened
        )
        for opened in state.rounds
    )
    return msgspec.structs.replace(state, rounds=rounds)


def test_a_view_does_not_depend_on_what_others_keep_secret() -> None:
    for number in range(80):
        for state in positions(number):
            for seat in range(len(state.bids)):
                seen = observe(state, seat)
                assert observe(other_budgets(state, seat), seat) == seen
                assert observe(other_words(state, seat), seat) == seen
                if seen.persona is None:
                    assert state.scenario.sealed.persona not in repr(seen)


def test_closed_envelopes_of_others_are_invisible() -> None:
    for number in range(80):
        for state in positions(number):
            for seat in range(len(state.bids)):
                empty = (None,) * len(state.bids)
                unplaced = msgspec.structs.replace(state, pending=empty)
                assert observe(state, seat) == observe(unplaced, seat)


def test_of_other_bids_a_buyer_learns_only_that_it_was_outbid() -> None:
    public = {"asks", "tells", "outbid", "outbid_rounds", "turns"}
    learned = 0
    for number in range(300):
        scenario, dice = a_table((180_000, 190_000, 150_000), seed=number), Random(number)
        seen = []
        for _ in range(2):
            state, _ = start(scenario)
            state, _ = place(state, 0, Bid(Paise(100_000), "mine"))
            state, _ = place(state, 1, Bid(Paise(dice.randint(1, 140_000)), "theirs"))
            state, _ = place(state, 2, Bid(Paise(dice.randint(1, 140_000)), "theirs"))
            seen.append(observe(state, 0))
        one, other = seen
        for name in set(one.__struct_fields__) - public:
            assert getattr(one, name) == getattr(other, name)
        if one.asks == other.asks and one.outbid == other.outbid:
            assert one == other
            learned += 1
        own = [[turn for turn in view.turns if turn.actor == "buyer"] for view in seen]
        assert own[0] == own[1]
        assert "theirs" not in repr(seen)
    assert learned > 20


BAD_MOVES: tuple[Any, ...] = (
    None,
    "offer",
    Bid(Paise(0)),
    Bid(Paise(-5)),
    Bid(Paise(10**12)),
    Bid(True),  # type: ignore[arg-type]
    Bid(1500.0),  # type: ignore[arg-type]
    Bid(float("nan")),  # type: ignore[arg-type]
    Bid("1500"),  # type: ignore[arg-type]
    Bid(Paise(5), "x" * 2001),
    Bid(Paise(5), None),  # type: ignore[arg-type]
    Hold(b"bytes"),  # type: ignore[arg-type]
    Hold("", "shout"),  # type: ignore[arg-type]
    Hold("", "capitulation"),  # type: ignore[arg-type]
    Leave("", ["compete"]),  # type: ignore[arg-type]
)


@pytest.mark.parametrize("move", BAD_MOVES)
def test_mallory_cannot_put_nonsense_into_an_envelope(move: Any) -> None:
    state, _ = start(a_table((180_000, 190_000)))
    with pytest.raises(IllegalMove):
        place(state, 0, move)


class Table(RuleBasedStateMachine):
    """Two to four buyers at one item, in any order, right and wrong."""

    @initialize(
        reservation=st.integers(1, 5000),
        markup=st.integers(0, 5000),
        budgets=st.lists(st.integers(1, 12_000), min_size=2, max_size=4),
        rounds=st.integers(1, 5),
        seed=st.integers(0, 2**53),
        persona=st.sampled_from(["default", "deceptive", "impatient", "collaborative"]),
    )
    def open(
        self,
        reservation: int,
        markup: int,
        budgets: list[int],
        rounds: int,
        seed: int,
        persona: str,
    ) -> None:
        self.scenario = a_table(
            tuple(budgets),
            anchor=reservation + markup,
            reservation=reservation,
            rounds=rounds,
            seed=seed,
            persona=persona,
        )
        self.state, opening = start(self.scenario)
        self.events: list[ArenaEvent] = list(opening)

    def attempt(self, seat: int, move: ArenaMove, legal: bool) -> None:
        before = self.state
        if not before.awaits(seat):
            with pytest.raises(GameOver if before.ended else NotYourTurn):
                place(before, seat, move)
        elif legal:
            self.state, happened = place(before, seat, move)
            self.events += happened
        else:
            with pytest.raises(IllegalMove) as caught:
                place(before, seat, move)
            others = {b for at, b in enumerate(self.scenario.sealed.budgets) if at != seat}
            assert not any(str(other) in str(caught.value) for other in others if other > 999)

    @rule(data=st.data(), price=st.integers(-3, 13_000), text=st.text(max_size=5))
    def bid(self, data: st.DataObject, price: int, text: str) -> None:
        seat = data.draw(st.integers(0, len(self.state.bids) - 1))
        own = self.state.bids[seat] or 1
        legal = own <= price <= self.scenario.sealed.budgets[seat]
        self.attempt(seat, Bid(Paise(price), text), legal)

    @rule(data=st.data())
    def take(self, data: st.DataObject) -> None:
        seat = data.draw(st.integers(0, len(self.state.bids) - 1))
        self.attempt(seat, Take(), self.state.ask <= self.scenario.sealed.budgets[seat])

    @rule(data=st.data(), signal=st.sampled_from([None, "cooperate", "compete", "bluff"]))
    def hold(self, data: st.DataObject, signal: Any) -> None:
        seat = data.draw(st.integers(0, len(self.state.bids) - 1))
        self.attempt(seat, Hold("", signal), legal=True)

    @precondition(lambda self: self.state.round > 1)
    @rule(data=st.data())
    def leave(self, data: st.DataObject) -> None:
        seat = data.draw(st.integers(0, len(self.state.bids) - 1))
        self.attempt(seat, Leave(), legal=True)

    @rule(seat=st.sampled_from([-1, 4, 17]))
    def nobody_sits_there(self, seat: int) -> None:
        with pytest.raises(GameOver if self.state.ended else NotYourTurn):
            place(self.state, seat, Hold())

    @invariant()
    def the_log_is_the_state(self) -> None:
        assert fold(self.scenario, self.events) == self.state

    @invariant()
    def somebody_is_awaited_until_the_end(self) -> None:
        assert bool(self.state.awaited) == (self.state.ended is None)
        if self.state.ended is not None:
            check_prices(self.scenario, self.events)
            check_order(self.scenario, self.events)
            check_end(self.scenario, self.events)


Table.TestCase.settings = settings(max_examples=100, stateful_step_count=25, deadline=None)
TestTable = Table.TestCase
