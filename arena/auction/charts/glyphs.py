"""Small signs drawn as paths: a shape per seat, a sign per signal. Nothing by colour alone."""

from collections.abc import Callable

from django.utils.safestring import SafeString

from arena.words import say
from negotiation.charts.svg import closed, element, line

SIGNALS: tuple[tuple[str, str, str], ...] = (
    ("compete", say.text("compete"), say.text("i_will_outbid_you")),
    ("cooperate", say.text("cooperate"), say.text("let_us_not_drive_the_price")),
    ("bluff", say.text("bluff"), say.text("looks_like_compete_and_is_not")),
)
"""Wire name of a signal, its word on the page, and what it says."""


def seat_shape(place: int, x: float, y: float, size: float) -> str:
    """Write the path of a seat's shape at a middle; ``place`` from 1, ``size`` half its width."""
    match place:
        case 1:
            half = f"a{size:.1f} {size:.1f} 0 1 0"
            return f"M{x - size:.1f} {y:.1f}{half} {2 * size:.1f} 0{half} {-2 * size:.1f} 0Z"
        case 2:
            side = size * 0.88
            return f"M{x - side:.1f} {y - side:.1f}h{2 * side:.1f}v{2 * side:.1f}h{-2 * side:.1f}Z"
        case 3:
            far = size * 1.25
            return closed([(x, y - far), (x + far, y), (x, y + far), (x - far, y)])
        case _:
            far = size * 1.2
            return closed([(x, y - far), (x + far, y + far * 0.85), (x - far, y + far * 0.85)])


def signal_sign(signal: str, x: float, y: float, size: float) -> SafeString:
    """Draw the sign of a signal around a middle."""
    path = _SIGNS[signal](x, y, size)
    return element("path", {"class": f"sign sign-{signal}", "d": path})


def envelope(x: float, y: float, size: float) -> SafeString:
    """Draw a closed envelope around a middle."""
    left, right, top, bottom = x - size, x + size, y - size * 0.66, y + size * 0.66
    body = closed([(left, top), (right, top), (right, bottom), (left, bottom)])
    flap = line([(left, top), (x, y + size * 0.12), (right, top)])
    return element("path", {"class": "envelope-sign", "d": body + flap})


def cross(x: float, y: float, size: float) -> SafeString:
    """Draw the cross of somebody who left."""
    down = line([(x - size, y - size), (x + size, y + size)])
    up = line([(x - size, y + size), (x + size, y - size)])
    return element("path", {"class": "cross chart-walk", "d": down + up})


def _compete(x: float, y: float, size: float) -> str:
    wide = size * 0.85
    upper = [(x - wide, y), (x, y - size), (x + wide, y)]
    return line(upper) + line([(px, py + size * 0.85) for px, py in upper])


def _cooperate(x: float, y: float, size: float) -> str:
    return line([(x - size, y - size * 0.4), (x + size, y - size * 0.4)]) + line(
        [(x - size, y + size * 0.4), (x + size, y + size * 0.4)]
    )


def _bluff(x: float, y: float, size: float) -> str:
    third = size * 0.66
    steps = [(x - size, 0.5), (x - third / 2, -0.5), (x + third / 2, 0.5), (x + size, -0.5)]
    return line([(px, y + up * size) for px, up in steps])


_SIGNS: dict[str, Callable[[float, float, float], str]] = {
    "compete": _compete,
    "cooperate": _cooperate,
    "bluff": _bluff,
}
