"""Where each match stands."""

from arena.engine.events import ArenaEvent
from arena.engine.match import ArenaState, fold
from arena.engine.scenario import ArenaScenario
from arena.stored_events import event_from, scenario_from
from negotiation.games import position_cache
from negotiation.models import SealedRecord

KEPT = 500
"""Positions kept in one process."""

Position = position_cache.Position[ArenaState, ArenaEvent]


def stored_scenario(game_id: str) -> ArenaScenario:
    """Read the scenario that was sealed when the match began."""
    record = SealedRecord.objects.get(game=game_id)
    return scenario_from(record.scenario)


def _restore(game_id: str, known: ArenaState | None, events: tuple[ArenaEvent, ...]) -> ArenaState:
    return fold(known.scenario if known else stored_scenario(game_id), events)


keeper = position_cache.Keeper(KEPT, event_from, _restore)
position_of = keeper.position_of
remember = keeper.remember
