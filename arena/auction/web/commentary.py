"""The comment on a match, with what would have happened without the winner's strongest rival.

Computed from the match's log, kept per process.
"""

import functools
import logging
from collections.abc import Sequence
from typing import Any

from arena.auction.engine.comment import Remark, comment, strongest_rival
from arena.auction.engine.events import ArenaEvent, ArenaMove, Bid, Ended, Leave, Placed
from arena.auction.engine.match import place, start
from arena.auction.engine.observe import ArenaObservation, Player, observe, play_match
from arena.auction.engine.scenario import ArenaScenario
from arena.auction.web.buyers import player_of
from arena.auction.web.records import actor, event_from
from negotiation.games.event_log import stored_scenario
from negotiation.models import EventRow

log = logging.getLogger(__name__)


def commentary(scenario: ArenaScenario, events: Sequence[ArenaEvent]) -> tuple[Remark, ...]:
    """Return the comment on a finished match: the same log, the same words.

    Raises:
        BrokenLog: the match has not ended.
    """
    return comment(scenario, events, without=without_rival(scenario, events))


def without_rival(
    scenario: ArenaScenario, events: Sequence[ArenaEvent]
) -> tuple[int, Ended] | None:
    """Play the match again with the winner's strongest rival leaving in the first round.

    Returns:
        The rival's seat and how it ends. None if nobody won, or if somebody else than the rival
        did not play as its policy plays now (a person, a model): nobody knows what that buyer
        would have done.
    """
    ended = events[-1] if events else None
    if not isinstance(ended, Ended) or ended.winner is None:
        return None
    rival = strongest_rival(scenario, ended.winner)
    players = [player_of(scenario, seat, quiet=True) for seat in range(len(scenario.seats))]
    players[rival] = _leaving
    if not _would_play_it_again(scenario, events, players, but=rival):
        return None
    other = play_match(scenario, players.__getitem__)[-1]
    assert isinstance(other, Ended)
    return rival, other


def _would_play_it_again(
    scenario: ArenaScenario, events: Sequence[ArenaEvent], players: Sequence[Player], *, but: int
) -> bool:
    """Whether all buyers but one choose their recorded deeds again, words aside."""
    state, _ = start(scenario)
    for event in events:
        if not isinstance(event, Placed):
            continue
        if event.buyer != but:
            chosen = players[event.buyer](observe(state, event.buyer))
            if _deed(chosen) != _deed(event.move):
                return False
        state, _ = place(state, event.buyer, event.move)
    return True


def _deed(move: ArenaMove) -> tuple[object, ...]:
    return type(move), move.signal, move.price if isinstance(move, Bid) else None


def _leaving(seen: ArenaObservation) -> ArenaMove:
    return Leave()


@functools.lru_cache(maxsize=512)
def remarks_of(game_id: str, last_seq: int) -> tuple[dict[str, Any], ...]:
    """Return the comment as ``{"kind", "actor", "text"}``, by a match and its last event's number.

    The actor is None where a remark is about nobody alone.
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
