"""The board says what the engine says, as far as its viewer may know it."""

from random import Random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.gpu_market.board.folding import board_of
from arena.gpu_market.board.moments import beats_of, now_words, runs_of, turn_words
from arena.gpu_market.board.parts import Board
from arena.gpu_market.web.visibility import Facts, Frame, Viewer, shown
from bazaarbatna.market import (
    MarketEvent,
    MarketScenario,
    State,
    advance,
    apply,
    make_market,
    observe,
    start,
)
from bazaarbatna.market.blocks import Coalition
from bazaarbatna.market.policies.registry import make_policy
from bazaarbatna.market.quantities import LAB_IDS
from bazaarbatna.market.scenario import task_of
from tests.support.gpu_market import a_wild_action

MOST_IN_A_ROUND = 0.2
"""Reputation that a lab can lose between two rounds, and more."""

WILD = st.tuples(
    st.sampled_from(["single_trade", "market_round", "coalition_market"]),
    st.integers(0, 10**6),
    st.booleans(),
    st.sampled_from(["default", "published"]),
)


def frames_of(
    scenario: MarketScenario, events: list[MarketEvent], viewer: Viewer, *, person: bool = False
) -> list[Frame]:
    seats = ("person" if person else "rule_expert", *["archetype"] * (len(scenario.labs) - 1))
    return shown(list(enumerate(events, 1)), Facts(scenario, seats, "m"), viewer)


def positions(scenario: MarketScenario, rng: Random) -> list[tuple[State, list[MarketEvent]]]:
    """A wild episode: the position and the log after every turn."""
    state, events = start(scenario)
    log = list(events)
    walk = [(state, list(log))]
    while state.ended is None:
        if state.turn == 0 or rng.random() < 0.2:
            state, events = apply(state, state.turn, a_wild_action(state, state.turn, rng))
        else:
            state, events = advance(state)
        log += events
        walk.append((state, list(log)))
    return walk


def _but_trust(coalition: Coalition) -> Coalition:
    return msgspec.structs.replace(coalition, trust=0.0)


def says_the_same(board: Board, state: State) -> None:
    """Everything that nobody hides."""
    assert board.round == state.round
    assert board.blocks == state.blocks
    assert [_but_trust(one) for one in board.coalitions] == [
        _but_trust(one) for one in state.coalitions
    ]
    for told, true in zip(board.coalitions, state.coalitions, strict=True):
        # Whoever joins in the round in which it lost reputation is still shown with the old one.
        assert abs(told.trust - true.trust) <= MOST_IN_A_ROUND
    if state.turn == 0 and not board.over:
        # Reputations are told when a round begins.
        assert [lab.reputation for lab in board.labs] == list(state.reputations)
    assert [lab.finished for lab in board.labs] == list(state.left)
    assert len(board.contracts) == len(state.contracts)


@settings(max_examples=25, deadline=None)
@given(WILD)
def test_any_episode_folds_for_any_viewer_at_any_moment(
    world: tuple[str, int, bool, str],
) -> None:
    task, seed, with_options, mix = world
    options = [kind for _, kind in task_of(task).options] if with_options else []
    scenario = make_market(task, seed, reward=mix, options=options)  # type: ignore[arg-type]
    for state, log in positions(scenario, Random(seed)):
        demo = board_of(frames_of(scenario, log, Viewer("open")))
        says_the_same(demo, state)
        assert demo.offers == state.offers
        hidden = board_of(frames_of(scenario, log, Viewer("open"), person=True))
        says_the_same(hidden, state)
        assert all(lab.jobs is None for lab in hidden.labs) or hidden.over
        own = board_of(frames_of(scenario, log, Viewer("lab", 0), person=True))
        says_the_same(own, state)
        sees = observe(state, 0)
        assert own.own is not None
        assert own.own.budget == sees.budget
        assert own.own.jobs == sees.jobs or own.over
        assert own.offers == sees.offers
        assert turn_words(own)
        assert now_words(own)
        if not own.over and not state.left[state.turn]:
            assert own.to_act == LAB_IDS[state.turn]


def test_a_replay_knows_every_lab_at_every_moment() -> None:
    scenario = make_market("coalition_market", 11)
    walk = positions(scenario, Random(3))
    frames = frames_of(scenario, walk[-1][1], Viewer("replay"))
    for state, log in walk[:-1]:
        board = board_of(frames, until=len(log))
        assert [lab.jobs for lab in board.labs] == list(state.jobs)
        assert [lab.budget for lab in board.labs] == list(state.budgets)
        assert board.offers == state.offers


def test_a_board_until_a_frame_is_the_board_of_the_frames_before_it() -> None:
    scenario = make_market("market_round", 4)
    log = positions(scenario, Random(1))[-1][1]
    frames = frames_of(scenario, log, Viewer("open"))[:-1]
    for upto in range(1, len(frames) + 1):
        assert board_of(frames, until=upto) == board_of(frames[:upto])


def test_moments_are_in_order_and_end_with_the_last_frame() -> None:
    scenario = make_market("coalition_market", 11)
    log = positions(scenario, Random(2))[-1][1]
    frames = frames_of(scenario, log, Viewer("open"))
    for upto in (1, 5, 20, len(frames)):
        seen = frames[:upto]
        stops = beats_of(seen, board_of(seen))
        assert list(stops) == sorted(set(stops))
        assert stops[-1] == seen[-1]["seq"]


def test_a_player_is_told_what_it_can_do() -> None:
    scenario = make_market("coalition_market", 15)
    _, events = start(scenario)
    board = board_of(frames_of(scenario, list(events), Viewer("lab", 0), person=True))
    assert board.is_own_turn
    assert turn_words(board) == "Your turn."
    assert any("it brings" in run.words for run in runs_of(board))


def test_the_log_tells_a_betrayed_coalition_in_plain_sentences() -> None:
    scenario = make_market("coalition_market", 11)
    player = make_policy("rule_expert", 11)
    state, events = start(scenario)
    log = list(events)
    while state.ended is None:
        if state.turn == 0:
            state, events = apply(state, 0, player(observe(state, 0)))
        else:
            state, events = advance(state)
        log += events
    board = board_of(frames_of(scenario, log, Viewer("open")))
    words = [line.words for line in board.lines]
    assert "Chenab Research joins coalition 1." in words
    assert "Chenab Research breaks its promise about 1 GPU in rounds 8–9." in words
    assert "Capacity failure: Banyan Compute loses 4 GPUs in rounds 8–10." in words


@pytest.mark.parametrize("frames", [[], [{"type": "event", "seq": 1, "event": {"kind": "turn"}}]])
def test_a_log_that_does_not_open_a_market_is_no_board(frames: list[Frame]) -> None:
    with pytest.raises(ValueError, match="from the first one on"):
        board_of(frames)
