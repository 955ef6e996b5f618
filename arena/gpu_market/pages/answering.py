"""What if a lab had done something else? The choices at a turn, and what came of one."""

from typing import Any

from arena.gpu_market.board.action_words import action_words, alternatives
from arena.gpu_market.board.folding import board_of
from arena.gpu_market.board.names import TASK_TITLES, signed_credits
from arena.gpu_market.board.timeline import rounds_axis
from arena.gpu_market.engine import fold
from arena.gpu_market.engine.events import TurnTaken
from arena.gpu_market.engine.quantities import LAB_NUMBERS, to_cents
from arena.gpu_market.pages.drawing import lanes_of
from arena.gpu_market.pages.finding import Seen, seen_as
from arena.gpu_market.pages.result import Cost
from arena.gpu_market.pages.twin import side_of
from negotiation.errors import UnknownGame


def choices_page(seen: Seen, seq: int) -> dict[str, Any]:
    """Gather what else could have been done in a turn that was played from outside.

    Args:
        seen: a market that has ended.
        seq: the log's number of the turn.

    Raises:
        ValueError: there is no such turn.
    """
    turn = seen.events[seq - 1] if 0 < seq <= len(seen.events) else None
    if not isinstance(turn, TurnTaken) or turn.scripted:
        raise ValueError("Nobody took a turn there.")
    before = fold(seen.facts.scenario, seen.events[: seq - 1])
    then = board_of(seen.frames, seq - 1)
    names = _names(seen)
    return {
        "match": seen.named,
        "title": TASK_TITLES[seen.facts.scenario.task],
        "seq": seq,
        "turn": turn,
        "actor_name": names[turn.lab],
        "taken": action_words(turn.action, names),
        "options": alternatives(before, LAB_NUMBERS[turn.lab], turn.action),
        "axis": rounds_axis(then),
        "lanes": lanes_of(then, "then-"),
    }


def answer_of(seen: Seen) -> dict[str, Any] | None:
    """Gather what came of another action, for the page of a market that is such an answer.

    Args:
        seen: a market that has ended.

    Returns:
        None for a market that is nobody's what-if.
    """
    game = seen.match.game
    seq, told = game.forked_at_seq, game.difference
    if not game.parent_id or not seq or not told:
        return None
    turn = seen.events[seq - 1]
    if not isinstance(turn, TurnTaken):
        return None
    name = _names(seen)[turn.lab]
    return {
        "question": f"Round {turn.round}: {action_words(turn.action, _names(seen))}?",
        "verdict": _verdict(name, told["exact"]),
        "certainty": _certainty(told),
        "stand_in": bool(told.get("stand_in")),
        "own": signed_credits(to_cents(told["utility"]["own"])),
        "parent": game.parent_id,
    } | _beside(seen, turn, seq)


def _beside(seen: Seen, turn: TurnTaken, seq: int) -> dict[str, Any]:
    """Draw both courses side by side, where the visitor may see the first one."""
    try:
        parent = seen_as(seen.match.game.parent_id or "", seen.match.owner)
    except UnknownGame:
        return {"costs": [], "sides": []}
    here, there = board_of(parent.frames), board_of(seen.frames)
    was = parent.events[seq - 1]
    taken = action_words(was.action, _names(seen)) if isinstance(was, TurnTaken) else ""
    return {
        "taken": taken,
        "costs": [
            Cost(lab.id, lab.name, lab.utility or 0, other.utility or 0)
            for lab, other in zip(here.labs, there.labs, strict=True)
        ],
        "sides": [
            side_of(here, there, "As it was", "was-", "What only happened here"),
            side_of(there, here, "What if", "if-", "What only happens here"),
        ],
    }


def _verdict(name: str, gain: float) -> str:
    cents = to_cents(gain)
    if not cents:
        return f"It changes nothing for {name}."
    more = "more" if cents > 0 else "less"
    return f"{name} makes {abs(gain):,.2f} credits {more}."


def _certainty(told: dict[str, Any]) -> str:
    mean, low, high = (signed_credits(to_cents(told[name])) for name in ("mean", "low", "high"))
    between = f", between {low} and {high} (95 %)" if low != high else ""
    return f"With other luck, {told['n']} times: {mean} on average{between}."


def _names(seen: Seen) -> dict[str, str]:
    return {card.id: card.name for card in seen.facts.scenario.labs}
