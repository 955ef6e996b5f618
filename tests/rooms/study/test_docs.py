"""The page about studies says what the code does."""

import re
from pathlib import Path

from rooms.study.files import from_file

PAGE = Path(__file__).resolve().parents[3] / "docs/studies.md"


def test_the_study_on_the_page_is_one() -> None:
    block = re.search(r"```toml\n(.*?)```", PAGE.read_text(), re.S)
    assert block is not None
    design = from_file(block[1])
    assert [arm.name for arm in design.arms] == ["trained", "rules"]
