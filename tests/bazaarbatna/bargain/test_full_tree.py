"""Every possible game of a tiny bazaar, counted twice: by the engine, and by hand-written rules."""

from collections import Counter
from functools import cache

from bazaarbatna.bargain import Accept, Move, Offer, Paise, State, Walk, apply, legal_moves, start
from tests.support.players import a_scenario

PRICES = (1, 2, 3, 4, 5)
RESERVATION, BUDGET, ANCHOR, ROUNDS = 2, 4, 5, 3


def moves(state: State) -> list[Move]:
    side = state.to_move
    assert side is not None
    kinds: list[Move] = [Walk()]
    if "accept" in legal_moves(state, side):
        kinds.append(Accept())
    if side == "buyer":
        return kinds + [Offer(Paise(p)) for p in PRICES if p <= BUDGET]
    ask = state.standing_ask
    return kinds + [Offer(Paise(p)) for p in PRICES if RESERVATION <= p <= ask]


def count(state: State, tally: Counter[str]) -> Counter[str]:
    if state.ended is not None:
        tally[state.ended.outcome] += 1
        return tally
    tally["playable"] += 1
    assert state.to_move is not None
    for move in moves(state):
        count(apply(state, state.to_move, move)[0], tally)
    return tally


@cache
def by_hand(round_: int, buyer_moves: bool, ask: int, bid: int) -> tuple[int, int, int, int]:
    """Count playable positions, deals, walks and expiries below; knows nothing of the engine."""
    playable, deals, walks, expired = 1, 0, 1, 0

    def add(more: tuple[int, int, int, int]) -> None:
        nonlocal playable, deals, walks, expired
        playable += more[0]
        deals += more[1]
        walks += more[2]
        expired += more[3]

    if buyer_moves:
        deals += ask <= BUDGET
        for price in range(1, BUDGET + 1):
            if price >= ask:
                deals += 1
            else:
                add(by_hand(round_, False, ask, price))
    else:
        deals += bid >= RESERVATION
        for price in range(RESERVATION, ask + 1):
            if price <= bid:
                deals += 1
            elif round_ == ROUNDS:
                expired += 1
            else:
                add(by_hand(round_ + 1, True, price, bid))
    return playable, deals, walks, expired


def test_the_tree_of_five_prices_and_three_rounds_has_its_known_size() -> None:
    scenario = a_scenario(
        anchor=ANCHOR, reservation=RESERVATION, cost=1, budget=BUDGET, rounds=ROUNDS
    )
    tally = count(start(scenario)[0], Counter())
    found = (tally["playable"], tally["deal"], tally["walk"], tally["expired"])
    assert found == by_hand(1, True, ANCHOR, 0)
    assert found == (283, 501, 283, 350)
