"""What a live buyer has said in a game, so that it says no line twice.

A position holds the last turns only. What was said before them is remembered here, by the process
that said it; after a restart a line may come again, which is no harm.
"""

from collections import OrderedDict
from collections.abc import Collection

from negotiation.engine.observe import BuyerObservation
from negotiation.policies import Played, Request

GAMES = 2_000
"""Latest games whose lines are remembered."""


class Said:
    """The lines of the latest games. Used on one event loop's thread at a time."""

    def __init__(self) -> None:
        self._lines: OrderedDict[tuple[str, int], set[str]] = OrderedDict()

    def in_game(self, request: Request, seen: BuyerObservation) -> Collection[str]:
        """Return the lines that this buyer has said in this game."""
        there = {turn.text for turn in seen.turns if turn.actor == "buyer" and turn.text}
        return there | self._lines.get(_seat(request), set())

    def note(self, request: Request, played: Played) -> None:
        """Remember what is said now."""
        text = played.answer if isinstance(played.answer, str) else played.answer.text
        if not text:
            return
        seat = _seat(request)
        self._lines.setdefault(seat, set()).add(text)
        self._lines.move_to_end(seat)
        if len(self._lines) > GAMES:
            self._lines.popitem(last=False)


def _seat(request: Request) -> tuple[str, int]:
    # Buyers of one match have seeds of their own.
    return request.game, request.seed
