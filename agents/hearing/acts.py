"""What a line of talk does: the dialogue acts that a seller's words can carry."""

from typing import Literal, get_args

import msgspec

Act = Literal[
    "greeting", "small_talk",
    "question:her", "question:goods", "question:price", "question:pickup", "question:payment",
    "question:warranty",
    "price", "concession", "split", "extra", "promise", "refusal", "ultimatum", "agreement",
    "reason:condition", "reason:age", "reason:brand", "reason:sentiment", "reason:hardship",
    "reason:cost", "rival", "urgency",
    "insult", "flattery", "confusion", "language", "nonsense", "instruction",
]  # fmt: skip
"""promise: something against something ("if you take it today, 4,500"); concession: the seller says
that the price comes down; extra: something is thrown in; language: another one is wished for;
instruction: words to a language model, not to a buyer."""

ACTS: tuple[Act, ...] = get_args(Act)


class Heard(msgspec.Struct, frozen=True):
    """An act, and where in the text it stands: code points ``start`` up to ``end``.

    ``score`` is the log-odds that it is there, as far as a model knows them.
    """

    act: Act
    start: int
    end: int
    score: float = 9.0


def is_question(act: Act) -> bool:
    """Tell whether an act wants an answer."""
    return act.startswith("question:")


def is_talk(act: Act) -> bool:
    """Tell whether an act is talk beside the trade."""
    return is_question(act) or act in _TALK


_TALK: frozenset[Act] = frozenset(
    {"greeting", "small_talk", "flattery", "insult", "confusion", "language", "rival"}
)
