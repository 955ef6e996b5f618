"""Pairs that begin late: somebody else made the first moves, and nobody learns from those."""

import msgspec
import pytest

from bazaarbatna.bargain.moves import Accept
from tests.support.judging_games import played
from training.judging.heuristic import judge
from training.judging.pairs import preference_rows
from training.judging.transcript import NotAGame, PlayedGame, Verdict, transcript_of

BEGUN = (20, 20, 20)
"""What somebody bid before the model took over."""


def late(*steps: float | Accept) -> PlayedGame:
    """A model takes a game up after the moves that both games have in common."""
    whole = played(*BEGUN, *steps)
    return msgspec.structs.replace(whole, turns=whole.turns[len(BEGUN) :], late=True)


def test_only_the_models_own_moves_are_preferred_to_others() -> None:
    closes, waits = late(Accept()), late(21, Accept())
    (row,) = preference_rows(closes, waits, Verdict("a", "", "rounds"))
    assert '"accept"' in row.chosen
    assert '"offer"' in row.rejected
    assert row.prompt == closes.turns[0].prompt
    assert row.differs == "move"


def test_the_judge_sees_the_whole_game() -> None:
    game = late(Accept())
    transcript = transcript_of(game)
    assert len(transcript.turns) == len(BEGUN) + 1
    assert judge(transcript, transcript_of(late(Accept()))).winner == "tie"


def test_a_game_that_says_it_began_late_has_some_turns_and_not_too_many() -> None:
    game = late(Accept())
    with pytest.raises(NotAGame):
        transcript_of(msgspec.structs.replace(game, turns=()))
    with pytest.raises(NotAGame):
        transcript_of(msgspec.structs.replace(game, turns=game.turns * 9))
    with pytest.raises(NotAGame):
        transcript_of(msgspec.structs.replace(game, late=False))
