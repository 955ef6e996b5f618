"""Load a checkpoint, its tokenizer and its adapter, and find the tokens that end a turn."""

import importlib.util
import inspect
import os
import re
import threading
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import msgspec
import torch
from transformers import AutoModelForCausalLM, AutoTokenizer, BitsAndBytesConfig
from transformers.cache_utils import DynamicCache, DynamicLayer, DynamicSlidingWindowLayer
from transformers.utils import logging

from agents.backends.base import BackendError, Chat
from agents.backends.local.source import CannotLoad, Source

END_MARKS = (
    "<|end_of_text|>",
    "<|eot_id|>",
    "<end_of_turn>",
    "<|im_end|>",
    "</s>",
    "<|endoftext|>",
)
"""What ends a turn in the templates of the families."""

CHARACTERS_PER_TOKEN = 16
"""Longer text per token of context than this is not even read: no tokenizer packs so much."""


class PromptTooLong(BackendError):
    """Prompt and answer together do not fit the model's context."""

    def __init__(self) -> None:
        super().__init__("prompt-too-long", retryable=False, asked=False)


class Prompter:
    """Writes prompts for one model, whose template alone may open and close turns."""

    def __init__(self, tokenizer: Any, context: int) -> None:  # transformers' own type is unusable
        self._tokenizer = tokenizer
        self._context = context
        self._marks = _any_of(_marks_of(tokenizer))

    def tokens(self, chat: Chat) -> list[int]:
        """Write the prompt; raises PromptTooLong where its answer would not fit."""
        if chat.characters > self._context * CHARACTERS_PER_TOKEN:
            raise PromptTooLong
        ids = self._encode([(m.role, self._harmless(m.content)) for m in chat.messages])
        if len(ids) + chat.max_new_tokens > self._context:
            raise PromptTooLong
        return ids

    def _harmless(self, text: str) -> str:
        writable = text.encode("utf-8", "replace").decode("utf-8")  # no lone surrogates
        return self._marks.sub(lambda mark: f"{mark[0][0]} {mark[0][1:]}", writable)

    def _encode(self, turns: Sequence[tuple[str, str]]) -> list[int]:
        if not self._tokenizer.chat_template:
            return list(self._tokenizer(plain(turns)).input_ids)
        try:
            text = self._render(turns)
        except Exception as refused:  # templates raise jinja's errors, and those of their own
            without_system = fold_system(turns)
            if without_system == turns:
                raise BackendError("bad-template", retryable=False, asked=False) from refused
            text = self._render(without_system)
        return list(self._tokenizer(text, add_special_tokens=False).input_ids)

    def _render(self, turns: Sequence[tuple[str, str]]) -> str:
        messages = [{"role": role, "content": content} for role, content in turns]
        return str(
            self._tokenizer.apply_chat_template(
                messages, tokenize=False, add_generation_prompt=True
            )
        )


def plain(turns: Iterable[tuple[str, str]]) -> str:
    r"""Write a chat for a model that has no template of its own.

    >>> plain([("system", "Be brief."), ("user", "Kitna?")])
    'System: Be brief.\n\nUser: Kitna?\n\nAssistant:'
    """
    written = [f"{role.capitalize()}: {content}" for role, content in turns]
    return "\n\n".join([*written, "Assistant:"])


def fold_system(turns: Sequence[tuple[str, str]]) -> Sequence[tuple[str, str]]:
    r"""Move a leading system message into the first user message, for models that know none.

    >>> fold_system([("system", "Be brief."), ("user", "Kitna?")])
    [('user', 'Be brief.\n\nKitna?')]
    """
    match turns:
        case [("system", rules), ("user", first), *rest]:
            return [("user", f"{rules}\n\n{first}"), *rest]
        case _:
            return turns


def _marks_of(tokenizer: Any) -> set[str]:
    added = tokenizer.added_tokens_decoder.values()
    return {*tokenizer.all_special_tokens, *(token.content for token in added if token.special)}


def _any_of(marks: Iterable[str]) -> re.Pattern[str]:
    longest_first = sorted((mark for mark in marks if len(mark) > 1), key=len, reverse=True)
    return re.compile("|".join(map(re.escape, longest_first)) or r"(?!)")


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
