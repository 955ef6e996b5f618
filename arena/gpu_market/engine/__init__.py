"""The GPU market's rules: pure values and functions, no Django, no network, no clock.

>>> from arena.gpu_market.engine import WAIT, advance, apply, make_market, observe, start
>>> state, events = start(make_market("single_trade", seed=7))
>>> len(observe(state, 0).own_blocks)
2
>>> state, events = apply(state, 0, WAIT)
>>> state.turn
1
>>> state, events = advance(state)
>>> state.round, state.turn
(1, 0)
"""

from arena.gpu_market.engine.actions import (
    ACTION_NAMES,
    FINISH,
    WAIT,
    ActionName,
    Malformed,
    MarketAction,
    read_action,
)
from arena.gpu_market.engine.episode import advance, apply, consider, fold, start
from arena.gpu_market.engine.errors import (
    CODES,
    BrokenLog,
    Code,
    MarketClosed,
    MarketError,
    NotYourTurn,
    UnknownTask,
)
from arena.gpu_market.engine.events import MarketEvent
from arena.gpu_market.engine.first_trade import FIRST_TRADE, make_first_trade
from arena.gpu_market.engine.making import make_market
from arena.gpu_market.engine.observe import Observation, observe
from arena.gpu_market.engine.playing import Player, Scored, play_market, play_on, play_scored, step
from arena.gpu_market.engine.rewards import (
    COLUMNS,
    Normaliser,
    Reward,
    reward,
    value_of_all_jobs,
)
from arena.gpu_market.engine.scenario import (
    TASK_NAMES,
    TASKS,
    MarketScenario,
    Task,
    task_of,
    with_strictness,
    without_shocks,
)
from arena.gpu_market.engine.state import ActionResult, State, Tally

__all__ = [
    "ACTION_NAMES",
    "CODES",
    "COLUMNS",
    "FINISH",
    "FIRST_TRADE",
    "TASKS",
    "TASK_NAMES",
    "WAIT",
    "ActionName",
    "ActionResult",
    "BrokenLog",
    "Code",
    "Malformed",
    "MarketAction",
    "MarketClosed",
    "MarketError",
    "MarketEvent",
    "MarketScenario",
    "Normaliser",
    "NotYourTurn",
    "Observation",
    "Player",
    "Reward",
    "Scored",
    "State",
    "Tally",
    "Task",
    "UnknownTask",
    "advance",
    "apply",
    "consider",
    "fold",
    "make_first_trade",
    "make_market",
    "observe",
    "play_market",
    "play_on",
    "play_scored",
    "read_action",
    "reward",
    "start",
    "step",
    "task_of",
    "value_of_all_jobs",
    "with_strictness",
    "without_shocks",
]
