"""Each failure by name, on real games: one that has it and one that nearly has."""

import msgspec
import pytest

from bazaarbatna.bargain.moves import Accept, Walk
from bazaarbatna.bargain.tells import Tells
from tests.support.judging_games import HOPELESS, scripted
from training.judging.heuristic import FAILURES, failure_tags, ignored_tells
from training.judging.transcript import Transcript


def with_tells(game: Transcript, tells: Tells) -> Transcript:
    """Let the seller of a played game have shown these tells all the time."""
    turns = tuple(
        msgspec.structs.replace(turn, seen=msgspec.structs.replace(turn.seen, tells=tells))
        for turn in game.turns
    )
    return msgspec.structs.replace(game, turns=turns)


CALM = Tells(verbal_urgency=0.1, fidget_level=0.1, emotional_escalation=0.0)
HURRIED = Tells(verbal_urgency=1.0, fidget_level=1.0, emotional_escalation=0.9)
BLUFFING = Tells(verbal_urgency=0.1, verbal_deception_cue=0.6)


@pytest.mark.parametrize(
    ("name", "failed", "clean"),
    [
        ("capitulated early", scripted(Accept()), scripted(40, 40, Accept())),
        ("over-anchored", scripted(10, 12, 14, 20, 24, 28, 30, 31), scripted(10, 20, 30, 40)),
        ("walked a winnable deal", scripted(20, Walk()), scripted(20, Accept())),
        ("missed accept", scripted(20, 21, 22, 23, 24, 25, 26, 27), scripted(20, 22, 24, Walk())),
        ("stalled", scripted(33, 33, 33, Accept()), scripted(33, 33, 34, Accept())),
        ("invalid JSON", scripted(40, invalid=1), scripted(40)),
    ],
)
def test_a_failure_is_named_and_its_neighbour_is_not(
    name: str, failed: Transcript, clean: Transcript
) -> None:
    assert name in failure_tags(failed)
    assert name not in failure_tags(clean)


@pytest.mark.parametrize("tells", [HURRIED, BLUFFING])
def test_a_big_step_toward_a_seller_who_need_not_be_paid_ignores_its_tells(tells: Tells) -> None:
    big, small = scripted(30, 38, Accept()), scripted(30, 33, 36)
    assert ignored_tells(with_tells(big, tells))
    assert not ignored_tells(with_tells(small, tells))
    assert not ignored_tells(with_tells(big, CALM))


def test_the_last_round_is_no_time_to_wait_for_what_tells_promise() -> None:
    game = scripted(20, 20, 20, 20, 20, 20, 20, Accept())
    assert game.turns[-1].seen.rounds_left == 0
    assert not ignored_tells(with_tells(game, HURRIED))


def test_a_dearer_deal_than_an_ask_that_stood_is_a_missed_one() -> None:
    """The bluffer raises its ask now and then."""
    found = 0
    for seed in range(40):
        game = scripted(20, 20, 20, Accept(), suite="deceptive_seller@sampled-1", seed=seed)
        asks = [turn.seen.standing_ask for turn in game.turns]
        missed = game.ended.price is not None and min(asks) < game.ended.price
        assert ("missed accept" in failure_tags(game)) == missed
        found += missed
    assert found


def test_a_buyer_at_its_budget_does_not_stall() -> None:
    suite, seed = HOPELESS
    assert "stalled" not in failure_tags(scripted(9999, suite=suite, seed=seed))
    assert "stalled" in failure_tags(scripted(10, suite=suite, seed=seed))


def test_leaving_a_hopeless_game_is_clean() -> None:
    suite, seed = HOPELESS
    assert failure_tags(scripted(10, Walk(), suite=suite, seed=seed)) == ()


def test_the_names_are_those_of_the_specification() -> None:
    assert [failure.name for failure in FAILURES] == [
        "capitulated early",
        "over-anchored",
        "walked a winnable deal",
        "ignored tells",
        "missed accept",
        "stalled",
        "invalid JSON",
    ]
