"""The judge by rule, on real games against pinned sellers."""

import pytest

from agents.buyers.sauda import Sauda
from bazaarbatna.bargain.log import Log
from bazaarbatna.bargain.moves import Accept, Walk
from bazaarbatna.players.simple import Boulware, Conceder
from tests.support.judging_games import HOPELESS, by_rule, scripted, scripted_log
from training.judging.heuristic import judge
from training.judging.transcript import DifferentGames, NotAGame, Transcript, read_transcript

MIRROR = {"a": "b", "b": "a", "tie": "tie"}


def prefers(better: Transcript, worse: Transcript) -> str:
    """Judge in both orders; give what decided for the first game."""
    verdict, mirrored = judge(better, worse), judge(worse, better)
    assert (verdict.winner, mirrored.winner) == ("a", "b")
    assert (verdict.reason, verdict.decided_by) == (mirrored.reason, mirrored.decided_by)
    assert "\n" not in verdict.reason
    return verdict.decided_by


def seller_accepts() -> Transcript:
    game = scripted(32, 33, 34)
    assert (game.ended.by, game.ended.price) == ("seller", 3400)
    return game


def buyer_accepts() -> Transcript:
    game = scripted(30, 35, 40, 45)
    assert (game.ended.by, game.ended.price) == ("buyer", 4200)
    return game


def nobody_closes() -> Transcript:
    game = scripted(20)
    assert game.ended.outcome == "expired"
    return game


def test_a_deal_that_the_seller_accepts_beats_a_dearer_one_that_the_buyer_accepts() -> None:
    assert prefers(seller_accepts(), buyer_accepts()) == "surplus"


def test_a_deal_that_the_buyer_accepts_beats_a_dearer_one_that_the_seller_accepts() -> None:
    dear = scripted(55)
    assert dear.ended.by == "seller"
    assert prefers(buyer_accepts(), dear) == "surplus"


@pytest.mark.parametrize("deal", [seller_accepts, buyer_accepts])
@pytest.mark.parametrize("lost", [nobody_closes, lambda: scripted(Walk())])
def test_any_deal_beats_none_where_one_was_possible(deal: object, lost: object) -> None:
    assert prefers(deal(), lost()) == "deal"  # type: ignore[operator]  # both make games


def test_of_two_games_without_a_deal_the_one_that_reached_the_lower_ask_is_better() -> None:
    left_late = scripted(20, 21, 22, Walk())
    assert left_late.lowest_ask < 6000
    assert prefers(left_late, scripted(Walk())) == "ask"


def test_surpluses_within_two_hundredths_of_the_zone_leave_the_word_to_the_rounds() -> None:
    early, late = scripted(32, 33, 43.3), scripted(32, 33, 34, Accept())
    assert (early.ended.round, late.ended.round) == (3, 4)
    assert 0.01 < late.surplus - early.surplus <= 0.02
    assert prefers(early, late) == "rounds"


def test_leaving_is_no_failure_where_no_deal_was_possible() -> None:
    suite, seed = HOPELESS
    left = scripted(10, Walk(), suite=suite, seed=seed)
    stayed = scripted(10, 12, 14, 16, 18, 20, 22, 24, suite=suite, seed=seed)
    assert not left.winnable
    assert judge(left, stayed).decided_by == "nothing"
    stubborn = scripted(10, suite=suite, seed=seed)
    assert prefers(left, stubborn) == "failures"


def test_fewer_failures_decide_between_equal_games_without_a_deal() -> None:
    stubborn, haggling = scripted(20), scripted(20, 21, 22, 23, 24, 25, 26, 27)
    assert stubborn.lowest_ask == haggling.lowest_ask
    assert prefers(haggling, stubborn) == "failures"


def test_words_decide_between_games_that_are_equal_otherwise() -> None:
    kind = scripted((32, "Aap thoda aaye, toh main bhi aati hoon: ₹32."), Accept("Done ji! Pakka."))
    rude = scripted((32, "₹40 <pri mein mein"), Accept("Thoda kam karo?"))
    assert prefers(kind, rude) == "words"


def test_the_same_game_twice_is_a_tie() -> None:
    assert judge(buyer_accepts(), buyer_accepts()).winner == "tie"


def test_rule_buyers_are_judged_alike_from_both_sides_and_by_their_surplus() -> None:
    for seed in range(6):
        games = [by_rule(buyer, "single_deal@sampled-1", seed) for buyer in (Sauda, Boulware)]
        games.append(by_rule(Conceder, "single_deal@sampled-1", seed))
        for a in games:
            for b in games:
                winner = judge(a, b).winner
                assert judge(b, a).winner == MIRROR[winner]
                assert abs(a.surplus - b.surplus) <= 0.02 or (winner == "a") == (
                    a.surplus > b.surplus
                )


def test_games_on_different_scenarios_are_refused() -> None:
    with pytest.raises(DifferentGames, match="same position"):
        judge(scripted(55), scripted(55, seed=1))


def test_a_game_without_an_end_is_refused() -> None:
    log = scripted_log(55)
    with pytest.raises(NotAGame, match="no end"):
        read_transcript(Log(log.scenario, log.events[:-1]))
    with pytest.raises(NotAGame, match="0 or more"):
        read_transcript(log, -1)
