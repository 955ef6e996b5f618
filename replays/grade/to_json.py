"""The grades of a game as JSON. Prices in rupees here."""

from typing import Any

from negotiation.engine.quantities import to_rupees
from replays.grade.accuracy import move_accuracy
from replays.grade.moves import GradedMove, LineMove
from replays.grade.result import Result
from replays.grade.scale import word_for


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
        "zone": {one.actor: to_rupees(one.width) for one in result.standings},
        "accuracy": {one.actor: _rounded(one.accuracy, 1) for one in result.standings},
        "moves": [_move(move, result) for move in result.moves],
    }


def _move(move: GradedMove, result: Result) -> dict[str, Any]:
    return {
        "seq": move.seq,
        "actor": move.actor,
        "word": word_for(move.loss).name,
        "loss": _rounded(move.loss, 4),
        "left": to_rupees(result.left_by(move)),
        "expected_share": _rounded(move.played, 4),
        "accuracy": _rounded(move_accuracy(move.loss), 1),
        "better": _deed(move.best) if move.best else None,
        "line": [_deed(deed) for deed in move.line],
    }


def _deed(deed: LineMove) -> dict[str, Any]:
    price = None if deed.price is None else to_rupees(deed.price)
    return {"actor": deed.actor, "action": deed.kind, "price": price}


def _rounded(number: float | None, digits: int) -> float | None:
    return None if number is None else round(number, digits)
