"""A process drawn as a garland: a thread with a marigold for every step, wide and tall.

Both drawings are on the page; the style sheet shows the one that the room allows, so that letters
keep their size on a phone. Colours come from tokens (``diagrams.css``).
"""

import itertools
from collections.abc import Sequence
from textwrap import wrap
from typing import Literal

import msgspec
from django.utils.safestring import SafeString

from negotiation.charts.svg import element, picture
from negotiation.sentences import sentences

say = sentences(__file__)

State = Literal["plain", "lit", "later"]
"""How a bead looks: as part of the thread, lit as the one that matters now, or not there yet."""

WIDE = 1240.0
TALL = 340.0
SAG = 22.0
LINE = 20.0
"""From one line of small letters to the next."""


class Note(msgspec.Struct, frozen=True):
    """A short line below a step; ``lit`` marks the one that holds now."""

    text: str
    lit: bool = False


class Bead(msgspec.Struct, frozen=True):
    """One step: its name, what happens in it, and notes on how it stands."""

    label: str
    words: str
    state: State = "plain"
    notes: tuple[Note, ...] = ()


class Garland(msgspec.Struct, frozen=True):
    """A process, step by step."""

    key: str
    title: str
    beads: tuple[Bead, ...]

    @property
    def description(self) -> str:
        """Everything that the drawing says, in words."""
        lit = f", {say('now')}"
        return " ".join(
            f"{number}. {bead.label}: {bead.words}"
            + "".join(f" ({note.text}{lit if note.lit else ''})" for note in bead.notes)
            for number, bead in enumerate(self.beads, start=1)
        )

    def draw(self) -> SafeString:
        """Draw it both ways."""
        both = SafeString(self._wide() + self._tall())
        return element("div", {"class": "diagram"}, both)

    def _wide(self) -> SafeString:
        step = WIDE / len(self.beads)
        places = [step * (number + 0.5) for number in range(len(self.beads))]
        letters = int(step / 8.6)
        parts: list[SafeString] = []
        for number, (left, right) in enumerate(itertools.pairwise(places)):
            way = f"M{left:.1f} 40Q{(left + right) / 2:.1f} {40 + 2 * SAG:.1f} {right:.1f} 40"
            parts.append(_thread(way, _between(self.beads[number], self.beads[number + 1])))
        lowest = 0.0
        for x, bead in zip(places, self.beads, strict=True):
            drawn, end = _bead(bead, (x, 40), (x, 104), letters, "middle")
            parts += drawn
            lowest = max(lowest, end)
        return self._svg("wide", (WIDE, lowest + 12), parts)

    def _tall(self) -> SafeString:
        parts: list[SafeString] = []
        y, last = 22.0, 0.0
        beads: list[SafeString] = []
        before = self.beads[0]
        for bead in self.beads:
            if last:
                way = f"M22 {last:.1f}Q{22 - SAG * 0.6:.1f} {(last + y) / 2:.1f} 22 {y:.1f}"
                parts.append(_thread(way, _between(before, bead)))
            drawn, end = _bead(bead, (22, y), (54, y + 8), 35, "start")
            beads += drawn
            last, y, before = y, end + 34, bead
        return self._svg("tall", (TALL, y - 8), [*parts, *beads])

    def _svg(
        self, shape: str, size: tuple[float, float], parts: Sequence[SafeString]
    ) -> SafeString:
        box = f"0 0 {size[0]:g} {size[1]:g}"
        look: dict[str, object] = {"class": f"garland-drawing is-{shape}", "viewBox": box}
        return picture(look, f"{self.key}-{shape}", self.title, self.description, *parts)


def _bead(
    bead: Bead, at: tuple[float, float], text: tuple[float, float], letters: int, anchor: str
) -> tuple[list[SafeString], float]:
    x, y = text
    parts = [*_flower(at, bead.state), _text("label", x, y, bead.label, anchor, bead.state)]
    y += 8
    for line in wrap(bead.words, letters):
        y += LINE
        parts.append(_text("words", x, y, line, anchor, bead.state))
    for note in bead.notes:
        y += LINE + 2
        parts.append(_text("note is-lit" if note.lit else "note", x, y, note.text, anchor))
    return parts, y


def _flower(at: tuple[float, float], state: State) -> list[SafeString]:
    x, y = at
    circle = {"cx": x, "cy": y}
    if state == "later":
        return [element("circle", {"class": "flower is-later", **circle, "r": 10})]
    petals = element("circle", {"class": f"flower is-{state}", **circle, "r": 11})
    return [petals, element("circle", {"class": f"flower-heart is-{state}", **circle, "r": 4.5})]


def _between(left: Bead, right: Bead) -> State:
    return "later" if "later" in (left.state, right.state) else "plain"


def _thread(way: str, state: State) -> SafeString:
    return element("path", {"class": f"thread is-{state}", "d": way})


def _text(
    kind: str, x: float, y: float, words: str, anchor: str = "start", state: State = "plain"
) -> SafeString:
    name = f"diagram-{kind}" + (" is-later" if state == "later" else "")
    return element("text", {"class": name, "x": x, "y": y, "text-anchor": anchor}, words)
