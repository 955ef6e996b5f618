"""A folder is a checkpoint, or the message says what is wrong with it."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from agents.checkpoints import CARD, NoCheckpoint, checkpoints_in, read_checkpoint
from agents.dialects.compact import VERSION

WEIGHTS = b"weights"

Change = Callable[[Path], object]


def a_checkpoint(folder: Path, **card: object) -> Path:
    """A folder with a card and something that stands for weights."""
    folder.mkdir(parents=True)
    told = {"name": "asha:sft", "title": "Asha, SFT", "dialect": "compact"}
    (folder / CARD).write_text(json.dumps(told | {"prompt_version": VERSION} | card))
    (folder / "model.safetensors").write_bytes(WEIGHTS)
    return folder


def test_a_folder_with_a_card_and_weights_is_a_checkpoint(tmp_path: Path) -> None:
    found = read_checkpoint(a_checkpoint(tmp_path / "one"))
    assert found.name == "asha:sft"
    assert found.version == f"asha:sft@1#{found.digest}"
    assert not found.is_adapter


def test_its_version_follows_from_its_weights(tmp_path: Path) -> None:
    folder = a_checkpoint(tmp_path / "one")
    before = read_checkpoint(folder).version
    (folder / "model.safetensors").write_bytes(WEIGHTS + b"!")
    assert read_checkpoint(folder).version != before


@pytest.mark.parametrize(
    ("broken", "words"),
    [
        (lambda folder: (folder / CARD).unlink(), "no sauda.json"),
        (lambda folder: (folder / CARD).write_text("{"), "cannot be read"),
        (lambda folder: (folder / CARD).write_text('{"name": "asha"}'), "title"),
        (lambda folder: (folder / CARD).write_bytes(b"\xff\x00"), "cannot be read"),
        (lambda folder: (folder / "model.safetensors").unlink(), "no weights"),
    ],
    ids=["no card", "half a card", "a card without a title", "noise", "no weights"],
)
def test_what_is_missing_or_broken_is_named(tmp_path: Path, broken: Change, words: str) -> None:
    folder = a_checkpoint(tmp_path / "one")
    broken(folder)
    with pytest.raises(NoCheckpoint, match=words):
        read_checkpoint(folder)
    assert list(checkpoints_in(tmp_path)) == []


def test_a_model_of_another_prompt_is_not_spoken_to(tmp_path: Path) -> None:
    folder = a_checkpoint(tmp_path / "one", prompt_version="compact-0")
    with pytest.raises(NoCheckpoint, match=rf"compact-0, and this code speaks {VERSION}"):
        read_checkpoint(folder)


def test_a_model_of_an_unknown_dialect_is_not_spoken_to(tmp_path: Path) -> None:
    folder = a_checkpoint(tmp_path / "one", dialect="pirate")
    with pytest.raises(NoCheckpoint, match="pirate"):
        read_checkpoint(folder)
