"""Make puzzles: play games, look at positions, measure what each move is worth, measure it again.

1. A game is played between a player of the solver's seat and an opponent of the house.
2. At a turn of the solver three to five moves are tried over guesses of what is hidden, and for
   each the plan is chosen by which the solver plays on.
3. The best is measured over fresh guesses: it must be ahead of every other move by so much of the
   spread of the paired differences that a person could tell.
4. It is measured again over guesses fresh once more, and must stay ahead. Those numbers are kept.
"""

import hashlib
import math
from collections.abc import Callable, Sequence
from random import Random
from statistics import fmean, stdev
from typing import Literal

import msgspec

from bazaarbatna.bargain.episode import State, advance, legal_moves, start
from bazaarbatna.bargain.moves import Accept, Move, Offer, Walk
from bazaarbatna.bargain.quantities import Paise, Side, other
from bazaarbatna.bargain.scenario import Scenario
from negotiation.bargain.scenarios import BUDGET_RULE
from negotiation.models import id_from
from replays.puzzles.puzzle import (
    CLEAR,
    LEAST_GAP,
    MEASURED,
    NORMAL,
    Kind,
    Option,
    Puzzle,
    Said,
    Theme,
    move_of,
    theme_of,
)
from replays.puzzles.table import (
    Guess,
    Opponent,
    Step,
    deed,
    guess,
    limit_of,
    new_table,
    own_price,
    played,
    price_of,
)
from replays.puzzles.worth import Plan, best_plan, halve, kept, outcome, steady, toward

NEAR = 0.02
"""A price this share of the opening ask away is still likely (the width of the kernel)."""

FAR = 0.06
"""Further away than this a guess is thrown away."""

MOST_DRAWS, FIRST_DRAWS = 6_000, 500


def believe(
    rng: Random,
    seen: Scenario,
    seat: Side,
    steps: Sequence[Step],
    wanted: int,
    rule: int = BUDGET_RULE,
) -> list[Guess]:
    """Draw ``wanted`` guesses that fit the opponent's moves; fewer where they hardly ever fit."""
    kept: list[Guess] = []
    for drawn in range(MOST_DRAWS):
        if drawn == FIRST_DRAWS and MOST_DRAWS * len(kept) < FIRST_DRAWS * wanted:
            break  # so few would not come together: there are other positions
        told = guess(rng, seen, seat, rule)
        if rng.random() < _fits(told, seat, steps):
            kept.append(told)
            if len(kept) == wanted:
                break
    return kept


def _fits(told: Guess, seat: Side, steps: Sequence[Step]) -> float:
    if not _could_say(told, seat, steps):
        return 0.0
    opponent, weight = Opponent(told, seat), 1.0
    for step in reversed(steps):  # the last prices tell most: a bad guess is found out early
        made = opponent.move(step.before)
        if not isinstance(made, Offer) or not isinstance(step.move, Offer):
            return 0.0
        away = abs(made.price - step.move.price) / told.scenario.anchor
        if away > FAR:
            return 0.0
        weight *= math.exp(-0.5 * (away / NEAR) ** 2)
    return weight


def _could_say(told: Guess, seat: Side, steps: Sequence[Step]) -> bool:
    """Whether no price that was said breaks the guessed limit: nobody names such a price."""
    said = [step.move.price for step in steps if isinstance(step.move, Offer)]
    sealed = told.scenario.sealed
    if seat == "seller":
        return all(price <= sealed.budget for price in said)
    return all(price >= sealed.reservation for price in said)


SEARCHED = 48
"""Guesses on which the plans are chosen."""

SELLS = 0.65  # how often the solver sells
NOISE = 2.0  # standard errors by which the best move is ahead when it is measured anew
PLAIN = CLEAR * math.sqrt(MEASURED)  # the same in each set from which a puzzle is made
HOPEFUL = 1.0  # the same where the plans are chosen: below it no set is measured
PARTS, PARTS_BESIDE = (0.2, 0.5, 0.8), (0.2, 0.5)
"""Prices to choose from as parts of the gap; beside a neighbour's price two are enough."""

OUTSIDE_CHANCE, HURRY_CHANCE = 0.5, 0.5
LEAVES = (3, 5, 8)  # one chance in so many
# Where the neighbour's price lies, from their price (0) to one's own (1): lower for who is in a
# hurry, so that next door is neither always nor never best there.
OUTSIDE, OUTSIDE_IN_HURRY = (-0.1, 0.9), (-0.9, 0.35)

Fate = Literal["kept", "dull", "unlikely", "close", "enough", "fell out"]
"""What became of a position: too few moves, history too rare, moves too alike, theme full, ..."""

Enough = Callable[[Theme, Side], bool]
"""Whether there are enough puzzles of a theme and a seat already."""


class Choice(msgspec.Struct, frozen=True):
    """A move to choose from before it is measured."""

    kind: Kind
    move: Move


class Measured(msgspec.Struct, frozen=True):
    """What one choice brought, guess by guess: money kept, and the price of each deal."""

    keeps: tuple[int, ...]
    prices: tuple[int, ...]


def look(seed: str, enough: Enough) -> tuple[Fate, Puzzle | None]:
    """Look at one position of one game, all of it drawn from ``seed``; tell what became of it."""
    rng = Random(seed)
    seat: Side = "seller" if rng.random() < SELLS else "buyer"
    told = new_table(rng, seat)
    moves, at = _game(rng, told, seat)
    if not at:
        return "dull", None
    state, _ = played(told.scenario, moves[:at], seat)
    leaves = rng.choice(LEAVES) if rng.random() < HURRY_CHANCE else 0
    outside = _outside(rng, state, seat, OUTSIDE_IN_HURRY if leaves else OUTSIDE)
    choices = _choices(state, seat, outside)
    if len(choices) < 3:
        return "dull", None
    return _Look(rng, told, seat, moves, at, outside, leaves, choices).take(enough)


def is_still_best(puzzle: Puzzle, seed: str) -> bool:
    """Measure a puzzle anew, plans and all, on luck of its own; whether its answer stands."""
    told, state = Guess(puzzle.policy, puzzle.scenario), puzzle.position()
    choices = [Choice(one.kind, move_of(one, state, puzzle.seat)) for one in puzzle.options]
    moves = [said.move for said in puzzle.moves]
    again = _Look(Random(seed), told, puzzle.seat, moves, puzzle.at, puzzle.outside,
                  puzzle.leaves, choices, puzzle.rule)  # fmt: skip
    return again.stands(puzzle.best)


def _game(rng: Random, told: Guess, seat: Side) -> tuple[list[Move], int]:
    """Play a game to its end; return it, and the place of one turn of the solver worth a look."""
    # Of the buyers only Sauda talks: where nobody says who buys, a word would.
    opponent = Opponent(told, seat, talks=seat == "buyer")
    plan = rng.choice((steady, halve, None))
    opening = rng.uniform(0.45, 0.8)
    state, _ = start(told.scenario)
    moves: list[Move] = []
    turns: list[int] = []
    while state.ended is None:
        if state.to_move == seat:
            if len(state.bids) >= 2 or (seat == "buyer" and len(state.bids) == 1):
                turns.append(len(moves))
            own = own_price(state, seat)
            if own is None:
                first = price_of(state, opening * state.standing_ask)
                made: Move = Offer(min(first, limit_of(state, seat)))
            elif plan is None:  # somebody who cannot decide
                made = rng.choice((steady, halve, _standing))(state, seat)
            else:
                made = plan(state, seat)
        else:
            made = opponent.move(state)
        moves.append(made)
        state, _ = advance(state, made)
    # The last turns come more often: early on nearly every move may still turn out well.
    return moves, rng.choice([*turns, *turns[-2:], *turns[-1:] * 3]) if turns else 0


def _standing(state: State, seat: Side) -> Move:
    price = own_price(state, seat)
    assert price is not None
    return Offer(price)


class _Look:
    """One position of one game, on the way to a puzzle."""

    def __init__(
        self,
        rng: Random,
        told: Guess,
        seat: Side,
        moves: Sequence[Move],
        at: int,
        outside: Paise | None,
        leaves: int,
        choices: Sequence[Choice],
        rule: int = BUDGET_RULE,
    ) -> None:
        self.rng, self.told, self.seat, self.moves, self.at = rng, told, seat, moves, at
        self.outside, self.leaves, self.choices = outside, leaves, choices
        self.rule = rule
        self.state, self.steps = played(told.scenario, moves[:at], other(seat))
        self.plans: list[Plan] = []

    def stands(self, best: int) -> bool:
        """Whether a move is ahead of all others, by fresh guesses and plans."""
        guesses = self._believe(SEARCHED)
        if len(guesses) < SEARCHED:
            return False
        self._choose_plans(guesses)
        guesses = self._believe(MEASURED)
        if len(guesses) < MEASURED:
            return False
        return self._is_ahead(self._measure(guesses), best, NOISE)

    def take(self, enough: Enough) -> tuple[Fate, Puzzle | None]:
        """Measure, and measure again; return the puzzle where there is one."""
        guesses = self._believe(SEARCHED)
        if len(guesses) < SEARCHED:
            return "unlikely", None
        self._choose_plans(guesses)
        searched = self._measure(guesses)
        best = max(range(len(searched)), key=lambda place: fmean(searched[place].keeps))
        theme = theme_of(self.choices[best].move, self.state, self.seat)
        if not self._is_ahead(searched, best, HOPEFUL):
            return "close", None
        if enough(theme, self.seat):
            return "enough", None
        for fate in ("close", "fell out"):
            guesses = self._believe(MEASURED)
            if len(guesses) < MEASURED:
                return "unlikely", None
            found = self._measure(guesses)
            if not self._is_ahead(found, best, PLAIN):
                return fate, None
        return "kept", self._puzzle(theme, found, best)

    def _choose_plans(self, guesses: Sequence[Guess]) -> None:
        chance = 1 / self.leaves if self.leaves else 0.0
        self.plans = [
            best_plan(self.state, self.seat, choice.move, guesses, chance)
            for choice in self.choices
        ]

    def _believe(self, wanted: int) -> list[Guess]:
        scenario = self.told.scenario
        return believe(self.rng, scenario, self.seat, self.steps, wanted, self.rule)

    def _measure(self, guesses: Sequence[Guess], *, hurry: bool = True) -> list[Measured]:
        chance = 1 / self.leaves if self.leaves and hurry else 0.0
        found = []
        for choice, plan in zip(self.choices, self.plans, strict=True):
            if isinstance(choice.move, Walk):
                sure = kept(self.state, self.seat, self.outside)
                found.append(Measured((sure,) * len(guesses), ()))
                continue
            prices = [
                outcome(self.state, self.seat, choice.move, told, plan, chance) for told in guesses
            ]
            keeps = tuple(kept(self.state, self.seat, price) for price in prices)
            found.append(Measured(keeps, tuple(one for one in prices if one is not None)))
        return found

    def _is_ahead(self, found: Sequence[Measured], best: int, noise: float) -> bool:
        least = LEAST_GAP * self.state.scenario.anchor
        gaps = [
            difference(found[best].keeps, one.keeps)
            for place, one in enumerate(found) if place != best
        ]  # fmt: skip
        return all(mean >= max(least, noise * error) for mean, error in gaps)

    def _puzzle(self, theme: Theme, found: Sequence[Measured], best: int) -> Puzzle:
        gap, error = min(
            difference(found[best].keeps, one.keeps)
            for place, one in enumerate(found) if place != best
        )  # fmt: skip
        truth = self._measure([self.told], hurry=False)
        said = tuple(Said(deed(one), getattr(one, "price", None), one.text) for one in self.moves)
        of = (self.told, said, self.at, self.outside, self.leaves)
        digest = hashlib.sha256(msgspec.json.encode(of)).digest()
        return Puzzle(
            id=id_from(digest)[:8],
            seat=self.seat,
            theme=theme,
            policy=self.told.policy,
            scenario=self.told.scenario,
            moves=said,
            at=self.at,
            outside=self.outside,
            leaves=self.leaves,
            options=tuple(map(option_of, self.choices, found, truth)),
            best=best,
            gap=round(gap, 1),
            error=round(error, 1),
            rating=_starts_at(gap / self.state.scenario.anchor),
            rule=self.rule,
        )


def _outside(rng: Random, state: State, seat: Side, lies: tuple[float, float]) -> Paise | None:
    """Draw what somebody next door pays, or asks, if the solver goes now; from public prices."""
    own, limit = own_price(state, seat), limit_of(state, seat)
    theirs = own_price(state, other(seat))
    if rng.random() >= OUTSIDE_CHANCE or own is None or theirs is None:
        return None
    price = price_of(state, theirs + rng.uniform(*lies) * (own - theirs))
    is_worth = price > limit if seat == "seller" else price < limit
    return price if is_worth and price != theirs else None


def _choices(state: State, seat: Side, outside: Paise | None) -> list[Choice]:
    own = own_price(state, seat)
    assert own is not None
    theirs = own_price(state, other(seat))
    choices = [Choice("hold", Offer(own))]
    if "accept" in legal_moves(state, seat):
        choices.insert(0, Choice("accept", Accept()))
    taken = {own, theirs}
    for part in PARTS_BESIDE if outside else PARTS:
        price = toward(state, seat, part)
        if price is not None and price not in taken:
            taken.add(price)
            choices.append(Choice("price", Offer(price)))
    return [*choices, Choice("walk", Walk())] if outside else choices


def difference(ones: Sequence[int], others: Sequence[int]) -> tuple[float, float]:
    """Return the mean of paired differences and its standard error."""
    gains = [one - other for one, other in zip(ones, others, strict=True)]
    return fmean(gains), stdev(gains) / math.sqrt(len(gains))


def option_of(choice: Choice, found: Measured, truth: Measured) -> Option:
    """Return a choice with what it brought; ``truth`` is how it went where all is known."""
    price = choice.move.price if isinstance(choice.move, Offer) else None
    error = stdev(found.keeps) / math.sqrt(len(found.keeps))
    return Option(
        kind=choice.kind,
        price=price,
        keeps=round(fmean(found.keeps), 1),
        give=round(NORMAL * error, 1),
        deals=round(100 * len(found.prices) / len(found.keeps)),
        price_then=round(fmean(found.prices)) if found.prices else None,
        really=truth.keeps[0],
    )


HARDEST, EASIEST, PLAIN_GAP = 1800, 1200, 0.08


def _starts_at(gap: float) -> int:
    """Return the first rating by the gap as a part of the opening ask: a wide one is easy."""
    return round(HARDEST - min(gap / PLAIN_GAP, 1.0) * (HARDEST - EASIEST))
