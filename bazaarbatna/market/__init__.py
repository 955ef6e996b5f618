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

from bazaarbatna.market.actions import ACTION_NAMES as ACTION_NAMES
from bazaarbatna.market.actions import FINISH as FINISH
from bazaarbatna.market.actions import WAIT as WAIT
from bazaarbatna.market.actions import ActionName as ActionName
from bazaarbatna.market.actions import Malformed as Malformed
from bazaarbatna.market.actions import MarketAction as MarketAction
from bazaarbatna.market.actions import read_action as read_action
from bazaarbatna.market.episode import advance as advance
from bazaarbatna.market.episode import apply as apply
from bazaarbatna.market.episode import consider as consider
from bazaarbatna.market.episode import fold as fold
from bazaarbatna.market.episode import start as start
from bazaarbatna.market.errors import CODES as CODES
from bazaarbatna.market.errors import BrokenLog as BrokenLog
from bazaarbatna.market.errors import Code as Code
from bazaarbatna.market.errors import MarketClosed as MarketClosed
from bazaarbatna.market.errors import MarketError as MarketError
from bazaarbatna.market.errors import NotYourTurn as NotYourTurn
from bazaarbatna.market.errors import UnknownTask as UnknownTask
from bazaarbatna.market.events import MarketEvent as MarketEvent
from bazaarbatna.market.first_trade import FIRST_TRADE as FIRST_TRADE
from bazaarbatna.market.first_trade import make_first_trade as make_first_trade
from bazaarbatna.market.making import make_market as make_market
from bazaarbatna.market.observe import Observation as Observation
from bazaarbatna.market.observe import observe as observe
from bazaarbatna.market.playing import Player as Player
from bazaarbatna.market.playing import Scored as Scored
from bazaarbatna.market.playing import play_market as play_market
from bazaarbatna.market.playing import play_on as play_on
from bazaarbatna.market.playing import play_scored as play_scored
from bazaarbatna.market.playing import step as step
from bazaarbatna.market.rewards import COLUMNS as COLUMNS
from bazaarbatna.market.rewards import Normaliser as Normaliser
from bazaarbatna.market.rewards import Reward as Reward
from bazaarbatna.market.rewards import reward as reward
from bazaarbatna.market.rewards import value_of_all_jobs as value_of_all_jobs
from bazaarbatna.market.scenario import TASK_NAMES as TASK_NAMES
from bazaarbatna.market.scenario import TASKS as TASKS
from bazaarbatna.market.scenario import MarketScenario as MarketScenario
from bazaarbatna.market.scenario import Task as Task
from bazaarbatna.market.scenario import task_of as task_of
from bazaarbatna.market.scenario import with_strictness as with_strictness
from bazaarbatna.market.scenario import without_shocks as without_shocks
from bazaarbatna.market.state import ActionResult as ActionResult
from bazaarbatna.market.state import State as State
from bazaarbatna.market.state import Tally as Tally
