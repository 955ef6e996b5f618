"""The comment on a finished match as it is shown: computed from its log, kept per process."""

import functools
import logging
from typing import Any

from arena.actors import actor
from arena.commentary import commentary
from arena.engine.scenario import ArenaScenario
from arena.stored_events import event_from
from negotiation.games.stored_events import stored_scenario
from negotiation.models import EventRow

log = logging.getLogger(__name__)


@functools.lru_cache(maxsize=512)
def remarks_of(game_id: str, last_seq: int) -> tuple[dict[str, Any], ...]:
    """Say what is worth saying about a finished match.

    Args:
        game_id: the match.
        last_seq: number of its last event.

    Returns:
        Remarks as ``{"kind", "actor", "text"}``; the actor is None where it is about nobody alone.
    """
    rows = EventRow.objects.filter(game=game_id, seq__lte=last_seq).order_by("seq")
    events = [event_from(payload) for payload in rows.values_list("payload", flat=True)]
    try:
        remarks = commentary(stored_scenario(game_id, ArenaScenario), events)
    # Words about a match must never hide how it ended.
    except Exception:
        log.exception("no comment", extra={"game": game_id})
        return ()
    return tuple(
        {
            "kind": remark.kind,
            "actor": None if remark.buyer is None else actor(remark.buyer),
            "text": remark.text,
        }
        for remark in remarks
    )
