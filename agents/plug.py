"""The list of everything this room gives to the game."""

from agents.buyers.aggressive import Aggressive
from agents.buyers.agreeable import Agreeable
from agents.buyers.base import RuleBuyer
from agents.buyers.micro import Micro
from agents.buyers.og import Og
from agents.buyers.random_buyer import RandomBuyer
from agents.buyers.sauda import Sauda, SaudaWithoutTells
from agents.buyers.smart import Smart
from agents.buyers.split import Split
from agents.buyers.timed import Boulware, Conceder, Linear
from agents.buyers.tit_for_tat import TitForTat
from agents.buyers.zeuthen import Zeuthen
from agents.speech import Speech
from negotiation import policies, readers

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
    Og,
    Agreeable,
    RandomBuyer,
)
"""A new rule buyer is one file and one name in this table."""


def plug_in() -> None:
    """Register the policies and install the reader; safe to call twice."""
    readers.install(Speech())
    for buyer in BUYERS:
        policies.register(buyer.name, buyer, version=buyer.version(), title=buyer.title)
