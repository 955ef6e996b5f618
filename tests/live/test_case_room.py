"""A small class settles a case over sockets: everybody comes to the end, no sheet is told."""

import asyncio
from pathlib import Path

import pytest

from tests.benchmarks.case_room import case_in_room
from tests.support.room_crowd import Host
from tests.support.servers import Site


@pytest.mark.timeout(600)
def test_nobody_is_stuck_and_no_sheet_is_heard(tmp_path: Path) -> None:
    with Site(tmp_path) as site:
        host = Host(site)
        found = asyncio.run(case_in_room(site, host, 6, 0.2))
        host.close()
    assert found["done"] == found["people"] == found["games"]
    assert found["moves_timed"]
    assert found["deals_in_debrief"]
    assert (found["numbers_lost_or_twice"], found["sheets_heard"]) == (0, 0)
    assert found["troubles"] == []
