"""What a judge has said so far, gathered for the board: scores by round, and each hearing."""

import re
from collections.abc import Mapping
from typing import Any

import msgspec

from arena.gpu_market.board.parts import Board, Judgement, LabSeat, Pleaded
from arena.gpu_market.board.pure_sentences import in_language
from arena.gpu_market.board.titles import TITLES, lab_name, words_of
from bazaarbatna.market.judging import Facts, Speaker, honest_pitch


class Voice(msgspec.Struct, frozen=True):
    """A lab in a hearing, as it is shown; ``claims`` are words, what was found, and its meaning."""

    lab: str
    name: str
    text: str
    to: str
    score: float
    so_far: float
    won: bool
    claims: tuple[tuple[str, str, str], ...]
    parts: tuple[tuple[str, float], ...]
    bonus: float | None


class Session(msgspec.Struct, frozen=True):
    """A hearing as it is shown."""

    round: int
    winner: str
    reason: str
    judge: str
    stood_in: str
    remark: str
    voices: tuple[Voice, ...]


class Row(msgspec.Struct, frozen=True):
    """A lab's scores, one for each hearing: with whether it won."""

    lab: str
    name: str
    scores: tuple[tuple[float, bool], ...]
    total: float


def court_of(board: Board) -> dict[str, Any] | None:
    """Gather the hearings so far, the newest first; None where no judge sits."""
    if board.judge == "off":
        return None
    names = {seat.id: lab_name(seat.name) for seat in board.labs}
    return {
        "judge": board.judge,
        "rounds": [one.round for one in board.judgements],
        "rows": [_row(board, seat, place) for place, seat in enumerate(board.labs)],
        "sessions": [session_of(one, names) for one in reversed(board.judgements)],
        "suggestion": suggestion(board),
    }


def suggestion(board: Board) -> str:
    """Write what the viewer's own lab could truly say; empty for spectators."""
    own = board.own
    if own is None or own.jobs is None:
        return ""
    open_jobs = tuple(job for job in own.jobs if not job.done)
    facts = Facts(own.id, board.round, open_jobs, own.reputation, 0, Speaker((), ()))
    return honest_pitch(facts, _spoken_of(board, own))


def _spoken_of(board: Board, own: LabSeat) -> frozenset[str]:
    said = " ".join(
        claim.words
        for judgement in board.judgements
        for one in judgement.labs
        if one.lab == own.id
        for claim in one.claims or ()
        if claim.finding == "true"
    )
    known = {"reputation"} if "reputation" in said else set()
    for job in own.jobs or ():
        # Whole numbers: the 2 of one job stands in the 12 of another.
        if re.search(rf"\b{job.hours} GPU-hours\b", said) and re.search(
            rf"\bround {job.deadline}\b", said
        ):
            known.add(f"hours:{job.id}")
    return frozenset(known)


def _row(board: Board, seat: LabSeat, place: int) -> Row:
    scores = tuple((one.labs[place].score, one.winner == seat.id) for one in board.judgements)
    return Row(seat.id, lab_name(seat.name), scores, sum(score for score, _ in scores))


def session_of(one: Judgement, names: Mapping[str, str]) -> Session:
    """Return a judged round as it is shown, as far as somebody may see it."""
    return Session(
        one.round,
        names.get(one.winner, ""),
        in_language(one.reason),
        one.judge,
        one.fallback,
        one.remark,
        tuple(_voice(lab, one.winner, names) for lab in one.labs),
    )


def part_words(parts: Mapping[str, float]) -> tuple[tuple[str, float], ...]:
    """Name the parts of a score."""
    return tuple((words_of(TITLES.score_parts, name), value) for name, value in parts.items())


def _voice(one: Pleaded, winner: str, names: Mapping[str, str]) -> Voice:
    return Voice(
        one.lab,
        names[one.lab],
        one.text,
        names.get(one.to, ""),
        one.score,
        one.so_far,
        one.lab == winner,
        tuple(
            (claim.words, claim.finding, words_of(TITLES.findings, claim.finding))
            for claim in one.claims or ()
        ),
        part_words(one.parts),
        one.bonus,
    )
