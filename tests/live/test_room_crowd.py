"""A small class with its troubles: reloads, second tabs, people who vanish, a killed process."""

import asyncio
from pathlib import Path

import pytest

from tests.benchmarks.class_room import crowd_in_room
from tests.support.room_crowd import Habits, Host
from tests.support.servers import Site


@pytest.mark.timeout(900)
def test_nothing_is_lost_doubled_or_told(tmp_path: Path) -> None:
    habits = Habits(think_s=0.3, reload=0.2, two_tabs=0.2, vanish=0.25)
    with Site(tmp_path) as site:
        host = Host(site)
        found = asyncio.run(crowd_in_room(site, host, 8, habits, kill=site))
        host.close()
    assert found["gone"]
    assert found["moves_timed"]
    assert found["games_hit"] >= 2
    assert found["own_numbers_heard"], "a search that finds nobody's number finds no leak either"
    assert found["done"] + found["gone"] == found["people"]
    wrong = ("twice_in_a_round", "stuck", "logs_not_whole", "events_lost", "secrets_heard")
    assert {name: found[name] for name in wrong} == dict.fromkeys(wrong, 0)
    assert not any(trouble.startswith("5") for trouble in found["troubles"])
