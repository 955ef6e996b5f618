"""A judged round as JSON: what each audience is told of it.

While a match is live everybody reads public words, scores, winner and reason; what was found in a
pitch, and the parts of its score, go to the lab that made it. After the end all of it is open.
"""

from typing import Any

from arena.gpu_market.engine.quantities import LAB_NUMBERS, LabId
from arena.gpu_market.judging import PARTS, Card, Checked, Heard, JudgedRound, round_seen

Told = dict[str, Any]


def to_viewer(judged: JudgedRound, by: LabId = "") -> Told:
    """Tell a judged round while its match is live.

    Args:
        judged: any.
        by: the lab of whoever looks (empty: a spectator).
    """
    shown = round_seen(judged, by)
    told: Told = {
        "round": shown.round,
        "judge": shown.judge,
        "winner": shown.winner,
        "reason": shown.reason,
        "labs": [],
    }
    for one in shown.labs:
        lab: Told = {
            "lab": one.lab,
            "text": one.text,
            "to": one.to,
            "score": one.score,
            "so_far": one.so_far,
        }
        if one.card is not None:
            lab |= _inner(one.text, one.claims, one.card) | {"bonus": shown.bonus}
        told["labs"].append(lab)
    return told


def to_reader(judged: JudgedRound) -> Told:
    """Tell a judged round after the end, with everything that was found."""
    hearing = judged.hearing
    return {
        "round": hearing.round,
        "judge": hearing.judge,
        "winner": hearing.winner,
        "reason": hearing.reason,
        "fallback": hearing.fallback,
        "remark": hearing.remark,
        "labs": [_open(one, judged) for one in hearing.labs],
    }


def _open(one: Heard, judged: JudgedRound) -> Told:
    number = LAB_NUMBERS[one.lab]
    return {
        "lab": one.lab,
        "text": one.text,
        "to": one.to,
        "score": one.card.score,
        "so_far": judged.scores_so_far[number],
        **_inner(one.text, one.claims, one.card),
        "bonus": judged.bonuses[number],
    }


def _inner(text: str, claims: tuple[Checked, ...], card: Card) -> Told:
    return {
        "claims": [
            {
                "kind": one.claim.kind,
                "words": text[one.claim.start : one.claim.end],
                "finding": one.finding,
            }
            for one in claims
        ],
        "parts": {name: getattr(card, name) for name in PARTS},
    }
