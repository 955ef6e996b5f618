"""Hearings as tests need them: a lab with known jobs, and what a pitch of it is worth."""

from collections.abc import Sequence
from typing import Any

from bazaarbatna.market.blocks import Job
from bazaarbatna.market.judging import Card, Facts, Speaker, judge_words, read_claims
from tests.support.gpu_market import a_job

SPEAKER = Speaker(("lab_0", "Aravalli Lab"), ("lab_1", "Banyan Compute", "lab_2"))
TRUE = "We need 6 GPU-hours, due in round 4, at a reliability of at least 0.85."
"""True of the first job of ``the_facts``."""


def the_facts(jobs: Sequence[Job] | None = None, **other: Any) -> Facts:
    """Asha's lab in round 2: six GPU-hours by round 4, and three by round 7."""
    if jobs is None:
        jobs = (
            a_job(hours=6, deadline=4, min_reliability=0.85, urgency=1.53),
            a_job(number=1, hours=3, deadline=7, min_reliability=0.72, urgency=1.2),
        )
    usual: dict[str, Any] = {"reputation": 0.65, "offers": 3}
    return Facts("lab_0", 2, tuple(jobs), speaker=SPEAKER, **(usual | other))


def told(text: str, facts: Facts | None = None, known: frozenset[str] = frozenset()) -> list[str]:
    """What was found in a pitch, as ``kind finding``."""
    checked, _ = judge_words(text, facts or the_facts(), known)
    return [f"{one.claim.kind} {one.finding}" for one in checked]


def scored(text: str, facts: Facts | None = None, known: frozenset[str] = frozenset()) -> Card:
    """The card of a pitch."""
    return judge_words(text, facts or the_facts(), known)[1]


def read(text: str) -> list[tuple[str, float | None, str]]:
    """The claims of a pitch: kind, value, manner."""
    return [(one.kind, one.value, one.manner) for one in read_claims(text, SPEAKER)]
