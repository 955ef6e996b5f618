"""A small class and a small study settle a case over sockets: all come through, none is told."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from tests.benchmarks.case_room import case_in_room, case_in_study
from tests.support.room_crowd import Host
from tests.support.servers import Site


def whole(found: dict[str, Any]) -> None:
    assert found["done"] == found["people"]
    assert found["moves_timed"]
    assert (found["numbers_lost_or_twice"], found["secrets_heard"]) == (0, 0)
    assert found["troubles"] == []


@pytest.mark.timeout(600)
def test_nobody_is_stuck_and_nothing_sealed_is_heard(tmp_path: Path) -> None:
    with Site(tmp_path) as site:
        host = Host(site)
        found = asyncio.run(case_in_room(site, host, 6, 0.2))
        host.close()
    whole(found)
    assert found["games"] == 6
    assert found["deals_in_debrief"]


@pytest.mark.soak
@pytest.mark.timeout(600)
def test_a_study_of_a_case_is_whole(tmp_path: Path) -> None:
    with Site(tmp_path) as site:
        host = Host(site)
        found = asyncio.run(case_in_study(site, host, 6, 0.2))
        host.close()
    whole(found)
    assert "the same to the byte" in found["check"]
