"""Makes several answers together, a token of each at a time."""

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor
from transformers.cache_utils import DynamicCache, DynamicLayer

from agents.backends.base import Chat, Completion, Message
from agents.backends.errors import BackendError
from agents.backends.local.beginnings import Beginnings, Memory
from agents.backends.local.drawing import Dice, choose
from agents.backends.local.loading import Loaded
from agents.backends.local.object_end import ObjectEnd
from agents.backends.local.prompting import Prompter
from agents.backends.local.question import Question
from agents.backends.local.shared_memory import SharedMemory
from agents.backends.local.spelling import Speller


class Row:
    """An answer in the making."""

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
        """Hand a piece over, up to the end of the first object if that is all we want."""
        end = self._object_end.closed_after(piece) if self._object_end else None
        piece = piece if end is None else piece[:end]
        self._text.append(piece)
        self.question.tell(piece)
        return end is not None


class Decoder:
    """Up to ``most`` answers under way with one model.

    Args:
        loaded: the model.
        most: answers at once; a model whose rows cannot share memory makes one at a time.
        stop_at_object: an answer is complete once its first JSON object is closed.
    """

    def __init__(self, loaded: Loaded, most: int, *, stop_at_object: bool) -> None:
        self._loaded = loaded
        self._most = most if loaded.shares else 1
        self._stop_at_object = stop_at_object
        self._prompter = Prompter(loaded.tokenizer, loaded.context)
        self._beginnings = Beginnings()
        self._rows: list[Row] = []
        self._memory = SharedMemory(self._most)
        self._alone: DynamicCache | None = None

    @torch.inference_mode()
    def warm_up(self) -> None:
        """Read a line, so that a model that cannot even do that is found out at once."""
        tokens = self._prompter.tokens(Chat((Message("user", "Namaste"),), max_new_tokens=1))
        self._forward(tokens, DynamicCache(config=self._loaded.model.config))

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
        """Read a prompt and choose the first token of its answer.

        Raises:
            BackendError: the prompt cannot be read.
        """
        tokens = self._prompter.tokens(question.chat)
        row = Row(question, self._loaded, len(tokens), self._stop_at_object)
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
        """Give all answers under way up."""
        for row in self._rows:
            row.question.fail(error)
        self._rows.clear()
        self._memory = SharedMemory(self._most)
        self._alone = None

    def _leave(self, index: int) -> None:
        """Forget a row; the last one takes its place here as in the memory."""
        if self._loaded.shares:
            self._memory.remove(index)
        self._alone = None
        last = self._rows.pop()
        if index < len(self._rows):
            self._rows[index] = last

    def _read(self, tokens: list[int]) -> tuple[Tensor, Memory]:
        """Run the prompt through the model; rows never share this step, so none needs padding."""
        if not self._loaded.shares:
            self._alone = DynamicCache(config=self._loaded.model.config)
            return self._forward(tokens, self._alone), ()
        known, beginning = self._beginnings.longest(tokens)
        cache = DynamicCache()
        layers: list[Any] = [_layer(*pair) for pair in beginning]
        cache.layers = layers
        logits = self._forward(tokens[known:], cache, known)
        memory = [(layer.keys, layer.values) for layer in layers]
        self._beginnings.keep(tokens, memory)
        return logits, memory

    def _forward(self, tokens: Sequence[int], cache: Any, known: int = 0) -> Tensor:
        device = self._loaded.device
        ids = torch.tensor([list(tokens)], device=device)
        positions = torch.arange(known, known + len(tokens), device=device).unsqueeze(0)
        mask = torch.ones((1, known + len(tokens)), dtype=torch.long, device=device)
        return self._run(ids, cache, mask, positions)

    def _next(self, tokens: Sequence[int]) -> Tensor:
        ids = torch.tensor(tokens, device=self._loaded.device).unsqueeze(1)
        if self._alone is not None:
            seen = self._alone.get_seq_length()
            mask = torch.ones((1, seen + 1), dtype=torch.long, device=ids.device)
            return self._run(ids, self._alone, mask, ids.new_full((1, 1), seen))
        mask, positions = self._memory.open_column()
        logits = self._run(ids, self._memory.cache, mask, positions)
        self._memory.close_column()
        return logits

    def _run(self, ids: Tensor, cache: Any, mask: Tensor, positions: Tensor) -> Tensor:
        optional = {"position_ids": positions, "logits_to_keep": 1}
        known = {name: value for name, value in optional.items() if name in self._loaded.takes}
        out = self._loaded.model(
            input_ids=ids, attention_mask=mask, past_key_values=cache, use_cache=True, **known
        )
        logits: Tensor = out.logits[:, -1]
        return logits


def _layer(keys: Tensor, values: Tensor) -> DynamicLayer:
    layer = DynamicLayer()
    layer.lazy_initialization(keys, values)
    layer.keys, layer.values = keys, values
    return layer
