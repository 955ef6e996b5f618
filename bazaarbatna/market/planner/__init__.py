"""The market's solver: the best plan of a lab, and what a seed could bring it at most.

Exact, in the engine's own arithmetic: a search for one lab, which every reward waits for, and
mixed-integer models for HiGHS, for several labs and for the plan itself. Needs neither Django nor
the network; the engine does not know of it.
"""

from bazaarbatna.market.planner.ceiling import alone as alone
from bazaarbatna.market.planner.ceiling import ceiling as ceiling
from bazaarbatna.market.planner.ceiling import group_value as group_value
from bazaarbatna.market.planner.ceiling import measure as measure
from bazaarbatna.market.planner.ceiling import normaliser_of as normaliser_of
from bazaarbatna.market.planner.ceiling import play_scored as play_scored
from bazaarbatna.market.planner.ceiling import rational_gain as rational_gain
from bazaarbatna.market.planner.model import NoPlan as NoPlan
from bazaarbatna.market.planner.model import Outlook as Outlook
from bazaarbatna.market.planner.model import Plan as Plan
from bazaarbatna.market.planner.model import Run as Run
from bazaarbatna.market.planner.model import TooLong as TooLong
from bazaarbatna.market.planner.model import best_plan as best_plan
from bazaarbatna.market.planner.model import in_hindsight as in_hindsight
from bazaarbatna.market.planner.model import lasting as lasting
from bazaarbatna.market.planner.model import owned_by as owned_by
from bazaarbatna.market.planner.one_lab import best_value as best_value
