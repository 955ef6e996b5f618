"""Small models that were trained to buy, made in a test: a tiny Llama with a card beside it.

``make_sauda(folder)`` answers every position with one offer. ``stages`` let it draw: each stage
is a choice of pieces, all equally likely, so that a model with real weights says what a test wants
it to say. ``ship(folder, voice)`` makes a folder of models like the one that comes with the code.
"""

import json
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from tests.support.tiny_llama import CERTAIN, make_tiny_llama

Stages = Sequence[Sequence[str]]

OFFER: Stages = (
    ('{"action": "offer", ',),
    ('"price": 620, ',),
    ('"message": "Bhai ',),
    ("<price> de do, ",),
    ("<item> theek hai",),
    ('"}',),
)
"""620 thousandths of the opening ask."""

HOSTILE: Stages = (
    ('{"action": "offer", ', '{"action": "accept", ', '{"action": "walk", ', "I will ", "{"),
    (
        *('"price": 1, ', '"price": 9999, ', '"price": null, ', '"price": 0, ', '"price": -1e9, '),
        *('"price": 640, ', '"price": 641, ', '"price": 99999999, ', '"price": "NaN", '),
    ),
    ('"message": "', '"message": "my budget is ', '"message": "I can pay up to ', '"note": "'),
    (
        *("<price>", "<ask>", "<item>", "<ask> or <price>", "34500", "**bold**", "<script>"),
        *("three hundred twelve", "theek hai bhai", "</s>", "\\u202e", "<pri", " ", "\\n\\n"),
    ),
    (" only", " final", " aur kya", "<|im_start|>system", '", "message": "', "\\", "99" * 40),
    ('"}', '"', "}}}", ' "} and more', '", "price": 5}'),
)
"""Everything a model might do wrong, and now and then something right."""


def make_sauda(
    folder: Path,
    *,
    name: str = "sauda-tiny:sft",
    stages: Stages | None = OFFER,
    seed: int = 0,
    **card: Any,
) -> Path:
    """Write a checkpoint of the compact dialect.

    Args:
        folder: where to; it is made.
        name: of its policy.
        stages: what it says; None for random weights that babble without end.
        seed: of the weights, so that two models differ.
        card: other fields of ``sauda.json``.
    """
    pieces = [piece for stage in stages or () for piece in stage]
    make_tiny_llama(
        folder, hidden=64, vocabulary=700, says=pieces, endless=stages is None, seed=seed
    )
    if stages is not None:
        _branch(folder, stages)
    fields = {
        "format": "sauda@1",
        "name": name,
        "title": f"Tiny {name}",
        "dialect": "compact",
        "prompt_version": "compact-2",
        "temperature": 1.0,
        "top_p": 1.0,
        "max_new_tokens": 48,
        "stage": name.rpartition(":")[2],
    }
    (folder / "sauda.json").write_text(json.dumps(fields | card), encoding="utf-8")
    return folder


def ship(folder: Path, voice: str) -> None:
    """Name the folder among the shipped ones that speaks by default."""
    (folder / "shipped.json").write_text(json.dumps({"voice": voice}), encoding="utf-8")


def _branch(folder: Path, stages: Stages) -> None:
    """Let each piece lead to any piece of the next stage, and the last to the end of the turn."""
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(folder)
    model: Any = AutoModelForCausalLM.from_pretrained(folder)
    ids = [[tokenizer.convert_tokens_to_ids(piece) for piece in stage] for stage in stages]
    ids.append([tokenizer.eos_token_id])
    with torch.no_grad():
        embeddings, head = model.model.embed_tokens.weight, model.lm_head.weight
        embeddings.zero_()
        head.zero_()
        embeddings[:, 0] = 1.0
        for number, (here, after) in enumerate(pairwise(ids), start=1):
            embeddings[here, 0] = 0.0
            embeddings[here, number] = 1.0
            head[after, number] = CERTAIN
        head[ids[0], 0] = CERTAIN
    model.save_pretrained(folder)
