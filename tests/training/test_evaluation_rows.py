"""What is kept of a bargain, and that playing in step changes nothing."""

from collections.abc import Sequence

import msgspec
import pytest

from bazaarbatna.bargain.log import digest_of
from bazaarbatna.bargain.match import play_suite_game
from bazaarbatna.bargain.moves import Offer
from bazaarbatna.bargain.observe import BuyerObservation
from negotiation.policies import Entry, policy
from tests.support.evaluating import a_plan, all_rows
from training.evaluation.playing import ActMany, Played, play
from training.evaluation.rows import EpisodeRow, from_line, to_line

KEYS = (
    "suite,seed,game,policy,policy_version,seller,outcome,by,rounds,price,anchor,budget,"
    "reservation,winnable,buyer_share,surplus,label,reward,digest"
)


def in_order(games: Sequence[Played]) -> list[EpisodeRow]:
    return [row for one in sorted(games, key=lambda played: played.unit) for row in one.rows]


class InStep:
    """Linear buyers, asked for many positions at once."""

    batch = 5

    def __init__(self, seed: int) -> None:
        self.asked: list[int] = []

    def act(self, observation: BuyerObservation) -> object:
        raise AssertionError("it is asked for many at once")

    def act_many(self, observations: Sequence[BuyerObservation]) -> list[object]:
        self.asked.append(len(observations))
        # The linear buyer draws nothing: any seed will do.
        return [policy("rules:linear").make(0).act(one) for one in observations]


def test_a_row_is_one_line_with_its_keys_in_order() -> None:
    row = all_rows(a_plan(["rules:linear"], ["single_deal"], episodes=1))[0]
    line = to_line(row)
    assert ",".join(msgspec.json.decode(line)) == KEYS
    assert line.count(b"\n") == 1
    assert from_line(line) == row


@pytest.mark.parametrize("suite_id", ["single_deal@sampled-1", "career_10@sampled-1"])
@pytest.mark.parametrize("buyer", ["sauda", "rules:random"])
def test_rows_tell_of_the_games_that_the_engine_plays(buyer: str, suite_id: str) -> None:
    entry = policy(buyer)
    [played] = play(entry, suite_id, [11])
    logs = play_suite_game(suite_id, 11, entry.make)
    assert [row.digest for row in played.rows] == [digest_of(log) for log in logs]
    for row, log in zip(played.rows, logs, strict=True):
        assert log.ended is not None
        assert (row.price, row.rounds) == (log.ended.price, log.ended.round)
        assert row.budget - row.reservation == log.scenario.zopa


def test_shares_say_what_no_deal_and_no_zone_mean() -> None:
    rows = all_rows(a_plan(["rules:random"], ["single_deal"], episodes=120))
    kinds = {(row.winnable, row.price is not None) for row in rows}
    assert {(True, True), (True, False), (False, False)} <= kinds
    for row in rows:
        assert (row.buyer_share is None) == (row.price is None)
        assert (row.surplus is None) == (not row.winnable)
        if row.winnable and row.price is None:
            assert row.surplus == 0.0


def test_playing_in_step_gives_the_rows_of_playing_one_by_one() -> None:
    linear = policy("rules:linear")
    makers: list[InStep] = []

    def make(seed: int) -> InStep:
        makers.append(InStep(seed))
        return makers[-1]

    together = msgspec.structs.replace(linear, make=make)
    assert isinstance(InStep(0), ActMany)
    plain = in_order(list(play(linear, "read_the_tells@sampled-1", range(8))))
    assert in_order(list(play(together, "read_the_tells@sampled-1", range(8)))) == plain
    [player] = makers
    assert player.asked[0] == 8
    assert player.asked[-1] < 8


def test_a_policy_that_forgets_an_answer_is_told_so() -> None:
    class Forgetful(InStep):
        def act_many(self, observations: Sequence[BuyerObservation]) -> list[object]:
            return super().act_many(observations)[1:]

    entry: Entry = msgspec.structs.replace(policy("rules:linear"), make=Forgetful)
    with pytest.raises(ValueError, match="asked for 3 moves at once and gave 2"):
        list(play(entry, "single_deal@sampled-1", range(3)))


def test_nonsense_costs_reward_and_harms_nothing() -> None:
    class Mallory(InStep):
        def act_many(self, observations: Sequence[BuyerObservation]) -> list[object]:
            return [Offer(float("nan")) for _ in observations]  # type: ignore[arg-type]

    entry: Entry = msgspec.structs.replace(policy("rules:linear"), make=Mallory)
    [played] = play(entry, "single_deal@sampled-1", [1])
    [row] = played.rows
    assert row.reward <= -0.2 * row.rounds
    assert row.outcome in ("walk", "expired")
