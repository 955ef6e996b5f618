"""Tiny checkpoints of every make that can be exported."""

import os
from pathlib import Path

import msgspec
import pytest

from agents.checkpoints import CARD, Card
from tests.support.commands import ROOT
from tests.support.tiny_llama import make_tiny_llama

TEXTS = (
    "Rs 170 last price, bhai. 1,25,000 mein final karo!",
    '{"action": "offer", "price": 280, "message": "<price> de sakta hoon, <item> ke liye"}',
    "3 other offers\tand 12345678 more...\n\n  two  spaces,   three\r\n",
    "क्या भाव है? ₹४५० दे दो 🙂 naïve café",
    "don't WON'T I'll we've  they're (x+1)*2 == 3/4 `code` <|end_of_text|>",
    " ",
    "",
)
"""What a bargain may hold, and what tokenizers stumble over."""


@pytest.fixture(scope="session")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model like the shipped one: its tokenizer, tied embeddings, random weights, a card."""
    import torch
    from transformers import GenerationConfig, LlamaConfig, LlamaForCausalLM

    from training.stages.base import BUYER_PIECES, train_tokenizer

    folder = tmp_path_factory.mktemp("small")
    corpus = [path.read_text() for path in sorted((ROOT / "tests/playthroughs").glob("*.txt"))]
    tokenizer = train_tokenizer([*corpus, *TEXTS], 700, 256, BUYER_PIECES)
    with torch.random.fork_rng():
        torch.manual_seed(0)
        model = LlamaForCausalLM(
            LlamaConfig(
                vocab_size=704,
                hidden_size=64,
                intermediate_size=160,
                num_hidden_layers=2,
                num_attention_heads=4,
                num_key_value_heads=2,
                max_position_embeddings=256,
                bos_token_id=None,
                eos_token_id=tokenizer.eos_token_id,
                pad_token_id=tokenizer.pad_token_id,
                tie_word_embeddings=True,
                initializer_range=0.2,
            )
        )
    model.generation_config = GenerationConfig(
        eos_token_id=tokenizer.eos_token_id, pad_token_id=tokenizer.pad_token_id
    )
    # Half precision on disk, as the shipped one has it.
    model.half().save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    card = Card(
        name="sauda-mini:toy",
        title="Sauda mini, toy",
        dialect="compact",
        prompt_version="compact-2",
        temperature=0.7,
        top_p=0.9,
        max_new_tokens=48,
    )
    (folder / CARD).write_bytes(msgspec.json.encode(card))
    return folder


@pytest.fixture(scope="session")
def chatty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model in the manner of Llama 3: head and embeddings apart, roles, many ends of turn."""
    return make_tiny_llama(tmp_path_factory.mktemp("chatty"), context=512, vocabulary=600)


@pytest.fixture(scope="session")
def llama_cpp() -> None:
    """llama.cpp as the site has it; CI has it, elsewhere not every machine."""
    if not os.environ.get("CI"):
        pytest.importorskip("xllamacpp", reason="there is no wheel of xllamacpp for this machine")
