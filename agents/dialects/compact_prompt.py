"""The prompt of the small model: everything in some eighty tokens.

A model must never meet another text than the one it was trained on: whoever changes a character
here raises ``VERSION`` and trains anew.
"""

from agents.dialects.scale import to_share
from agents.lines.register import register_of
from agents.lines.topics import last_words, topic_of
from negotiation.engine.observe import BuyerObservation
from negotiation.engine.tells import Tells

VERSION = "compact-2"

SHOWN = 6
"""Latest asks, and latest bids, that are written."""

_LEVELS = (
    "verbal_urgency",
    "verbal_confidence",
    "verbal_deception_cue",
    "fidget_level",
    "emotional_escalation",
)


def render(seen: BuyerObservation, *, speak_only: bool) -> str:
    """Write a position: numbers in thousandths of the opening ask, tells in tenths."""
    lines = [
        f"round {seen.round} left {seen.max_rounds - seen.round}{_due(seen)}",
        f"budget {to_share(seen, seen.budget)} seller {seen.persona or 'unknown'}",
        f"tells {_tells(seen.tells)}",
        f"asks {_path(seen, seen.asks)}",
        f"bids {_path(seen, seen.bids)}",
        f"{_register(seen)} {topic_of(last_words(seen.turns))}",
        "say" if speak_only else "move",
    ]
    return "\n".join(lines)


def _due(seen: BuyerObservation) -> str:
    """Tell how many rounds are left before a deal is worth less, if anything is due."""
    return "" if seen.deadline is None else f" due {max(0, seen.deadline - seen.round)}"


def _path(seen: BuyerObservation, prices: tuple[int, ...]) -> str:
    return " ".join(str(to_share(seen, price)) for price in prices[-SHOWN:]) or "none"


def _tells(tells: Tells | None) -> str:
    if tells is None:
        return "none"
    levels = "".join(_tenths(getattr(tells, field)) for field in _LEVELS)
    return f"{levels} {tells.offer_speed or '-'} {tells.concession_pattern or '-'}"


def _tenths(level: float | None) -> str:
    return "-" if level is None else str(min(int(10 * level), 9))


def _register(seen: BuyerObservation) -> str:
    """Name the language of the table: the seller's latest telling words, else the own ones."""
    for actor in ("seller", "buyer"):
        for turn in reversed(seen.turns):
            if turn.actor == actor and turn.text and (found := register_of(turn.text)):
                return found
    return "any"
