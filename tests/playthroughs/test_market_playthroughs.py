"""Markets are played and seen as they were written down."""

import pytest

from tests.playthroughs.write_market import HERE, MARKETS, playthrough


@pytest.mark.parametrize("name", MARKETS)
def test_the_market_is_played_as_written(name: str) -> None:
    written = (HERE / f"{name}.txt").read_text()
    assert playthrough(*MARKETS[name]).splitlines() == written.splitlines(), (
        "If this change is meant, run `make playthroughs` and explain the diff."
    )


def test_there_is_no_file_without_a_market() -> None:
    assert {path.stem for path in HERE.glob("*.txt")} == set(MARKETS)


@pytest.mark.parametrize("name", MARKETS)
def test_a_labs_view_names_nothing_that_is_sealed(name: str) -> None:
    seen, looking = [], False
    for line in (HERE / f"{name}.txt").read_text().splitlines():
        if line.startswith(("---", "*", "reward")):
            looking = line.endswith("sees")
        elif looking and line.strip():
            seen.append(line.split()[0])
    assert {"budget", "jobs", "labs", "blocks", "pressure"} <= set(seen)
    assert not {"budgets", "archetypes", "seed", "salt", "luck", "surge", "spare"} & set(seen)
