"""A sheet to draw on: everything in pixels of the finished image, drawn twice as large."""

import io
from collections.abc import Sequence

from PIL import Image, ImageDraw

from replays.preview.fonts import Face, Run, runs_of, width_of

WIDTH, HEIGHT = 1200, 630
"""Size that the previews of chats and social sites are cut for."""

_SCALE = 2
"""Lines and letters get smooth edges when the sheet is drawn larger and then halved."""

Point = tuple[float, float]


class Canvas:
    """The sheet; colours are ``#rrggbb``."""

    def __init__(self, paper: str) -> None:
        self._image = Image.new("RGB", (WIDTH * _SCALE, HEIGHT * _SCALE), paper)
        self._draw = ImageDraw.Draw(self._image)

    def text(self, at: Point, text: str, face: Face, size: int, colour: str) -> float:
        """Write one line with its base line at ``at`` and return the x where it ends."""
        x, y = at[0] * _SCALE, at[1] * _SCALE
        for font, run in self._runs(text, face, size):
            self._draw.text((x, y), run, font=font, fill=colour, anchor="ls")
            x += font.getlength(run)
        return x / _SCALE

    def width(self, text: str, face: Face, size: int) -> float:
        """Return the width of one line."""
        return width_of(self._runs(text, face, size)) / _SCALE

    def line(self, points: Sequence[Point], colour: str, width: float) -> None:
        """Draw a line with round corners."""
        scaled = [(x * _SCALE, y * _SCALE) for x, y in points]
        if len(scaled) > 1:
            self._draw.line(scaled, fill=colour, width=round(width * _SCALE), joint="curve")
        for point in points:
            self.dot(point, width / 2, colour)

    def dashes(self, left: float, right: float, y: float, colour: str) -> None:
        """Draw a broken level line."""
        x = left
        while x < right:
            self.box((x, y - 1), (min(x + 10, right), y + 1), colour)
            x += 18

    def dot(self, at: Point, radius: float, colour: str) -> None:
        """Draw a filled circle."""
        (x, y), r = (at[0] * _SCALE, at[1] * _SCALE), radius * _SCALE
        self._draw.ellipse((x - r, y - r, x + r, y + r), fill=colour)

    def cross(self, at: Point, arm: float, colour: str) -> None:
        """Draw an x: somebody left here."""
        x, y = at
        self.line([(x - arm, y - arm), (x + arm, y + arm)], colour, 5)
        self.line([(x - arm, y + arm), (x + arm, y - arm)], colour, 5)

    def box(self, upper: Point, lower: Point, colour: str, radius: float = 0) -> None:
        """Draw a filled box between two corners."""
        corners = (*upper, *lower)
        scaled = [round(value * _SCALE) for value in corners]
        if scaled[2] > scaled[0] and scaled[3] > scaled[1]:
            self._draw.rounded_rectangle(scaled, radius=radius * _SCALE, fill=colour)

    def png(self) -> bytes:
        """Return the finished image."""
        buffer = io.BytesIO()
        self._image.reduce(_SCALE).save(buffer, "PNG", compress_level=3)
        return buffer.getvalue()

    def _runs(self, text: str, face: Face, size: int) -> tuple[Run, ...]:
        return runs_of(text, face, size * _SCALE)


def wrapped(canvas: Canvas, text: str, face: Face, size: int, room: float, most: int) -> list[str]:
    """Return at most ``most`` lines of ``room`` pixels; what is left ends in dots."""
    lines: list[str] = []
    # What no font can write takes no room; it should leave no gap either.
    words = [word for word in text.split() if canvas.width(word, face, size) > 0]
    while words and len(lines) < most:
        line = words.pop(0)
        while canvas.width(line, face, size) > room and len(line) > 1:
            cut = _fitting(canvas, line, face, size, room)
            words.insert(0, line[cut:])
            line = line[:cut]
        while words and canvas.width(f"{line} {words[0]}", face, size) <= room:
            line = f"{line} {words.pop(0)}"
        lines.append(line)
    if words and lines:
        last = lines[-1]
        while last and canvas.width(f"{last}…", face, size) > room:
            last = last[:-1].rstrip()
        lines[-1] = f"{last}…"
    return lines


def _fitting(canvas: Canvas, word: str, face: Face, size: int, room: float) -> int:
    """Return how many characters of a word too long for a line fit on it, at least one."""
    low, high = 1, len(word)
    while low < high:
        middle = (low + high + 1) // 2
        if canvas.width(word[:middle], face, size) <= room:
            low = middle
        else:
            high = middle - 1
    return low
