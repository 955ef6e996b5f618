"""Which language is spoken: English, Hinglish (Hindi in Latin letters) or Hindi in Devanagari."""

import re

from agents.lines.register import Register, register_of
from agents.speaking.sides import Seen, own_side, rival_side

FIRST: Register = "english"
"""Spoken before anybody has said a telling word: the language of the pages."""
_WORDS = re.compile(r"[a-z]+")
_DEVANAGARI = re.compile(r"[\u0904-\u0939]")
_TOLD_BY = (
    "kab kaha kahan kidhar kaun kaunsa lene dene aaoge aaogi aayenge aaiye karoge karogi karenge "
    "doge dogi denge loge logi kijiye batao bolna ho tha thi gaye rupaye dadi nani beta beti "
    "purana purani naya nayi mazak matlab samajh samjha warna zara"
)
TOLD_BY = frozenset(_TOLD_BY.split())
"""Hindi words in Latin letters that the register leaves undecided."""


def language_of(seen: Seen) -> Register | None:
    """Return the language of the rival's last two telling lines, else her own; None before any.

    She follows when two lines agree, or when there is only one.
    """
    theirs, own = _told(seen, rival_side(seen)), _told(seen, own_side(seen))
    if not theirs:
        return own[0] if own else None
    if len(theirs) == 1 or theirs[0] in theirs[1:2]:
        return theirs[0]
    # A single line does not change what is spoken.
    return next((language for language in own if language in theirs), theirs[0])


def spoken_in(text: str) -> Register | None:
    """Name the language of a line; None where its words do not tell."""
    found = register_of(text)
    if found is None and any(word in TOLD_BY for word in _WORDS.findall(text.lower())):
        return "hinglish"
    # A sign of rupees is no Devanagari.
    return "hinglish" if found == "hindi" and not _DEVANAGARI.search(text) else found


def _told(seen: Seen, actor: str) -> list[Register]:
    lines = [spoken_in(turn.text) for turn in reversed(seen.turns) if turn.actor == actor]
    return [language for language in lines if language]
