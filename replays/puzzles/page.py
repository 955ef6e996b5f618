"""A puzzle for the page: what the solver may see before the answer, and what comes after it."""

from decimal import ROUND_CEILING, ROUND_FLOOR
from typing import Any

import msgspec
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from agents.text.languages import register_of
from bazaarbatna.bargain.episode import State
from bazaarbatna.bargain.quantities import Side, other, to_rupees
from bazaarbatna.money import whole
from negotiation.bargain.shops import shop_of
from negotiation.charts.price_path import price_path
from negotiation.policies import UnknownPolicy, policy
from negotiation.portraits.characters import character
from negotiation.sentences import sentences
from replays.puzzles.puzzle import THEMES, Puzzle, themes_of
from replays.puzzles.reason import gain, pattern_name, price_of, reason, rounded, why
from replays.puzzles.table import limit_of, own_price

say = sentences(__file__)

THEME_NAMES, TEMPERS = say.lazies("theme_names"), say.lazies("tempers")


class Line(msgspec.Struct, frozen=True):
    """One price of the talk so far in rupees, ``moved`` from that side's last one, if any."""

    side: Side
    own: bool
    price: float
    words: str
    moved: float | None = None

    @property
    def tongue(self) -> str:
        """What a page marks words by that are not English."""
        return "" if register_of(self.words) in (None, "english") else "hi-Latn"


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
    own: float | None
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

    @property
    def is_unanswered(self) -> bool:
        """Whether nobody answers a price any more: the seller has the last word of a game."""
        return self.sells and self.round == self.rounds


def board(puzzle: Puzzle, *, is_own: bool = False) -> Board:
    """Return the part of a puzzle that may be seen before it is answered.

    ``is_own``: the solver has played that game, and knows who sat there.
    """
    state = puzzle.position()
    seat = puzzle.seat
    own, theirs = own_price(state, seat), own_price(state, other(seat))
    assert theirs is not None
    shop = shop_of(puzzle.policy) if seat == "buyer" else None
    met = character(puzzle.policy) if is_own and shop is None else None
    card = shop.line if shop and not puzzle.leaves else met.temper if met else ""
    return Board(
        id=puzzle.id,
        seat=seat,
        item=puzzle.scenario.item,
        # Who buys is part of what is hidden: a face that says nothing of the policy.
        who=puzzle.policy if shop or met else "stranger",
        keeper=shop.keeper if shop else met.name if met else "",
        # Who plays by other rules than her card says has words of her own.
        temper=str(TEMPERS.get(f"{puzzle.policy} {puzzle.scenario.suite}", card)),
        limit=_limit(state, seat),
        own=None if own is None else to_rupees(own),
        theirs=to_rupees(theirs),
        round=state.round,
        rounds=state.scenario.max_rounds,
        outside=None if puzzle.outside is None else to_rupees(puzzle.outside),
        leaves=puzzle.leaves,
        lines=_lines(state, seat),
        moves=tuple(
            Move(place, key, option.kind, to_rupees(price_of(option, puzzle)))
            for key, (place, option) in enumerate(puzzle.choices, start=1)
        ),
        chart=_chart(puzzle, state),
    )


def _lines(state: State, seat: Side) -> tuple[Line, ...]:
    lines = [Line("seller", seat == "seller", to_rupees(state.asks[0]), "")]
    for turn in state.turns:
        if turn.price is not None:
            price = to_rupees(turn.price)
            last = next((one.price for one in lines[::-1] if one.side == turn.actor), None)
            moved = None if last is None else abs(price - last)
            lines.append(Line(turn.actor, turn.actor == seat, price, turn.text, moved))
    return tuple(lines)


def _limit(state: State, seat: Side) -> float:
    """Return the solver's limit in rupees as its owner would say it."""
    return whole(
        to_rupees(limit_of(state, seat)), ROUND_CEILING if seat == "seller" else ROUND_FLOOR
    )


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
        told = {"kind": turn.kind, "actor": turn.actor, "round": turn.round}
        frames.append({"seq": seq, "event": told | {"price": to_rupees(turn.price or 0)}})
    # Translators: names of lines in a chart of prices.
    limit = say("your_floor") if puzzle.seat == "seller" else say("your_budget")
    lines = {limit: _limit(state, puzzle.seat)}
    if puzzle.outside is not None:
        lines[say("next_door")] = to_rupees(puzzle.outside)
    return price_path(frames, width=520, height=300, references=lines, place=puzzle.id)


class Measured(msgspec.Struct, frozen=True):
    """One move after the answer; money in rupees, from next door on where that is there.

    ``share`` is what it keeps in percent of what the best one keeps; ``deals`` of 100 continuations
    end in a deal, at ``then`` on average. ``bar``: where it begins and how long it is, of 100.
    """

    move: Move
    share: int
    bar: tuple[float, float]
    told: str
    keeps: float
    low: float
    high: float
    deals: int
    then: float | None
    is_best: bool
    is_chosen: bool

    @property
    def is_sure(self) -> bool:
        """Whether what it keeps is known before."""
        return self.move.kind in ("accept", "walk")


class Answer(msgspec.Struct, frozen=True):
    """What is told once a puzzle has been answered; ``lost`` is what no deal at all costs."""

    pattern: str
    pattern_name: str
    moves: tuple[Measured, ...]
    best: Move
    why: str
    lost: float
    hidden: float
    player: str


def answer(puzzle: Puzzle, shown: Board, choice: int | None) -> Answer:
    """Return the answer of a puzzle beside the move that was chosen."""
    kept = {move: puzzle.options[move.place].keeps - puzzle.zero for move in shown.moves}
    most, low = max(0.0, *kept.values()), min(0.0, *kept.values())
    scale = 100 / (most - low or 1.0)
    moves = tuple(
        Measured(
            move=move,
            share=round(100 * kept[move] / most) if most else 0,
            bar=(round(scale * (min(0.0, kept[move]) - low), 1), round(scale * abs(kept[move]), 1)),
            told=gain(puzzle, option, "_short"),
            keeps=rounded(kept[move], puzzle),
            low=rounded(kept[move] - option.give, puzzle),
            high=rounded(kept[move] + option.give, puzzle),
            deals=option.deals,
            then=None if option.price_then is None else rounded(option.price_then, puzzle),
            is_best=move.place == puzzle.best,
            is_chosen=move.place == choice,
        )
        for move, option in ((move, puzzle.options[move.place]) for move in shown.moves)
    )
    pattern, _ = reason(puzzle, choice)
    return Answer(
        pattern=pattern,
        pattern_name=pattern_name(pattern),
        moves=moves,
        best=next(move for move in shown.moves if move.place == puzzle.best),
        why=why(puzzle, choice),
        lost=rounded(puzzle.zero, puzzle),
        hidden=rounded(limit_of(puzzle.position(), other(puzzle.seat)), puzzle),
        player=_title(puzzle.policy),
    )


def _title(name: str) -> str:
    try:
        return gettext(policy(name).title)
    except UnknownPolicy:
        return name


class ThemeCount(msgspec.Struct, frozen=True):
    """One theme on the first page."""

    theme: str
    name: Any
    count: int
    done: int


def theme_counts(done: set[str]) -> tuple[ThemeCount, ...]:
    """Count puzzles and answered ones by the themes they can be practised on."""
    own = {one: {key for key, themes in themes_of().items() if one in themes} for one in THEMES}
    return tuple(
        ThemeCount(one, THEME_NAMES[one], len(keys), len(done & keys)) for one, keys in own.items()
    )
