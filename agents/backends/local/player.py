"""A model at many tables at once: positions in, answers out, a whole batch in step."""

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import msgspec
import torch
from torch import Tensor
from transformers.cache_utils import Cache, CacheLayerMixin

from agents.backends.base import Chat
from agents.backends.local.loading import can_share, end_ids
from agents.backends.local.prompting import Prompter
from agents.dialects.base import Dialect
from agents.dialects.parsing import Parsed
from agents.prompts.chats import Message
from bazaarbatna.bargain.observe import BuyerObservation

SHORTLIST = 128

COLD = 0.01
"""At or below this temperature nothing is drawn: rounding would decide."""


class Dice:
    """The settings and the random numbers of one answer; nobody else's rows touch them."""

    def __init__(self, chat: Chat) -> None:
        self.temperature = chat.temperature
        self.top_p = min(max(chat.top_p, 0.0), 1.0)
        self._random = Random(chat.seed)

    @property
    def greedy(self) -> bool:
        """Take the likeliest token each time."""
        return self.temperature <= COLD

    def roll(self) -> float:
        """Return the next number, 0 <= x < 1."""
        return self._random.random()


def choose(logits: Tensor, dice: Sequence[Dice]) -> list[int]:
    """Choose the next token number of every row."""
    chosen = logits.argmax(dim=-1).tolist()
    drawn = [row for row, die in enumerate(dice) if not die.greedy]
    if drawn:
        tokens = _draw(logits[drawn].float(), [dice[row] for row in drawn])
        for row, token in zip(drawn, tokens, strict=True):
            chosen[row] = token
    return [int(token) for token in chosen]


def _draw(logits: Tensor, dice: Sequence[Dice]) -> list[int]:
    heat = torch.tensor([[die.temperature] for die in dice], device=logits.device)
    wanted = torch.tensor([[die.top_p] for die in dice], device=logits.device)
    rolls = torch.tensor([[die.roll()] for die in dice], device=logits.device)
    return [int(token) for token in nucleus(logits / heat, wanted, rolls).tolist()]


def nucleus(logits: Tensor, wanted: Tensor, rolls: Tensor) -> Tensor:
    """Draw a token per row from the smallest set of likeliest tokens whose mass reaches ``wanted``.

    Logits (rows, vocabulary) are divided by the temperature; ``wanted`` (rows, 1) is top_p and
    ``rolls`` (rows, 1) are random numbers, both 0..1. Holtzman et al., The Curious Case of Neural
    Text Degeneration, section 3.1.
    """
    masses = torch.softmax(logits, dim=-1)
    likeliest = masses.topk(min(SHORTLIST, masses.shape[-1]), dim=-1)
    sums = likeliest.values.cumsum(dim=-1)
    if bool((sums[:, -1:] < wanted).any()):
        likeliest = masses.topk(masses.shape[-1], dim=-1)
        sums = likeliest.values.cumsum(dim=-1)
    last = (sums < wanted).sum(dim=-1, keepdim=True).clamp(max=sums.shape[-1] - 1)
    share = rolls * sums.gather(-1, last)
    place = torch.searchsorted(sums, share, right=True).clamp(max=last)
    return likeliest.indices.gather(-1, place).flatten()


LEAVE_TOGETHER = 4
"""Memory is laid out anew when one in so many rows is done."""

Draw = Callable[[Tensor], Tensor]


class _RoomyLayer(CacheLayerMixin):
    """Keys and values of one layer, (rows, heads, columns, head size), with room behind them."""

    is_sliding = False

    def __init__(self, columns: int) -> None:
        self._columns = columns
        self._used = 0
        self.is_initialized = False
        self.keys: Tensor
        self.values: Tensor

    def lazy_initialization(self, key_states: Tensor, value_states: Tensor) -> None:
        self.keys, self.values = (
            part.new_empty((*part.shape[:2], self._columns, part.shape[3]))
            for part in (key_states, value_states)
        )
        self.is_initialized = True

    def update(
        self, key_states: Tensor, value_states: Tensor, *args: Any, **kwargs: Any
    ) -> tuple[Tensor, Tensor]:
        if not self.is_initialized:
            self.lazy_initialization(key_states, value_states)
        start, self._used = self._used, self._used + key_states.shape[-2]
        self.keys[:, :, start : self._used] = key_states
        self.values[:, :, start : self._used] = value_states
        return self.keys[:, :, : self._used], self.values[:, :, : self._used]

    def get_seq_length(self) -> int:
        return self._used

    def get_mask_sizes(self, query_length: int) -> tuple[int, int]:
        return self._used + query_length, 0

    def get_max_length(self) -> int:
        return -1

    def keep(self, rows: Tensor) -> None:
        self.keys, self.values = self.keys[rows], self.values[rows]


@torch.inference_mode()
def answer_in_step(
    model: Any,
    prompts: Sequence[Sequence[int]],
    draw: Draw,
    *,
    ends: frozenset[int],
    pad: int,
    max_new_tokens: int,
) -> list[list[int]]:
    """Make an answer to every prompt: its tokens, the end included where it came."""
    batch = _Batch(model, prompts, pad, max_new_tokens)
    answers: list[list[int]] = [[] for _ in prompts]
    while True:
        tokens = draw(batch.logits)
        done = []
        for place, (row, token) in enumerate(zip(batch.rows, tokens.tolist(), strict=True)):
            answer = answers[row]
            if not _is_whole(answer, ends, max_new_tokens):
                answer.append(token)
            if _is_whole(answer, ends, max_new_tokens):
                done.append(place)
        if len(done) == len(batch.rows):
            return answers
        batch.go_on(tokens, done)


def _is_whole(answer: list[int], ends: frozenset[int], most: int) -> bool:
    return len(answer) >= most or bool(answer and answer[-1] in ends)


class _Batch:
    def __init__(
        self, model: Any, prompts: Sequence[Sequence[int]], pad: int, max_new_tokens: int
    ) -> None:
        self._model = model
        different = {tuple(prompt): None for prompt in prompts}
        places = {prompt: place for place, prompt in enumerate(different)}
        width = max(map(len, different))
        columns = width + max_new_tokens
        ids = torch.full((len(different), width), pad, dtype=torch.long)
        mask = torch.ones((len(different), columns), dtype=torch.long)
        for prompt, place in places.items():
            # Padded on the left: all answers begin in the same column.
            ids[place, width - len(prompt) :] = torch.tensor(prompt)
            mask[place, : width - len(prompt)] = 0
        self._used = width
        self._mask = mask.to(model.device)
        self._positions = (self._mask.cumsum(-1) - 1).clamp(min=0)
        layers = model.config.get_text_config(decoder=True).num_hidden_layers
        self._layers = [_RoomyLayer(columns) for _ in range(layers)]
        self._cache = Cache(layers=list(self._layers))
        self.rows = list(range(len(prompts)))
        self.logits = self._run(ids.to(model.device), slice(0, width))
        if len(different) < len(prompts):
            self._keep([places[tuple(prompt)] for prompt in prompts])

    def go_on(self, tokens: Tensor, done: Sequence[int]) -> None:
        if len(done) * LEAVE_TOGETHER >= len(self.rows):
            gone = set(done)
            staying = [place for place in range(len(self.rows)) if place not in gone]
            self._keep(staying)
            self.rows = [self.rows[place] for place in staying]
            tokens = tokens[staying]
        self._used += 1
        self.logits = self._run(tokens.unsqueeze(1), slice(self._used - 1, self._used))

    def _keep(self, places: Sequence[int]) -> None:
        index = torch.tensor(places, device=self._mask.device)
        self._mask, self._positions = self._mask[index], self._positions[index]
        self.logits = self.logits[index]
        for layer in self._layers:
            layer.keep(index)

    def _run(self, ids: Tensor, columns: slice) -> Tensor:
        logits: Tensor = self._model(
            input_ids=ids,
            attention_mask=self._mask[:, : columns.stop],
            position_ids=self._positions[:, columns],
            past_key_values=self._cache,
            use_cache=True,
            logits_to_keep=1,
        ).logits
        return logits[:, -1]


ROWS = 512


@torch.inference_mode()
def generate(
    model: Any,
    tokenizer: Any,
    prompts: Sequence[Sequence[int]],
    *,
    temperature: float,
    top_p: float = 1.0,
    max_new_tokens: int = 64,
    rows: int = ROWS,
) -> list[list[int]]:
    """Make an answer to every prompt, drawn with torch's own random numbers.

    Models that keep more than a column of keys and values per token are left to transformers.
    """
    was_training, cached = model.training, model.config.use_cache
    model.eval()
    model.config.use_cache = True
    try:
        answers: list[list[int]] = []
        for start in range(0, len(prompts), rows):
            answers += _pass(
                model, tokenizer, prompts[start : start + rows], temperature, top_p, max_new_tokens
            )
        return answers
    finally:
        model.config.use_cache = cached
        model.train(was_training)


def _pass(
    model: Any,
    tokenizer: Any,
    prompts: Sequence[Sequence[int]],
    temperature: float,
    top_p: float,
    max_new_tokens: int,
) -> list[list[int]]:
    ends, pad = end_ids(tokenizer, model.generation_config), int(tokenizer.pad_token_id)
    if can_share(model):

        def draw(logits: Tensor) -> Tensor:
            return _drawn(logits, temperature, top_p)

        return answer_in_step(
            model, prompts, draw, ends=ends, pad=pad, max_new_tokens=max_new_tokens
        )
    width = max(map(len, prompts))
    device = model.device
    ids = torch.full((len(prompts), width), pad, dtype=torch.long)
    mask = torch.zeros_like(ids)
    for row, prompt in enumerate(prompts):
        # Padded on the left: all answers begin in the same column.
        ids[row, width - len(prompt) :] = torch.tensor(list(prompt))
        mask[row, width - len(prompt) :] = 1
    drawn = {"do_sample": True, "temperature": temperature, "top_p": top_p, "top_k": 0}
    made = model.generate(
        input_ids=ids.to(device),
        attention_mask=mask.to(device),
        max_new_tokens=max_new_tokens,
        pad_token_id=pad,
        eos_token_id=sorted(ends),
        use_cache=True,
        **(drawn if temperature > 0 else {"do_sample": False}),
    )
    return [_cut(answer, ends) for answer in made[:, width:].tolist()]


def _drawn(logits: Tensor, temperature: float, top_p: float) -> Tensor:
    if temperature <= COLD:
        return logits.argmax(dim=-1)
    wanted = logits.new_full((len(logits), 1), min(max(top_p, 0.0), 1.0), dtype=torch.float32)
    return nucleus(logits.float() / temperature, wanted, torch.rand_like(wanted))


def _cut(answer: list[int], ends: frozenset[int]) -> list[int]:
    end = next((place for place, token in enumerate(answer) if token in ends), len(answer))
    return answer[: end + 1]


class Sampling(msgspec.Struct, frozen=True):
    """How tokens are chosen: see ``generate``."""

    temperature: float = 1.0
    top_p: float = 0.95
    max_new_tokens: int = 64


class Spoken(msgspec.Struct, frozen=True):
    """One answer: tokens of prompt and answer, its text, and what it says (None: unreadable)."""

    prompt: list[int]
    answer: list[int]
    text: str
    parsed: Parsed | None

    @property
    def valid(self) -> bool:
        """It is exactly the JSON of the protocol."""
        return self.parsed is not None and self.parsed.strict


class Written(msgspec.Struct, frozen=True):
    """Tokens of a prompt and of its answer, and the answer as text."""

    prompt: list[int]
    answer: list[int]
    text: str


class Writer:
    """Lets one model answer many chats at once; what they are about is not its business."""

    def __init__(self, model: Any, tokenizer: Any) -> None:
        self._model = model
        self._tokenizer = tokenizer
        context = model.config.get_text_config(decoder=True).max_position_embeddings
        self._prompter = Prompter(tokenizer, context)

    def write(self, chats: Sequence[tuple[Message, ...]], how: Sampling) -> list[Written]:
        """Answer every chat, in order."""
        prompts = [
            self._prompter.tokens(Chat(chat, max_new_tokens=how.max_new_tokens)) for chat in chats
        ]
        made = generate(
            self._model,
            self._tokenizer,
            prompts,
            temperature=how.temperature,
            top_p=how.top_p,
            max_new_tokens=how.max_new_tokens,
        )
        texts = self._tokenizer.batch_decode(made, skip_special_tokens=True)
        return [Written(*one) for one in zip(prompts, made, texts, strict=True)]


class Player:
    """Asks one model in its dialect."""

    def __init__(
        self, model: Any, tokenizer: Any, dialect: Dialect, sampling: Sampling | None = None
    ) -> None:
        self.dialect = dialect
        self.sampling = sampling or Sampling()
        self._writer = Writer(model, tokenizer)

    def answers(
        self, seen: Sequence[BuyerObservation], sampling: Sampling | None = None
    ) -> list[Spoken]:
        """Answer every position, in order."""
        chats = [self.dialect.messages(one) for one in seen]
        return [
            Spoken(made.prompt, made.answer, made.text, self.dialect.read(one, made.text))
            for one, made in zip(
                seen, self._writer.write(chats, sampling or self.sampling), strict=True
            )
        ]
