"""Exported games with one value in them that somebody has put there."""

import copy
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DataObject, SearchStrategy

JSON: SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=12,
)
"""Any value that a file can hold."""


def forged(data: DataObject, file: dict[str, Any], value: object) -> dict[str, Any]:
    """Copy a file with this value in a place that is drawn: at the top, or as deep as it goes."""
    copied = place = copy.deepcopy(file)
    while True:
        keys = list(place) if isinstance(place, dict) else range(len(place))
        key = data.draw(st.sampled_from(keys))
        if isinstance(place[key], dict | list) and place[key] and data.draw(st.booleans()):
            place = place[key]
            continue
        place[key] = value
        return copied
