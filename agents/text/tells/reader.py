"""Puts everything a seller's turn gives away into one record."""

from collections.abc import Iterable
from typing import cast

import msgspec

from agents.text.reading.pieces import to_text
from agents.text.tells.path import (
    concession_pattern,
    find_shouting,
    last_price_again,
    offer_speed,
    price_rounding,
    repeated_phrases,
    topic_changes,
)
from agents.text.tells.words import Found, SignalName, find_cues
from negotiation.engine.quantities import Paise
from negotiation.engine.tells import CONDITIONS, ConditionLabel, Tells, TellSpan
from negotiation.readers import Reading, SaleContext

CALM = 0.5
"""The confidence of words that show neither firmness nor doubt."""

MAX_SPANS = 12
"""No line shows more tells; the strongest stay."""


def read_tells(text: str, context: SaleContext, ask: Paise | None) -> Reading:
    """Read what a turn gives away; never raises.

    Args:
        text: the seller's words, possibly none.
        context: the public game before this turn.
        ask: the price in paise that the turn names, None if it names none.

    Returns:
        The signals, None where words and clicks cannot carry them (eyes, posture, fidgeting), and
        the spans of the text they were read from.
    """
    cut = to_text(text)
    earlier = [to_text(turn.text) for turn in context.turns if turn.actor == "seller" and turn.text]
    found = _apart([*last_price_again(cut, earlier), *find_cues(cut), *find_shouting(text)])
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
        repeat_phrases=repeated_phrases(cut, earlier) if spoken else None,
        topic_changes=topic_changes([*earlier, cut]) if spoken else None,
        condition_score=score,
        depreciation_score=depreciation,
        condition_label=label,
    )
    return Reading(tells, tuple(_span(cue) for cue in _strongest(found)))


def tells_of(tells: Tells, spans: Iterable[TellSpan]) -> Tells:
    """Return a turn's tells as they would be, had only these of its spans been said.

    What needs no words (pace, prices, the path of asks) stays; a turn without words stays silent.
    """
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
    """Keep the spans of one signal from overlapping; the first in the list stays."""
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
    """Join the strengths of a signal, each reason once: every one leaves less doubt; 0..1."""
    doubt = 1.0
    for strength in {cue.why: cue.strength for cue in found if cue.signal == signal}.values():
        doubt *= 1 - strength
    return round(1 - doubt, 3)


def _confidence(found: list[Found]) -> float:
    """Average what firm and doubtful words show, with one calm voice among them; 0..1."""
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
    """Judge the goods by this line, or by the item's own description when the line is silent."""
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
