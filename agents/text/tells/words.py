"""Find in a text what the tables of tells know, and drop what the speaker denies."""

from pathlib import Path
from typing import Literal

import msgspec

from agents.text.reading.phrases import AMOUNT, CLASSES, Hit, Phrasebook
from agents.text.reading.pieces import Text
from agents.text.reading.spelling import word_set
from bazaarbatna.word_tables import read_table

SignalName = Literal["urgency", "deception", "confidence", "condition", "escalation"]


QUIET = -1.0
"""The strength of words that only sound like a signal: "jaldi ki koi baat nahi"."""


class Cue(msgspec.Struct, frozen=True):
    """What a phrase gives away, ``why`` in one line for the player; ``strength`` 0..1.

    For *confidence* it is the confidence itself, for *condition* the state of the goods; ``QUIET``
    shows nothing and keeps shorter phrases inside from speaking. ``firm`` phrases hold their own
    denial ("never opened"); ``by_number`` takes the strength from the percent in the phrase.
    """

    signal: SignalName
    strength: float
    why: str
    firm: bool = False
    by_number: bool = False


class _Row(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    phrases: str
    strength: float = QUIET
    why: str = ""
    firm: bool = False
    by_number: bool = False


class _Rows(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    rows: tuple[_Row, ...]


def _cues(signal: SignalName) -> list[tuple[str, Cue]]:
    table = read_table(Path(__file__).with_name(f"{signal}.toml"), _Rows)
    return [
        (phrase, Cue(signal, row.strength, row.why, row.firm, row.by_number))
        for row in table.rows
        for phrase in row.phrases.splitlines()
    ]


CONDITION = _cues("condition")
TABLE = (
    *_cues("urgency"), *_cues("deception"), *_cues("confidence"), *CONDITION, *_cues("escalation"),
)  # fmt: skip
_BOOK: Phrasebook[Cue] = Phrasebook(TABLE, CLASSES)
_GOODS: Phrasebook[Cue] = Phrasebook(CONDITION, CLASSES)

REACH_BEFORE, REACH_AFTER = 3, 2

_BEFORE = word_set(
    "no not nahi never nothing without bina isnt dont arent didnt havent wasnt doesnt neither nor "
    "kabhi"
)
_BEFORE_NEED = _BEFORE | word_set("you aap aapko tum tumko tumhe")
"""The buyer's hurry is not the seller's: "are you in a hurry?"."""

_SELF = word_set("i im we main mujhe hum humein hame")
_AFTER = word_set("nahi not mat nope")
_JOINTS = word_set("aur and but par lekin magar to toh warna varna ya or because kyunki so")
_ILL = word_set("ill sick unwell hospital hospitalised hospitalized bimar bimari beemar")
MILD = 0.3
"""Deception up to this is how somebody talks, not what is claimed."""
BATTERY = ((95, 0.85), (88, 0.6), (75, 0.35), (0, 0.2))
"""Least battery health in percent, and the condition it stands for."""


class Found(msgspec.Struct, frozen=True):
    """A cue in a text: its places there in code points, and how strongly it speaks."""

    start: int
    end: int
    signal: SignalName
    strength: float
    why: str


def find_cues(text: Text, *, goods_only: bool = False) -> list[Found]:
    """Find the cues of a text; those of one signal never overlap."""
    book = _GOODS if goods_only else _BOOK
    hits = _undenied(text, list(book.find(text.pieces)))
    # What says most comes first: "not negotiable" takes the place of "negotiable".
    hits.sort(key=lambda hit: (-hit.weight, hit.record.strength != QUIET, -hit.record.strength))
    taken: dict[SignalName, set[int]] = {}
    found = []
    for hit in hits:
        places = set(range(hit.first, hit.last + 1))
        mine = taken.setdefault(hit.record.signal, set())
        if not places & mine:
            mine |= places
            if hit.record.strength != QUIET:
                found.append(_found(text, hit))
    found = [cue for cue in found if cue.signal != "deception" or not _is_grave(text, cue)]
    return sorted(_goods_or_temper(found), key=lambda cue: (cue.start, cue.end, cue.signal))


def _undenied(text: Text, hits: list[Hit[Cue]]) -> list[Hit[Cue]]:
    kept: list[Hit[Cue]] = []
    silent: dict[tuple[SignalName, int], bool] = {}
    for hit in sorted(hits, key=lambda hit: hit.first):
        goes_on = (hit.record.signal, hit.first) in silent and not text.pieces[hit.first].breaks
        if hit.record.firm and not goes_on:
            kept.append(hit)
        elif goes_on or _denied(text, hit):
            silent[hit.record.signal, hit.last + 1] = True
        else:
            kept.append(hit)
    return kept


def _is_grave(text: Text, cue: Found) -> bool:
    # Who says "honestly" of an illness is not to be told that it sounds like a bluff.
    return cue.strength <= MILD and any(piece.text in _ILL for piece in text.pieces)


def _goods_or_temper(found: list[Found]) -> list[Found]:
    angry = {p for cue in found if cue.signal == "escalation" for p in range(cue.start, cue.end)}
    return [cue for cue in found if cue.signal != "condition" or cue.start not in angry]


def _found(text: Text, hit: Hit[Cue]) -> Found:
    cue = hit.record
    start, end = text.span(hit.first, hit.last)
    return Found(start, end, cue.signal, _strength(text, hit), cue.why)


def _strength(text: Text, hit: Hit[Cue]) -> float:
    if not hit.record.by_number:
        return hit.record.strength
    percent = next(
        (s.amount.paise / 100 for s in text.said if hit.first <= s.piece <= hit.last), 100.0
    )
    return next((score for least, score in BATTERY if percent >= least), hit.record.strength)


def _denied(text: Text, hit: Hit[Cue]) -> bool:
    pieces = text.pieces
    for place in range(hit.first - 1, max(hit.first - 1 - REACH_BEFORE, -1), -1):
        if pieces[place + 1].breaks or pieces[place].text in _JOINTS | {AMOUNT}:
            break
        if pieces[place].text in _SELF:
            break
        if pieces[place].text in (_BEFORE_NEED if hit.record.signal == "urgency" else _BEFORE):
            return True
    for place in range(hit.last + 1, min(hit.last + 1 + REACH_AFTER, len(pieces))):
        if pieces[place].breaks or pieces[place].text in _JOINTS:
            break
        if pieces[place].text in _AFTER:
            # "nahi to" says "or else".
            following = pieces[place + 1].text if place + 1 < len(pieces) else ""
            return following not in ("to", "toh")
    return False
