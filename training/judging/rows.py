"""Preference rows of two games: the turns in which the same prompt was answered differently."""

from collections import Counter
from collections.abc import Iterable
from typing import Literal

import msgspec

from agents.backends.base import Message
from negotiation.engine.moves import Move, Offer
from training.judging.speech import line_worths
from training.judging.transcript import PlayedGame, PlayedTurn, transcript_of
from training.judging.verdict import DecidedBy

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


def preference_rows(winner: PlayedGame, loser: PlayedGame) -> tuple[PreferenceRow, ...]:
    """Compare two games turn by turn until their prompts differ.

    What the winner said in no valid way is not preferred to anything.

    Args:
        winner: the game that the judge preferred.
        loser: the other game on the same scenario.

    Raises:
        NotAGame: turns are missing.
    """
    rows = []
    for mine, other in zip(_answers(winner), _answers(loser), strict=False):
        if mine.turn.prompt != other.turn.prompt:
            break
        if mine.turn.valid and mine.turn.completion != other.turn.completion:
            rows.append(_row(mine, other))
    return tuple(rows)


def is_relevant(row: PreferenceRow, decided_by: DecidedBy) -> bool:
    """Tell whether a turn can have to do with the verdict.

    A pinned seller hears prices, never words: a price is decided by other moves, and words are
    better only where they are worth more. What moved a model is not known.
    """
    match decided_by:
        case "words":
            return row.words > 0
        case "model":
            return True
        case _:
            return row.differs == "move"


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
