"""The scenario of a stored game, hidden values included: for the owner's own numbers only."""

import msgspec

from negotiation.engine.scenario import Scenario
from negotiation.models import Game


def stored_scenario(game: Game) -> Scenario:
    """Read the scenario that was sealed when the game was opened."""
    return msgspec.json.decode(bytes(game.sealed.scenario), type=Scenario)
