"""llama.cpp applies an adapter to its base, and says what transformers says with it."""

from pathlib import Path

import pytest
from safetensors.torch import load_file, save_file

from agents.gguf import NotExportable
from tests.support.tiny_llama import PEFT_LAGS, make_adapter
from tests.training.gguf.conftest import TEXTS
from tests.training.gguf.served import Served, assert_same, how_far
from training.gguf.adapter import WEIGHTS, Heads, write_adapter
from training.gguf.exporting import export

PROMPT = TEXTS[0]
HALVES = 0.05
"""What computing in 16 bits may do to the share of a token."""


@PEFT_LAGS
@pytest.mark.usefixtures("llama_cpp")
def test_it_is_the_adapter_that_was_trained(chatty: Path, tmp_path: Path) -> None:
    from peft import PeftModel
    from transformers import AutoModelForCausalLM, AutoTokenizer

    folder = make_adapter(
        chatty, tmp_path / "adapter", targets=("q_proj", "k_proj", "v_proj", "down_proj")
    )
    # As the file has them: what is compared is their place and order.
    halved = {name: part.half().float() for name, part in load_file(folder / WEIGHTS).items()}
    save_file(halved, folder / WEIGHTS)
    write_adapter(folder, tmp_path / "adapter.gguf", name="toy", heads=Heads(4, 2))
    base = export(chatty, tmp_path / "out", name="base", numbers="f32").weights
    model = PeftModel.from_pretrained(AutoModelForCausalLM.from_pretrained(chatty), folder)
    tokenizer = AutoTokenizer.from_pretrained(chatty)
    adapted, bare = Served(base, tmp_path / "adapter.gguf"), Served(base)
    assert_same(model, tokenizer, adapted, [PROMPT], HALVES)
    # What an adapter adds is computed from halves: in other texts two tokens come close to a tie.
    for text in filter(None, TEXTS):
        prompt = tokenizer(text)["input_ids"]
        assert how_far(model, adapted, prompt) < HALVES < 0.5 < how_far(model, bare, prompt)


def test_a_place_that_llama_cpp_does_not_know_is_refused(chatty: Path, tmp_path: Path) -> None:
    folder = make_adapter(chatty, tmp_path / "adapter")
    parts = load_file(folder / WEIGHTS)
    parts["base_model.model.lm_head.lora_A.weight"] = next(iter(parts.values())).clone()
    save_file(parts, folder / WEIGHTS)
    with pytest.raises(NotExportable, match="lm_head"):
        write_adapter(folder, tmp_path / "adapter.gguf", name="toy", heads=Heads(4, 2))
