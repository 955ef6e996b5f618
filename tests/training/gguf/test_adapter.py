"""llama.cpp applies an adapter to its base, and says what transformers says with it."""

import os
from pathlib import Path
from typing import Any

import pytest
from safetensors.torch import load_file, save_file

from agents.gguf import NotExportable
from tests.support.tiny_llama import PEFT_LAGS, make_adapter
from training.gguf.adapter import WEIGHTS, Heads, write_adapter
from training.gguf.exporting import export

NEW_TOKENS = 24
PROMPT = "3 other offers and 12345678 more"


@pytest.fixture(scope="module")
def xllamacpp() -> Any:
    if os.environ.get("CI"):
        import xllamacpp
    else:
        xllamacpp = pytest.importorskip("xllamacpp", reason="make install brings it")
    return xllamacpp


def said(xllamacpp: Any, weights: Path, adapter: Path | None) -> str:
    told = xllamacpp.CommonParams()
    told.model.path = str(weights)
    told.n_ctx, told.n_parallel, told.verbosity = 256, 1, -1
    told.cpuparams.n_threads = told.cpuparams_batch.n_threads = 1
    if adapter is not None:
        told.lora_adapters = [xllamacpp.CommonAdapterLoraInfo(str(adapter), 1.0)]
    asked = {"prompt": PROMPT, "n_predict": NEW_TOKENS, "temperature": 0, "ignore_eos": True}
    return str(xllamacpp.Server(told).handle_completions(asked)["choices"][0]["text"])


@PEFT_LAGS
def test_it_is_the_adapter_that_was_trained(chatty: Path, tmp_path: Path, xllamacpp: Any) -> None:
    import torch
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
    prompt = tokenizer(PROMPT, return_tensors="pt")
    with torch.inference_mode():
        made = model.generate(
            **prompt, do_sample=False, max_new_tokens=NEW_TOKENS, min_new_tokens=NEW_TOKENS,
            pad_token_id=0,
        )  # fmt: skip
    expected = tokenizer.decode(made[0, prompt["input_ids"].shape[1] :], skip_special_tokens=True)
    assert said(xllamacpp, base, tmp_path / "adapter.gguf") == expected
    assert said(xllamacpp, base, None) != expected


def test_a_place_that_llama_cpp_does_not_know_is_refused(chatty: Path, tmp_path: Path) -> None:
    folder = make_adapter(chatty, tmp_path / "adapter")
    parts = load_file(folder / WEIGHTS)
    parts["base_model.model.lm_head.lora_A.weight"] = next(iter(parts.values())).clone()
    save_file(parts, folder / WEIGHTS)
    with pytest.raises(NotExportable, match="lm_head"):
        write_adapter(folder, tmp_path / "adapter.gguf", name="toy", heads=Heads(4, 2))
