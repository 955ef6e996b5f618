"""Load a checkpoint, its tokenizer and its adapter, and find the tokens that end a turn."""

import importlib.util
import inspect
import os
import threading
from pathlib import Path
from typing import Any

import msgspec
import torch
from transformers import AutoModelForCausalLM, AutoTokenizer, BitsAndBytesConfig
from transformers.cache_utils import DynamicCache, DynamicLayer, DynamicSlidingWindowLayer
from transformers.utils import logging

from agents.backends.local.prompting import END_MARKS
from agents.backends.local.source import CannotLoad, Source


def end_ids(tokenizer: Any, generation_config: Any) -> frozenset[int]:
    """Collect the numbers of every end of turn that this tokenizer has as a single token."""
    vocabulary = tokenizer.get_vocab()
    ids = {vocabulary[mark] for mark in END_MARKS if mark in vocabulary}
    for own in (tokenizer.eos_token_id, getattr(generation_config, "eos_token_id", None)):
        ids.update([own] if isinstance(own, int) else own or [])
    return frozenset(ids)


UNKNOWN_CONTEXT = 4096


class Loaded(msgspec.Struct, frozen=True):
    """A model that is ready to answer.

    ``context`` is the longest prompt and answer in tokens; ``ends`` are the tokens that end a turn;
    ``shares`` tells whether its rows can share one memory of keys and values; ``takes`` are the
    optional arguments that its ``forward`` knows.
    """

    model: Any
    tokenizer: Any
    context: int
    ends: frozenset[int]
    shares: bool
    takes: frozenset[str]
    label: str

    @property
    def device(self) -> torch.device:
        """Where the model computes."""
        device: torch.device = self.model.device
        return device


_loading = threading.Lock()
# Transformers makes a model empty before it reads the weights, by switches of the whole process.


def load(source: Source) -> Loaded:
    """Load what the settings name, in seconds to minutes, or raise CannotLoad."""
    with _loading:
        return _load(source)


def _load(source: Source) -> Loaded:
    logging.disable_progress_bar()
    torch.set_num_threads(source.threads or max(1, (os.cpu_count() or 1) // 2))
    device = _device(source)
    tokenizer = _tokenizer(source)
    model: Any = AutoModelForCausalLM.from_pretrained(
        source.model, trust_remote_code=False, **_placement(source, device)
    )
    if len(tokenizer) > model.get_input_embeddings().num_embeddings:
        model.resize_token_embeddings(len(tokenizer))
    if source.adapter:
        model = _adapted(model, source)
    if source.precision != "4bit":
        model = model.to(device)
    model = model.eval().requires_grad_(False)
    model.config.use_cache = True
    config = model.config.get_text_config(decoder=True)
    return Loaded(
        model=model,
        tokenizer=tokenizer,
        context=getattr(config, "max_position_embeddings", None) or UNKNOWN_CONTEXT,
        ends=end_ids(tokenizer, model.generation_config),
        shares=can_share(model),
        takes=frozenset(inspect.signature(model.forward).parameters),
        label=source.label,
    )


def _device(source: Source) -> str:
    has_cuda = torch.cuda.is_available()
    if source.device == "cuda" and not has_cuda:
        raise CannotLoad("no CUDA device is here; set SAUDA_LOCAL_DEVICE=cpu or auto")
    return "cuda" if has_cuda and source.device != "cpu" else "cpu"


def _placement(source: Source, device: str) -> dict[str, Any]:
    if source.precision != "4bit":
        half = source.precision == "bfloat16" or (source.precision == "auto" and device == "cuda")
        return {"dtype": torch.bfloat16 if half else torch.float32}
    if importlib.util.find_spec("bitsandbytes") is None:
        raise CannotLoad(
            "4-bit weights need the bitsandbytes package; install it, "
            "or set SAUDA_LOCAL_PRECISION=bfloat16"
        )
    return in_four_bits(device)


def in_four_bits(device: str) -> dict[str, Any]:
    """Return how weights of four bits are loaded; it needs the bitsandbytes package."""
    quantized = BitsAndBytesConfig(
        load_in_4bit=True,
        bnb_4bit_quant_type="nf4",
        bnb_4bit_compute_dtype=torch.bfloat16,
        bnb_4bit_use_double_quant=True,
    )
    return {"quantization_config": quantized, "device_map": device, "dtype": torch.bfloat16}


def _tokenizer(source: Source) -> Any:
    beside = source.adapter and (Path(source.adapter) / "tokenizer_config.json").is_file()
    tokenizer = AutoTokenizer.from_pretrained(
        source.adapter if beside else source.model,
        padding_side="left",
        trust_remote_code=False,
    )
    if tokenizer.pad_token is None and tokenizer.eos_token is not None:
        tokenizer.pad_token = tokenizer.eos_token
    return tokenizer


def _adapted(model: Any, source: Source) -> Any:
    from peft import PeftModel

    adapted: Any = PeftModel.from_pretrained(model, source.adapter, is_trainable=False)
    if source.precision == "4bit":
        return adapted.get_base_model()
    return adapted.merge_and_unload()


def can_share(model: Any) -> bool:
    """Whether every layer remembers plain keys and values, one column per token."""
    plain = {DynamicLayer, DynamicSlidingWindowLayer}
    config = model.config.get_text_config(decoder=True)
    kinds = set(getattr(config, "layer_types", None) or ())
    layers = DynamicCache(config=model.config).layers
    return (
        {type(layer) for layer in layers} <= plain
        and kinds <= {"full_attention", "sliding_attention"}
        and not getattr(config, "attention_chunk_size", None)
        and not model.config.is_encoder_decoder
    )
