"""The coalitions of finished markets as games: solved once in each process, one market at a time.

A page asks in a thread, and the solver holds no lock of Python's: live lines go on meanwhile.
"""

import threading

from arena.gpu_market.board.coalition_claims import Explained, explain_coalitions
from arena.gpu_market.room.game import position_of
from arena.market_models import MarketMatch

WITHIN_S = 2.0
"""Seconds that the solver may take for a market; then its coalitions are valued quickly.

Of 394 coalitions that policies formed, half took 0.03 s and the slowest 0.86 s; for the four or
five labs of a whole market the solver takes 1 to 10 s in the first round.
"""

KEPT = 64
"""Markets that one process remembers."""

_known: dict[str, tuple[Explained, ...]] = {}
_solving = threading.Lock()


def explained(match_id: str) -> tuple[Explained, ...]:
    """Explain the coalitions of a market that has ended."""
    found = _known.get(match_id)
    if found is not None:
        return found
    # Whoever asks meanwhile waits for the answer; a crowd that asks of many markets does not.
    if not _solving.acquire(timeout=WITHIN_S):
        return _explain(match_id, 0)
    try:
        if match_id not in _known:
            _known[match_id] = _explain(match_id, WITHIN_S)
            while len(_known) > KEPT:
                del _known[next(iter(_known))]
        return _known[match_id]
    finally:
        _solving.release()


def _explain(match_id: str, within_s: float) -> tuple[Explained, ...]:
    position = position_of(MarketMatch.objects.select_related("game").get(pk=match_id).game)
    return explain_coalitions(position.state.scenario, position.events, within_s)
