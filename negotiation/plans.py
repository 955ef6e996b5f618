"""Why the house said what it said: the plan of a turn, kept beside its event and told on demand.

A plan is made of what stands in the open (words, prices, promises), so whoever may read the words
may read the plan, too.
"""

from typing import Any, Literal

import msgspec
from django.utils.translation import gettext, pgettext

from negotiation.engine.quantities import Paise, to_rupees
from negotiation.marking import gettext_noop
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
    "greeting": gettext_noop("a greeting"),
    "small_talk": gettext_noop("small talk"),
    "question:her": gettext_noop("a personal question"),
    "question:goods": gettext_noop("a question about the thing"),
    "question:price": gettext_noop("a question about the price"),
    "question:pickup": gettext_noop("a question about pickup"),
    "question:payment": gettext_noop("a question about payment"),
    "question:warranty": gettext_noop("a question about the warranty"),
    "price": gettext_noop("a price"),
    "concession": gettext_noop("a step to meet"),
    "split": gettext_noop("a wish to meet halfway"),
    "extra": gettext_noop("something thrown in"),
    "promise": gettext_noop("a promise"),
    "refusal": gettext_noop("a no"),
    "ultimatum": gettext_noop("a last word"),
    "agreement": gettext_noop("a yes"),
    "reason:condition": gettext_noop("its condition"),
    "reason:age": gettext_noop("its age"),
    "reason:brand": gettext_noop("its name"),
    "reason:sentiment": gettext_noop("what it means to you"),
    "reason:hardship": gettext_noop("a hard time"),
    "reason:cost": gettext_noop("what it once cost"),
    "rival": gettext_noop("somebody else's offer"),
    "urgency": gettext_noop("a hurry"),
    "insult": gettext_noop("an insult"),
    "flattery": gettext_noop("a compliment"),
    "confusion": gettext_noop("that something was not understood"),
    "language": gettext_noop("a wish for another language"),
    "nonsense": gettext_noop("nothing that made sense"),
    "instruction": gettext_noop("an order to a machine, which is not taken"),
}

MOVES: dict[MoveName, str] = {
    "open": gettext_noop("a first price"),
    "concede": gettext_noop("{step} towards you"),
    "hold": gettext_noop("the same price again"),
    "accept": gettext_noop("took your price"),
    "leave": gettext_noop("left"),
    "talk": gettext_noop("no move: the turn was yours"),
}
REASONS: dict[Because, str] = {
    "": "",
    "promised": gettext_noop("a step had been promised for yours"),
    "you-moved": gettext_noop("you had moved"),
    "you-stood": gettext_noop("you had not moved"),
    "last-round": gettext_noop("it was the last round"),
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
    lines = [Line(gettext("Heard"), _named(act), tuple(words)) for act, words in heard.items()]
    lines.append(Line(pgettext("plan", "Played"), _played(shown, currency)))
    if shown["speaks_to"]:
        first, *others = (_named(act) for act in shown["speaks_to"])
        words = (
            gettext("%(one)s and %(other)s") % {"one": first, "other": others[0]}
            if others
            else first
        )
        lines.append(Line(gettext("Spoke to"), words))
    if shown["promises"]:
        lines.append(
            Line(
                gettext("Promised"), gettext("a step for your next step; that binds the next price")
            )
        )
    return tuple(lines)


def _played(shown: dict[str, Any], currency: str) -> str:
    move: MoveName = shown["move"]
    words = gettext(MOVES[move]).format(step=rupees_text(shown["step"], currency))
    why = REASONS[shown["because"]]
    if not why:
        return words
    return gettext("%(move)s, because %(why)s") % {"move": words, "why": gettext(why)}


def _named(act: str) -> str:
    return gettext(ACTS[act]) if act in ACTS else act
