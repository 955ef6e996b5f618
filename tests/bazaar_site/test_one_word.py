"""Each number of a game has one name on its pages: floor and budget."""

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [
    *sorted((ROOT / "templates" / "replays").glob("*.html")),
    *sorted((ROOT / "templates" / "arena").glob("*.html")),
    *sorted((ROOT / "templates" / "negotiation").glob("*.html")),
    *sorted((ROOT / "templates" / "daily").glob("*.html")),
    *sorted((ROOT / "replays").rglob("*.toml")),
    *sorted((ROOT / "negotiation" / "bargain").rglob("*.toml")),
    ROOT / "arena" / "words.toml",
]


@pytest.mark.parametrize("other", ["lowest price", "reserve price", "thing worth", "Worth %("])
def test_no_page_of_a_game_calls_a_limit_by_another_name(other: str) -> None:
    assert len(PAGES) > 100
    assert [page.name for page in PAGES if other in page.read_text(encoding="utf-8")] == []
