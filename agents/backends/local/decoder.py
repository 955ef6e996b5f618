"""Makes several answers together, a token of each at a time."""

from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor
from transformers.cache_utils import Cache, CacheLayerMixin, DynamicCache, DynamicLayer

from agents.backends.base import BackendError, Chat, Completion, Message
from agents.backends.local.loading import Loaded
from agents.backends.local.player import Dice, choose
from agents.backends.local.prompting import Prompter
from agents.backends.local.question import Question

HEADROOM = 256


class _Frame:
    """Which part of the memory is in use, in every layer: ``rows``, and columns ``first..end``."""

    def __init__(self) -> None:
        self.rows = 0
        self.first = 0
        self.end = 0


class _SharedLayer(CacheLayerMixin):
    """Keys and values of one layer: (rows, heads, columns, head size)."""

    is_sliding = False

    def __init__(self, frame: _Frame, keys: Tensor, values: Tensor) -> None:
        self._frame = frame
        self.keys: Tensor = keys
        self.values: Tensor = values
        self.is_initialized = True

    def lazy_initialization(self, key_states: Tensor, value_states: Tensor) -> None:
        """Do nothing: the room was made before."""

    def update(
        self, key_states: Tensor, value_states: Tensor, *args: Any, **kwargs: Any
    ) -> tuple[Tensor, Tensor]:
        """Write one token of every row in place and give what each row may look at."""
        frame = self._frame
        rows, end = slice(frame.rows), frame.end
        self.keys[rows, :, end] = key_states[:, :, 0]
        self.values[rows, :, end] = value_states[:, :, 0]
        seen = slice(frame.first, end + 1)
        return self.keys[rows, :, seen], self.values[rows, :, seen]

    def get_seq_length(self) -> int:
        return self._frame.end - self._frame.first

    def get_mask_sizes(self, query_length: int) -> tuple[int, int]:
        return self.get_seq_length() + query_length, 0

    def get_max_length(self) -> int:
        return -1


class SharedMemory:
    """The memory of up to ``most`` rows."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._frame = _Frame()
        self._starts: list[int] = []
        self._slots = 0
        self._columns = 0
        self._layers: list[_SharedLayer] = []
        self.cache = Cache(layers=[])

    def add(self, prompt: Sequence[tuple[Tensor, Tensor]]) -> None:
        """Take in a row at the bottom."""
        frame = self._frame
        length = prompt[0][0].shape[-2]
        if not frame.rows:
            frame.first = frame.end = 0
        end = max(frame.end, length)
        must_move = frame.rows and end > frame.end
        if must_move or end > self._columns or frame.rows == self._slots:
            self._make_room(frame.rows + 1, end, prompt)
        frame.end = end
        start, row = frame.end - length, frame.rows
        for layer, (keys, values) in zip(self._layers, prompt, strict=True):
            layer.keys[row, :, start : frame.end] = keys[0]
            layer.values[row, :, start : frame.end] = values[0]
        self._starts.append(start)
        frame.rows += 1
        frame.first = min(self._starts)

    def remove(self, row: int) -> None:
        """Forget a row; the last one moves to its place."""
        frame = self._frame
        last = frame.rows - 1
        if row != last:
            seen = slice(self._starts[last], frame.end)
            for layer in self._layers:
                layer.keys[row, :, seen] = layer.keys[last, :, seen]
                layer.values[row, :, seen] = layer.values[last, :, seen]
            self._starts[row] = self._starts[last]
        self._starts.pop()
        frame.rows = last
        frame.first = min(self._starts, default=frame.end)

    def open_column(self) -> tuple[Tensor, Tensor]:
        """Prepare the next token of all rows: mask (rows, columns) and positions (rows, 1)."""
        frame = self._frame
        if frame.end == self._columns:
            self._make_room(frame.rows, frame.end - frame.first, self._parts())
        device = self._layers[0].keys.device
        starts = torch.tensor(self._starts, device=device).unsqueeze(1)
        columns = torch.arange(frame.first, frame.end + 1, device=device)
        return (columns >= starts).long(), frame.end - starts

    def close_column(self) -> None:
        """The token of every row has been written."""
        self._frame.end += 1

    def _parts(self) -> list[tuple[Tensor, Tensor]]:
        return [(layer.keys, layer.values) for layer in self._layers]

    def _make_room(self, rows: int, end: int, like: Sequence[tuple[Tensor, Tensor]]) -> None:
        frame = self._frame
        slots = self._slots
        while slots < rows:
            slots = min(max(2 * slots, 1), self._most)
        columns = max(end + HEADROOM, self._columns)
        moved = end - frame.end
        old, self._layers = self._layers, []
        for index, pair in enumerate(like):
            new = [_blank(part, slots, columns) for part in pair]
            if frame.rows and old:
                used = slice(frame.first, frame.end)
                there = slice(frame.first + moved, end)
                for part, source in zip(new, (old[index].keys, old[index].values), strict=True):
                    part[: frame.rows, :, there] = source[: frame.rows, :, used]
            self._layers.append(_SharedLayer(frame, *new))
        self.cache = Cache(layers=list(self._layers))
        self._starts = [start + moved for start in self._starts]
        frame.first, frame.end = frame.first + moved, end
        self._slots, self._columns = slots, columns


def _blank(like: Tensor, slots: int, columns: int) -> Tensor:
    _, heads, _, size = like.shape
    return like.new_zeros((slots, heads, columns, size))


THINKING, THOUGHT = "<think>", "</think>"


class ObjectEnd:
    """Reads an answer piece by piece until its first JSON object is closed.

    What stands between ``<think>`` and ``</think>`` is not the answer and is passed over.

    >>> end = ObjectEnd()
    >>> end.closed_after('{"say": "50} '), end.closed_after('ok"} and'), end.closed_after("so on")
    (None, 4, 0)
    """

    def __init__(self) -> None:
        self._depth = 0
        self._quoted = False
        self._escaped = False
        self._thinking = False
        self._closed = False
        self._tail = ""

    def closed_after(self, piece: str) -> int | None:
        """Return how many characters of this piece come up to the object's end, if it ends here."""
        if self._closed:
            return 0
        for index, character in enumerate(piece, start=1):
            if self._read(character):
                self._closed = True
                return index
        return None

    def _read(self, character: str) -> bool:
        if self._depth == 0:
            self._tail = (self._tail + character)[-len(THOUGHT) :]
            if self._tail.endswith((THINKING, THOUGHT)):
                self._thinking = self._tail.endswith(THINKING)
            self._depth = int(character == "{" and not self._thinking)
            return False
        if self._quoted:
            self._quoted = self._escaped or character != '"'
            self._escaped = character == "\\" and not self._escaped
            return False
        self._quoted = character == '"'
        self._depth += (character == "{") - (character == "}")
        return self._depth == 0


UNFINISHED = "\ufffd"
"""What a tokenizer writes for bytes that are no character yet."""


class Speller:
    """Spells one answer; a token may hold part of a character, so a window is decoded again."""

    def __init__(self, decode: Callable[[Sequence[int]], str]) -> None:
        self._decode = decode
        self._tokens: list[int] = []
        self._window = 0
        self._spelled = 0

    def spell(self, token: int) -> str:
        """Take one more token; give the new text, which may be none."""
        self._tokens.append(token)
        return self._news(final=False)

    def rest(self) -> str:
        """Return what was held back because it ended within a character."""
        return self._news(final=True)

    def _news(self, *, final: bool) -> str:
        before = self._decode(self._tokens[self._window : self._spelled])
        now = self._decode(self._tokens[self._window :])
        if len(now) <= len(before) or (now.endswith(UNFINISHED) and not final):
            return ""
        self._window, self._spelled = self._spelled, len(self._tokens)
        return now[len(before) :]


class _Row:
    def __init__(self, question: Question, loaded: Loaded, prompt_tokens: int, stop: bool) -> None:
        self.question = question
        self.dice = Dice(question.chat)
        self.token = 0
        self._ends = loaded.ends
        self._label = loaded.label
        self._prompt_tokens = prompt_tokens
        self._made = 0
        self._speller = Speller(
            lambda ids: str(
                loaded.tokenizer.decode(
                    ids, skip_special_tokens=True, clean_up_tokenization_spaces=False
                )
            )
        )
        self._object_end = ObjectEnd() if stop else None
        self._text: list[str] = []

    def take(self, token: int) -> bool:
        """Take the next token; give whether the answer is complete (and has been handed over)."""
        self.token = token
        self._made += 1
        ended = token in self._ends
        complete = self._tell("" if ended else self._speller.spell(token))
        if complete or ended or self._made >= self.question.chat.max_new_tokens:
            if not complete:
                self._tell(self._speller.rest())
            self.question.answer(
                Completion("".join(self._text), self._label, self._prompt_tokens, self._made)
            )
            return True
        return False

    def _tell(self, piece: str) -> bool:
        end = self._object_end.closed_after(piece) if self._object_end else None
        piece = piece if end is None else piece[:end]
        self._text.append(piece)
        self.question.tell(piece)
        return end is not None


Memory = Sequence[tuple[Tensor, Tensor]]
"""Keys and values per layer, each (1, heads, tokens, head size)."""

KEPT_PROMPTS = 8
KEPT_BYTES = 512 * 2**20
WORTH_IT = 16


class _Beginnings:
    """The keys and values of the last few prompts."""

    def __init__(self) -> None:
        self._kept: deque[tuple[list[int], Memory]] = deque(maxlen=KEPT_PROMPTS)

    def longest(self, tokens: Sequence[int]) -> tuple[int, Memory]:
        """Return how many tokens of a prompt, without its last, are known, with keys and values."""
        best, memory = 0, None
        for known, candidate in self._kept:
            shared = common_length(known, tokens[:-1])
            if shared > best:
                best, memory = shared, candidate
        if memory is None or best < WORTH_IT:
            return 0, ()
        return best, [(keys[:, :, :best], values[:, :, :best]) for keys, values in memory]

    def keep(self, tokens: list[int], memory: Memory) -> None:
        size = sum(part.nbytes for pair in memory for part in pair)
        while self._kept and (len(self._kept) + 1) * size > KEPT_BYTES:
            self._kept.popleft()
        if size <= KEPT_BYTES:
            self._kept.append((tokens, memory))


def common_length(one: Sequence[int], other: Sequence[int]) -> int:
    """Count the tokens with which both begin.

    >>> common_length([1, 2, 3, 4], [1, 2, 5])
    2
    """
    for index, (mine, yours) in enumerate(zip(one, other, strict=False)):
        if mine != yours:
            return index
    return min(len(one), len(other))


class Decoder:
    """Up to ``most`` answers under way with one model."""

    def __init__(self, loaded: Loaded, most: int, *, stop_at_object: bool) -> None:
        self._loaded = loaded
        self._most = most if loaded.shares else 1
        self._stop_at_object = stop_at_object
        self._prompter = Prompter(loaded.tokenizer, loaded.context)
        self._beginnings = _Beginnings()
        self._rows: list[_Row] = []
        self._memory = SharedMemory(self._most)
        self._alone: DynamicCache | None = None
        self._seen = 0

    @torch.inference_mode()
    def warm_up(self) -> None:
        """Read a line, so that a model that cannot even do that is found out at once."""
        tokens = self._prompter.tokens(Chat((Message("user", "Namaste"),), max_new_tokens=1))
        self._run(self._row(tokens), DynamicCache(config=self._loaded.model.config))

    @property
    def room(self) -> int:
        """How many more questions can join."""
        return self._most - len(self._rows)

    @property
    def busy(self) -> bool:
        """Some answer is under way."""
        return bool(self._rows)

    @torch.inference_mode()
    def join(self, question: Question) -> None:
        """Read a prompt and choose the first token of its answer; raises BackendError."""
        tokens = self._prompter.tokens(question.chat)
        row = _Row(question, self._loaded, len(tokens), self._stop_at_object)
        logits, memory = self._read(tokens)
        if row.take(choose(logits, [row.dice])[0]):
            return
        if self._loaded.shares:
            self._memory.add(memory)
        self._rows.append(row)

    @torch.inference_mode()
    def step(self) -> None:
        """Make one more token of every answer; let go of those that nobody wants."""
        for index in reversed(range(len(self._rows))):
            if self._rows[index].question.unwanted:
                self._leave(index)
        if not self._rows:
            return
        logits = self._next([row.token for row in self._rows])
        tokens = choose(logits, [row.dice for row in self._rows])
        for index in reversed(range(len(self._rows))):
            if self._rows[index].take(tokens[index]):
                self._leave(index)

    def abandon(self, error: BackendError) -> None:
        """Drop all answers under way."""
        for row in self._rows:
            row.question.fail(error)
        self._rows.clear()
        self._memory = SharedMemory(self._most)
        self._alone = None

    def _leave(self, index: int) -> None:
        if self._loaded.shares:
            self._memory.remove(index)
        self._alone = None
        last = self._rows.pop()
        if index < len(self._rows):
            self._rows[index] = last

    def _read(self, tokens: list[int]) -> tuple[Tensor, Memory]:
        if not self._loaded.shares:
            self._alone = DynamicCache(config=self._loaded.model.config)
            self._seen = len(tokens)
            return self._run(self._row(tokens), self._alone), ()
        known, beginning = self._beginnings.longest(tokens)
        cache = DynamicCache()
        layers: list[Any] = [_layer(*pair) for pair in beginning]
        cache.layers = layers
        logits = self._forward(tokens[known:], cache, known)
        memory = [(layer.keys, layer.values) for layer in layers]
        self._beginnings.keep(tokens, memory)
        return logits, memory

    def _forward(self, tokens: Sequence[int], cache: Any, known: int) -> Tensor:
        device = self._loaded.device
        positions = torch.arange(known, known + len(tokens), device=device).unsqueeze(0)
        mask = torch.ones((1, known + len(tokens)), dtype=torch.long, device=device)
        return self._run(self._row(tokens), cache, mask, positions)

    def _row(self, tokens: Sequence[int]) -> Tensor:
        return torch.tensor([list(tokens)], device=self._loaded.device)

    def _next(self, tokens: Sequence[int]) -> Tensor:
        ids = self._row(tokens).T
        if self._alone is not None:
            self._seen += 1
            return self._run(ids, self._alone, None, ids.new_full((1, 1), self._seen - 1))
        mask, positions = self._memory.open_column()
        logits = self._run(ids, self._memory.cache, mask, positions)
        self._memory.close_column()
        return logits

    def _run(
        self,
        ids: Tensor,
        cache: Any,
        mask: Tensor | None = None,
        positions: Tensor | None = None,
    ) -> Tensor:
        optional = {
            "attention_mask": mask,
            "position_ids": positions,
            "logits_to_keep": 1,
            "past_key_values": cache,
            "cache_params": cache,  # what models with a running state call it
        }
        given = {
            name: value
            for name, value in optional.items()
            if value is not None and name in self._loaded.takes
        }
        logits: Tensor = self._loaded.model(input_ids=ids, use_cache=True, **given).logits
        return logits[:, -1]


def _layer(keys: Tensor, values: Tensor) -> DynamicLayer:
    layer = DynamicLayer()
    layer.lazy_initialization(keys, values)
    layer.keys, layer.values = keys, values
    return layer
