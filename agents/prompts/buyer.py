"""The buyer's prompt, for training, evaluation and live play.

Whoever changes a character here raises ``PROMPT_VERSION``: a model must meet the text it learned.
"""

from pathlib import Path

import msgspec

from agents.prompts.chats import Message
from agents.prompts.position import amount, goods, history, path
from agents.prompts.quoting import quote
from agents.text.languages import Register
from bazaarbatna.bargain.observe import BuyerObservation
from bazaarbatna.bargain.tells import Tells
from bazaarbatna.word_tables import read_table
from negotiation.plans import Plan

PROMPT_VERSION = "1"
PLANNED_PROMPT_VERSION = "2"
"""Version of the same text with the plan of a turn, for models that were not trained on the first.
"""

_TOLD = read_table(Path(__file__).with_suffix(".toml"), dict[str, str])
SYSTEM = _TOLD["system"]
TALK = _TOLD["talk"]
MOVE = _TOLD["move"]
TRUE = _TOLD["true"]
MOST_HEARD, HEARD = 6, 60
SPOKEN: dict[Register, str] = {
    "english": "English",
    "hinglish": "Hinglish in Latin letters",
    "hindi": "Hindi in Devanagari",
}

LEVELS = (
    ("urgency", "verbal_urgency"),
    ("confidence", "verbal_confidence"),
    ("deception", "verbal_deception_cue"),
    ("fidgeting", "fidget_level"),
    ("escalation", "emotional_escalation"),
)
_LABELS = (
    ("rounding", "price_rounding"),
    ("speed", "offer_speed"),
    ("concessions", "concession_pattern"),
    ("eyes", "eye_contact"),
    ("posture", "posture"),
)


class Planned(msgspec.Struct, frozen=True):
    """What a model is told of its turn's plan; ``binds``: the bid has to rise, as was promised."""

    plan: Plan
    language: Register
    binds: bool = False


def render(
    observation: BuyerObservation, *, speak_only: bool = False, plan: Planned | None = None
) -> tuple[Message, ...]:
    """Write what a model is told in the buyer's turn, below 4,000 characters."""
    lines = [*goods(observation.item), *_numbers(observation)]
    if observation.tells is not None:
        lines += _noticed(observation.tells)
    lines += ["last turns:", *history(observation.turns, "buyer")]
    if plan is not None:
        lines += _plan(plan)
    lines.append(TALK if speak_only else MOVE)
    return (Message("system", SYSTEM), Message("user", "\n".join(lines)))


def _numbers(observation: BuyerObservation) -> list[str]:
    lines = [
        f"round {observation.round} of {observation.max_rounds}, {observation.item.currency}",
        f"your budget: {amount(observation.budget)}",
    ]
    if observation.deadline is not None:
        lines.append(f"your deadline: round {observation.deadline}")
    if observation.persona is not None:
        lines.append(f"the seller is: {observation.persona}")
    career = observation.career
    if career is not None:
        lines.append(
            f"earlier games: {career.games}, deals {career.deals}, "
            f"your mean share {career.mean_buyer_share:.2f}"
        )
    lines.append(f"seller asks: {path(observation.asks)}")
    lines.append(f"your bids: {path(observation.bids)}")
    return lines


def _plan(planned: Planned) -> list[str]:
    plan = planned.plan
    lines = []
    if plan.heard:
        heard = "; ".join(f"{one.act} {quote(one.words, HEARD)}" for one in plan.heard[:MOST_HEARD])
        lines.append(f"the seller's last line does: {heard}")
    if plan.speaks_to:
        lines.append(f"answer first: {', '.join(plan.speaks_to)}")
    if planned.binds:
        lines.append("you promised a step for a step and the seller came down: your bid must rise")
    lines.append(f"speak {SPOKEN[planned.language]}; you are a woman; at most 30 words")
    return [*lines, TRUE]


def _noticed(tells: Tells) -> list[str]:
    seen = [
        f"{name} {value:.2f}"
        for name, field in LEVELS
        if (value := getattr(tells, field)) is not None
    ]
    seen += [
        f"{name} {value}" for name, field in _LABELS if (value := getattr(tells, field)) is not None
    ]
    return [f"tells: {', '.join(seen)}"] if seen else []
