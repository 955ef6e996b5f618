"""The dialect of the small model: every action can be said, and what is said is read strictly."""

import re
from random import Random

import msgspec
import pytest

from arena.gpu_market.dialect import PIECES, read, render, write
from arena.gpu_market.dialect.position import Names, books
from arena.gpu_market.dialect.text import SHORTS, WORDS
from bazaarbatna.market import (
    ACTION_NAMES,
    TASK_NAMES,
    Malformed,
    MarketAction,
    Observation,
    advance,
    make_market,
    observe,
    play_scored,
    start,
)
from bazaarbatna.market.policies.registry import POLICIES, make_policy
from bazaarbatna.market.quantities import Cents


def positions(
    task: str = "coalition_market", seed: int = 3, player: str = "random_valid"
) -> list[Observation]:
    """Whatever a player meets in an episode."""
    found: list[Observation] = []
    policy = make_policy(player, seed)

    def act(seen: Observation) -> MarketAction | Malformed:
        found.append(seen)
        return policy(seen)

    play_scored(make_market(task, seed), act)
    return found


def opening(seed: int = 3) -> Observation:
    state, _ = start(make_market("coalition_market", seed))
    return observe(advance(state, (0,))[0], 0)


@pytest.mark.parametrize("name", ACTION_NAMES)
def test_every_action_can_be_said_and_comes_back(name: str) -> None:
    seen = opening()
    ids = Names.of(seen, books(seen)).ids
    action = MarketAction(
        action=name,  # type: ignore[arg-type]
        target_lab_id=ids["l1"],
        offer_id=ids["o0"],
        block_ids=(ids["m0"], ids["m1"]),
        requested_block_ids=(ids["x2"],),
        job_id=ids["j1"],
        payment=Cents(1200),
        message="These hours are worth more to us.",
        conditions=("must_not_resell", "deadline_priority"),
    )
    said = write(seen, action)
    assert said is not None
    assert read(seen, said) == action


@pytest.mark.parametrize("player", POLICIES)
def test_what_any_policy_does_can_be_said(player: str) -> None:
    for task in TASK_NAMES:
        for seen in positions(task, player=player):
            action = make_policy(player, 3)(seen)
            assert isinstance(action, MarketAction)
            said = write(seen, action)
            if said is None:
                continue  # what is over has no name any more, as an offer accepted too late
            back = read(seen, said)
            assert isinstance(back, MarketAction)
            paid = msgspec.structs.replace(back, payment=action.payment)
            assert paid == action
            assert 0 <= back.payment - action.payment < 100 or back.payment <= seen.budget


def test_teachers_can_say_all_they_do() -> None:
    for teacher in ("rule_expert", "optimal_planner"):
        for seed in range(5):
            for seen in positions(seed=seed, player=teacher):
                action = make_policy(teacher, seed)(seen)
                assert isinstance(action, MarketAction)
                assert write(seen, action) is not None


@pytest.mark.parametrize(
    "text",
    [
        "",
        "I would wait.",
        '{"action": "wait"} and smile',
        '{"action": "wait"',
        '{"action": "fly"}',
        '{"action": "wait", "mood": "good"}',
        '{"action": "accept_offer", "offer_id": "offer_1_0_0"}',
        '{"action": "accept_offer", "offer_id": "o99"}',
        '{"action": "allocate_to_job", "job_id": "j0", "block_ids": ["m0", "m77"]}',
        '{"action": "allocate_to_job", "job_id": ["j0"], "block_ids": "m0"}',
        '{"action": "send_offer", "target_lab_id": "l1", "payment": 1e300}',
        '["wait"]',
        "[" * 5000,
    ],
)
def test_what_is_no_action_is_malformed_and_never_an_error(text: str) -> None:
    assert isinstance(read(opening(), text), Malformed)


def test_slots_become_words_at_the_table() -> None:
    seen = opening()
    said = '{"action": "make_pitch", "message": "<fair>"}'
    action = read(seen, said)
    assert isinstance(action, MarketAction)
    assert action.message == WORDS["<fair>"]
    assert write(seen, action) == said


def test_a_payment_never_goes_beyond_the_budget() -> None:
    seen = opening()
    whole = msgspec.structs.replace(seen, budget=Cents(5301))
    bid = MarketAction("send_offer", target_lab_id="lab_1", payment=Cents(5300))
    said = write(whole, msgspec.structs.replace(bid, payment=Cents(5301)))
    assert said is not None
    assert '"payment": 53' in said
    said = write(whole, msgspec.structs.replace(bid, payment=Cents(2001)))
    assert said is not None
    assert '"payment": 21' in said


def test_names_are_whole_words_and_no_other_word_looks_like_one() -> None:
    """Names are tokens of their own wherever they stand: inside another word they would mislead."""
    shaped = re.compile(r"[mxjocl]\d+")
    for task in TASK_NAMES:
        for seed in range(6):
            for seen in positions(task, seed):
                text = render(seen)
                for word in text.split():
                    assert word in SHORTS or not shaped.search(word), (word, text)


def test_a_prompt_says_only_what_the_lab_can_see() -> None:
    """It is made of the observation alone; of others only what everybody knows is in that."""
    seen = opening()
    other = msgspec.structs.replace(
        seen, messages=(), shocks=(), contracts=(), last_result=seen.last_result
    )
    assert render(seen) == render(other), "words, strikes and contracts are left out by rule"
    assert "lab_" not in render(seen)
    assert all(one.name not in render(seen) for one in seen.labs)


def test_all_that_is_named_is_alive_or_open() -> None:
    dice = Random(1)
    for seen in dice.sample(positions(seed=9), 5):
        names = Names.of(seen, books(seen))
        status = {one.id: one.status for one in seen.blocks}
        named = [status[id_] for short, id_ in names.ids.items() if short[0] in "mx"]
        assert not {"used", "failed"} & set(named)
        assert len(set(names.ids.values())) == len(names.ids)


def test_pieces_are_different_and_frames_make_a_whole_answer() -> None:
    assert len(set(PIECES)) == len(PIECES)
    assert '{"action": "' in PIECES
    assert "allocate_to_job" in PIECES
