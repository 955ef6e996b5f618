"""What a line asks that no phrase is known for: a regression over pieces of words names its kind."""

import re
from functools import partial
from pathlib import Path

from agents.text.acts.acts import features, load
from agents.text.reading.pieces import to_text
from bazaarbatna.lazily import lazily
from bazaarbatna.word_tables import read_table

ASKED = Path(__file__).with_name("meant.toml")
WEIGHTS = Path(__file__).with_name("meant.npz")
NONE = "none"
"""The lines that ask her nothing which has a kind."""
_SENTENCE = re.compile(r"[^?.!।\n]+[?.!।\n]*")

_model = lazily(partial(load, WEIGHTS))


def lines_to_learn() -> dict[str, tuple[str, ...]]:
    """Read how each kind is asked: what ``manage.py learn_kinds`` learns from."""
    return {
        kind: tuple(filter(None, lines.splitlines()))
        for kind, lines in read_table(ASKED, dict[str, str]).items()
    }


def kinds_meant() -> tuple[str, ...]:
    """Name the kinds that the model knows."""
    return _model().columns


def meant(text: str, *, asks: bool) -> tuple[str, float]:
    """Name the likeliest kind of a line or of one of its sentences, and its log-odds.

    "" where none is likely. ``asks``: it is known to be a question, so that less is needed to name its kind.

    >>> meant("so tell me what that bid of yours rests on", asks=True)[0]
    'why_number'
    """
    model = _model()
    parts = {text, *filter(str.strip, _SENTENCE.findall(text))}
    found = (model.scores(features(to_text(part), ())) for part in sorted(parts))
    score, best = max((float(scores.max()), int(scores.argmax())) for scores in found)
    return (model.columns[best] if score > model.bound(told=asks) else ""), score
