"""The signals of a turn in words that a player understands."""

import math
from typing import Any

import msgspec
from django.utils.translation import gettext, pgettext_lazy

from negotiation.sentences import sentences

say = sentences(__file__)

NOT_OBSERVABLE = "not observable"


class Signal(msgspec.Struct, frozen=True):
    """One signal as a page shows it; ``share`` is 0..1 for a meter, None for words and counts."""

    name: str
    label: str
    text: str
    share: float | None = None

    @property
    def observable(self) -> bool:
        """Somebody could notice it."""
        return self.text != NOT_OBSERVABLE


LABELS: dict[str, str] = say.texts("labels")
"""Wire name of a signal and its word, in the order a page lists them."""

_VALUES: dict[str, Any] = {
    "round": pgettext_lazy("signal", "round"),
    "precise": pgettext_lazy("signal", "precise"),
    "instant": pgettext_lazy("signal", "instant"),
    "normal": pgettext_lazy("signal", "normal"),
    "deliberate": pgettext_lazy("signal", "deliberate"),
    "steady": pgettext_lazy("signal", "steady"),
    "erratic": pgettext_lazy("signal", "erratic"),
    "front_loaded": pgettext_lazy("signal", "front loaded"),
    "stalling": pgettext_lazy("signal", "stalling"),
    "avoidant": pgettext_lazy("signal", "avoidant"),
    "intense": pgettext_lazy("signal", "intense"),
    "neutral": pgettext_lazy("signal", "neutral"),
    "leaning_in": pgettext_lazy("signal", "leaning in"),
    "leaning_back": pgettext_lazy("signal", "leaning back"),
    "arms_crossed": pgettext_lazy("signal", "arms crossed"),
}
"""What a signal that is no amount may be, and its words."""

_AMOUNTS = (
    (0.15, say.text("hardly_any")),
    (0.35, say.text("a_little")),
    (0.6, say.text("some")),
    (0.8, say.text("much")),
    (math.inf, say.text("very_much")),
)
"""Below which share, 0..1, a word says how much of a signal there is."""

_NAMES = LABELS | say.texts("spans")


def label_of(signal: str) -> str:
    """Name a signal, or a span's short form of one, for people.

    >>> label_of("verbal_urgency")
    'Urgency'
    """
    return gettext(_NAMES.get(signal, signal.replace("_", " ").capitalize()))


def signal_rows(
    signals: dict[str, Any], gives_way: str = LABELS["concession_pattern"]
) -> tuple[Signal, ...]:
    """List the twelve signals of a ``tells`` event; ``gives_way`` says whose concessions."""
    labels = {name: gettext(label) for name, label in LABELS.items()}
    labels["concession_pattern"] = gettext(gives_way)
    return tuple(_row(name, label, signals.get(name)) for name, label in labels.items())


def _row(name: str, label: str, value: float | int | str | None) -> Signal:
    if value is None:
        return Signal(name, label, NOT_OBSERVABLE)
    if isinstance(value, float):
        return Signal(name, label, _amount(value), value)
    return Signal(name, label, str(_VALUES.get(str(value), value)))


def _amount(share: float) -> str:
    return gettext(next(word for bound, word in _AMOUNTS if share < bound))
