"""The order in which rows are read: such of like length together."""

from random import Random

from training.stages.config import BatchConfig

POOL = 8
"""So many batches are sorted by length together."""

Tokens = tuple[list[int], list[int]]
"""Of a prompt and its answer."""


def in_batches(pairs: list[Tokens], config: BatchConfig) -> list[Tokens]:
    """Put rows of like length side by side, and the batches that this makes in any order.

    Prompts of the tasks differ in length, and padding would cost as much as reading. Sorted over
    the whole, a batch of short ones would be followed by nothing but waiting.
    """
    dice, size = Random(f"batches:{config.seed}"), config.batch
    dice.shuffle(pairs)
    batches_ = []
    for at in range(0, len(pairs), POOL * size):
        pool = sorted(pairs[at : at + POOL * size], key=lambda pair: len(pair[0]))
        batches_ += [pool[place : place + size] for place in range(0, len(pool), size)]
    dice.shuffle(batches_)
    return [pair for batch in batches_ for pair in batch]
