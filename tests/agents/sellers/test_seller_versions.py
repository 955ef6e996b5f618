"""A version of a seller stands for one behaviour."""

import pytest

from agents.sellers.rule_seller import SellerRow, sellers
from tests.agents.sellers.golden import episodes, recorded


@pytest.mark.parametrize("row", sellers(), ids=lambda row: row.name)
def test_a_version_still_plays_as_recorded(row: SellerRow) -> None:
    known = recorded()
    assert row.version in known, (
        f"{row.version} is new: run `python -m tests.agents.sellers.golden` and commit the file."
    )
    assert episodes(row.make) == known[row.version], (
        f"{row.version} plays otherwise than recorded: raise NUMBER in agents.sellers.rule_seller."
    )


@pytest.mark.parametrize("row", sellers(), ids=lambda row: row.name)
def test_games_of_the_first_suite_are_played_as_the_first_version_played_them(
    row: SellerRow,
) -> None:
    [first] = [games for label, games in recorded().items() if label.startswith(f"{row.name}@1#")]
    assert moves(episodes(row.make)[: len(first)]) == moves(first)


def moves(games: list[list[str]]) -> list[list[str]]:
    """Leave the words out, which may be mended: what was published are the moves."""
    return [
        [" ".join(one.split()[: 1 + one.startswith("offer")]) for one in game] for game in games
    ]
