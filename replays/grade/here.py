"""Grading in the web process, for a site whose background worker does not answer."""

import threading
from concurrent.futures import Future, ThreadPoolExecutor

from django.db import connections

from replays.grade import jobs

MOST_WAITING = 20
"""Games that may wait here; whoever asks for more is asked to come again."""

_pool = ThreadPoolExecutor(1, thread_name_prefix="grades")
_lock = threading.Lock()
_asked: dict[str, Future[bool]] = {}


def grade_soon(game_id: str) -> Future[bool] | None:
    """Grade a game in a thread of this process, one after the other.

    Returns:
        The work, also where it was asked for before; None where too much is waiting.
    """
    with _lock:
        known = _asked.get(game_id)
        if known is not None:
            return known
        if len(_asked) >= MOST_WAITING:
            return None
        work = _pool.submit(_grade, game_id)
        _asked[game_id] = work
        return work


def _grade(game_id: str) -> bool:
    try:
        return jobs.run(game_id)
    finally:
        with _lock:
            _asked.pop(game_id, None)
        connections.close_all()
