"""Matches are played, seen and commented on as they were written down."""

import pytest

from tests.playthroughs.write_arena import HERE, MATCHES, playthrough


@pytest.mark.parametrize("name", MATCHES)
def test_the_match_is_played_as_written(name: str) -> None:
    written = (HERE / f"{name}.txt").read_text()
    assert playthrough(*MATCHES[name]).splitlines() == written.splitlines(), (
        "If this change is meant, run `make playthroughs` and explain the diff."
    )


def test_there_is_no_file_without_a_match() -> None:
    assert {path.stem for path in HERE.glob("*.txt")} == set(MATCHES)


@pytest.mark.parametrize("name", MATCHES)
def test_a_buyers_view_names_nothing_that_is_sealed(name: str) -> None:
    seen, looking = [], False
    for line in (HERE / f"{name}.txt").read_text().splitlines():
        if line.startswith(("---", "*", "===")):
            looking = line.endswith("sees")
        elif looking and line.strip():
            seen.append(line.split()[0])
    assert {"asks", "budget", "outbid", "rivals"} <= set(seen)
    assert not {"budgets", "reservation", "cost", "seed", "salt", "best", "fronts"} & set(seen)
