"""Sauda through a model: prompt, answer, steering, guards, words; the rules where that fails."""

import functools
from collections.abc import Callable

import msgspec
from django.conf import settings

from agents import asking, steering
from agents.coherence import is_coherent, tidy
from agents.guards import guard
from agents.lines.voice import Voice
from agents.parsing import Parsed, parse
from agents.prompts.buyer import PROMPT_VERSION, SYSTEM, render
from agents.reciting import recites
from agents.rounding import in_round_numbers
from agents.router import Answer
from agents.second_look import look_twice
from agents.stand_in import by_rules
from agents.talk import is_coherent_talk
from agents.whispering import Whispering
from negotiation.engine.moves import Move, Offer
from negotiation.engine.observe import BuyerObservation
from negotiation.policies import Entry, Played, Request, Whisper

NUMBER = 1
"""Version of this path from a model's answer to a move."""


class LiveSauda:
    """Asks a model for Sauda's turn.

    Args:
        entry: gives the registered rule policy that stands in.
        only: backends that may answer; empty: whatever the operator has put in order.
    """

    def __init__(self, entry: Callable[[], Entry], only: tuple[str, ...] = ()) -> None:
        self._entry = entry
        self._only = only

    def awake(self) -> bool:
        """Tell whether a model is configured."""
        return asking.awake(self._only)

    async def turn(self, request: Request, whisper: Whisper) -> Played:
        """Play a turn; the rules play it when no model gives a readable answer in time."""
        seen = request.observation
        assert isinstance(seen, BuyerObservation)
        deadline = asking.turn_deadline()
        seen = await look_twice(seen, request.client, deadline, self._only)
        chat = asking.chat_of(render(seen, speak_only=request.speak_only))
        plays = functools.partial(_is_played, seen)
        listener = Whispering(whisper, plays).hear
        answer = await asking.ask(
            chat, request.client, deadline=deadline, on_text=listener, only=self._only
        )
        played = (
            _talk(request, seen, answer) if request.speak_only else _move(request, seen, answer)
        )
        looked = msgspec.structs.replace(request, observation=seen)
        return played or by_rules(self._entry(), looked, answer)


def decide(seen: BuyerObservation, proposal: Move, seed: int, *, steer: bool = True) -> Move:
    """Turn what a model proposes into what is played, with words that may be said.

    Args:
        seen: the position.
        proposal: any move, however unwise.
        seed: the game's seed, for the words that replace a model's unsayable ones.
        steer: the switch of the ablation.
    """
    move = _bend(seen, proposal, steer=steer)
    text = tidy(move.text)
    if is_coherent(text, seen, move) and not recites(text, SYSTEM):
        return msgspec.structs.replace(move, text=text)
    return msgspec.structs.replace(move, text=Voice(seed).line(seen, move))


def model_version(answer: Answer) -> str:
    """Write the version label of a move that a model made."""
    return f"sauda@{NUMBER}/prompt{PROMPT_VERSION}/{answer.backend}:{answer.model}"[:80]


def _bend(seen: BuyerObservation, proposal: Move, *, steer: bool) -> Move:
    if not steer:
        return guard(seen, proposal)
    steered = steering.steer(seen, proposal)
    if (
        isinstance(steered, Offer)
        and isinstance(proposal, Offer)
        and steered.price == proposal.price
    ):
        return guard(seen, steered)
    return guard(seen, in_round_numbers(seen, steered))


def _is_played(seen: BuyerObservation, proposal: Parsed) -> bool:
    if proposal.action == "say":
        return True
    move = proposal.to_move()
    if move is None:
        return False
    bent = _bend(seen, move, steer=settings.SAUDA_STEER)
    if isinstance(move, Offer) and isinstance(bent, Offer):
        return bent.price == move.price
    return type(bent) is type(move)


def _move(request: Request, seen: BuyerObservation, answer: Answer) -> Played | None:
    proposal = parse(answer.text) if answer.backend else None
    move = proposal.to_move() if proposal is not None else None
    if move is None:
        return None
    decided = decide(seen, move, request.seed, steer=settings.SAUDA_STEER)
    return Played(decided, answer.backend, model_version(answer), answer.passed_over)


def _talk(request: Request, seen: BuyerObservation, answer: Answer) -> Played | None:
    proposal = parse(answer.text) if answer.backend else None
    if proposal is None or not is_coherent_talk(proposal.message, seen):
        return None
    if recites(proposal.message, SYSTEM):
        return None
    return Played(proposal.message, answer.backend, model_version(answer), answer.passed_over)
