"""Whole games: complete logs, the same bytes every time, nonsense and all."""

import hashlib
import os
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest

from bazaarbatna.bargain import (
    Ended,
    OfferMade,
    Opened,
    TellsShown,
    apply,
    fold,
    is_kept,
    make_scenario,
    play_episode,
    play_suite_game,
    say,
    start,
    suite,
    suite_ids,
    to_text,
)
from bazaarbatna.bargain.moves import Offer
from bazaarbatna.bargain.quantities import Paise
from tests.support.players import NonsensePlayer, RandomBuyer, SteadyBuyer

ROOT = Path(__file__).resolve().parents[3]


def all_games() -> str:
    """A fingerprint of games of every suite."""
    total = hashlib.sha256()
    for id_ in suite_ids():
        for seed in range(4):
            for make in (SteadyBuyer, RandomBuyer, NonsensePlayer):
                for log in play_suite_game(id_, seed, make):
                    total.update(to_text(log).encode())
    return total.hexdigest()


def test_the_same_seed_gives_the_same_bytes_in_every_process() -> None:
    here = all_games()
    assert all_games() == here
    code = "from tests.bazaarbatna.bargain.test_match import all_games; print(all_games())"
    for hash_seed in ("0", "4242"):
        there = subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            check=True,
            timeout=120,
            cwd=ROOT,
        )
        assert there.stdout.strip() == here


@pytest.mark.parametrize("id_", suite_ids())
def test_a_suite_game_has_all_its_episodes_and_each_is_whole(id_: str) -> None:
    logs = play_suite_game(id_, 11, SteadyBuyer)
    assert len(logs) == suite(id_).episodes
    for log in logs:
        assert isinstance(log.events[0], Opened)
        assert isinstance(log.events[-1], Ended)
        assert is_kept(log.events[0].commitment, log.events[-1].opened, log.events[-1].salt)
        assert fold(log.scenario, log.events).ended == log.ended


def test_the_tells_of_a_turn_come_before_its_move() -> None:
    log = play_episode(make_scenario("single_deal@fixed-1", 2), SteadyBuyer())
    for before, event in pairwise(log.events):
        if isinstance(event, OfferMade) and event.actor == "seller":
            assert isinstance(before, TellsShown)
            assert (before.actor, before.round) == ("seller", event.round)


def test_the_buyer_sees_the_tells_of_the_last_seller_turn() -> None:
    seen = []

    class Watching(SteadyBuyer):
        def act(self, observation):  # type: ignore[no-untyped-def]
            seen.append(observation.tells)
            return super().act(observation)

    log = play_episode(make_scenario("single_deal@fixed-1", 2), Watching())
    shown = [event.tells for event in log.events if isinstance(event, TellsShown)]
    assert seen[0] is None
    assert seen[1:] == shown[: len(seen) - 1]


def test_two_who_play_nonsense_finish_a_legal_game() -> None:
    for seed in range(200):
        scenario = make_scenario("single_deal@sampled-1", seed)
        log = play_episode(scenario, NonsensePlayer(seed), seller=NonsensePlayer(seed + 1))
        assert log.ended is not None
        assert log.state().ended == log.ended


def test_the_checked_door_plays_the_same_game_as_the_fast_one() -> None:
    log = play_episode(make_scenario("single_deal@fixed-1", 2), SteadyBuyer())
    state, _ = start(log.scenario)
    for event in log.events:
        if isinstance(event, OfferMade):
            state, _ = apply(state, event.actor, Offer(Paise(event.price), event.text))
    spoken, events = say(state, "buyer", "hm")
    assert spoken.asks == log.state().asks[: len(spoken.asks)]
    assert len(events) == 1
