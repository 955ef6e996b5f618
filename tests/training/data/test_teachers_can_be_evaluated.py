"""A pupil is measured against its teachers, and nobody meets them by chance."""

from bazaarbatna.envs.bargain.suite_game import SuiteGame
from negotiation.policies import policies, policy
from training.data.teaching import TEMPERS, Teachers
from training.evaluation.plan import named


def test_an_evaluation_finds_them_by_name_and_nobody_else_lists_them() -> None:
    assert [entry.version for entry in named("rules:teachers")] == [Teachers.version()]
    listed = {entry.name for entry in (*policies("buyer"), *policies("seller"))}
    assert "rules:teachers" not in listed | {entry.name for entry in named("rules")}
    assert set(TEMPERS) <= listed


def test_each_game_has_one_teacher_and_all_tempers_come() -> None:
    drawn = [Teachers(seed).temper for seed in range(300)]
    assert drawn == [Teachers(seed).temper for seed in range(300)]
    assert set(drawn) == set(TEMPERS)


def test_a_teacher_moves_as_its_temper_does() -> None:
    seed = next(seed for seed in range(100) if Teachers(seed).temper == "rules:boulware")
    game, teacher = SuiteGame("single_deal@sampled-1", seed), policy("rules:teachers").make(seed)
    alone = policy("rules:boulware").make(seed)
    while (seen := game.observation) is not None:
        move = teacher.act(seen)
        theirs = alone.act(seen)
        assert type(move) is type(theirs)
        assert getattr(move, "price", None) == getattr(theirs, "price", None)
        assert move.text
        game.step(move)
