"""A table where a puzzle can arise: who may sit opposite, what is hidden, what was done so far.

Two tables: the solver sells to a buyer of the house (the draws of ``/sell/``), or buys from one of
its sellers (the draws of ``/buy/``). The solver's own moves are silent.
"""

from collections.abc import Sequence
from functools import cache
from random import Random
from typing import Any

import msgspec

from bazaarbatna.bargain.episode import State, advance, start
from bazaarbatna.bargain.moves import Accept, Move, MoveKind, Offer, Walk
from bazaarbatna.bargain.observe import observe
from bazaarbatna.bargain.proposals import repair
from bazaarbatna.bargain.quantities import Paise, Side, clamp_price, other
from bazaarbatna.bargain.scenario import SALE, Item, Scenario, SealedValues
from negotiation.bargain import scenarios
from negotiation.bargain.purchases import COST_SHARE, SUITE, draw_cost, suggested_budget
from negotiation.bargain.scenarios import (
    BUDGET_RULE,
    RESERVATION_MARGIN,
    SEED_LIMIT,
    default_reservation,
    draw_budget,
)
from negotiation.catalogue.stock import Entry, read_stock
from negotiation.policies import policy
from replays.grade.moves import price_step

BUYERS = (
    "sauda", "rules:smart", "rules:aggressive", "rules:linear", "rules:boulware",
    "rules:conceder", "rules:halver", "rules:tit-for-tat",
)  # fmt: skip
"""Who may buy. The solver is told only that it is one of these, each as likely as the others."""

SELLERS = ("seller:default", "seller:firm", "seller:flexible", "seller:deceptive", "seller:people")
"""Who may sell. The solver is told which; behind the last one stands one of a population."""

SELLERS_COME = (2, 2, 2, 2, 1)
"""How often each comes to a table: the last one takes long to ask."""


ROUNDS = (3, 4, 5, 6, 8, 10)
"""How long a game may last; the solver sees it."""


class Guess(msgspec.Struct, frozen=True):
    """One way in which the hidden part of a table may stand: who is there, with which numbers."""

    policy: str
    scenario: Scenario


class Step(msgspec.Struct, frozen=True):
    """One move of a side: the position before it, and what it did."""

    before: State
    move: Move


def new_table(rng: Random, seat: Side) -> Guess:
    """Draw goods, hidden values and an opponent, as the site does when a game is opened."""
    category, entry = _goods()[rng.randrange(len(_goods()))]
    asking, seed = Paise(100 * entry.list), rng.randrange(SEED_LIMIT)
    item = Item(entry.title, category, entry.text, entry.condition)
    if seat == "seller":
        name, suite = rng.choice(BUYERS), SALE
        reservation = default_reservation(100 * entry.street)
        cost = clamp_price(reservation / RESERVATION_MARGIN)
        budget = _budget(seed, asking, reservation, 100 * entry.street, BUDGET_RULE)
        persona = "default"
    else:
        name, suite = rng.choices(SELLERS, SELLERS_COME)[0], SUITE
        cost = draw_cost(seed, 100 * entry.street)
        reservation = clamp_price(RESERVATION_MARGIN * cost, high=asking)
        cost = min(cost, reservation)
        budget, persona = suggested_budget(asking), name.removeprefix("seller:")
    sealed = SealedValues(reservation, cost, budget, seed, persona)
    scenario = Scenario(
        suite=suite,
        item=item,
        max_rounds=rng.choice(ROUNDS),
        anchor=asking,
        sealed=sealed,
        salt=f"{rng.getrandbits(128):032x}",
        seller="human" if seat == "seller" else policy(name).version,
        persona_visible=seat == "buyer",
    )
    return Guess(name, scenario)


def guess(rng: Random, seen: Scenario, seat: Side, rule: int = BUDGET_RULE) -> Guess:
    """Draw the hidden part anew from what is public, budgets by the ``rule`` of the puzzle.

    Read of ``seen``: what both sides know, the solver's own limit, and which seller it was told of.
    """
    seed = rng.randrange(SEED_LIMIT)
    if seat == "seller":
        name = rng.choice(BUYERS)
        own = seen.sealed
        price = round(own.cost / scenarios.COST_SHARE)
        budget = _budget(seed, seen.anchor, own.reservation, price, rule)
        sealed = msgspec.structs.replace(seen.sealed, budget=budget, seed=seed)
        return Guess(name, msgspec.structs.replace(seen, sealed=sealed))
    # A buyer is told the asking price only: what street price lies behind it is drawn too.
    street = rng.choice(_street_shares()) * seen.anchor
    cost = clamp_price(rng.uniform(*COST_SHARE) * street)
    reservation = clamp_price(RESERVATION_MARGIN * cost, high=seen.anchor)
    persona = seen.sealed.persona
    sealed = SealedValues(reservation, min(cost, reservation), seen.sealed.budget, seed, persona)
    return Guess(f"seller:{persona}", msgspec.structs.replace(seen, sealed=sealed))


def _budget(seed: int, asking: Paise, reservation: Paise, street_price: int, rule: int) -> Paise:
    # As in a sale of the site: since the third rule a listing at its own floor has a zone.
    has_zone = rule > 2
    return draw_budget(seed, asking, reservation, street_price, has_zone=has_zone, rule=rule)


class Opponent:
    """The other side of a table, as it would play if a guess were true."""

    def __init__(self, told: Guess, seat: Side, *, talks: bool = False) -> None:
        player: Any = policy(told.policy).make(told.scenario.sealed.seed)
        self.side, self.scenario = other(seat), told.scenario
        self._choose = player.act if talks else getattr(player, "decide", player.act)

    def move(self, state: State) -> Move:
        """Answer a position, in which the hidden values are replaced by the guessed ones."""
        own = with_scenario(state, self.scenario)
        made = repair(own, self.side, self._choose(observe(own, self.side)))
        return _said(own, made) if self.side == "buyer" and isinstance(made, Offer) else made


def _said(state: State, made: Offer) -> Offer:
    """Say a reckoned bid as people would; it neither falls below the last one nor closes a deal."""
    price = price_of(state, made.price)
    low, budget = state.standing_bid or 1, state.scenario.sealed.budget
    fits = low <= price <= budget and price < state.standing_ask
    return Offer(price, made.text) if fits else made


def price_of(state: State, wanted: float) -> Paise:
    """Round a price in paise to the finest step that people use for such a thing."""
    step = price_step(state.scenario.anchor)
    return clamp_price(round(wanted / step) * step)


def with_scenario(state: State, scenario: Scenario) -> State:
    """Return the same position with other hidden values."""
    if state.scenario is scenario:
        return state
    return State(
        scenario, state.round, state.to_move, state.asks, state.bids, state.turns, state.tells,
        state.ended,
    )  # fmt: skip


def played(scenario: Scenario, moves: Sequence[Move], side: Side) -> tuple[State, list[Step]]:
    """Return the position that moves lead to, and those of one side with what stood before each."""
    state, _ = start(scenario)
    steps = []
    for move in moves:
        if state.to_move == side:
            steps.append(Step(state, move))
        state, _ = advance(state, move)
    return state, steps


def limit_of(state: State, side: Side) -> Paise:
    """Return a side's own worst price."""
    sealed = state.scenario.sealed
    return sealed.reservation if side == "seller" else sealed.budget


def own_price(state: State, side: Side) -> Paise | None:
    """Return the price of a side that stands."""
    return state.standing_ask if side == "seller" else state.standing_bid


def deed(move: Move) -> MoveKind:
    """Name the kind of a move."""
    match move:
        case Offer():
            return "offer"
        case Accept():
            return "accept"
        case Walk():
            return "walk"


@cache
def _goods() -> tuple[tuple[str, Entry], ...]:
    return tuple((shelf.category, entry) for shelf in read_stock() for entry in shelf.listing)


@cache
def _street_shares() -> tuple[float, ...]:
    return tuple(entry.street / entry.list for _, entry in _goods())
