"""Judge mode on the front page: one position argued three ways, and a judged market."""

import functools
from typing import Any

import msgspec

from arena.gpu_market.board.names import TASK_TITLES
from arena.gpu_market.board.parts import read_judgement
from arena.gpu_market.engine import make_market, start
from arena.gpu_market.judging import (
    PARTS,
    bonus,
    facts_of,
    honest_pitch,
    judge_words,
    margin,
    pitch_every_round,
    play_judged,
)
from arena.gpu_market.judging.cards import LEAST, MOST
from arena.gpu_market.pages.court import FINDING_WORDS, part_words, session_of
from arena.gpu_market.room.verdicts import to_reader

TASK, SEED = "market_round", 1
SHOWN = 3
"""Rounds of the example."""

KEYWORDS = "URGENT critical deadline! Reliable, fair, evidence for a paper and a customer!"
"""All that the published mix pays most for."""


class Try(msgspec.Struct, frozen=True):
    """A pitch, what was found in it, and what it is worth; ``bonus`` where nobody else argues."""

    title: str
    text: str
    claims: tuple[tuple[str, str, str], ...]
    parts: tuple[tuple[str, float], ...]
    score: float
    raw: float
    bonus: float


@functools.cache
def judge_example() -> dict[str, Any]:
    """Play the example; it is the same in every process."""
    scenario = make_market(TASK, SEED)
    judged = play_judged(scenario, pitch_every_round, judge_mode="rule")
    names = {card.id: card.name for card in scenario.labs}
    return {
        "task": TASK_TITLES[TASK],
        "seed": SEED,
        "tries": _tries(),
        "sessions": [
            session_of(read_judgement(0, to_reader(one)), names) for one in judged.rounds[:SHOWN]
        ],
        "least": LEAST,
        "most": MOST,
    }


def _tries() -> list[Try]:
    """Argue the opening of the example three ways, as its first lab."""
    facts = facts_of(start(make_market(TASK, SEED))[0], 0)
    true = honest_pitch(facts)
    job = min(facts.jobs, key=lambda one: (one.deadline, one.id))
    false = true.replace(f"{job.hours} GPU-hours", f"{2 * job.hours + 5} GPU-hours")
    made = []
    for title, text in (
        ("Big words", KEYWORDS),
        ("What is so", true),
        ("The same, but more", false),
    ):
        claims, card = judge_words(text, facts)
        made.append(
            Try(
                title,
                text,
                tuple(
                    (text[one.claim.start : one.claim.end], one.finding, FINDING_WORDS[one.finding])
                    for one in claims
                ),
                part_words({name: part for name in PARTS if (part := getattr(card, name))}),
                card.score,
                card.raw,
                bonus(margin((card,), facts.lab)),
            )
        )
    return made
