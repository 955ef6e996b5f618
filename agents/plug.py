"""The list of everything this room gives to the game."""

from agents.speech import Speech
from negotiation import readers


def plug_in() -> None:
    """Register the policies and install the reader; safe to call twice."""
    readers.install(Speech())
