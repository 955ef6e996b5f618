"""A puzzle for the page: what the solver may see before the answer, and what comes after it."""

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from django.utils.safestring import SafeString
from django.utils.translation import gettext, gettext_lazy

from bazaarbatna.bargain.episode import State
from bazaarbatna.bargain.quantities import Side, other, to_rupees
from bazaarbatna.money import rupees_text
from negotiation.bargain.shops import shop_of
from negotiation.charts.price_path import price_path
from negotiation.policies import UnknownPolicy, policy
from replays.puzzles.puzzle import THEMES, Option, Puzzle, themes_of
from replays.puzzles.table import limit_of, own_price

THEME_NAMES = {
    "take-it": gettext_lazy("Take it"),
    "walk": gettext_lazy("Walk"),
    "call-the-bluff": gettext_lazy("Call the bluff"),
    "hold": gettext_lazy("Hold"),
    "split": gettext_lazy("Split"),
}


WHOLE = 30_000
"""From this opening ask in paise on, means are told in whole rupees."""


class Line(msgspec.Struct, frozen=True):
    """One price of the talk so far; ``price`` in rupees."""

    side: Side
    own: bool
    price: float
    words: str


class Move(msgspec.Struct, frozen=True):
    """One move to choose from, before the answer; ``place`` from 0, ``key`` the digit to press."""

    place: int
    key: int
    kind: str
    price: float


class Board(msgspec.Struct, frozen=True):
    """What a player of the solver's side sees. It holds nothing of the answer."""

    id: str
    seat: Side
    item: Any
    who: str
    keeper: str
    temper: str
    limit: float
    own: float
    theirs: float
    round: int
    rounds: int
    outside: float | None
    leaves: int
    lines: tuple[Line, ...]
    moves: tuple[Move, ...]
    chart: SafeString

    @property
    def sells(self) -> bool:
        """Whether the solver sells."""
        return self.seat == "seller"


def board(puzzle: Puzzle) -> Board:
    """Return the part of a puzzle that may be seen before it is answered."""
    state = puzzle.position()
    seat = puzzle.seat
    own, theirs = own_price(state, seat), own_price(state, other(seat))
    assert own is not None
    assert theirs is not None
    shop = shop_of(puzzle.policy) if seat == "buyer" else None
    return Board(
        id=puzzle.id,
        seat=seat,
        item=puzzle.scenario.item,
        # Who buys is part of what is hidden: a face that says nothing of the policy.
        who=puzzle.policy if shop else f"stranger-{puzzle.id}",
        keeper=shop.keeper if shop else "",
        temper=shop.line if shop else "",
        limit=to_rupees(limit_of(state, seat)),
        own=to_rupees(own),
        theirs=to_rupees(theirs),
        round=state.round,
        rounds=state.scenario.max_rounds,
        outside=None if puzzle.outside is None else to_rupees(puzzle.outside),
        leaves=puzzle.leaves,
        lines=_lines(state, seat),
        moves=tuple(
            Move(place, place + 1, option.kind, to_rupees(_price_of(option, puzzle, state)))
            for place, option in enumerate(puzzle.options)
        ),
        chart=_chart(puzzle, state),
    )


def _lines(state: State, seat: Side) -> tuple[Line, ...]:
    opening = Line("seller", seat == "seller", to_rupees(state.asks[0]), "")
    return (
        opening,
        *(
            Line(turn.actor, turn.actor == seat, to_rupees(turn.price or 0), turn.text)
            for turn in state.turns
        ),
    )


def _price_of(option: Option, puzzle: Puzzle, state: State) -> int:
    """Return the price that a move is about, in paise."""
    if option.kind == "accept":
        return own_price(state, other(puzzle.seat)) or 0
    if option.kind == "walk":
        return puzzle.outside or 0
    return option.price or 0


def _chart(puzzle: Puzzle, state: State) -> SafeString:
    scenario = state.scenario
    item = {"title": scenario.item.title, "currency": scenario.item.currency}
    opened = {
        "kind": "opened",
        "item": item,
        "max_rounds": scenario.max_rounds,
        "price": to_rupees(scenario.anchor),
    }
    frames = [{"seq": 1, "event": opened}]
    for seq, turn in enumerate(state.turns, start=2):
        event = {
            "kind": turn.kind,
            "actor": turn.actor,
            "round": turn.round,
            "price": to_rupees(turn.price or 0),
        }
        frames.append({"seq": seq, "event": event})
    # Translators: names of lines in a chart of prices.
    limit = gettext("Your floor") if puzzle.seat == "seller" else gettext("Your budget")
    lines = {limit: to_rupees(limit_of(state, puzzle.seat))}
    if puzzle.outside is not None:
        lines[gettext("Next door")] = to_rupees(puzzle.outside)
    return price_path(frames, width=520, height=300, references=lines, place=puzzle.id)


class Measured(msgspec.Struct, frozen=True):
    """One move after the answer; money in rupees.

    ``at`` is where its mean lies, ``start`` and ``width`` its interval: percent of a bar.
    """

    move: Move
    keeps: float
    low: float
    high: float
    at: float
    start: float
    width: float
    is_best: bool
    is_chosen: bool


class Answer(msgspec.Struct, frozen=True):
    """What is told once a puzzle has been answered."""

    theme: str
    theme_name: Any
    moves: tuple[Measured, ...]
    best: Move
    why: str
    gap: float
    gap_error: float
    hidden: float
    player: str


def answer(puzzle: Puzzle, shown: Board, choice: int | None) -> Answer:
    """Return the answer of a puzzle beside the move that was chosen."""
    ends = [(o.keeps - o.give, o.keeps + o.give) for o in puzzle.options]
    low, high = min(0.0, *(a for a, _ in ends)), max(b for _, b in ends)
    span = (high - low) or 1.0
    moves = tuple(
        Measured(
            move=move,
            keeps=_rounded(option.keeps, puzzle),
            low=_rounded(a, puzzle),
            high=_rounded(b, puzzle),
            at=round(100 * (option.keeps - low) / span, 2),
            start=round(100 * (a - low) / span, 2),
            width=round(max(100 * (b - a) / span, 0.6), 2),
            is_best=move.place == puzzle.best,
            is_chosen=move.place == choice,
        )
        for move, option, (a, b) in zip(shown.moves, puzzle.options, ends, strict=True)
    )
    state = puzzle.position()
    return Answer(
        theme=puzzle.theme,
        theme_name=THEME_NAMES[puzzle.theme],
        moves=moves,
        best=shown.moves[puzzle.best],
        why=why(puzzle),
        gap=_rounded(puzzle.gap, puzzle),
        gap_error=round(puzzle.error / 100, 1 if puzzle.error < 1000 else None),
        hidden=_rounded(limit_of(state, other(puzzle.seat)), puzzle),
        player=_title(puzzle.policy),
    )


def _title(name: str) -> str:
    try:
        return gettext(policy(name).title)
    except UnknownPolicy:
        return name


def why(puzzle: Puzzle) -> str:
    """Say in one sentence of measured numbers why the best move is best."""
    best, runner = puzzle.options[puzzle.best], puzzle.runner_up
    match puzzle.theme:
        case "take-it":
            kind = "hurry" if puzzle.leaves and runner.deals < 95 else "sure"
        case "call-the-bluff":
            kind = "same" if best.kind == "hold" else "price"
        case "hold":
            is_plain = best.deals >= 95 and runner.kind in ("price", "accept")
            kind = "any" if is_plain and runner.deals >= 95 else "lost"
        case "split":
            kind = "any" if runner.kind in ("price", "hold") and runner.deals < 95 else "safe"
        case _:
            kind = "any"
    return gettext(_phrases()[puzzle.theme][kind]).format(
        runner=_named(puzzle, runner),
        keeps=_money(best.keeps, puzzle),
        runner_keeps=_money(runner.keeps, puzzle),
        then=_money(best.price_then or 0, puzzle),
        runner_then=_money(runner.price_then or 0, puzzle),
        lost=100 - best.deals,
        runner_lost=100 - runner.deals,
        leaves=puzzle.leaves,
    )


def _named(puzzle: Puzzle, option: Option) -> str:
    price = _money(_price_of(option, puzzle, puzzle.position()), puzzle)
    words = _phrases()["moves"]
    name = f"{puzzle.seat}-price" if option.kind == "price" else option.kind
    return gettext(words[name]).format(price=price)


def _money(paise: float, puzzle: Puzzle) -> str:
    return rupees_text(_rounded(paise, puzzle), puzzle.scenario.item.currency)


def _rounded(paise: float, puzzle: Puzzle) -> float:
    """Return rupees, without paise where the thing costs hundreds."""
    return float(round(paise / 100)) if puzzle.scenario.anchor >= WHOLE else round(paise / 100, 2)


@cache
def _phrases() -> dict[str, dict[str, str]]:
    text = Path(__file__).with_name("why.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


class ThemeCount(msgspec.Struct, frozen=True):
    """One theme on the first page."""

    theme: str
    name: Any
    count: int
    done: int


def theme_counts(done: set[str]) -> tuple[ThemeCount, ...]:
    """Count puzzles and answered ones by the themes they can be practised on."""
    counts = []
    for theme in THEMES:
        mine = [key for key, themes in themes_of().items() if theme in themes]
        counts.append(
            ThemeCount(theme, THEME_NAMES[theme], len(mine), len(done.intersection(mine)))
        )
    return tuple(counts)
