"""Beginnings of prompts that were read before need not be read again.

All prompts of a kind begin with the same rules, and the next turn of a game begins like the last.
"""

from collections import deque
from collections.abc import Sequence

from torch import Tensor

Memory = Sequence[tuple[Tensor, Tensor]]
"""Keys and values per layer, each (1, heads, tokens, head size)."""

KEPT_PROMPTS = 8
KEPT_BYTES = 512 * 2**20
WORTH_IT = 16
"""Shorter common beginnings are read again."""


class Beginnings:
    """The keys and values of the last few prompts."""

    def __init__(self) -> None:
        self._kept: deque[tuple[list[int], Memory]] = deque(maxlen=KEPT_PROMPTS)

    def longest(self, tokens: Sequence[int]) -> tuple[int, Memory]:
        """Find what is known of a prompt; its last token always has to be read.

        Returns:
            How many tokens are known, and their keys and values.
        """
        best, memory = 0, None
        for known, candidate in self._kept:
            shared = common_length(known, tokens[:-1])
            if shared > best:
                best, memory = shared, candidate
        if memory is None or best < WORTH_IT:
            return 0, ()
        return best, [(keys[:, :, :best], values[:, :, :best]) for keys, values in memory]

    def keep(self, tokens: list[int], memory: Memory) -> None:
        """Remember a prompt that was read, in place of the oldest."""
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
