"""Where the words of a chart go so that no two of them overlap."""

from collections.abc import Sequence

LINE_HEIGHT = 1.2
"""Distance of two lines of text in ems."""

_NARROW = frozenset(",.'·:|iljtfI1 ")


def text_width(text: str, size: float) -> float:
    """Estimate how wide a text is set, on the generous side.

    Args:
        text: one line.
        size: font size in user units.

    Returns:
        User units; no common text face is wider for prices and short labels.

    >>> text_width("₹170", 10) > text_width("170", 10)
    True
    """
    return size * sum(0.4 if letter in _NARROW and letter != "1" else 0.64 for letter in text)


def spread(wanted: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Move positions apart as little as needed, keeping their order.

    Args:
        wanted: where each label would like to be, in any order.
        gap: least distance of two labels.
        low: smallest allowed position.
        high: largest allowed position; where there is no room for all, the gap wins over it.

    Returns:
        One position for each wanted one.

    >>> spread([10, 11], 4, 0, 100)
    [8.5, 12.5]
    """
    order = sorted(range(len(wanted)), key=lambda index: (wanted[index], index))
    crowds: list[_Crowd] = []
    for index in order:
        crowd = _Crowd([wanted[index]])
        while crowds and crowds[-1].top(gap, low, high) + crowds[-1].depth(gap) > crowd.top(
            gap, low, high
        ):
            crowd = _Crowd([*crowds.pop().wanted, *crowd.wanted])
        crowds.append(crowd)
    places = [
        crowd.top(gap, low, high) + line * gap
        for crowd in crowds
        for line in range(len(crowd.wanted))
    ]
    return [place for _, place in sorted(zip(order, places, strict=True))]


class _Crowd:
    """Labels that touch: they stand one gap apart around the mean of what they wanted."""

    def __init__(self, wanted: list[float]) -> None:
        self.wanted = wanted

    def depth(self, gap: float) -> float:
        return gap * len(self.wanted)

    def top(self, gap: float, low: float, high: float) -> float:
        inside = gap * (len(self.wanted) - 1)
        middle = sum(self.wanted) / len(self.wanted)
        return max(min(middle - inside / 2, high - inside), low)
