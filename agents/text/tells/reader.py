"""Read what a seller's turn gives away: its words, its loudness, its time and the path of asks."""

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import cast

import msgspec

from agents.text.reading.phrases import CLASSES, Phrasebook
from agents.text.reading.pieces import Text, to_text
from agents.text.tells.words import Found, SignalName, find_cues
from bazaarbatna.bargain.quantities import Paise
from bazaarbatna.bargain.tells import (
    CONDITIONS,
    ConditionLabel,
    Pattern,
    Rounding,
    Speed,
    Tells,
    TellSpan,
)
from negotiation.readers import Reading, SaleContext

RUPEE = 100
STALL = RUPEE
"""Two asks less than this apart (paise) are a stall."""

EVEN = 0.35
"""Concessions whose spread is below this share of their mean are steady."""

FRONT = 1.6
"""A first concession this many times the mean of the later ones is front-loaded."""

INSTANT = (2.0, 0.08)
DELIBERATE = (15.0, 0.5)
"""Seconds, and seconds for each character typed."""

_STEPS = (1, 5, 10, 50, 100, 500, 1000, 5000, 10_000, 50_000)
ROUND_SHARE = 0.02
"""A price is round when it is a multiple of a step of about this share of itself."""


def concession_pattern(asks: Sequence[int]) -> Pattern | None:
    """Name the shape of the way down; None while there are not two steps to compare.

    >>> concession_pattern([20000, 18000, 17500, 17300])
    'front_loaded'
    """
    if len(asks) > 1 and abs(asks[-1] - asks[-2]) < STALL:
        return "stalling"
    steps = [before - after for before, after in pairwise(asks)]
    if len(steps) < 2:
        return None
    mean = sum(steps) / len(steps)
    spread = (sum((step - mean) ** 2 for step in steps) / len(steps)) ** 0.5
    if mean <= 0:
        return "erratic"
    if spread <= EVEN * mean:
        return "steady"
    later = sum(steps[1:]) / (len(steps) - 1)
    return "front_loaded" if steps[0] >= FRONT * later else "erratic"


def price_rounding(ask: int | None) -> Rounding | None:
    """Measure how round a price (paise) is.

    >>> price_rounding(17000), price_rounding(16749)
    ('round', 'precise')
    """
    if ask is None:
        return None
    if ask % RUPEE:
        return "precise"
    rupees = ask // RUPEE
    least = 5 if rupees >= 50 else 1
    step = max([least, *(step for step in _STEPS if step <= ROUND_SHARE * rupees)])
    return "round" if rupees % step == 0 else "precise"


def offer_speed(text: str, typing_s: float | None) -> Speed | None:
    """Judge the seconds a line took by its length; None when they are not known.

    >>> offer_speed("170 final", 1.2), offer_speed("170", 40.0)
    ('instant', 'deliberate')
    """
    if typing_s is None:
        return None
    length = min(len(text), 500)
    if typing_s < INSTANT[0] + INSTANT[1] * length:
        return "instant"
    return "deliberate" if typing_s > DELIBERATE[0] + DELIBERATE[1] * length else "normal"


PHRASE = 3

MAX_LINES = 20

_LAST: Phrasebook[str] = Phrasebook(
    [
        ("last|final|aakhri|best|lowest price|offer|rate|ask|quote", "last"),
        ("# ~ last|final|aakhri", "last"),
        ("last|final|aakhri ~ #", "last"),
        ("last|final|aakhri hai|bola|bol", "last"),
    ],
    CLASSES,
)
AGAIN = 0.55
TWICE_WHY = "You named a last price before: the second one is not the last either."


def _repeated_phrases(text: Text, earlier: Sequence[Text]) -> int:
    known = {phrase for line in earlier[-MAX_LINES:] for phrase in _phrases(line)}
    repeats = 0
    for phrase in _phrases(text):
        repeats += phrase in known
        known.add(phrase)
    return repeats


def _phrases(text: Text) -> list[tuple[str, ...]]:
    words = [piece.text for piece in text.pieces]
    if 0 < len(words) < PHRASE:
        # A bare price is no phrase.
        return [] if set(words) == {"#"} else [tuple(words)]
    whole = range(0, len(words) - PHRASE + 1, PHRASE)
    return [tuple(words[place : place + PHRASE]) for place in whole]


def _last_price_again(text: Text, earlier: Sequence[Text]) -> list[Found]:
    if not any(_names_last(line) for line in earlier[-MAX_LINES:]):
        return []
    hit = next(_LAST.find(text.pieces), None)
    if hit is None:
        return []
    start, end = text.span(hit.first, hit.last)
    return [Found(start, end, "deception", AGAIN, TWICE_WHY)]


def _names_last(text: Text) -> bool:
    return next(_LAST.find(text.pieces), None) is not None


def topic_changes(lines: Sequence[Text]) -> int:
    """Count how often a line speaks of something else than the line before it."""
    topics = [topic for line in lines[-MAX_LINES:] if (topic := _topics(line))]
    return sum(not (a & b) for a, b in pairwise(topics))


def _topics(text: Text) -> frozenset[str]:
    found = {_SUBJECT[cue.signal] for cue in find_cues(text) if cue.signal in _SUBJECT}
    if text.said:
        found.add("price")
    return frozenset(found)


_SUBJECT = {"urgency": "seller", "deception": "rivals", "condition": "goods", "confidence": "price"}


_SHOUT = re.compile(r"[A-Z]{2,}(?:[ ,'!.-]{1,3}[A-Z]{2,})*")
_SIGNS = re.compile(r"[!?]{2,}")
_FACES = re.compile("[\U0001f620\U0001f621\U0001f624\U0001f92c\U0001f595]+")
_ABBREVIATIONS = re.compile(
    r"\b(?:"
    r"GB|TB|MB|RAM|ROM|SSD|HDD|HDMI|USB|TV|LED|LCD|OLED|AMOLED|QLED|AC|DC|CC|HP|LG|JBL|"
    r"MRP|EMI|OLX|UPI|COD|BHK|RC|NOC|PUC|ABS|ISO|AM|PM|OK|DSLR|GPS|WIFI|NFC|SIM|PC|MI|"
    r"PS|VIP|DVD|CD|IPS|CPU|GPU|INR|RS|SAMSUNG|BAJAJ|HONDA|YAMAHA|LENOVO|ONEPLUS|"
    r"REALME|PHILIPS|SONY|ASUS|ACER|DELL|BOSE|NIKE|PUMA|IKEA)\b"
)

SHOUT_LETTERS = 6
"""Fewer capitals than this are an abbreviation."""


def _find_shouting(text: str) -> list[Found]:
    shouts = [
        Found(
            m.start(), m.end(), "escalation", _loudness(m[0]), "You shout: capitals read as temper."
        )
        for m in _SHOUT.finditer(text)
        if _is_shout(m[0])
    ]
    signs = [
        Found(
            m.start(), m.end(), "escalation", _row(m[0]), "A row of signs reads as a raised voice."
        )
        for m in _SIGNS.finditer(text)
    ]
    faces = [
        Found(m.start(), m.end(), "escalation", 0.6, "An angry face is a raised voice.")
        for m in _FACES.finditer(text)
    ]
    return [*shouts, *signs, *faces]


def _is_shout(run: str) -> bool:
    return sum(letter.isalpha() for letter in _ABBREVIATIONS.sub("", run)) >= SHOUT_LETTERS


def _loudness(run: str) -> float:
    return round(min(0.4 + 0.02 * len(run), 0.8), 2)


def _row(run: str) -> float:
    return round(min(0.15 + 0.1 * len(run), 0.6), 2)


CALM = 0.5
"""The confidence of words that show neither firmness nor doubt."""

MAX_SPANS = 12
"""No line shows more tells; the strongest stay."""


def read_tells(text: str, context: SaleContext, ask: Paise | None) -> Reading:
    """Read what a turn gives away; never raises.

    Signals that words and clicks cannot carry (eyes, posture) are None. ``context`` is the game
    before this turn, ``ask`` the price in paise that it names.
    """
    cut = to_text(text)
    earlier = [to_text(turn.text) for turn in context.turns if turn.actor == "seller" and turn.text]
    found = _apart([*_last_price_again(cut, earlier), *find_cues(cut), *_find_shouting(text)])
    asks = context.asks if ask is None else (*context.asks, ask)
    score, depreciation, label = _goods(found, context.condition)
    spoken = any(piece.text.isalpha() for piece in cut.pieces)
    tells = Tells(
        verbal_urgency=_shown(found, "urgency") if spoken else None,
        verbal_confidence=_confidence(found) if spoken else None,
        verbal_deception_cue=_shown(found, "deception") if spoken else None,
        emotional_escalation=_shown(found, "escalation") if spoken or found else None,
        price_rounding=price_rounding(ask),
        offer_speed=offer_speed(text, context.typing_s),
        concession_pattern=concession_pattern(asks),
        repeat_phrases=_repeated_phrases(cut, earlier) if spoken else None,
        topic_changes=topic_changes([*earlier, cut]) if spoken else None,
        condition_score=score,
        depreciation_score=depreciation,
        condition_label=label,
    )
    return Reading(tells, tuple(_span(cue) for cue in _strongest(found)))


def tells_of(tells: Tells, spans: Iterable[TellSpan]) -> Tells:
    """Return a turn's tells had only these spans been said; pace and prices stay."""
    found = [
        Found(one.start, one.end, cast("SignalName", one.signal), one.score, one.why)
        for one in spans
    ]
    levels = {
        "verbal_urgency": _shown(found, "urgency"),
        "verbal_confidence": _confidence(found),
        "verbal_deception_cue": _shown(found, "deception"),
        "emotional_escalation": _shown(found, "escalation"),
    }
    heard = {name: level for name, level in levels.items() if getattr(tells, name) is not None}
    return msgspec.structs.replace(tells, **heard)


def _apart(found: list[Found]) -> list[Found]:
    kept: list[Found] = []
    taken: dict[SignalName, set[int]] = {}
    for cue in found:
        mine = taken.setdefault(cue.signal, set())
        places = range(cue.start, cue.end)
        if mine.isdisjoint(places):
            mine.update(places)
            kept.append(cue)
    return kept


def _shown(found: list[Found], signal: SignalName) -> float:
    doubt = 1.0
    for strength in {cue.why: cue.strength for cue in found if cue.signal == signal}.values():
        doubt *= 1 - strength
    return round(1 - doubt, 3)


def _confidence(found: list[Found]) -> float:
    levels = [cue.strength for cue in found if cue.signal == "confidence"]
    if not levels:
        return CALM
    firm, doubtful = max(levels), min(levels)
    if doubtful >= CALM:
        return firm
    return doubtful if firm <= CALM else round((firm + doubtful) / 2, 3)


def _goods(
    found: list[Found], condition: str
) -> tuple[float | None, float | None, ConditionLabel | None]:
    levels = [cue.strength for cue in found if cue.signal == "condition"]
    if not levels and condition:
        levels = [cue.strength for cue in find_cues(to_text(condition), goods_only=True)]
    if not levels:
        return None, None, None
    # One broken part spoils the rest.
    score = round((min(levels) + sum(levels) / len(levels)) / 2, 3)
    label = min(CONDITIONS, key=lambda name: abs(CONDITIONS[name][0] - score))
    return score, CONDITIONS[label][1], label


def _strongest(found: list[Found]) -> list[Found]:
    kept = sorted(found, key=lambda cue: -cue.strength)[:MAX_SPANS]
    return sorted(kept, key=lambda cue: (cue.start, cue.end, cue.signal))


def _span(cue: Found) -> TellSpan:
    return TellSpan(cue.start, cue.end, cue.signal, cue.strength, cue.why)
