"""Why the house said what it said: the plan of a turn, kept beside its event and told on demand.

A plan is made of what stands in the open (words, prices, promises), so whoever may read the words
may read the plan, too.
"""

from typing import Any, Literal

import msgspec

from negotiation.engine.quantities import Paise, to_rupees
from negotiation.money import rupees_text

MoveName = Literal["open", "concede", "hold", "accept", "leave", "talk"]
Because = Literal["", "promised", "you-moved", "you-stood", "last-round"]


class HeardAct(msgspec.Struct, frozen=True):
    """A dialogue act of the other side's line: code points ``start`` to ``end``, its ``words``."""

    act: str
    start: int
    end: int
    words: str


class Plan(msgspec.Struct, frozen=True):
    """The plan of one turn; ``heard`` is what the other side's line did.

    Attributes:
        speaks_to: which of these acts the words answer, at most two.
        step: by how many paise the own price gave way.
        because: what in the open led to the move; "" where nothing there explains it.
        promises: the words promise a step for a step.
    """

    move: MoveName
    heard: tuple[HeardAct, ...] = ()
    speaks_to: tuple[str, ...] = ()
    step: Paise = Paise(0)
    because: Because = ""
    promises: bool = False
    language: str = ""


class Line(msgspec.Struct, frozen=True):
    """A line of the explanation: what is told, how it is called, and the words it rests on."""

    name: str
    words: str
    quotes: tuple[str, ...] = ()


ACTS: dict[str, str] = {
    "greeting": "a greeting", "small_talk": "small talk",
    "question:her": "a personal question", "question:goods": "a question about the thing",
    "question:price": "a question about the price", "question:pickup": "a question about pickup",
    "question:payment": "a question about payment",
    "question:warranty": "a question about the warranty",
    "price": "a price", "concession": "a step to meet", "split": "a wish to meet halfway",
    "extra": "something thrown in", "promise": "a promise", "refusal": "a no",
    "ultimatum": "a last word", "agreement": "a yes",
    "reason:condition": "its condition", "reason:age": "its age", "reason:brand": "its name",
    "reason:sentiment": "what it means to you", "reason:hardship": "a hard time",
    "reason:cost": "what it once cost", "rival": "somebody else's offer", "urgency": "a hurry",
    "insult": "an insult", "flattery": "a compliment",
    "confusion": "that something was not understood",
    "language": "a wish for another language", "nonsense": "nothing that made sense",
    "instruction": "an order to a machine, which is not taken",
}  # fmt: skip

MOVES: dict[MoveName, str] = {
    "open": "a first price",
    "concede": "{step} towards you",
    "hold": "the same price again",
    "accept": "took your price",
    "leave": "left",
    "talk": "no move: the turn was yours",
}
REASONS: dict[Because, str] = {
    "": "",
    "promised": "a step had been promised for yours",
    "you-moved": "you had moved",
    "you-stood": "you had not moved",
    "last-round": "it was the last round",
}


def frame_of(stored: dict[str, Any] | None) -> dict[str, Any]:
    """Return a stored plan as the wire has it, prices in rupees; nothing where there is none."""
    if not stored:
        return {}
    plan = msgspec.convert(stored, Plan)
    return {"plan": {**msgspec.to_builtins(plan), "step": to_rupees(plan.step)}}


def stored_from(shown: msgspec.Struct | None) -> dict[str, Any] | None:
    """Return a plan as it is kept, of one as the wire and exported files have it."""
    if shown is None:
        return None
    told = msgspec.to_builtins(shown)
    return {**told, "step": round(100 * told["step"])}


def explained(shown: dict[str, Any] | None, currency: str) -> tuple[Line, ...]:
    """Return a plan, as the wire has it, in lines for the person whose words were heard."""
    if not shown:
        return ()
    heard: dict[str, list[str]] = {}
    for one in shown["heard"]:
        heard.setdefault(one["act"], []).append(one["words"])
    lines = [Line("Heard", _named(act), tuple(words)) for act, words in heard.items()]
    lines.append(Line("Played", _played(shown, currency)))
    if shown["speaks_to"]:
        lines.append(Line("Spoke to", " and ".join(_named(act) for act in shown["speaks_to"])))
    if shown["promises"]:
        lines.append(Line("Promised", "a step for your next step; that binds the next price"))
    return tuple(lines)


def _played(shown: dict[str, Any], currency: str) -> str:
    move: MoveName = shown["move"]
    words = MOVES[move].format(step=rupees_text(shown["step"], currency))
    why = REASONS[shown["because"]]
    return f"{words}, because {why}" if why else words


def _named(act: str) -> str:
    return ACTS.get(act, act)
