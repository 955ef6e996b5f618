"""Numbers of an evaluation as pages write them, each with the way to its receipt."""

import msgspec

from bazaarbatna.intervals import Interval


class Figure(msgspec.Struct, frozen=True):
    """A mean with its 95 % interval, as text.

    ``left``, ``width`` and ``mid`` are interval and mean on a scale from 0 to 100. ``receipt`` is
    an address whose fragment is the JSON pointer to the number.
    """

    text: str
    low: str
    high: str
    receipt: str
    left: str
    width: str
    mid: str


class Style(msgspec.Struct, frozen=True):
    """How a kind of number is written: times ``scale``, to ``decimals``, with ``unit`` behind."""

    decimals: int
    scale: float = 1.0
    unit: str = ""


SHARE = Style(2)
PERCENT = Style(0, 100.0, "\N{NO-BREAK SPACE}%")
SMALL_PERCENT = Style(1, 100.0, "\N{NO-BREAK SPACE}%")
ROUNDS = Style(1)


def figure(interval: Interval | None, style: Style, receipt: str) -> Figure | None:
    """Write a number of a card; None where the evaluation says nothing of it."""
    if interval is None:
        return None
    text = f"{_number(interval.mean, style)}{style.unit}"
    span = (interval.low, interval.high - interval.low, interval.mean)
    places = [f"{100 * one:.2f}" for one in span]
    return Figure(
        text, _number(interval.low, style), _number(interval.high, style), receipt, *places
    )


def signed(value: float, style: Style = SHARE) -> str:
    """Write a difference with its sign.

    >>> signed(0.1), signed(-0.02)
    ('+0.10', '−0.02')
    """
    return number_text(value * style.scale, style.decimals, plus=True)


def number_text(value: float, decimals: int, *, plus: bool = False) -> str:
    """Write a number with a true minus sign, and none before what rounds to zero.

    >>> number_text(-1.25, 1), number_text(-0.04, 1), number_text(-0.04, 1, plus=True)
    ('−1.2', '0.0', '+0.0')
    """
    # Adding zero turns a rounded -0.0 into 0.0.
    text = f"{round(value, decimals) + 0.0:{'+' if plus else ''}.{decimals}f}"
    return text.replace("-", "\N{MINUS SIGN}")


def _number(value: float, style: Style) -> str:
    return f"{value * style.scale:.{style.decimals}f}"
