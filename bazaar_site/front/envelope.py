"""The sealed envelope as three small scenes: shut and stamped, lying on the table, opened."""

from typing import Any

from django.utils.safestring import SafeString

from negotiation.charts.svg import element
from negotiation.money import rupees_text

WIDTH = 320
BOTTOM = 246
SHOWN = 8
"""Digits of the fingerprint on the stamp."""


def envelope_scenes(ended: dict[str, Any], currency: str) -> tuple[tuple[str, SafeString], ...]:
    """Draw the scenes of a finished game, each with its caption.

    Args:
        ended: the ``ended`` event: opened values and the commitment; prices in rupees.
        currency: of its prices.
    """
    stamp = ended["commitment"][:SHOWN]
    opened = ended["opened"]
    budget = rupees_text(opened["budget"], currency)
    reservation = rupees_text(opened["reservation"], currency)
    return (
        (
            "Before the first word",
            _scene(
                "shut",
                f"An envelope with both secret prices, sealed with the fingerprint {stamp}.",
                56,
                [*_shut(), *_stamp(160, 128, stamp)],
            ),
        ),
        (
            "While they talk",
            _scene(
                "talk",
                "The envelope lies shut on the table between two people who talk.",
                30,
                [*_talk(), *_small_envelope()],
            ),
        ),
        (
            "After the last word",
            _scene(
                "open",
                f"The envelope is open: budget {budget}, reservation {reservation}, "
                f"and the same fingerprint {stamp}.",
                2,
                [*_open(budget, reservation), _code(160, 232, f"{stamp}… fits")],
            ),
        ),
    )


def _scene(name: str, words: str, top: int, parts: list[SafeString]) -> SafeString:
    about: dict[str, object] = {
        "class": "scene",
        "viewBox": f"0 {top} {WIDTH} {BOTTOM - top}",
        "role": "img",
        "aria-labelledby": f"scene-{name}",
    }
    return element("svg", about, element("title", {"id": f"scene-{name}"}, words), *parts)


def _path(kind: str, way: str) -> SafeString:
    return element("path", {"class": kind, "d": way})


def _text(kind: str, x: float, y: float, words: str, anchor: str = "middle") -> SafeString:
    return element("text", {"class": kind, "x": x, "y": y, "text-anchor": anchor}, words)


def _code(x: float, y: float, words: str) -> SafeString:
    return _text("scene-code", x, y, words)


def _shut() -> list[SafeString]:
    return [
        _path("scene-paper", "M50 62H270V212H50Z"),
        _path("scene-line", "M50 212L138 138M270 212L182 138"),
        _path("scene-flap", "M50 62L160 146L270 62Z"),
    ]


def _stamp(x: float, y: float, digits: str) -> list[SafeString]:
    wax = element("circle", {"class": "scene-wax", "cx": x, "cy": y, "r": 25})
    ring = element("circle", {"class": "scene-ring", "cx": x, "cy": y, "r": 18})
    return [wax, ring, _code(x, 236, f"{digits}…")]


def _talk() -> list[SafeString]:
    return [
        _path("scene-ask", "M178 36h96a14 14 0 0 1 14 14v30a14 14 0 0 1 -14 14h-96a14 14 0 0 1 -14"
              " -14v-30a14 14 0 0 1 14 -14Z"),
        _path("scene-bid", "M46 92h84a14 14 0 0 1 14 14v26a14 14 0 0 1 -14 14h-84a14 14 0 0 1 -14"
              " -14v-26a14 14 0 0 1 14 -14Z"),
        _path("scene-words is-ask", "M182 56h88M182 74h56"),
        _path("scene-words is-bid", "M50 111h76M50 128h46"),
        _path("scene-tell", "M182 79h56"),
    ]  # fmt: skip


def _small_envelope() -> list[SafeString]:
    return [
        _path("scene-paper", "M118 172H202V226H118Z"),
        _path("scene-flap", "M118 172L160 202L202 172Z"),
        element("circle", {"class": "scene-wax", "cx": 160, "cy": 197, "r": 9}),
        _path("scene-line", "M30 226H290"),
    ]


def _open(budget: str, reservation: str) -> list[SafeString]:
    return [
        _path("scene-flap", "M50 112L160 30L270 112Z"),
        _path("scene-card", "M72 8H248V160H72Z"),
        _text("scene-small", 160, 32, "the buyer would pay up to"),
        _text("scene-price is-bid", 160, 56, budget),
        _text("scene-small", 160, 84, "the seller keeps it below"),
        _text("scene-price is-ask", 160, 108, reservation),
        _path("scene-paper", "M50 112L160 180L270 112V212H50Z"),
        _path("scene-line", "M50 212L138 166M270 212L182 166"),
    ]
