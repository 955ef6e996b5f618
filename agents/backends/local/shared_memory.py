"""One memory of keys and values for all answers under way, so that they are made together.

Rows are aligned at their right end: every answer writes its next token into the same column, and a
shorter prompt starts further right (left padding). A new row joins at any step; a row that is
done leaves at once, and the last row takes its place.
"""

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor
from transformers.cache_utils import Cache, CacheLayerMixin

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
