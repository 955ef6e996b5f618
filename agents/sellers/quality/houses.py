"""Who can play the sellers of the quality report."""

from agents import asking
from agents.parsing import Parsed, parse
from agents.sellers.personas.table import PERSONAS
from agents.sellers.prompt import render
from agents.sellers.quality.games import House
from agents.sellers.rule_seller import RuleSeller
from agents.sellers.settling import settle, settle_talk
from negotiation.engine.moves import Move
from negotiation.engine.observe import SellerObservation


async def _rule_act(observation: SellerObservation, persona: str, seed: int) -> Move:
    return RuleSeller(seed, persona).act(observation)


async def _rule_reply(observation: SellerObservation, persona: str, seed: int) -> str:
    return RuleSeller(seed, persona).reply(observation)


async def _asked(
    observation: SellerObservation, persona: str, *, speak_only: bool
) -> Parsed | None:
    chat = asking.chat_of(render(observation, PERSONAS[persona], speak_only=speak_only))
    answer = await asking.ask_text(chat)
    return parse(answer) if answer else None


async def _model_act(observation: SellerObservation, persona: str, seed: int) -> Move:
    parsed = await _asked(observation, persona, speak_only=False)
    return settle(observation, persona, seed, parsed)


async def _model_reply(observation: SellerObservation, persona: str, seed: int) -> str:
    parsed = await _asked(observation, persona, speak_only=True)
    return settle_talk(observation, persona, seed, parsed)


HOUSES = {
    "rules": House(_rule_act, _rule_reply),
    "router": House(_model_act, _model_reply),
}
"""The rule sellers, or whatever the site's router reaches (with rules where nobody answers)."""
