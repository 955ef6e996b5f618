"""Who plays on for somebody that nobody can ask again: a person, a model, a policy that is gone.

Stand-ins say nothing. Which of several ways of playing one takes is drawn from the luck.
"""

from random import Random

import msgspec

from negotiation.engine.episode import State
from negotiation.engine.moves import Move
from negotiation.engine.observe import SellerObservation
from negotiation.engine.scenario import Scenario, SellerRules
from negotiation.engine.sellers import SELLERS, VERSIONS
from negotiation.engine.sellers.base import RuleSeller, inventory_pressure
from negotiation.engine.sellers.persona import HOUSE
from negotiation.engine.tells import Tells

BACKEND = "stand-in"

BUYERS = ("rules:smart", "rules:linear", "rules:boulware", "sauda")
"""Policies that may stand in for a buyer."""

UNSEEN = {"fidget_level": None, "eye_contact": None, "posture": None}
"""Signals that nobody could observe in a written game: they are not invented for a stand-in."""


def buyer_name(seed: int) -> str:
    """Choose who stands in for a buyer."""
    return BUYERS[Random(f"stand-in:{seed}").randrange(len(BUYERS))]


class SellerStandIn:
    """A rule seller that begins at a position: the ask that stands is its anchor.

    It plans to have spent its room (down to the reservation price) when the rounds end; its
    persona, drawn among the four, then hurries, bluffs or leans as ever.
    """

    def __init__(self, state: State, seed: int) -> None:
        luck = Random(f"stand-in:{seed}")
        persona = tuple(SELLERS)[luck.randrange(len(SELLERS))]
        self.version = VERSIONS[persona]
        self._rounds_gone = state.round - 1
        self._asks_gone = len(state.asks) - 1
        scenario = _from_here(state, persona, seed)
        self._seller: RuleSeller = SELLERS[persona](scenario, luck)

    def tells(self, seen: SellerObservation) -> Tells:
        """Show what written words could have shown; comes before ``act``, as with every seller."""
        shown = self._seller.tells(self._here(seen))
        return msgspec.structs.replace(shown, **UNSEEN)

    def act(self, seen: SellerObservation) -> Move:
        """Answer the standing bid."""
        return msgspec.structs.replace(self._seller.act(self._here(seen)), text="")

    def _here(self, seen: SellerObservation) -> SellerObservation:
        return msgspec.structs.replace(
            seen,
            round=seen.round - self._rounds_gone,
            max_rounds=seen.max_rounds - self._rounds_gone,
            asks=seen.asks[self._asks_gone :],
        )


def _from_here(state: State, persona: str, seed: int) -> Scenario:
    scenario = state.scenario
    ask, sealed = state.standing_ask, scenario.sealed
    rounds = scenario.max_rounds - state.round + 1
    pressed = 1 + HOUSE.pressure_weight * inventory_pressure(SellerRules())
    rate = (ask - sealed.reservation) / ask / rounds / pressed
    return msgspec.structs.replace(
        scenario,
        max_rounds=rounds,
        anchor=ask,
        sealed=msgspec.structs.replace(sealed, persona=persona, seed=seed),
        rules=SellerRules(concession_rate=rate, bluff_raise=scenario.rules.bluff_raise),
    )
