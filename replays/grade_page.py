"""The grades of a game in words, for its replay page and as JSON. Prices in rupees here."""

from typing import Any

import msgspec

from negotiation.engine.quantities import Side, other, to_rupees
from negotiation.money import rupees_text
from negotiation.seats import Cast
from replays.accuracy import move_accuracy
from replays.grade_result import Result
from replays.grade_words import WORDS, Word, loss_allowed, word_for
from replays.grading import GradedMove, LineMove
from replays.steps import Step

SHOWN_OF_LINE = 6
"""Moves of a long line that are told before its end."""


class Mark(msgspec.Struct, frozen=True):
    """One graded move as the page shows it.

    ``loss`` is a share 0..1, ``left`` what it is worth as text (empty without a loss); ``better``
    the move that should have been made and ``line`` what would have followed, both empty where
    nothing was better; ``attempt`` is its price as the what-if form takes it,
    empty where it has none.
    """

    seq: int
    side: Side
    round: int
    did: str
    word: Word
    loss: float
    left: str
    better: str = ""
    attempt: str = ""
    line: tuple[str, ...] = ()

    @property
    def label(self) -> str:
        """The whole mark as it is read aloud."""
        lost = f", {self.left} left on the table" if self.left else ""
        return f"{self.did}: {self.word.name}{lost}"


class Lane(msgspec.Struct, frozen=True):
    """One side's row of the strip: a mark or nothing per round."""

    side: Side
    name: str
    accuracy: int | None
    marks: tuple[Mark | None, ...]


class Grades(msgspec.Struct, frozen=True):
    """Everything the page says about how well a game was played."""

    headline: str
    worst: Mark | None
    lanes: tuple[Lane, ...]
    rounds: tuple[int, ...]
    marks: dict[int, Mark]
    legend: tuple[tuple[Word, str], ...] = tuple((word, loss_allowed(word)) for word in WORDS)


def grades_page(
    result: Result, steps: tuple[Step, ...], cast: Cast, reader: Side | None, currency: str
) -> Grades:
    """Put the grades of a game into words.

    Args:
        result: the grades.
        steps: the steps of the replay, whose words name the moves.
        cast: what both sides are called.
        reader: the side that the reader played, None for somebody who looks on.
        currency: ISO code of the item's prices.
    """
    steps_by_seq = {step.seq: step for step in steps}
    marks = {
        move.seq: _mark(move, steps_by_seq[move.seq], result, cast, currency)
        for move in result.moves
        if move.seq in steps_by_seq
    }
    rounds = tuple(range(1, max((mark.round for mark in marks.values()), default=0) + 1))
    side = reader or cast.own
    worst = result.worst_of(side)
    who = "You" if reader else cast.name(side)
    return Grades(
        headline=_headline(result, worst, who, currency),
        worst=marks.get(worst.seq) if worst else None,
        lanes=tuple(_lane(one, result, marks, rounds, cast, reader) for one in (other(side), side)),
        rounds=rounds,
        marks=marks,
    )


def grades_json(result: Result, method: str, currency: str) -> dict[str, Any]:
    """Give the grades as builtins.

    Args:
        result: the grades.
        method: label of how they were made.
        currency: ISO code of the item's prices.
    """
    return {
        "status": "done",
        "method": method,
        "currency": currency,
        "zone": to_rupees(result.width),
        "accuracy": {
            "seller": _rounded(result.seller_accuracy, 1),
            "buyer": _rounded(result.buyer_accuracy, 1),
        },
        "moves": [_move_json(move, result) for move in result.moves],
    }


def _move_json(move: GradedMove, result: Result) -> dict[str, Any]:
    return {
        "seq": move.seq,
        "actor": move.actor,
        "word": word_for(move.loss).name,
        "loss": _rounded(move.loss, 4),
        "left": to_rupees(result.left_by(move)),
        "expected_share": _rounded(move.played, 4),
        "accuracy": _rounded(move_accuracy(move.loss), 1),
        "better": _deed_json(move.best) if move.best else None,
        "line": [_deed_json(deed) for deed in move.line],
    }


def _deed_json(deed: LineMove) -> dict[str, Any]:
    price = None if deed.price is None else to_rupees(deed.price)
    return {"actor": deed.actor, "action": deed.kind, "price": price}


def _rounded(number: float | None, digits: int) -> float | None:
    return None if number is None else round(number, digits)


def _mark(move: GradedMove, step: Step, result: Result, cast: Cast, currency: str) -> Mark:
    left = result.left_by(move)
    mark = Mark(
        seq=move.seq,
        side=move.actor,
        round=step.round,
        did=step.words,
        word=word_for(move.loss),
        loss=move.loss,
        left=_amount(left, currency) if left else "",
    )
    if move.best is None:
        return mark
    return msgspec.structs.replace(
        mark,
        better=_order(move.best, currency),
        attempt=_attempt(move.best),
        line=_line(move.line[1:], cast, currency),
    )


def _lane(
    side: Side,
    result: Result,
    marks: dict[int, Mark],
    rounds: tuple[int, ...],
    cast: Cast,
    reader: Side | None,
) -> Lane:
    own = {mark.round: mark for mark in marks.values() if mark.side == side}
    accuracy = result.accuracy_of(side)
    return Lane(
        side=side,
        name="You" if side == reader else cast.name(side),
        accuracy=None if accuracy is None else round(accuracy),
        marks=tuple(own.get(number) for number in rounds),
    )


def _headline(result: Result, worst: GradedMove | None, who: str, currency: str) -> str:
    if not result.width:
        return "No price suited both: nothing was left on the table."
    if worst is None:
        return f"{who} left nothing on the table."
    return f"{who} left {_amount(result.left_by(worst), currency)} on the table"


def _amount(paise: int, currency: str) -> str:
    """Write an amount; from ten rupees on whole rupees say all that can be known."""
    return rupees_text(round(paise / 100) if paise >= 1000 else paise / 100, currency)


def _order(deed: LineMove, currency: str) -> str:
    match deed.kind:
        case "offer":
            verb = "ask" if deed.actor == "seller" else "bid"
            return f"{verb} {_price(deed, currency)}"
        case "accept":
            return f"accept {_price(deed, currency)}"
        case _:
            return "walk away"


def _attempt(deed: LineMove) -> str:
    if deed.kind != "offer" or deed.price is None:
        return ""
    whole, paise = divmod(deed.price, 100)
    return f"{whole}.{paise:02}" if paise else str(whole)


def _line(deeds: tuple[LineMove, ...], cast: Cast, currency: str) -> tuple[str, ...]:
    told = tuple(f"{cast.called(deed.actor)} {_does(deed, currency)}" for deed in deeds)
    if len(told) <= SHOWN_OF_LINE + 1:
        return told or ("it ends there",)
    return (*told[: SHOWN_OF_LINE - 1], "…", told[-1])


def _does(deed: LineMove, currency: str) -> str:
    match deed.kind:
        case "offer":
            verb = "asks" if deed.actor == "seller" else "bids"
            return f"{verb} {_price(deed, currency)}"
        case "accept":
            return f"accepts {_price(deed, currency)}"
        case _:
            return "walks away"


def _price(deed: LineMove, currency: str) -> str:
    return rupees_text(to_rupees(deed.price or 0), currency)
