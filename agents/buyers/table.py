"""All rule buyers; a new one is one file and one name in this table."""

from agents.buyers.aggressive import Aggressive
from agents.buyers.agreeable import Agreeable
from agents.buyers.base import RuleBuyer
from agents.buyers.climber import Climber
from agents.buyers.halver import Halver
from agents.buyers.micro import Micro
from agents.buyers.og import Og
from agents.buyers.random_buyer import RandomBuyer
from agents.buyers.sauda import Sauda, SaudaWithoutTells
from agents.buyers.smart import Smart
from agents.buyers.split import Split
from agents.buyers.timed import Boulware, Conceder, Linear
from agents.buyers.tit_for_tat import TitForTat
from agents.buyers.waiter import Waiter
from agents.buyers.zeuthen import Zeuthen

BUYERS: tuple[type[RuleBuyer], ...] = (
    Sauda,
    SaudaWithoutTells,
    Aggressive,
    Smart,
    Boulware,
    Linear,
    Conceder,
    TitForTat,
    Micro,
    Zeuthen,
    Split,
    Waiter,
    Climber,
    Halver,
    Og,
    Agreeable,
    RandomBuyer,
)
