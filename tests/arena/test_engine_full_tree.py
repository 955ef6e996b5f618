"""Every possible match of a tiny bazaar, counted twice: by the engine, and by hand-written rules.

Two buyers with budgets of 4 and 3 paise, two rounds, an ask of 4 that never comes down, and a
seller that gives the item for 2.
"""

from collections import Counter

import msgspec
import pytest

from bazaarbatna.auction.events import ArenaMove, Bid, Hold, Leave, Take
from bazaarbatna.auction.match import ArenaState, place, start
from bazaarbatna.auction.selling import luck_of
from bazaarbatna.bargain.quantities import Paise
from bazaarbatna.bargain.scenario import SellerRules
from tests.support.matches import a_table

ASK, RESERVATION, BUDGETS, ROUNDS = 4, 2, (4, 3), 2


def table(seed: int) -> ArenaState:
    scenario = a_table(BUDGETS, anchor=ASK, reservation=RESERVATION, rounds=ROUNDS, seed=seed)
    still = msgspec.structs.replace(scenario, rules=SellerRules(concession_rate=0.0))
    return start(still)[0]


def moves(state: ArenaState, buyer: int) -> list[ArenaMove]:
    budget = BUDGETS[buyer]
    found: list[ArenaMove] = [Hold(), Leave()]
    if state.ask <= budget:
        found.append(Take())
    return found + [Bid(Paise(price)) for price in range(state.bids[buyer] or 1, budget + 1)]


def count(state: ArenaState, tally: Counter[str]) -> Counter[str]:
    if state.ended is not None:
        tally[f"{state.ended.outcome} {state.ended.winner} {state.ended.price}"] += 1
        return tally
    buyer = state.awaited[0]
    for move in moves(state, buyer):
        count(place(state, buyer, move)[0], tally)
    return tally


def by_hand(round_: int, bids: tuple[int, ...], tie: tuple[int, ...], late: float) -> Counter[str]:
    """Count outcomes from a round on; -1 is a buyer who has left, 0 one without a bid.

    ``tie`` names the winner of a tie in each round, ``late`` is the draw of the last round.
    """

    def choices(buyer: int) -> list[int]:
        if bids[buyer] < 0:
            return [-1]
        budget = BUDGETS[buyer]
        raised = list(range(max(bids[buyer], 1), budget + 1))
        return [bids[buyer], -1, *raised, *([ASK] if budget >= ASK else [])]

    tally: Counter[str] = Counter()
    for first in choices(0):
        for second in choices(1):
            best = max(first, second)
            if best < 0:
                tally["walk None None"] += 1
                continue
            winner = tie[round_ - 1] if first == second else int(second > first)
            chance = (best - RESERVATION) / (ASK - RESERVATION) * round_ / ROUNDS
            if best == ASK or (round_ == ROUNDS and best >= RESERVATION and late < chance):
                tally[f"deal {winner} {best}"] += 1
            elif round_ == ROUNDS:
                tally["expired None None"] += 1
            else:
                tally += by_hand(round_ + 1, (first, second), tie, late)
    return tally


@pytest.mark.parametrize("seed", range(12))
def test_the_engine_and_the_rules_on_paper_count_the_same_matches(seed: int) -> None:
    lucks = [luck_of(seed, round_) for round_ in (1, 2)]
    tie = tuple(int(luck.tie * 2) for luck in lucks)
    expected = by_hand(1, (0, 0), tie, lucks[1].late)
    assert count(table(seed), Counter()) == expected
    assert sum(expected.values()) == 478
