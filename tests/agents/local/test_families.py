"""Checkpoints of other families say what ``generate`` says, alone and in a batch."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from agents.backends.base import Chat
from agents.backends.local.backend import LocalBackend
from tests.agents.local.conftest import asha_asks
from tests.support.local_models import when_ready
from tests.support.tiny_llama import make_tokenizer

SIZE: dict[str, Any] = {
    "hidden_size": 32,
    "intermediate_size": 64,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "max_position_embeddings": 1024,
    "initializer_range": 0.3,
}
FAMILIES: dict[str, dict[str, Any]] = {
    "qwen3": {**SIZE, "head_dim": 8},
    "mistral": {**SIZE, "sliding_window": 32},
    "gemma2": {**SIZE, "head_dim": 8, "sliding_window": 32},
    "gemma3_text": {**SIZE, "head_dim": 8, "sliding_window": 32, "num_hidden_layers": 6},
    "gpt2": {"n_embd": 32, "n_layer": 2, "n_head": 4, "n_positions": 1024},
    "opt": {
        "hidden_size": 32,
        "ffn_dim": 64,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "max_position_embeddings": 1024,
        "word_embed_proj_dim": 32,
    },
    "bloom": {"hidden_size": 32, "n_layer": 2, "n_head": 4},
    "mamba": {"hidden_size": 32, "num_hidden_layers": 2, "state_size": 8},
}
CHATS = [asha_asks(n, temperature=0, max_new_tokens=12 + 3 * n) for n in range(4)]


@pytest.mark.filterwarnings("ignore::FutureWarning", "ignore::UserWarning")
@pytest.mark.parametrize("family", FAMILIES)
async def test_a_batch_says_what_generate_says(tmp_path: Path, family: str):
    make(family, tmp_path)
    backend = await when_ready(LocalBackend(str(tmp_path), stop_at_object=False))
    first = (await backend.complete(CHATS[0])).text
    together = await asyncio.gather(*map(backend.complete, CHATS))
    assert first == together[0].text
    assert [one.text for one in together] == [generated(tmp_path, chat) for chat in CHATS]
    assert len({one.text for one in together}) > 1
    await backend.close()


def make(family: str, folder: Path) -> None:
    """Write a random checkpoint of a family."""
    import torch
    from transformers import AutoConfig, AutoModelForCausalLM

    tokenizer = make_tokenizer(endless=True)
    config = AutoConfig.for_model(
        family,
        vocab_size=len(tokenizer),
        bos_token_id=tokenizer.bos_token_id,
        eos_token_id=None,
        pad_token_id=tokenizer.pad_token_id,
        **FAMILIES[family],
    )
    with torch.random.fork_rng():
        torch.manual_seed(0)
        model = AutoModelForCausalLM.from_config(config)
        for parameter in model.parameters():
            if parameter.dim() > 1:  # the families' own small weights would all say the same
                parameter.data.normal_(0.0, 0.3)
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)


def generated(folder: Path, chat: Chat) -> str:
    """Let transformers' own loop answer, one row, nothing shared."""
    from transformers import AutoModelForCausalLM, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(folder)
    model = AutoModelForCausalLM.from_pretrained(folder).eval()
    turns = [{"role": message.role, "content": message.content} for message in chat.messages]
    prompt = tokenizer.apply_chat_template(
        turns, add_generation_prompt=True, return_tensors="pt", return_dict=True
    )
    prompt.pop("token_type_ids", None)
    made = model.generate(**prompt, max_new_tokens=chat.max_new_tokens, do_sample=False)
    return str(tokenizer.decode(made[0, prompt["input_ids"].shape[1] :], skip_special_tokens=True))
