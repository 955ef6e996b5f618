"""All rule buyers; a new one is one file and one name in this table."""

from agents.buyers.base import RuleBuyer
from agents.buyers.classic import Aggressive, Og, Smart
from agents.buyers.sauda import Sauda, SaudaWithoutTells
from agents.buyers.simple import (
    Agreeable,
    Climber,
    Halver,
    Micro,
    RandomBuyer,
    Split,
    TitForTat,
    Waiter,
    Zeuthen,
)
from agents.buyers.timed import Boulware, Conceder, Linear

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
