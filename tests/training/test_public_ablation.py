"""The four arms of a trained buyer: found by name, played on the same games, listed nowhere."""

import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from pytest_django import Settings

from agents import checkpoints
from agents.buyers.trained_players import ARMS, Arm, split_arm
from negotiation.policies import policies, policy
from tests.support.tiny_sauda import make_sauda
from training.evaluation.published import ABLATION, newest


@pytest.fixture
def tiny(settings: Settings, tmp_path: Path) -> Iterator[str]:
    """A checkpoint with real weights, among those that runs have made."""
    settings.MODELS_DIR = tmp_path / "models"
    settings.RUNS_DIR = tmp_path / "runs"
    make_sauda(tmp_path / "models" / "tiny", name="sauda-tiny:sft")
    checkpoints.forget()
    yield "sauda-tiny:sft"
    checkpoints.forget()


def test_the_ending_says_where_the_switches_stand() -> None:
    for arm in ARMS:
        assert split_arm(f"sauda-mini:grpo{arm.ending}") == ("sauda-mini:grpo", arm)
    assert len({arm.ending for arm in ARMS}) == 4


def test_an_arm_is_a_policy_of_its_own(tiny: str) -> None:
    found = policy(f"{tiny}-tells+steer")
    assert found.version.startswith(f"{tiny}-tells+steer@1#")
    assert found.title.endswith(Arm(tells=False, steer=True).words)
    assert found.name not in {one.name for one in policies("buyer")}


@pytest.mark.django_db
def test_the_command_plays_all_four_on_the_same_games(tiny: str) -> None:
    out = io.StringIO()
    ask = ["--policy", tiny, "--suites", "single_deal", "--episodes", "4", "--workers", "1"]
    call_command("ablate", *ask, "--publish", stdout=out)
    found = newest(ABLATION)
    assert found is not None
    assert [one.policy for one in found.rows] == [f"{tiny}{arm.ending}" for arm in ARMS]
    assert len(found.differences) == 2 * 6


@pytest.mark.django_db
def test_a_buyer_without_switches_is_refused() -> None:
    with pytest.raises(CommandError, match="has no switches"):
        call_command("ablate", "--policy", "rules:smart")
