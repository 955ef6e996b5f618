"""A shop's seller through a model: prompt, answer, four rules in code, words; else the rules."""

from collections.abc import Callable

from agents import asking
from agents.asking import by_rules
from agents.dialects.parsing import Parsed, parse
from agents.router import Answer
from agents.sayable import partial_answer
from agents.sellers.persona import PERSONAS
from agents.sellers.prompt import SELLER_PROMPT_VERSION, render
from agents.sellers.rule_seller import RuleSeller
from agents.sellers.settling import settle, settle_talk
from agents.sellers.speaking import listens
from negotiation.engine.moves import Move, Offer
from negotiation.engine.observe import SellerObservation
from negotiation.policies import Entry, Played, Request, ShowPartialText

NUMBER = 2
"""Version of this path from a model's answer to a move."""


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
        """Let only words be seen that will not be replaced."""
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
