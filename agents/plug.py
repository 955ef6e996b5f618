"""The list of everything this room gives to the game."""

from agents.buyers.base import RuleBuyer
from agents.buyers.sauda import Sauda
from agents.speech import Speech
from negotiation import policies, readers

BUYERS: tuple[type[RuleBuyer], ...] = (Sauda,)
"""A new rule buyer is one file and one name in this line."""


def plug_in() -> None:
    """Register the policies and install the reader; safe to call twice."""
    readers.install(Speech())
    for buyer in BUYERS:
        policies.register(buyer.name, buyer, version=buyer.version(), title=buyer.title)
