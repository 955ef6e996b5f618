"""A lab with real weights that says what a test wants it to say: a tiny Llama, a card beside it."""

import json
from pathlib import Path

from tests.support.tiny_sauda import make_sauda

POOLS = '{"action": "form_coalition", "target_lab_id": "l1", "message": "<pool>"}'
"""Asks the first lab it knows into a coalition, in every turn."""

MUMBLES = "<pool> <pool>"
"""No action."""


def make_lab(
    folder: Path, says: str = POOLS, name: str = "lab-toy", *, seed: int = 0, **card: object
) -> Path:
    """Write a lab that gives one answer in every position.

    Args:
        folder: where to; it is made.
        says: the answer.
        name: of its policy.
        seed: of the weights, so that two labs differ.
        card: other fields of ``lab.json``.
    """
    make_sauda(folder, stages=((says,),), seed=seed)
    (folder / "sauda.json").unlink()
    fields = {"format": "lab@1", "name": name, "title": f"Toy {name}", "prompt_version": "lab-1"}
    (folder / "lab.json").write_text(json.dumps(fields | card), encoding="utf-8")
    return folder


def break_weights(folder: Path) -> None:
    """Leave something that is called weights, and is none."""
    (folder / "model.safetensors").write_bytes(b"no weights at all")
