"""Which token comes next: the likeliest, or one drawn from the likeliest."""

from collections.abc import Sequence
from random import Random

import torch
from torch import Tensor

from agents.backends.base import Chat

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
