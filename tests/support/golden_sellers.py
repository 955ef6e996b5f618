"""Digests of episodes per seller version: ``python -m tests.support.golden_sellers`` adds to them.

A digest is never replaced: a seller that behaves otherwise needs another version.
"""

import hashlib
from functools import partial
from pathlib import Path

from bazaarbatna.bargain import VERSIONS, make_scenario, play_episode, suite_ids, to_text
from bazaarbatna.bargain.suites import SUITES
from tests.support import golden
from tests.support.players import PatientBuyer, RandomBuyer, SteadyBuyer

PLACE = Path(__file__).with_name("golden_sellers.json")
SEEDS = range(15)


def digest(persona: str) -> str:
    """Hash every word and number of the games that this persona plays in its suites."""
    mine = {row.name for row in SUITES if row.persona == persona}
    total = hashlib.sha256()
    for suite in suite_ids():
        if suite.split("@")[0] not in mine:
            continue
        for seed in SEEDS:
            for make in (SteadyBuyer, PatientBuyer, RandomBuyer):
                log = play_episode(make_scenario(suite, seed), make(seed))
                # The label is what is being checked, so it is no part of the behaviour.
                total.update(to_text(log).replace(VERSIONS[persona], "").encode())
    return total.hexdigest()


def recorded() -> dict[str, str]:
    """Read the digests by version."""
    return golden.recorded(PLACE)


def main() -> None:
    """Record the versions that are not recorded yet."""
    golden.record(PLACE, {VERSIONS[name]: partial(digest, name) for name in VERSIONS})


if __name__ == "__main__":
    main()
