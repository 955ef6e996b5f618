"""A plan of the house's player in words, for the person whose words were heard."""

from typing import Any

import msgspec
from django.utils.translation import gettext, pgettext

from bazaarbatna.marking import gettext_noop
from bazaarbatna.money import rupees_text
from negotiation.plans import Because, MoveName


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
    "far-apart": gettext_noop("you were too far apart to go on for long"),
    "last-round": gettext_noop("it was the last round"),
}


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
