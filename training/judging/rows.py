"""Preference rows of two games: the turns in which the same prompt was answered differently."""

from collections import Counter
from collections.abc import Iterable
from typing import Literal

import msgspec

from agents.backends.base import Message
from negotiation.engine.moves import Move, Offer
from training.judging.speech import line_worths
from training.judging.transcript import (
    HEURISTIC,
    DecidedBy,
    PlayedGame,
    PlayedTurn,
    Verdict,
    transcript_of,
)

DECIMALS = 4

Differs = Literal["move", "words"]
"""What two answers differ in: the move that was played, or only what was said with it."""


class PreferenceRow(msgspec.Struct, frozen=True):
    """One answer that was preferred to another one on the same prompt.

    ``words`` is by how much the chosen words are worth more, -1..1 (``training.judging.speech``).
    """

    prompt: tuple[Message, ...]
    chosen: str
    rejected: str
    differs: Differs = "move"
    words: float = 0.0


def preference_rows(a: PlayedGame, b: PlayedGame, verdict: Verdict) -> tuple[PreferenceRow, ...]:
    """Compare two judged games turn by turn until their prompts differ.

    The winner's answer is chosen. Where rules judged, of two lines with the same move the better
    one is, whoever won: a pinned seller hears prices, never words, so the game's end says nothing
    of them. What was said in no valid way is not preferred to anything.

    Args:
        a: a game.
        b: another one on the same scenario.
        verdict: of the judge on the two; of a tie only such lines are left.

    Raises:
        NotAGame: turns are missing.
    """
    rows = []
    for one, other in zip(_answers(a), _answers(b), strict=False):
        if one.turn.prompt != other.turn.prompt:
            break
        lead = _lead(one, other, verdict)
        better, worse = (one, other) if lead > 0 else (other, one)
        if lead and better.turn.valid and better.turn.completion != worse.turn.completion:
            rows.append(_row(better, worse))
    return tuple(rows)


def ground(row: PreferenceRow, decided_by: DecidedBy) -> DecidedBy | None:
    """Name what an answer is preferred for; None where it has nothing to do with the verdict.

    A price is decided by moves, and words are better only where they are worth more. What moved a
    model is not known.
    """
    if decided_by == "model":
        return decided_by
    if row.differs == "words" or decided_by == "words":
        return "words" if row.words > 0 else None
    return decided_by


def settled(rows: Iterable[PreferenceRow]) -> list[PreferenceRow]:
    """Keep each preference once, in order, and none that is contradicted as often as it is held.

    The same prompt can come up in many games. Where one answer won over another one more often
    than it lost, that row stays; where they are level, neither does.
    """
    held = list(rows)
    votes = Counter((row.prompt, row.chosen, row.rejected) for row in held)
    kept: dict[tuple[object, ...], PreferenceRow] = {}
    for row in held:
        ahead = votes[row.prompt, row.chosen, row.rejected]
        if ahead > votes[row.prompt, row.rejected, row.chosen]:
            kept.setdefault((row.prompt, row.chosen, row.rejected), row)
    return list(kept.values())


class _Answer(msgspec.Struct, frozen=True):
    turn: PlayedTurn
    move: Move
    worth: float


def _lead(one: _Answer, other: _Answer, verdict: Verdict) -> float:
    """Say by how much the answer of "a" is ahead; negative: that of "b", 0: neither."""
    if verdict.judge == HEURISTIC and _same(one.move, other.move):
        return one.worth - other.worth
    return {"a": 1.0, "b": -1.0, "tie": 0.0}[verdict.winner]


def _answers(game: PlayedGame) -> list[_Answer]:
    transcript = transcript_of(game)
    begun = len(transcript.turns) - len(game.turns)
    deeds, worths = transcript.turns[begun:], line_worths(transcript)[begun:]
    played = zip(game.turns, deeds, worths, strict=True)
    return [_Answer(turn, deed.move, worth) for turn, deed, worth in played]


def _row(better: _Answer, worse: _Answer) -> PreferenceRow:
    return PreferenceRow(
        better.turn.prompt,
        better.turn.completion,
        worse.turn.completion,
        "words" if _same(better.move, worse.move) else "move",
        round(better.worth - worse.worth, DECIMALS),
    )


def _same(one: Move, other: Move) -> bool:
    if isinstance(one, Offer) and isinstance(other, Offer):
        return one.price == other.price
    return type(one) is type(other)
