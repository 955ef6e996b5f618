"""What a move is worth to the solver: money kept, over guesses of what is hidden.

After the move the solver plays on by the best of four plain plans, none of which knows anything
that the solver does not know. The plan is chosen on other guesses than the worth is measured on.
"""

from collections.abc import Callable, Sequence
from random import Random
from statistics import fmean

from bazaarbatna.bargain.episode import State, advance, legal_moves
from bazaarbatna.bargain.moves import Accept, Move, Offer
from bazaarbatna.bargain.quantities import MIN_PRICE, Paise, Side, other
from replays.puzzles.table import Guess, Opponent, limit_of, own_price, price_of, with_scenario

SMALL_GAP = 0.04  # of the opening ask: not worth arguing about
OPENING = 0.6  # a buyer's first bid, of the ask

Plan = Callable[[State, Side], Move]


def stand(state: State, side: Side) -> Move:
    """Say the same price until the last round, then take what there is."""
    return _last(state, side) or _toward(state, side, 0.0)


def steady(state: State, side: Side) -> Move:
    """Come toward the other side evenly over the rounds that are left."""
    left = state.scenario.max_rounds - state.round
    return _last(state, side) or _close(state, side) or _toward(state, side, 1 / (left + 1))


def halve(state: State, side: Side) -> Move:
    """Go half the way each time."""
    return _last(state, side) or _close(state, side) or _toward(state, side, 0.5)


def take(state: State, side: Side) -> Move:
    """Take what is offered, as soon as it may be taken."""
    return _taken(state, side) or _toward(state, side, 0.5)


PLANS: tuple[Plan, ...] = (stand, steady, halve, take)


def outcome(
    state: State, side: Side, move: Move, told: Guess, plan: Plan, leaves: float = 0.0
) -> Paise | None:
    """Return the price of the deal a move leads to if a guess is true; None without a deal.

    ``leaves``: the chance that the other side is gone after each price that is named to it. Its
    luck belongs to the guess, so every move meets the same.
    """
    opponent, luck = Opponent(told, side), Random(f"leaves:{told.scenario.sealed.seed}")
    state = with_scenario(state, told.scenario)
    made = move
    while True:
        mine = state.to_move == side
        state, _ = advance(state, made)
        if state.ended is not None:
            return state.ended.price
        if mine and leaves and luck.random() < leaves:
            return None
        made = plan(state, side) if state.to_move == side else opponent.move(state)


def payoff(
    state: State, side: Side, move: Move, told: Guess, plan: Plan, leaves: float = 0.0
) -> int:
    """Return what the solver keeps in paise, 0 without a deal, if a guess is true."""
    return kept(state, side, outcome(state, side, move, told, plan, leaves))


def kept(state: State, side: Side, price: Paise | None) -> int:
    """Return what a deal at a price leaves to a side in paise; 0 without a deal."""
    if price is None:
        return 0
    return price - limit_of(state, side) if side == "seller" else limit_of(state, side) - price


def best_plan(
    state: State, side: Side, move: Move, guesses: Sequence[Guess], leaves: float = 0.0
) -> Plan:
    """Return the plan that suits a move best; of equals the first."""

    def mean(plan: Plan) -> float:
        return fmean(payoff(state, side, move, told, plan, leaves) for told in guesses)

    return max(PLANS, key=mean)


def toward(state: State, side: Side, part: float) -> Paise | None:
    """Return the price that goes ``part`` of the gap; None where the limit forbids it."""
    own, theirs = own_price(state, side), own_price(state, other(side))
    limit = limit_of(state, side)
    if own is None:
        price = price_of(state, min(OPENING * state.standing_ask, limit))
    elif theirs is None:
        price = own
    else:
        price = price_of(state, own + part * (theirs - own)) if part else own
    fits = price >= limit if side == "seller" else MIN_PRICE <= price <= limit
    return price if fits else None


def _toward(state: State, side: Side, part: float) -> Move:
    price = toward(state, side, part)
    own = own_price(state, side)
    if price is None:
        price = limit_of(state, side)
    if own is not None:
        price = min(price, own) if side == "seller" else max(price, own)
    return Offer(price)


def _taken(state: State, side: Side) -> Move | None:
    return Accept() if "accept" in legal_moves(state, side) else None


def _last(state: State, side: Side) -> Move | None:
    return _taken(state, side) if state.round >= state.scenario.max_rounds else None


def _close(state: State, side: Side) -> Move | None:
    bid = state.standing_bid
    is_close = bid is not None and state.standing_ask - bid <= SMALL_GAP * state.scenario.anchor
    return _taken(state, side) if is_close else None
