"""Judge mode: pitches are read, checked against the state, scored, and paid a small bonus.

Pure values and functions beside the engine: the rules of the market know nothing of it.

>>> from bazaarbatna.market import make_market
>>> from bazaarbatna.market.judging import pitch_every_round, play_judged
>>> judged = play_judged(make_market("market_round", 3), pitch_every_round, judge_mode="rule")
>>> len(judged.rounds)
5
"""

from bazaarbatna.market.judging.cards import (
    PARTS,
    Card,
    Facts,
    bonus,
    check,
    facts_of,
    facts_seen,
    judge_words,
    margin,
    score,
)
from bazaarbatna.market.judging.claims import (
    CLAIM_KINDS,
    Checked,
    Claim,
    ClaimKind,
    Finding,
    Speaker,
)
from bazaarbatna.market.judging.hearing import (
    Heard,
    Hearing,
    Review,
    Statement,
    as_it_is,
    as_recorded,
    hear,
    honest_pitch,
    pitch_every_round,
    pitch_when_idle,
    scripted_pitch,
)
from bazaarbatna.market.judging.reading import read_claims
from bazaarbatna.market.judging.rounds import (
    JUDGE_MODES,
    Bench,
    Court,
    HearingSeen,
    Judged,
    JudgedRound,
    JudgeMode,
    judged_rounds,
    play_judged,
    round_seen,
    seen,
    transcript,
)

__all__ = [
    "CLAIM_KINDS",
    "JUDGE_MODES",
    "PARTS",
    "Bench",
    "Card",
    "Checked",
    "Claim",
    "ClaimKind",
    "Court",
    "Facts",
    "Finding",
    "Heard",
    "Hearing",
    "HearingSeen",
    "JudgeMode",
    "Judged",
    "JudgedRound",
    "Review",
    "Speaker",
    "Statement",
    "as_it_is",
    "as_recorded",
    "bonus",
    "check",
    "facts_of",
    "facts_seen",
    "hear",
    "honest_pitch",
    "judge_words",
    "judged_rounds",
    "margin",
    "pitch_every_round",
    "pitch_when_idle",
    "play_judged",
    "read_claims",
    "round_seen",
    "score",
    "scripted_pitch",
    "seen",
    "transcript",
]
