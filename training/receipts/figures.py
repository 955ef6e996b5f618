"""Numbers of an evaluation as pages write them, each with the way to its receipt."""

from typing import Literal

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


class Gap(msgspec.Struct, frozen=True, kw_only=True):
    """``first`` minus ``second`` on the same games, with its 95 % interval, as text.

    ``verdict`` is "more" or "less" where the interval leaves no doubt. Places are on a strip from 0
    to 100 whose middle is no difference.
    """

    first: str = ""
    second: str = ""
    receipt: str = ""
    text: str
    low: str
    high: str
    verdict: Literal["more", "less", "open"]
    left: float
    width: float
    spot: float


def gap_of(
    found: Interval, style: Style, *, sign: int = 1, widest: float = 1.0, **names: str
) -> Gap:
    """Write a difference, turned round by a ``sign`` of -1; ``widest`` reaches the strip's ends."""
    mean = sign * found.mean
    low, high = sorted((sign * found.low, sign * found.high))
    half = 50.0 / widest
    return Gap(
        text=signed(mean, style),
        low=signed(low, style),
        high=signed(high, style),
        verdict="more" if low > 0 else "less" if high < 0 else "open",
        left=50 + half * low,
        width=half * (high - low),
        spot=50 + half * mean,
        **names,
    )


def reach(found: Interval | None) -> float:
    """Return how far an interval reaches from 0."""
    return max(abs(found.low), abs(found.high)) if found else 0.0


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
