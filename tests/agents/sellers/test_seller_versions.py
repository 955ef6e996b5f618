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
