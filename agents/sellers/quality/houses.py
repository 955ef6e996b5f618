"""Who can play the sellers of the quality report."""

from agents import asking
from agents.parsing import Parsed, parse
from agents.sellers.persona import PERSONAS
from agents.sellers.prompt import render
from agents.sellers.quality.games import House
from agents.sellers.rule_seller import RuleSeller
from agents.sellers.settling import settle, settle_talk
from negotiation.engine.moves import Move
from negotiation.engine.observe import SellerObservation


class RuleHouse:
    """The rule sellers."""

    async def act(self, observation: SellerObservation, persona: str, seed: int) -> Move:
        """Play by rule."""
        return RuleSeller(seed, persona).act(observation)

    async def reply(self, observation: SellerObservation, persona: str, seed: int) -> str:
        """Speak by rule."""
        return RuleSeller(seed, persona).reply(observation)


class ModelHouse:
    """Whatever the site's router reaches; the rules play where nobody gives a readable answer.

    ``asked`` counts turns, ``read`` those that a model answered readably.
    """

    def __init__(self) -> None:
        self.asked = 0
        self.read = 0

    async def act(self, observation: SellerObservation, persona: str, seed: int) -> Move:
        """Play what of a model's answer may be played."""
        parsed = await self._ask(observation, persona, speak_only=False)
        return settle(observation, persona, seed, parsed)

    async def reply(self, observation: SellerObservation, persona: str, seed: int) -> str:
        """Say what of a model's words may be said."""
        parsed = await self._ask(observation, persona, speak_only=True)
        return settle_talk(observation, persona, seed, parsed)

    async def _ask(
        self, observation: SellerObservation, persona: str, *, speak_only: bool
    ) -> Parsed | None:
        chat = asking.chat_of(render(observation, PERSONAS[persona], speak_only=speak_only))
        answer = await asking.ask_text(chat)
        parsed = parse(answer) if answer else None
        self.asked += 1
        self.read += parsed is not None
        return parsed


def house(backend: str) -> House:
    """Make the house that a backend's name stands for: ``rules`` or ``router``."""
    return ModelHouse() if backend == "router" else RuleHouse()
