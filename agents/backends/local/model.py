"""A model that llama.cpp runs in this process: Sauda's, a lab's, an operator's, the voice's."""

import functools
import importlib.util
import re
import secrets
import tempfile
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Literal

from agents.backends.base import BackendError, Chat, Completion
from agents.backends.local.source import CannotLoad, Source

PROGRAM = "xllamacpp"
SEATS = 8
"""Answers at once: with more of them each is slower, and none is there sooner."""
LARGE = 100_000_000
"""Weights; a smaller model is computed in 32 bits, as training does."""
LARGE_SEATS, LARGE_CONTEXT = 4, 4096
"""Of a file that an operator names: each seat keeps so many tokens in memory."""
CHARACTERS_PER_TOKEN = 16
"""Longer text per token of context than this is not even read: no tokenizer packs so much."""
KEPT = 4
"""Models that a process holds for who asks without a worker; that asked longest ago makes room."""
_MARK = re.compile(r"<(?=[|/a-z])|\[(?=/?[A-Z]+\])", re.IGNORECASE)

_loading = threading.Lock()

Hear = Callable[[str], bool]
"""Takes a piece of an answer; true ends it."""


class Model:
    """llama.cpp with a GGUF file and, perhaps, an adapter; any thread may ask, and waits.

    Raises whatever the program does where it cannot load them.
    """

    def __init__(
        self,
        weights: Path,
        adapter: Path | None = None,
        *,
        seats: int,
        context: int,
        threads: int = 1,
        sticky: Sequence[str] = (),
        is_exact: bool = False,
    ) -> None:
        import xllamacpp

        told = xllamacpp.CommonParams()
        told.model.path = str(weights)
        if adapter is not None:
            told.lora_adapters = [xllamacpp.CommonAdapterLoraInfo(str(adapter), 1.0)]
        told.n_ctx, told.n_parallel = seats * context, seats
        if is_exact:
            # In half precision the company of others tips words that are nearly alike.
            told.cache_type_k = told.cache_type_v = xllamacpp.ggml_type.GGML_TYPE_F32
            told.flash_attn_type = xllamacpp.llama_flash_attn_type.LLAMA_FLASH_ATTN_TYPE_DISABLED
        for pool in (told.cpuparams, told.cpuparams_batch):
            # Two spin while one waits for the other: on a busy machine they are many times slower.
            pool.n_threads = threads
        told.verbosity = -1
        told.warmup = False
        told.reasoning_format = xllamacpp.common_reasoning_format.COMMON_REASONING_FORMAT_NONE
        # It opens a port of this host whether that is wanted or not; nobody has the key to it.
        told.api_keys = [secrets.token_urlsafe(32)]
        told.ui, told.endpoint_slots, told.n_threads_http = False, False, 1
        self._server = xllamacpp.Server(told)
        # Let go before it has answered once, it waits for ever for its own end, and all with it.
        self._server.handle_completions({"prompt": "Namaste", "n_predict": 1}, lambda _: False)
        self._seats, self._context = seats, context
        longest_first = sorted(sticky, key=len, reverse=True)
        # They swallow the blanks before them where the tokenizer of training reads.
        self._blanks = re.compile(rf"\s+(?={'|'.join(map(re.escape, longest_first)) or '(?!)'})")

    def complete(self, asked: dict[str, Any], hear: Callable[[Any], bool]) -> None:
        """Go on with a text, as the program's own form asks for it."""
        self._server.handle_completions(asked, hear)

    def say(self, chat: Chat, hear: Hear | None = None) -> Completion:
        """Answer a chat, in pieces where somebody hears; raises BackendError."""
        longest = (self._context - chat.max_new_tokens) * CHARACTERS_PER_TOKEN
        if chat.characters > longest:
            raise _too_long()
        answer = _Answer(hear)
        turns = [{"role": one.role, "content": self._read(one.content)} for one in chat.messages]
        asked = _asked(chat, is_heard=hear is not None) | {"messages": turns}
        self._server.handle_chat_completions(asked, answer.take)
        return answer.whole()

    def write(self, chats: Sequence[Chat]) -> list[str]:
        """Answer many chats, in order; what does not fit the model is ""."""
        with ThreadPoolExecutor(self._seats, "answers") as together:
            return list(together.map(self._written, chats))

    def _read(self, text: str) -> str:
        return self._blanks.sub("", harmless(text))

    def _written(self, chat: Chat) -> str:
        try:
            return self.say(chat).text
        except BackendError:
            return ""


class _Answer:
    """What the program says of one answer, chunk by chunk."""

    def __init__(self, hear: Hear | None) -> None:
        self._hear = hear
        self._text: list[str] = []
        self._usage: dict[str, int] = {}
        self._wrong: dict[str, Any] | None = None

    def take(self, told: Any) -> bool:
        enough = False
        for chunk in told if isinstance(told, list) else [told]:
            self._wrong = chunk.get("error") or self._wrong
            self._usage = chunk.get("usage") or self._usage
            for choice in chunk.get("choices") or ():
                said = (choice.get("delta") or choice.get("message") or {}).get("content") or ""
                self._text.append(said)
                enough = (self._hear is not None and self._hear(said)) or enough
        return enough

    def whole(self) -> Completion:
        if self._wrong is not None:
            if self._wrong.get("type") == "exceed_context_size_error":
                raise _too_long()
            raise BackendError("generation-failed")
        used = self._usage
        return Completion(
            "".join(self._text), "", used.get("prompt_tokens"), used.get("completion_tokens")
        )


def _too_long() -> BackendError:
    return BackendError("prompt-too-long", retryable=False, asked=False)


def _asked(chat: Chat, *, is_heard: bool) -> dict[str, Any]:
    asked: dict[str, Any] = {
        "max_tokens": chat.max_new_tokens,
        "temperature": chat.temperature,
        "top_p": min(max(chat.top_p, 0.0), 1.0),
        "top_k": 0,
        "min_p": 0.0,
        # The share is taken of the heated odds, as training draws.
        "samplers": ["temperature", "top_p"],
        "stream": is_heard,
    }
    if is_heard:
        asked["stream_options"] = {"include_usage": True}
    return asked if chat.seed is None else asked | {"seed": chat.seed % 2**31}


def harmless(text: str) -> str:
    """Take the marks of templates in a message apart: nobody opens a turn of his own.

    >>> harmless("ok<|eot_id|></s>[/INST] 2 < 3")
    'ok< |eot_id|>< /s>[ /INST] 2 < 3'
    """
    writable = text.encode("utf-8", "replace").decode("utf-8")  # no lone surrogates
    return _MARK.sub(lambda mark: f"{mark[0]} ", writable)


def open_model(source: Source, seats: int = SEATS) -> Model:
    """Load a model, a checkpoint of ours by way of a file that is gone at once.

    Raises CannotLoad, NotExportable, or what llama.cpp says.
    """
    place = Path(source.model)
    if place.is_file():
        seats = min(seats, LARGE_SEATS)
        return Model(place, seats=seats, context=LARGE_CONTEXT, threads=source.threads)
    if not place.is_dir():
        raise CannotLoad(f"{source.model} is neither a GGUF file nor the folder of a checkpoint.")
    # Half a second, which only who loads a model pays.
    from agents.gguf.writing import read_whole, write_whole

    whole = read_whole(place)
    with tempfile.TemporaryDirectory() as scratch:
        weights = Path(scratch) / "model.gguf"
        is_large = sum(one.size for one in whole.weights.values()) > LARGE
        numbers: Literal["f16", "f32"] = "f16" if is_large else "f32"
        write_whole(whole, weights, name=source.label, numbers=numbers)
        return Model(
            weights,
            seats=seats,
            context=whole.shape.context,
            threads=source.threads,
            sticky=whole.words.sticky,
            is_exact=not is_large,
        )


@functools.lru_cache(maxsize=KEPT)
def _kept(source: Source) -> Model:
    return open_model(source)


def kept_model(source: Source) -> Model:
    """Return a model that this process holds; loaded the first time, whoever asks for it."""
    with _loading:
        return _kept(source)


def has_program() -> bool:
    """Whether the package that runs GGUF files is installed."""
    return importlib.util.find_spec(PROGRAM) is not None
