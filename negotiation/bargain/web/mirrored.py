"""What a tell says about "you", said about her: for pages on which the other side gave it away."""

import re

_YOU = re.compile(r"\b(?P<you>[Yy]ou) (?P<first>\w+)(?P<more> or (?P<second>\w+))?")
_IRREGULAR = {"are": "is", "have": "has", "do": "does"}
_SAME = frozenset({"would", "could", "should", "will", "can", "may", "might", "must"})
_HISS = ("s", "sh", "ch", "x", "z", "o")


def about_her(why: str) -> str:
    """Turn a reason that speaks to the speaker into one that speaks of her.

    >>> about_her("You say you lose money: sellers who say so often want it over.")
    'She says she loses money: sellers who say so often want it over.'
    >>> about_her("You plead or excuse yourself: that sounds less than sure.")
    'She pleads or excuses herself: that sounds less than sure.'
    """
    turned = _YOU.sub(_turn, why)
    turned = re.sub(r"\byourself\b", "herself", turned)
    turned = re.sub(r"\byour\b", "her", turned)
    return re.sub(r"\bYour\b", "Her", turned)


def about_them(why: str) -> str:
    """Turn a reason that speaks to the speaker into one that speaks of a person who is not here.

    >>> about_them("You say you lose money: sellers who say so often want it over.")
    'They say they lose money: sellers who say so often want it over.'
    """
    for yours, theirs in (("yourself", "themselves"), ("your", "their"), ("you", "they")):
        why = re.sub(rf"\b{yours}\b", theirs, why)
        why = re.sub(rf"\b{yours.capitalize()}\b", theirs.capitalize(), why)
    return why


def _turn(match: re.Match[str]) -> str:
    who = "She" if match["you"] == "You" else "she"
    second = f" or {_conjugated(match['second'])}" if match["more"] else ""
    return f"{who} {_conjugated(match['first'])}{second}"


def _conjugated(verb: str) -> str:
    if verb in _IRREGULAR:
        return _IRREGULAR[verb]
    if verb in _SAME or verb.endswith("ed"):
        return verb
    return f"{verb}es" if verb.endswith(_HISS) else f"{verb}s"
