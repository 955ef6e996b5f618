"""Asking the background worker for grades, without ever holding up whoever asks.

A letter is posted from a thread of its own: a broker that is away costs nobody a move. A letter
that is lost is no harm, the game is then graded when somebody looks at it.
"""

import logging
import queue
import threading
from typing import Any

from kombu.exceptions import KombuError, OperationalError

from replays.grade.tasks import grade_game

log = logging.getLogger(__name__)

MOST_WAITING = 500
"""Letters that may wait to be posted; beyond that they are dropped."""

_waiting: queue.Queue[str] = queue.Queue(MOST_WAITING)
_starting = threading.Lock()
_postman: threading.Thread | None = None


def post(game_id: str) -> None:
    """Have a game graded some time soon."""
    try:
        _waiting.put_nowait(game_id)
    except queue.Full:
        log.warning("too many games wait to be graded; one is left for whoever looks at it")
        return
    _start()


def on_game_ended(sender: object, game_id: str, **_: Any) -> None:
    """Receive ``negotiation.news.game_ended``."""
    post(game_id)


def _start() -> None:
    global _postman  # noqa: PLW0603  one postman per process, started by the first letter
    with _starting:
        if _postman is None or not _postman.is_alive():
            _postman = threading.Thread(target=_carry, name="grade letters", daemon=True)
            _postman.start()


def _carry() -> None:
    while True:
        game_id = _waiting.get()
        try:
            grade_game.apply_async((game_id,), retry=False)
        except (KombuError, OperationalError, OSError):
            log.exception("the worker could not be asked for grades", extra={"game": game_id})
        finally:
            _waiting.task_done()
