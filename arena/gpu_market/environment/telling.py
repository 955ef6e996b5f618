"""What goes into ``info``: the same keys in every environment of the market."""

from typing import Any

import msgspec

from arena.gpu_market.engine import Observation, Reward, State
from arena.gpu_market.engine.quantities import LAB_NUMBERS
from arena.gpu_market.environment.masks import action_mask
from arena.gpu_market.environment.results import to_result
from arena.gpu_market.environment.table import Table
from arena.gpu_market.environment.views import to_view

NOTHING_PAID = Reward()


def told(table: Table, seen: Observation, columns: Reward, *, words: bool) -> dict[str, Any]:
    """Tell a lab what is no number.

    Args:
        table: the market.
        seen: what the lab sees of it.
        columns: of its last reward.
        words: also the whole view in JSON.
    """
    last = seen.last_result
    info: dict[str, Any] = {
        "commitment": table.commitment,
        "action_mask": action_mask(seen),
        "columns": msgspec.structs.asdict(columns),
        "last_action_result": {
            "ok": last is None or last.ok,
            "code": "" if last is None or last.code is None else last.code,
            "message": "" if last is None else last.message,
        },
    }
    hearing = table.heard_by(LAB_NUMBERS[seen.lab])
    info["hearing"] = None if hearing is None else msgspec.to_builtins(hearing)
    if words:
        result = to_result(table.state, table.commitment)
        view = to_view(seen, done=table.is_done, result=result, hearing=hearing)
        info["view"] = msgspec.json.encode(view).decode()
    if table.is_done:
        info["utility"] = _utility(table.state, seen)
    return info


def _utility(state: State, seen: Observation) -> float:
    """Give what a lab gained in all, in credits."""
    assert state.ended is not None
    return next(one.utility for one in state.ended.results if one.lab == seen.lab) / 100
