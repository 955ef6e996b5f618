"""llama.cpp reads and says of an exported model what transformers reads and says of its source."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agents.checkpoints import Checkpoint, shipped
from agents.dialects.compact import dialect
from tests.support.positions import a_position
from tests.support.tiny_llama import PEFT_LAGS, make_adapter
from tests.training.gguf.conftest import TEXTS
from training.gguf.exporting import export

Opened = Callable[[Path], Any]
NEW_TOKENS = 40


def both(checkpoint: Path, out: Path, opened: Opened, **how: Any) -> tuple[Any, Any, Any]:
    """Load a checkpoint into transformers and its export into llama.cpp."""
    from transformers import AutoModelForCausalLM, AutoTokenizer

    from training.gguf.exporting import whole_of

    made = export(checkpoint, out, name="model", numbers="f32", **how)
    with whole_of(checkpoint, how.get("base", "")) as folder:
        model: Any = AutoModelForCausalLM.from_pretrained(folder)
        return model.float(), AutoTokenizer.from_pretrained(folder), opened(made.weights)


def greedy(model: Any, prompt: list[int], ends: list[int]) -> list[int]:
    """What transformers says, always the likeliest token."""
    import torch

    said = model.generate(
        torch.tensor([prompt]),
        attention_mask=torch.ones(1, len(prompt), dtype=torch.long),
        do_sample=False,
        max_new_tokens=NEW_TOKENS,
        eos_token_id=ends,
        pad_token_id=0,
    )
    return [token for token in said[0, len(prompt) :].tolist() if token not in ends]


def greedy_there(llama: Any, prompt: list[int], ends: list[int]) -> list[int]:
    """What llama.cpp says, always the likeliest token."""
    llama.reset()
    said: list[int] = []
    for token in llama.generate(prompt, temp=0.0, top_k=1, repeat_penalty=1.0):
        if token in ends or len(said) == NEW_TOKENS:
            break
        said.append(token)
    return said


def assert_same(model: Any, tokenizer: Any, llama: Any, prompts: list[str]) -> None:
    ends = [tokenizer.eos_token_id]
    lengths = []
    for text in prompts:
        tokens = tokenizer(text)["input_ids"]
        there = llama.tokenize(text.encode(), add_bos=False, special=True)
        assert there == tokens
        if tokens:
            said = greedy(model, tokens, ends)
            assert greedy_there(llama, tokens, ends) == said
            lengths.append(len(said))
            assert llama.detokenize(said, special=True).decode(errors="replace") == (
                tokenizer.decode(said, clean_up_tokenization_spaces=False)
            )
    assert max(lengths) > 5


def test_a_model_like_the_shipped_one(small: Path, tmp_path: Path, opened: Opened) -> None:
    assert_same(*both(small, tmp_path, opened), list(TEXTS))


def test_a_model_like_llama_3(chatty: Path, tmp_path: Path, opened: Opened) -> None:
    assert_same(*both(chatty, tmp_path, opened), list(TEXTS))


@pytest.mark.parametrize(
    "rope",
    [
        {"rope_type": "linear", "factor": 2.0, "rope_theta": 10000.0},
        {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
         "original_max_position_embeddings": 32, "rope_theta": 500000.0},
    ],
)  # fmt: skip
def test_stretched_positions(
    chatty: Path, tmp_path: Path, opened: Opened, rope: dict[str, Any]
) -> None:
    source = shutil.copytree(chatty, tmp_path / "source")
    config = json.loads((source / "config.json").read_text())
    (source / "config.json").write_text(json.dumps({**config, "rope_parameters": rope}))
    assert_same(*both(source, tmp_path / "out", opened), [" ".join(TEXTS), TEXTS[0]])


@PEFT_LAGS
def test_an_adapter_is_merged(chatty: Path, tmp_path: Path, opened: Opened) -> None:
    adapter = make_adapter(chatty, tmp_path / "adapter")
    for name in ("tokenizer.json", "tokenizer_config.json", "chat_template.jinja"):
        shutil.copy(chatty / name, adapter)
    model, tokenizer, llama = both(adapter, tmp_path / "out", opened)
    assert_same(model, tokenizer, llama, list(TEXTS))
    plain, _, _ = both(chatty, tmp_path / "plain", opened)
    prompt = tokenizer(TEXTS[0])["input_ids"]
    assert greedy(model, prompt, [0]) != greedy(plain, prompt, [0])


def test_fewer_bits_say_nearly_the_same(small: Path, tmp_path: Path, opened: Opened) -> None:
    import numpy as np
    import torch

    model, tokenizer, _ = both(small, tmp_path, opened)
    prompt = tokenizer(TEXTS[0])["input_ids"]
    with torch.no_grad():
        exact = model(torch.tensor([prompt])).logits[0, -1].numpy()
    for numbers, apart in (("f16", 0.02), ("q8_0", 0.2)):
        made = export(small, tmp_path, name=numbers, numbers=numbers, force=True)
        llama = opened(made.weights)
        llama.eval(prompt)
        there = np.array(llama._ctx.get_logits()[: exact.size])
        assert np.abs(there - exact).max() < apart * np.abs(exact).max(), numbers


@pytest.mark.parametrize("checkpoint", list(shipped()), ids=lambda one: str(one.card.name))
def test_every_shipped_model(checkpoint: Checkpoint, tmp_path: Path, opened: Opened) -> None:
    model, tokenizer, llama = both(checkpoint.folder, tmp_path, opened)
    speech = dialect(checkpoint.card.dialect)
    positions = (
        a_position(),
        a_position((1800, 1700, 1650), (900, 1100), said=("bhai last price 1650",)),
        a_position((345000, 339000), (200000,), budget=320000, title="Maruti Swift, 2019"),
    )
    prompts = [
        tokenizer.apply_chat_template(
            [{"role": one.role, "content": one.content} for one in speech.messages(seen)],
            tokenize=False,
            add_generation_prompt=True,
        )
        for seen in positions
    ]
    assert_same(model, tokenizer, llama, prompts)
