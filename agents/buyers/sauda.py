"""Sauda's rule policy: the house buyer where no model speaks."""

from typing import ClassVar

import msgspec

from agents import steering
from agents.buyers import haggling
from agents.buyers.base import RuleBuyer
from agents.guards import guard
from agents.lines.voice import PARAMETERS as VOICE_PARAMETERS
from agents.rounding import STEPS, in_round_numbers
from agents.speaking.promises import keep
from agents.speaking.speaker import tongue_of
from negotiation.engine.moves import Move
from negotiation.engine.observe import BuyerObservation


class Sauda(RuleBuyer):
    """Opens low, concedes in shrinking steps, reads the seller, and talks.

    proposal -> steering -> round numbers -> guards -> words
    """

    name = "sauda"
    title = "Sauda"
    use_tells: ClassVar[bool] = True
    """The switch of the published ablation; it is part of the name."""
    parameters = {
        "plan": msgspec.to_builtins(haggling.PLAN),
        "steering": steering.PARAMETERS,
        "steps": STEPS,
        "words": VOICE_PARAMETERS,
    }

    def act(self, observation: BuyerObservation) -> Move:
        """Choose a legal move and the words for it."""
        move = self.decide(observation)
        words = tongue_of(observation, self.seed).line(observation, move)
        return msgspec.structs.replace(move, text=words)

    def decide(self, observation: BuyerObservation) -> Move:
        """Choose a legal move without words."""
        judgement = steering.judge(observation, use_tells=self.use_tells)
        wish = haggling.propose(observation, judgement, self.dice(observation))
        steered = steering.steer(observation, wish, judgement)
        return keep(observation, guard(observation, in_round_numbers(observation, steered)))

    def propose(self, observation: BuyerObservation) -> Move:
        """Choose a move that is not steered yet."""
        judgement = steering.judge(observation, use_tells=self.use_tells)
        return haggling.propose(observation, judgement, self.dice(observation))

    def reply(self, observation: BuyerObservation) -> str:
        """Answer words that named no price."""
        return tongue_of(observation, self.seed).reply(observation)


class SaudaWithoutTells(Sauda):
    """The other arm of the ablation: the same buyer, blind to what the seller lets it notice."""

    name = "rules:sauda-without-tells"
    title = "Sauda without tells"
    use_tells = False
