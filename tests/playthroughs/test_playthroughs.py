"""The rules, the sellers and the views of both sides are as they were written down."""

import pytest

from bazaarbatna.bargain import suite_ids
from tests.playthroughs.write import GAMES, HERE, playthrough


@pytest.mark.parametrize("name", GAMES)
def test_the_game_is_played_as_written(name: str) -> None:
    written = (HERE / f"{name}.txt").read_text()
    played = playthrough(*GAMES[name])
    assert played.splitlines() == written.splitlines(), (
        "If this change of the rules is meant, run `make playthroughs` and explain the diff."
    )


def test_every_suite_has_a_playthrough() -> None:
    assert {"people", "people-proud", *(suite.split("@")[0] for suite in suite_ids())} == {
        suite.split("@")[0] for suite, _, _ in GAMES.values()
    }


def test_there_is_no_file_without_a_game() -> None:
    assert {path.stem for path in HERE.glob("*.txt")} == set(GAMES)


@pytest.mark.parametrize("name", GAMES)
def test_the_buyers_view_names_no_secret_of_the_seller(name: str) -> None:
    buyer_lines = []
    looking = False
    for line in (HERE / f"{name}.txt").read_text().splitlines():
        if line.startswith(("---", "***", "===", "*")):
            looking = line.endswith("the buyer sees")
        elif looking:
            buyer_lines.append(line.split()[0] if line.split() else "")
    assert buyer_lines
    assert not {"reservation", "cost", "rules", "seed", "salt"} & set(buyer_lines)
