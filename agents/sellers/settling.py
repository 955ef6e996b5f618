"""What of a model's answer is played: the model proposes, the rules decide.

A model keeps its price where that is a step down and not a reckless one, and its words where they
may be said; everything else comes from the rule seller of the same persona.
"""

import re
from collections.abc import Iterator

import msgspec

from agents.dialects.parsing import Parsed
from agents.output_guard.coherence import (
    SELLERS_MAX_MESSAGE,
    first_coherent,
    is_mere_talk,
    recites,
    tidy,
)
from agents.output_guard.moves import guard
from agents.sellers import pricing
from agents.sellers.prompt import SYSTEM
from agents.sellers.rule_seller import RuleSeller
from agents.sellers.speaking import listens
from negotiation.engine.moves import Move, Offer, Walk
from negotiation.engine.observe import SellerObservation

RECKLESS = 2.0
"""A model steps down at most so many times as far as the rule seller would."""

_SENTENCE_END = re.compile(r"(?<=[.!?।])\s+")


def settle(observation: SellerObservation, persona: str, seed: int, parsed: Parsed | None) -> Move:
    """Turn a model's answer into the move that is played. Pure; never raises.

    Returns:
        A legal move that keeps the four rules, with words that fit it.
    """
    rule = RuleSeller(seed, persona)
    move = guard(observation, _wish(observation, rule, parsed))
    # Words of a goodbye do not fit a counter, nor those of a counter an acceptance.
    if parsed is not None and parsed.message and isinstance(move, type(parsed.to_move())):
        text = first_coherent(_cuts(parsed.message), observation, move)
        if text and _may_be_said(rule, text, observation, move):
            return msgspec.structs.replace(move, text=text)
    return rule.dress(observation, move)


def settle_talk(
    observation: SellerObservation, persona: str, seed: int, parsed: Parsed | None
) -> str:
    """Choose the words of a turn without a move: a model's if they name no price, else ours."""
    rule = RuleSeller(seed, persona)
    said = _cuts(parsed.message) if parsed is not None and parsed.message else iter(())
    fit = next((text for text in map(tidy, said) if is_mere_talk(text, observation)), "")
    if fit and _may_be_said(rule, fit, observation, None):
        return fit
    return rule.reply(observation)


def _may_be_said(
    rule: RuleSeller, text: str, observation: SellerObservation, move: Move | None
) -> bool:
    """Whether a person may hear a model's words: nothing that the bank might not say."""
    return not listens(observation) or rule.tongue().may_say(text, observation, move)


def _wish(observation: SellerObservation, rule: RuleSeller, parsed: Parsed | None) -> Move:
    proposed = parsed.to_move() if parsed is not None else None
    own = rule.propose(observation)
    if isinstance(proposed, Walk):
        # The guard lets a model leave where it has cause to; elsewhere the rules make the counter.
        allowed = guard(observation, proposed)
        return allowed if isinstance(allowed, Walk) else own
    if isinstance(proposed, Offer) and isinstance(own, Offer):
        ask = observation.standing_ask
        least = ask - RECKLESS * pricing.step(observation, rule.persona.temper)
        if max(observation.reservation, least) <= proposed.price < ask:
            return proposed
    return own


def _cuts(message: str) -> Iterator[str]:
    """Return the message, and what is left when sentences are taken off its end.

    A message that recites its instructions is no message.
    """
    if recites(message, SYSTEM):
        return
    sentences = _SENTENCE_END.split(message[: 4 * SELLERS_MAX_MESSAGE])
    for count in range(len(sentences), 0, -1):
        yield " ".join(sentences[:count])
