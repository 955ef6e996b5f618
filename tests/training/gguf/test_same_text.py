"""llama.cpp reads and says of an exported model what transformers reads and says of its source."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from agents.checkpoints import Checkpoint, shipped
from agents.dialects.compact import dialect
from tests.support.positions import a_position
from tests.support.tiny_llama import PEFT_LAGS, make_adapter
from tests.training.gguf.conftest import TEXTS
from tests.training.gguf.served import Served, assert_same, greedy, how_far
from training.gguf.exporting import export

pytestmark = pytest.mark.usefixtures("llama_cpp")


def both(checkpoint: Path, out: Path, **how: Any) -> tuple[Any, Any, Served]:
    """Load a checkpoint into transformers and its export into llama.cpp."""
    from transformers import AutoModelForCausalLM, AutoTokenizer

    from training.gguf.exporting import whole_of

    made = export(checkpoint, out, name="model", numbers="f32", **how)
    with whole_of(checkpoint, how.get("base", "")) as folder:
        model: Any = AutoModelForCausalLM.from_pretrained(folder)
        return model.float(), AutoTokenizer.from_pretrained(folder), Served(made.weights)


def test_a_model_like_the_shipped_one(small: Path, tmp_path: Path) -> None:
    assert_same(*both(small, tmp_path), list(TEXTS))


def test_a_model_like_llama_3(chatty: Path, tmp_path: Path) -> None:
    assert_same(*both(chatty, tmp_path), list(TEXTS))


@pytest.mark.parametrize(
    "rope",
    [
        {"rope_type": "linear", "factor": 2.0, "rope_theta": 10000.0},
        {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
         "original_max_position_embeddings": 64, "rope_theta": 500000.0},
    ],
)  # fmt: skip
def test_stretched_positions(chatty: Path, tmp_path: Path, rope: dict[str, Any]) -> None:
    source = shutil.copytree(chatty, tmp_path / "source")
    config = json.loads((source / "config.json").read_text())
    (source / "config.json").write_text(json.dumps({**config, "rope_parameters": rope}))
    assert_same(*both(source, tmp_path / "out"), [" ".join(TEXTS), TEXTS[0]])


@PEFT_LAGS
def test_an_adapter_is_merged(chatty: Path, tmp_path: Path) -> None:
    adapter = make_adapter(chatty, tmp_path / "adapter")
    for name in ("tokenizer.json", "tokenizer_config.json", "chat_template.jinja"):
        shutil.copy(chatty / name, adapter)
    model, tokenizer, llama = both(adapter, tmp_path / "out")
    assert_same(model, tokenizer, llama, list(TEXTS))
    plain, _, _ = both(chatty, tmp_path / "plain")
    prompt = tokenizer(TEXTS[0])["input_ids"]
    assert greedy(model, prompt, [0]) != greedy(plain, prompt, [0])


def test_fewer_bits_say_nearly_the_same(small: Path, tmp_path: Path) -> None:
    model, tokenizer, _ = both(small, tmp_path)
    for numbers, apart in (("f16", 0.005), ("q8_0", 0.1)):
        made = export(small, tmp_path, name=numbers, numbers=numbers, force=True)
        there = Served(made.weights)
        for text in filter(None, TEXTS):
            prompt = tokenizer(text)["input_ids"]
            assert 1e-4 < how_far(model, there, prompt) < apart, numbers


@pytest.mark.parametrize("checkpoint", list(shipped()), ids=lambda one: str(one.card.name))
def test_every_shipped_model(checkpoint: Checkpoint, tmp_path: Path) -> None:
    model, tokenizer, llama = both(checkpoint.folder, tmp_path)
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
