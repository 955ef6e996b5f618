"""A shop's seller through a model: the model proposes, the rules decide.

A model keeps its price where that is a step down and not a reckless one, and its words where they
may be said; everything else comes from the rule seller of the same persona.
"""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec

from agents import asking
from agents.asking import by_rules
from agents.backends.base import Message
from agents.dialects.parsing import Parsed, parse
from agents.output_guard.coherence import (
    SELLERS_MAX_MESSAGE,
    first_coherent,
    is_mere_talk,
    recites,
    tidy,
)
from agents.prompts.position import amount, goods, history, path
from agents.router import Answer
from agents.sayable import partial_answer
from agents.sellers import rule_seller
from agents.sellers.persona import PERSONAS, Persona, is_reciprocal
from agents.sellers.rule_seller import RuleSeller
from agents.sellers.speaking import listens
from bazaarbatna.bargain.moves import Move, Offer, Walk
from bazaarbatna.bargain.observe import SellerObservation
from bazaarbatna.players.guard import guard
from bazaarbatna.word_tables import read_table
from negotiation.policies import Entry, Played, Request, ShowPartialText

SELLER_PROMPT_VERSION = "2"

_TOLD = read_table(Path(__file__).with_suffix(".toml"), dict[str, str])
SYSTEM = _TOLD["system"]
TALK = _TOLD["talk"]
MOVE = _TOLD["move"]


def render(
    observation: SellerObservation, persona: Persona, *, speak_only: bool = False
) -> tuple[Message, ...]:
    """Write what a model is told in the seller's turn, below 4,000 characters."""
    lines = [
        *goods(observation.item),
        f"round {observation.round} of {observation.max_rounds}, {observation.item.currency}",
        f"asking price: {amount(observation.asks[0])}",
        f"your asks: {path(observation.asks)}",
        f"buyer's bids: {path(observation.bids)}",
        "last turns:",
        *history(observation.turns, "seller"),
        TALK if speak_only else MOVE,
    ]
    system = SYSTEM.format(guidance=persona.guidance)
    return (Message("system", system), Message("user", "\n".join(lines)))


RECKLESS = 2.0
"""A model steps down at most so many times as far as the rule seller would; once where steps are
answered by their size."""

_SENTENCE_END = re.compile(r"(?<=[.!?।])\s+")


def settle(observation: SellerObservation, persona: str, seed: int, parsed: Parsed | None) -> Move:
    """Turn a model's answer into a legal move that keeps the four rules, with words that fit it."""
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
        reach = 1.0 if is_reciprocal(observation) else RECKLESS
        least = ask - reach * rule_seller.step(observation, rule.persona.temper)
        if max(observation.reservation, least) <= proposed.price < ask:
            return proposed
    return own


def _cuts(message: str) -> Iterator[str]:
    """Return the message, then without its last sentences; one that recites its orders is none."""
    if recites(message, SYSTEM):
        return
    sentences = _SENTENCE_END.split(message[: 4 * SELLERS_MAX_MESSAGE])
    for count in range(len(sentences), 0, -1):
        yield " ".join(sentences[:count])


NUMBER = 2


class LiveSeller:
    """Asks a model for the turn of a seller of one persona."""

    def __init__(self, persona: str, entry: Callable[[], Entry]) -> None:
        self._persona = persona
        self._entry = entry

    def awake(self) -> bool:
        """Whether a model is configured."""
        return asking.awake()

    async def turn(self, request: Request, show: ShowPartialText) -> Played:
        """Play a turn; the rules play it when no model gives a readable answer in time."""
        seen = request.observation
        assert isinstance(seen, SellerObservation)
        persona = PERSONAS[self._persona]
        chat = asking.chat_of(render(seen, persona, speak_only=request.speak_only))

        def plays(proposal: Parsed) -> bool:
            return request.speak_only or self._is_played(request, seen, proposal)

        listener = partial_answer(self._checked(show, request, seen), plays)
        answer = await asking.ask(chat, request.client, on_text=listener.hear)
        parsed = parse(answer.text) if answer.backend else None
        if parsed is None:
            return by_rules(self._entry(), request, answer)
        made = self._made(request, seen, parsed)
        return Played(made, answer.backend, self._version(answer), answer.passed_over)

    def _checked(
        self, show: ShowPartialText, request: Request, seen: SellerObservation
    ) -> ShowPartialText:
        if not listens(seen):
            return show
        tongue = RuleSeller(request.seed, self._persona).tongue()

        def show_checked(words: str) -> None:
            # The price is still to come, so the words are judged as talk that repeats none.
            if tongue.may_say(words, seen, None):
                show(words)

        return show_checked

    def _made(self, request: Request, seen: SellerObservation, parsed: Parsed) -> Move | str:
        settling = settle_talk if request.speak_only else settle
        return settling(seen, self._persona, request.seed, parsed)

    def _is_played(self, request: Request, seen: SellerObservation, proposal: Parsed) -> bool:
        wish = proposal.to_move()
        move = settle(seen, self._persona, request.seed, proposal)
        if isinstance(wish, Offer) and isinstance(move, Offer):
            return wish.price == move.price
        return type(wish) is type(move)

    def _version(self, answer: Answer) -> str:
        name = f"seller:{self._persona}@{NUMBER}/prompt{SELLER_PROMPT_VERSION}"
        return f"{name}/{answer.backend}:{answer.model}"[:80]
