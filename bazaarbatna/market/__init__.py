"""The GPU market's rules: pure values and functions, no Django, no network, no clock.

>>> from bazaarbatna.market import WAIT, advance, apply, make_market, observe, start
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

from bazaarbatna.market.actions import (
    ACTION_NAMES,
    FINISH,
    WAIT,
    ActionName,
    Malformed,
    MarketAction,
    read_action,
)
from bazaarbatna.market.episode import advance, apply, consider, fold, start
from bazaarbatna.market.errors import (
    CODES,
    BrokenLog,
    Code,
    MarketClosed,
    MarketError,
    NotYourTurn,
    UnknownTask,
)
from bazaarbatna.market.events import MarketEvent
from bazaarbatna.market.first_trade import FIRST_TRADE, make_first_trade
from bazaarbatna.market.making import make_market
from bazaarbatna.market.observe import Observation, observe
from bazaarbatna.market.playing import Player, Scored, play_market, play_on, play_scored, step
from bazaarbatna.market.rewards import (
    COLUMNS,
    Normaliser,
    Reward,
    reward,
    value_of_all_jobs,
)
from bazaarbatna.market.scenario import (
    TASK_NAMES,
    TASKS,
    MarketScenario,
    Task,
    task_of,
    with_strictness,
    without_shocks,
)
from bazaarbatna.market.state import ActionResult, State, Tally

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
