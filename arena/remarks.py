"""The comment on a finished match as it is shown: computed from its log, kept per process."""

import functools
import logging
from typing import Any

log = logging.getLogger(__name__)


@functools.lru_cache(maxsize=512)
def remarks_of(game_id: str, last_seq: int) -> list[dict[str, Any]]:
    """Say what is worth saying about a finished match.

    Args:
        game_id: the match.
        last_seq: number of its last event.

    Returns:
        Remarks as ``{"kind", "actor", "text"}``; the actor is None where it is about nobody alone.
    """
    return []
