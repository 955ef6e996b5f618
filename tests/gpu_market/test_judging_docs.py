"""The page about judge mode shows the numbers of the code, and its example runs."""

import doctest
import importlib
import pkgutil
import re
from pathlib import Path
from typing import get_args

from arena.gpu_market import model_judge
from arena.gpu_market.model_judge import GIVE_UP_AFTER, HELD, MOST_CALLS
from bazaarbatna.market import judging, make_market
from bazaarbatna.market.judging import cards, pitch_every_round, play_judged, transcript
from bazaarbatna.market.judging.cards import LEAST, MARGIN_SCALE, MOST, MOST_OF_EPISODE
from bazaarbatna.market.judging.claims import CLAIM_KINDS, Finding
from bazaarbatna.market.judging.reading import LONGEST_PITCH
from tests.support.hearings import read

PAGE = (Path(__file__).parents[2] / "docs" / "market_judging.md").read_text()


def test_the_transcript_on_the_page_is_what_the_code_gives() -> None:
    judged = play_judged(make_market("market_round", 1), pitch_every_round, judge_mode="rule")
    shown = re.search(r"```text\n(.*?)```", PAGE, re.S)
    assert shown is not None
    assert shown[1] == transcript(judged.rounds[:3], checks=True)


def test_the_example_on_the_page_runs() -> None:
    block = re.search(r"```python\n(.*?)```", PAGE, re.S)
    assert block is not None
    names: dict[str, object] = {}
    exec(compile(block[1], "market_judging.md", "exec"), names)
    assert "winner" in str(names["text"])


def test_every_part_kind_and_finding_is_a_row() -> None:
    for name in (*cards.PARTS, *CLAIM_KINDS, *get_args(Finding)):
        assert any(line.startswith(f"| `{name}` |") for line in PAGE.splitlines()), name


def test_the_numbers_on_the_page_are_those_of_the_code() -> None:
    worth = {
        "deadline": f"0 to {cards.DEADLINE:.2f}",
        "reputation": f"0 to {cards.REPUTATION:.2f}",
        "reliability": f"0 to {cards.RELIABILITY:.2f}",
        "evidence": f"0 to {cards.EVIDENCE:.2f}",
        "vagueness": f"-{cards.VAGUENESS:.2f} to 0",
        "opinion": f"-{HELD:.2f} to {HELD:.2f}",
    }
    table = PAGE.split("## The score")[1]
    for part, said in worth.items():
        assert f"| `{part}` | {said} |" in table
    assert f"{cards.PER_CLAIM} for each true and new claim" in table
    assert f"| {cards.PER_LIE} for each false claim |" in table
    assert f"clip(margin / {MARGIN_SCALE}, {LEAST}, {MOST})" in table
    assert f"no more than {MOST_OF_EPISODE} over an episode" in table
    assert f"first {LONGEST_PITCH} characters" in PAGE
    assert f"{MOST_CALLS} questions were put" in PAGE
    assert GIVE_UP_AFTER == 3


def test_the_examples_of_claims_are_read() -> None:
    table = PAGE.split("## What is a claim")[1].split("| finding |")[0]
    tried = 0
    for row in table.splitlines():
        if row.startswith("| `"):
            kind = row.split("`")[1]
            for example in re.findall(r'"([^"]+)"', row):
                assert [(one[0], one[2]) for one in read(example)] == [(kind, "plain")], example
                tried += 1
    assert tried >= 12


def test_the_examples_in_the_code_run() -> None:
    tried = 0
    inside = [one.name for one in pkgutil.iter_modules(judging.__path__, f"{judging.__name__}.")]
    for name in (judging.__name__, *inside, model_judge.__name__):
        failed, attempted = doctest.testmod(importlib.import_module(name))
        assert failed == 0, name
        tried += attempted
    assert tried >= 12
