"""What words do to scripted labs: four signals, each 0..1, and nothing else.

A lab that follows an archetype reads no sentence. However long or insistent a message is, it can
move the bar for an offer only as far as its archetype's row allows.
"""

import msgspec

WORDS: tuple[tuple[str, ...], ...] = (
    ("deadline", "urgent", "tonight", "asap", "running out", "last chance"),
    ("fair", "balanced", "both of us", "mutual", "even trade", "win-win"),
    ("coalition", "together", "pool", "join", "alliance", "share"),
    ("or else", "refuse", "never again", "regret", "remember this", "warn"),
)
PER_WORD = 0.5
"""Two words of a kind are heard as clearly as twenty."""


class Signals(msgspec.Struct, frozen=True, gc=False):
    """How clearly a message speaks of each, 0..1."""

    urgency: float = 0.0
    fairness: float = 0.0
    coalition: float = 0.0
    threat: float = 0.0


SILENT = Signals()


def signals_in(text: str) -> Signals:
    """Hear the four signals in a message.

    >>> signals_in("A fair trade for both of us, before the deadline.")
    Signals(urgency=0.5, fairness=1.0, coalition=0.0, threat=0.0)
    """
    if not text:
        return SILENT
    lower = text.lower()
    return Signals(*(min(1.0, PER_WORD * sum(word in lower for word in words)) for words in WORDS))


def louder(one: Signals, other: Signals) -> Signals:
    """Take of each signal what is heard more clearly."""
    return Signals(
        max(one.urgency, other.urgency),
        max(one.fairness, other.fairness),
        max(one.coalition, other.coalition),
        max(one.threat, other.threat),
    )
