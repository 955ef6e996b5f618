"""Whatever is proposed, whatever the seller does: the buyer keeps its promises."""

import math
from random import Random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from agents.buyers import steering
from agents.buyers.sauda import Sauda
from agents.output_guard.coherence import is_plain
from agents.output_guard.secrets import names_secret
from agents.speech.voice import Voice
from agents.testing.players import SELLERS, a_scenario
from bazaarbatna.bargain.episode import apply, start
from bazaarbatna.bargain.moves import Accept, Offer, Walk
from bazaarbatna.bargain.observe import BuyerObservation, observe_buyer
from bazaarbatna.bargain.quantities import MAX_PRICE
from bazaarbatna.players.guard import guard
from tests.support.players import NONSENSE
from tests.support.positions import a_position
from tests.support.promises import assert_kept

GAMES = 2_000


class Hostile:
    """Mallory as the model behind the buyer: any price, any kind, any text."""

    def __init__(self, seed: int) -> None:
        self.dice = Random(seed)

    def propose(self, observation: BuyerObservation) -> Any:
        dice = self.dice
        if dice.random() < 0.4:
            return dice.choice(NONSENSE)
        price: Any = dice.choice(
            (
                dice.randint(-(10**12), 10**12),
                dice.uniform(-1e12, 1e12),
                observation.budget + dice.randint(-2, 2),
                observation.standing_ask + dice.randint(-2, 2),
                (observation.own_last_bid or 0) - 1,
                math.nan,
            )
        )
        return dice.choice((Offer(price, "x"), Accept("y" * 3000), Walk("z")))


def test_hostile_proposals_never_break_a_rule_in_two_thousand_games() -> None:
    ended = {"deal": 0, "walk": 0, "expired": 0}
    for number in range(GAMES):
        dice = Random(number)
        scenario = a_scenario(dice, rounds=dice.choice((1, 2, 8, 10)))
        seller, mallory = SELLERS[number % len(SELLERS)], Hostile(number)
        state, _ = start(scenario)
        while state.to_move is not None:
            if state.to_move == "seller":
                state, _ = apply(state, "seller", seller(state, dice))
                continue
            observation = observe_buyer(state)
            proposal = mallory.propose(observation)
            wish = steering.steer(observation, proposal) if number % 2 else proposal
            move = guard(observation, wish)
            assert_kept(observation, move)
            # apply() refuses what is illegal: it is the judge here.
            state, _ = apply(state, "buyer", move)
        assert state.ended is not None
        ended[state.ended.outcome] += 1
        if state.ended.price is not None:
            assert state.ended.price <= scenario.sealed.budget
    assert all(count > 20 for count in ended.values()), ended


prices = st.integers(1, MAX_PRICE)
proposals = st.one_of(
    st.sampled_from(NONSENSE),
    st.builds(Offer, st.integers(-(10**30), 10**30), st.text(max_size=50)),
    st.builds(Offer, st.floats(), st.text(max_size=50)),
    st.builds(Accept, st.text(max_size=50)),
    st.builds(Walk, st.text(max_size=50)),
)


@st.composite
def positions(draw: st.DrawFn) -> BuyerObservation:
    """Any position a buyer who kept the rules may stand in, also agreed and hopeless ones."""
    rounds = draw(st.integers(1, 12))
    number = draw(st.integers(1, rounds))
    budget = draw(prices)
    asks = sorted(draw(st.lists(prices, min_size=number, max_size=number)), reverse=True)
    bids = draw(st.lists(st.integers(1, budget), min_size=number - 1, max_size=number - 1))
    return a_position(
        tuple(ask / 100 for ask in asks),
        tuple(bid / 100 for bid in sorted(bids)),
        budget=budget / 100,
        at=number,
        rounds=rounds,
        said=tuple(draw(st.lists(st.text(max_size=80), max_size=3))),
        title=draw(st.text(max_size=60)),
        persona=draw(st.sampled_from((None, "default", "deceptive", "impatient", "odd"))),
        deadline=draw(st.none() | st.integers(1, rounds)),
    )


@given(positions(), proposals)
def test_guards_keep_the_rules_in_any_position(position: BuyerObservation, wish: Any) -> None:
    assert_kept(position, guard(position, wish))
    assert_kept(position, guard(position, steering.steer(position, wish)))


@given(positions(), st.integers(0, 2**53))
def test_sauda_keeps_the_rules_in_any_position(position: BuyerObservation, seed: int) -> None:
    move = Sauda(seed).act(position)
    assert_kept(position, move)
    assert move == Sauda(seed).act(position)
    assert is_plain(move.text)
    assert not names_secret(move.text, position.budget)


@given(positions(), st.integers(0, 2**53))
def test_a_reply_never_names_the_budget(position: BuyerObservation, seed: int) -> None:
    text = Voice(seed).reply(position)
    assert is_plain(text)
    assert not names_secret(text, position.budget)
