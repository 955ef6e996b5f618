"""What a line asks that no phrase finds: a regression over pieces of words names its kind."""

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
LIFE = frozenset(
    {"no_family", "her_life", "have_none", "her_place", "her_body", "for_whom", "can_you",
     "bought_before"}
)  # fmt: skip
"""Kinds that ask for a person's life, of which a program has none."""
NO_LIFE, ASKING = "no_life", "asking"
"""Any kind of these, and any kind at all: columns of their own, where no one kind is sure."""
_SENTENCE = re.compile(r"[^?.!।\n]+[?.!।\n]*")

_model = lazily(partial(load, WEIGHTS))
SURELY, SURELY_ASKS, UNSURE = 1.0, -0.7, -9.0
"""Log-odds from which a line asks without a mark; from which its kind is taken then; of none."""


def lines_to_learn() -> dict[str, tuple[str, ...]]:
    """Read how each kind is asked: what ``manage.py learn_kinds`` learns from."""
    return {
        kind: tuple(filter(None, lines.splitlines()))
        for kind, lines in read_table(ASKED, dict[str, str]).items()
    }


def kinds_meant() -> tuple[str, ...]:
    """Name the kinds that the model knows."""
    return _model().columns[:-2]


def meant(text: str, *, asks: bool) -> tuple[str, float]:
    """Name the likeliest kind of a line or of one of its sentences, and its log-odds.

    "" where none is likely. ``asks``: it is known to be a question, so that less is needed to name
    its kind.

    >>> meant("so tell me what that bid of yours rests on", asks=True)[0]
    'why_number'
    """
    model = _model()
    parts = {text, *filter(str.strip, _SENTENCE.findall(text))}
    found = [model.scores(features(to_text(part), ())) for part in sorted(parts)]
    score, best = max((float(one[:-2].max()), int(one[:-2].argmax())) for one in found)
    life, asking = (max(float(one[at]) for one in found) for at in (-2, -1))
    if score > (SURELY_ASKS if asking > SURELY and not asks else model.bound(told=asks)):
        return model.columns[best], score
    return (NO_LIFE if life > (0 if asks else SURELY) else ""), UNSURE
