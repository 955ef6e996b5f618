"""A hostile hour: the first inputs of the hostile week (tests/benchmarks/hostile.py)."""

import asyncio
from pathlib import Path

from tests.support.hostile_week import NO_LIMITS, Week
from tests.support.servers import Site


def test_whatever_mallory_sends_nothing_breaks(tmp_path: Path) -> None:
    with Site(tmp_path, **NO_LIMITS) as site:
        week = Week(site, seed=1)
        try:
            finds = asyncio.run(week.run(requests=450, raw=60, connections=15, frames=25))
            changed, tracebacks = week.changed(), week.tracebacks()
        finally:
            week.close()
    assert finds.total > 700
    assert finds.faults == []
    assert finds.hung == []
    assert tracebacks == []
    assert changed == []
    assert finds.heard == []
    # It went in deep enough to find something: moves were made, not only refused.
    assert finds.answers["302"] > 5
    assert finds.answers["422"] > 20
