"""DPO: whose verdicts are learned from, and when it is refused before any game."""

from pathlib import Path
from typing import get_args

import pytest
from pytest_django import Settings

from tests.support.small_stages import play, quick
from training.judging.transcript import DecidedBy
from training.stages.config import BadConfig, DpoConfig
from training.stages.dpo import VERDICTS

pytestmark = pytest.mark.usefixtures("folders")


def test_every_choice_of_verdicts_is_known() -> None:
    assert set(VERDICTS) == set(get_args(DpoConfig.model_fields["verdicts"].annotation))
    decided = frozenset(get_args(DecidedBy))
    assert all(chosen is None or chosen < decided for chosen in VERDICTS.values())


@pytest.mark.parametrize(
    ("told", "words"),
    [({"url": "", "anthropic_key": ""}, "BAZAAR_JUDGE_URL"),
     ({"url": "http://127.0.0.1:1", "calls": 31}, "32 questions")],
    ids=["nobody", "too few questions"],
)  # fmt: skip
def test_rules_never_judge_where_a_model_was_asked_for(
    haggler: Path, settings: Settings, told: dict[str, object], words: str
) -> None:
    settings.JUDGE = {**settings.JUDGE, **told}
    with pytest.raises(BadConfig, match=words):
        play(quick("dpo", judge="llm", pairs=12), haggler)
