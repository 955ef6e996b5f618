"""The seller by rule: what the house plays where no model speaks."""

from collections.abc import Mapping
from functools import partial

import msgspec

from agents.output_guard.moves import BAD_FAITH, OFFENCES, guard
from agents.sellers import pricing
from agents.sellers.persona import PERSONAS, Persona
from agents.sellers.speaking import SellerSpeaker, listens
from agents.sellers.voice import PARAMETERS as VOICE_PARAMETERS
from agents.sellers.voice import SellerVoice
from agents.text.rounding import STEPS
from agents.versions import version_label
from negotiation.engine.moves import Move
from negotiation.engine.observe import SellerObservation
from negotiation.policies import SellerFactory

NUMBER = 1
"""Raised when the code of a seller changes its behaviour."""


class RuleSeller:
    """Comes down in steps, sells as soon as a bid will do, and talks.

    proposal -> round numbers -> guard -> words
    """

    def __init__(self, seed: int, persona: str = "default") -> None:
        self.seed = seed
        self.persona = PERSONAS[persona]

    def act(self, observation: SellerObservation) -> Move:
        """Choose a legal move and the words for it."""
        return self.dress(observation, self.decide(observation))

    def decide(self, observation: SellerObservation) -> Move:
        """Choose a legal move without words."""
        return guard(observation, self.propose(observation))

    def propose(self, observation: SellerObservation) -> Move:
        """Choose a move that need not be legal yet."""
        return pricing.propose(observation, self.persona.temper)

    def dress(self, observation: SellerObservation, move: Move) -> Move:
        """Add this seller's words to a guarded move."""
        voice = self.tongue() if listens(observation) else SellerVoice(self.seed, self.persona)
        text = voice.line(observation, move)
        return msgspec.structs.replace(move, text=text)

    def reply(self, observation: SellerObservation) -> str:
        """Answer words that named no price."""
        voice = self.tongue() if listens(observation) else SellerVoice(self.seed, self.persona)
        return voice.reply(observation)

    def tongue(self) -> SellerSpeaker:
        """Return what answers a person."""
        return SellerSpeaker(self.seed, SellerVoice(self.seed, self.persona).manner)


def version(persona: Persona) -> str:
    """Write the version label that results of a seller carry."""
    parameters: Mapping[str, object] = {
        "persona": msgspec.to_builtins(persona),
        "faith": (BAD_FAITH, OFFENCES),
        "steps": STEPS,
        "words": VOICE_PARAMETERS,
    }
    return version_label(f"seller:{persona.name}", NUMBER, parameters)


class SellerRow(msgspec.Struct, frozen=True):
    """What the registry needs of a seller: ``register(row.name, row.make, side="seller", ...)``."""

    name: str
    make: SellerFactory
    version: str
    title: str
    persona: str


_SELLERS = tuple(
    SellerRow(
        name=f"seller:{persona.name}",
        make=partial(RuleSeller, persona=persona.name),
        version=version(persona),
        title=persona.title,
        persona=persona.name,
    )
    for persona in PERSONAS.values()
)


def sellers() -> tuple[SellerRow, ...]:
    """List the sellers; each call gives the same factories, so registering twice is safe."""
    return _SELLERS
