"""Bounds of the population's suites: what a clairvoyant and a searched network keep."""

import numpy as np
import pytest

from agents.buyers.network_buyer import NetworkBuyer
from agents.plug import BUYERS
from bazaarbatna.bargain.match import play_episode
from bazaarbatna.bargain.people.suites import people_suite, people_suite_ids
from training.evaluation.ceilings.people import Clairvoyant, ceilings_of, folder_of
from training.evaluation.playing import source_of


def kept(make, suite_id, seeds):
    suite, found = people_suite(suite_id), []
    for seed in seeds:
        scenario = suite.deal(seed)
        if scenario.zopa > 0:
            ended = play_episode(scenario, make(seed)).ended
            found.append(ended.buyer_share if ended.price else 0.0)
    return np.array(found)


@pytest.mark.parametrize("suite_id", ["people@1", "people-gentle@1"])
def test_who_knows_the_luck_keeps_more_than_any_rule_and_than_the_network(suite_id):
    seeds = range(910_000, 910_040)
    bound = kept(lambda seed: Clairvoyant(seed, "share"), suite_id, seeds).mean()
    rivals = {buyer.name: kept(buyer, suite_id, seeds).mean() for buyer in BUYERS}
    rivals["network"] = kept(NetworkBuyer, suite_id, seeds).mean()
    assert bound > max(rivals.values())


def test_a_clairvoyant_plays_what_its_search_found():
    suite = people_suite("people@1")
    scenario = suite.deal(3)
    twice = [play_episode(scenario, Clairvoyant(3, "share")).events for _ in range(2)]
    assert twice[0] == twice[1]


def test_a_deadline_is_minded_only_where_the_grade_is_played_for():
    suite = people_suite("people@1")
    hurried = [seed for seed in range(400) if suite.deal(seed).sealed.deadline is not None][:25]
    late = {"share": 0, "grade": 0}
    for aim in late:
        for seed in hurried:
            scenario = suite.deal(seed)
            ended = play_episode(scenario, Clairvoyant(seed, aim)).ended
            late[aim] += ended.price is not None and ended.round > scenario.sealed.deadline
    assert late["grade"] < late["share"]


def test_every_suite_of_people_has_its_searched_network():
    missing = [one for one in people_suite_ids() if ceilings_of(one).best_response is None]
    assert not missing


def test_a_fixed_horizon_has_the_bounds_of_its_suite():
    assert folder_of("people@1-rounds-4") == folder_of("people@1")
    assert source_of("people@1-rounds-4").ceilings is not None
