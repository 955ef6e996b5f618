"""A puzzle as it is shipped: a position, what can be done, and what each of that is worth."""

import math
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Literal

import msgspec

from bazaarbatna.bargain.episode import State
from bazaarbatna.bargain.moves import Accept, Move, Offer, Walk
from bazaarbatna.bargain.quantities import Paise, Side, other
from bazaarbatna.bargain.scenario import Scenario
from replays.puzzles.table import own_price, played

Theme = Literal["take-it", "walk", "call-the-bluff", "hold", "split"]
THEMES: tuple[Theme, ...] = ("take-it", "walk", "call-the-bluff", "hold", "split")

FILE = Path(__file__).with_name("puzzles.jsonl")
RETIRED = FILE.with_name("retired.jsonl")
EXAMPLE = FILE.with_name("example.json")

Kind = Literal["accept", "hold", "price", "walk"]

MEASURED = 240
"""Guesses in each of the two sets on which moves are measured."""

NORMAL = 1.96
"""Standard errors in half a 95 % interval."""

CLEAR = 0.4
"""By so much of the spread of single continuations (the standard deviation of their paired
differences) the best move leads the next one at least. Closer than that no person can tell: who
plays both moves out ten times sees the better one ahead in nine of ten such trials."""

LEAST_GAP = 0.008
"""Part of the opening ask: less is nothing a person would call better."""

SURE: tuple[Kind, ...] = ("accept", "walk")
"""Moves that keep what is known before."""


class Option(msgspec.Struct, frozen=True):
    """One move to choose from. Money in paise.

    ``keeps`` is what the solver keeps on average, ``give`` half the width of its 95 % interval;
    ``deals`` of 100 continuations end in a deal, at ``price_then`` on average. ``really`` is kept
    against who was there, in nobody's hurry: a look from outside, which no page shows.
    """

    kind: Kind
    price: Paise | None
    keeps: float
    give: float
    deals: int
    price_then: int | None
    really: int


class Said(msgspec.Struct, frozen=True, omit_defaults=True):
    """One move of the source game; sides alternate and the buyer begins."""

    kind: Literal["offer", "accept", "walk"]
    price: Paise | None = None
    text: str = ""

    @property
    def move(self) -> Move:
        """The move itself."""
        match self.kind:
            case "offer":
                assert self.price is not None
                return Offer(self.price, self.text)
            case "accept":
                return Accept(self.text)
            case "walk":
                return Walk(self.text)


class Puzzle(msgspec.Struct, frozen=True, omit_defaults=True):
    """One puzzle with its answer: for the server alone until it has been answered.

    ``policy`` really sat opposite. The position stands before move ``at`` (from 0) of ``moves``.
    ``outside`` is a price that somebody next door pays, or takes, if the solver goes now; with one
    chance in ``leaves`` (0: none) the other side is gone after each price it hears. The best option
    is ahead of the runner-up by ``gap`` paise with the standard error ``error``, both on the second
    set of guesses. ``rating`` is where it starts, ``rule`` that of the budgets that were guessed.
    """

    id: str
    seat: Side
    theme: Theme
    policy: str
    scenario: Scenario
    moves: tuple[Said, ...]
    at: int
    outside: Paise | None
    leaves: int
    options: tuple[Option, ...]
    best: int
    gap: float
    error: float
    rating: int
    rule: int = 1

    @property
    def choices(self) -> tuple[tuple[int, Option], ...]:
        """The options to choose from with their places: none that something free beats for sure."""
        state = self.position()
        return tuple(
            (place, one)
            for place, one in enumerate(self.options)
            if place == self.best or not self._is_dead(one, state)
        )

    def _is_dead(self, one: Option, state: State) -> bool:
        """Whether next door or the price on the table is better at once, or no answer comes."""
        is_price, is_last = one.kind in ("hold", "price"), state.round == state.scenario.max_rounds
        if is_price and is_last and self.seat == "seller":
            return True
        theirs, outside = own_price(state, other(self.seat)), self.outside
        if theirs is None or outside is None or one.kind == "hold":
            return False
        sign = 1 if self.seat == "seller" else -1
        if one.kind == "walk":
            return sign * (outside - theirs) < 0
        return sign * ((theirs if one.kind == "accept" else one.price or 0) - outside) <= 0

    def position(self) -> State:
        """Return the position that is to be solved."""
        made = [said.move for said in self.moves[: self.at]]
        return played(self.scenario, made, self.seat)[0]

    def asks(self, theme: Theme) -> bool:
        """Whether this puzzle is one to practise a theme on: it is right, or nearly so.

        So that a theme asks and does not answer: among "take it?" are those where taking is wrong.
        """
        if theme == self.theme:
            return True
        if theme == "call-the-bluff":
            return stood_still(self.position(), self.seat)
        if theme == "walk":  # the nearest mistake alone would leave next door the answer
            return self.offers_door
        near = {"accept": "take-it", "hold": "hold", "price": "split"}
        return near.get(self.runner_up.kind) == theme

    def is_right(self, choice: int) -> bool:
        """Whether a move is the best one, or too close to it for a person to tell."""
        best, made = self.options[self.best], self.options[choice]
        error = self.error  # of two prices that of the closest is stored alone
        if best.kind in SURE or made.kind in SURE:
            error = max(best.give, made.give) / NORMAL
        least = max(LEAST_GAP * self.scenario.anchor, CLEAR * math.sqrt(MEASURED) * error)
        return choice == self.best or round(best.keeps - made.keeps, 1) < round(least, 1)

    @property
    def is_clear(self) -> bool:
        """Whether a person could tell the best move from every other one."""
        return sum(self.is_right(place) for place, _ in self.choices) == 1

    @property
    def offers_door(self) -> bool:
        """Whether next door is one of the moves to choose from."""
        return any(one.kind == "walk" for _, one in self.choices)

    @property
    def zero(self) -> float:
        """What is left by going next door, in paise: where that is there, gains begin at it."""
        return next((one.keeps for one in self.options if one.kind == "walk"), 0.0)

    @property
    def runner_up(self) -> Option:
        """The best of the wrong moves there are to choose from."""
        others = (one for place, one in self.choices if place != self.best)
        return max(others, key=lambda one: one.keeps)


STILL = 0.03
"""Whoever moved by at most this share of the opening ask hardly moved."""

LITTLE = 0.35
"""Whoever gives less than this share of the gap gives little."""


def theme_of(move: Move, state: State, seat: Side) -> Theme:
    """Return the theme of a puzzle by its best move and by whether the other side hardly moved.

    There, to hold or to give little is to call the bluff: standing still is not paid for.
    """
    match move:
        case Accept():
            return "take-it"
        case Walk():
            return "walk"
        case Offer(price):
            own = own_price(state, seat)
            given = 0.0 if own is None else given_of(state, seat, price)
            if stood_still(state, seat) and given < LITTLE:
                return "call-the-bluff"
            return "hold" if price == own else "split"


def given_of(state: State, seat: Side, price: int) -> float:
    """Return which part of the gap a price gives, 0 where there is none."""
    ask, bid = state.standing_ask, state.standing_bid
    if bid is None or ask == bid:
        return 0.0
    return (ask - price if seat == "seller" else price - bid) / (ask - bid)


def stood_still(state: State, seat: Side) -> bool:
    """Whether the opponent last came by at most ``STILL`` of the opening ask, or went away."""
    prices = state.bids if seat == "seller" else state.asks
    if len(prices) < 2:
        return False
    step = prices[-1] - prices[-2]
    toward = step if seat == "seller" else -step
    return toward <= STILL * state.scenario.anchor


def move_of(option: Option, state: State, seat: Side) -> Move:
    """Return the move an option stands for."""
    if option.kind == "accept":
        return Accept()
    if option.kind == "walk":
        return Walk()
    price = option.price if option.price is not None else own_price(state, seat)
    assert price is not None
    return Offer(price)


def read(lines: Sequence[str]) -> tuple[Puzzle, ...]:
    """Read puzzles from lines of JSON."""
    decoder = msgspec.json.Decoder(Puzzle)
    return tuple(decoder.decode(line) for line in lines if line)


@cache
def themes_of() -> dict[str, frozenset[Theme]]:
    """Return by its id which themes a puzzle can be practised on."""
    return {
        one.id: frozenset(theme for theme in THEMES if one.asks(theme))
        for one in puzzles().values()
    }


@cache
def puzzles() -> dict[str, Puzzle]:
    """Return the shipped puzzles by their ids, in the order of the file."""
    return {one.id: one for one in stored_in(FILE)}


def find(key: str) -> Puzzle | None:
    """Look up a puzzle that is dealt, or one that was: its address stays."""
    return puzzles().get(key) or _retired().get(key)


def stored_in(path: Path) -> tuple[Puzzle, ...]:
    """Read the puzzles of a file; none where there is no file."""
    return read(path.read_text(encoding="utf-8").splitlines()) if path.exists() else ()


@cache
def _retired() -> dict[str, Puzzle]:
    return {one.id: one for one in stored_in(RETIRED)}


@cache
def example() -> Puzzle:
    """Return the puzzle that the first page shows, which is never dealt: nobody's clock runs."""
    return msgspec.json.decode(EXAMPLE.read_bytes(), type=Puzzle)
