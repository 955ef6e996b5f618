"""The rule policy that plays a live turn when no model gave an answer that can be read."""

from agents.router import Answer
from negotiation.engine.moves import Move
from negotiation.policies import Entry, PassedOver, Played, Request


def by_rules(entry: Entry, request: Request, answer: Answer) -> Played:
    """Play a turn by the plain form of a policy.

    Args:
        entry: the registered policy.
        request: the turn.
        answer: what the models gave; a text that could not be read is noted as passed over.
    """
    player, seen = entry.make(request.seed), request.observation
    made: Move | str = player.reply(seen) if request.speak_only else player.act(seen)
    passed = answer.passed_over
    if answer.backend:
        passed += (PassedOver(answer.backend, "unreadable", answer.waited_ms),)
    return Played(made, entry.backend, entry.version, passed)
