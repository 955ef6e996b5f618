"""The page of settings, and the command that makes the shipped model, are those of the code."""

import re
from pathlib import Path

from training.jobs.chains import spec_of
from training.management.commands.train import Command
from training.stages.registry import CONFIGS, settings_tables

ROOT = Path(__file__).resolve().parents[3]


def test_the_page_of_settings_is_the_one_the_code_prints() -> None:
    assert settings_tables().strip() in (ROOT / "docs" / "stages.md").read_text(), (
        "docs/stages.md is behind the code: paste the output of "
        "`python -m training.stages.registry`"
    )


def test_every_setting_has_a_row() -> None:
    table = settings_tables()
    for kind in CONFIGS.values():
        for name in kind.model_fields:
            assert name == "size" or f"| `{name}` |" in table
    assert "| `dropout` |" not in table


def test_make_train_mini_says_what_the_command_understands() -> None:
    recipe = (ROOT / "Makefile").read_text().partition("\ntrain-mini:")[2]
    found = re.search(r"manage\.py train (.+)", recipe)
    assert found is not None
    told = vars(Command().create_parser("manage.py", "train").parse_args(found[1].split()))
    assert told["stage"] == "chain"
    configs = spec_of(told).configs
    assert [config.stage for config in configs] == ["league", "base", "sft", "grpo", "dpo"]
    assert {config.size for config in configs} == {"mini"}
