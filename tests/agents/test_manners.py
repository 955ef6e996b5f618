"""Sauda bids as people bid: five hundred games with sellers on paths of people, whole."""

from collections.abc import Iterator
from itertools import pairwise
from statistics import median
from typing import NamedTuple

import pytest

from agents.buyers import bound
from agents.buyers.network_buyer import NetworkBuyer
from bazaarbatna.bargain.moves import Accept, Offer, Walk
from bazaarbatna.bargain.observe import BuyerObservation
from bazaarbatna.bargain.people.held_out import plug_in as with_held_out
from bazaarbatna.bargain.people.manner import price_unit
from bazaarbatna.envs.bargain.suite_game import SuiteGame

GAMES = 500
with_held_out()


class Played(NamedTuple):
    """A game's turns, and whether it ended in a deal."""

    turns: list[tuple[BuyerObservation, object]]
    is_deal: bool

    @property
    def raises(self) -> Iterator[tuple[BuyerObservation, int]]:
        """Every bid above the one before, with what she saw."""
        for seen, move in self.turns:
            if isinstance(move, Offer) and seen.bids and move.price > seen.bids[-1]:
                yield seen, move.price


@pytest.fixture(scope="module")
def games() -> list[Played]:
    """Seeds 0 to 499 of ``paths@1``."""
    return [played(seed) for seed in range(GAMES)]


def played(seed: int) -> Played:
    game = SuiteGame("paths@1", seed)
    turns: list[tuple[BuyerObservation, object]] = []
    while (seen := game.observation) is not None:
        move = NetworkBuyer(seed).decide(seen)
        turns.append((seen, move))
        game.step(move)
    ended = game.logs[0].ended
    return Played(turns, ended is not None and ended.price is not None)


def test_first_bids_are_where_people_open(games: list[Played]) -> None:
    """Where the budget allows it: people's are 0.50 to 0.93 of the list price."""
    shares = []
    for one in games:
        seen, move = one.turns[0]
        if isinstance(move, Offer) and seen.budget >= 0.5 * seen.opening_ask:
            shares.append(move.price / seen.opening_ask)
    assert len(shares) > 0.9 * GAMES
    assert sum(0.45 <= share <= 0.95 for share in shares) >= 0.95 * len(shares)
    assert max(shares) - min(shares) > 0.1


def test_no_step_is_half_as_large_again_unless_the_seller_leapt(games: list[Played]) -> None:
    steps = 0
    for one in games:
        for seen, price in one.raises:
            before = [after - first for first, after in pairwise(seen.bids) if after > first]
            leap = seen.asks[-2] - seen.asks[-1]
            if before and leap <= before[-1]:
                steps += 1
                unit = price_unit(seen.opening_ask)
                assert price - seen.bids[-1] <= bound.GROWTH * before[-1] + unit
    assert steps > 200


def test_bids_are_named_in_the_numbers_that_people_name(games: list[Played]) -> None:
    bids = [
        move.price % price_unit(seen.opening_ask) == 0
        for one in games
        for seen, move in one.turns
        if isinstance(move, Offer)
    ]
    assert sum(bids) >= 0.98 * len(bids)


def test_a_seller_who_repeats_a_price_hears_few_raises(games: list[Played]) -> None:
    for one in games:
        for seen, _ in one.raises:
            first = seen.asks.index(seen.asks[-1])
            since = seen.bids[first:]
            if len(seen.asks) - first > 1:
                raised = sum(after > before for before, after in pairwise(since))
                assert raised < bound.RAISES_IN_SILENCE


def test_there_is_no_jump_in_the_last_round(games: list[Played]) -> None:
    for one in games:
        seen, move = one.turns[-1]
        if seen.round == seen.max_rounds and seen.bids:
            paid = seen.standing_ask if isinstance(move, Accept) else getattr(move, "price", 0)
            assert paid <= (1 + bound.LAST_JUMP) * seen.bids[-1] + price_unit(seen.opening_ask)


def test_a_deal_takes_four_rounds(games: list[Played]) -> None:
    assert median(len(one.turns) for one in games if one.is_deal) <= 4


def test_who_came_down_twice_is_answered(games: list[Played]) -> None:
    """Where the budget has room for it, and no feint stops a bid as if it had none."""
    answered = []
    for one in games:
        for seen, move in one.turns:
            unit = price_unit(seen.opening_ask)
            has_room = bound.CEILING * seen.budget >= seen.bids[-1] + unit if seen.bids else False
            if has_room and not isinstance(move, Walk) and came_down_unanswered(seen):
                paid = seen.standing_ask if isinstance(move, Accept) else getattr(move, "price", 0)
                answered.append(paid > seen.bids[-1])
    assert len(answered) > 40
    assert sum(answered) >= 0.95 * len(answered)


def came_down_unanswered(seen: BuyerObservation) -> bool:
    """Whether the last bid repeated one while the ask came down, and goes on coming."""
    if len(seen.bids) < 2 or seen.bids[-1] != seen.bids[-2]:
        return False
    heard = seen.asks[seen.bids.index(seen.bids[-1])]
    return seen.asks[-1] < seen.asks[-2] and heard - seen.asks[-1] >= 0.03 * seen.opening_ask
