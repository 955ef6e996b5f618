"""A small class, and a small study, with their troubles.

Reloads, second tabs, other browsers, people who vanish, a killed web process and a killed worker.
"""

import asyncio
from pathlib import Path

import pytest

from tests.benchmarks.class_room import crowd_in_room, study_in_room, ungraded
from tests.support.room_crowd import Habits, Host
from tests.support.servers import Site
from tests.support.workers import Worker


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


NEVER = (
    "twice_in_a_round", "stuck", "logs_not_whole", "events_lost", "secrets_heard", "ids_twice",
    "places_not_in_order", "blocks_uneven", "not_as_drawn", "surveys_missing", "done_without_end",
    "people_not_once_in_export", "events_not_once_in_export", "paid_not_once",
)  # fmt: skip


@pytest.mark.soak
@pytest.mark.timeout(900)
def test_a_study_with_a_killed_site_and_worker_is_whole(tmp_path: Path) -> None:
    habits = Habits(think_s=0.5, reload=0.2, two_tabs=0.3, vanish=0.25)
    with Site(tmp_path) as site:
        host, worker = Host(site), Worker(site)
        worker.start()
        try:
            run = study_in_room(site, host, 10, habits, kill=site, worker=worker)
            found = asyncio.run(run)
            left = ungraded(site)
        finally:
            worker.kill()
            host.close()
    assert found["gone"]
    assert found["done"]
    assert found["games_hit"]
    assert found["own_numbers_heard"]
    assert found["arms_apart"] <= 1
    assert {name: found[name] for name in NEVER} == dict.fromkeys(NEVER, 0)
    assert "the same to the byte" in found["check"]
    assert found["finished"] == found["done"]
    assert not any(trouble.startswith("5") for trouble in found["troubles"])
    assert left == 0, "what a killed worker had begun is graded by the next"
