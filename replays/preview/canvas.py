"""A sheet to draw on, its letters included: pixels of the finished image, drawn twice as large.

Nothing is ever drawn as an empty box: a character that no face has is written in others or left
out.
"""

import functools
import io
import unicodedata
from collections.abc import Iterator, Sequence
from typing import Literal

from PIL import Image, ImageDraw, ImageFont
from PIL.ImageFont import FreeTypeFont

from agents.text.reading.spelling import to_latin

Face = Literal["display", "display-bold", "control", "control-bold"]

FILES: dict[Face, tuple[str, ...]] = {
    "display": ("NotoSerif-Regular.ttf", "DejaVuSerif.ttf", "Georgia.ttf"),
    "display-bold": ("NotoSerif-Bold.ttf", "DejaVuSerif-Bold.ttf", "Georgia Bold.ttf"),
    "control": ("NotoSans-Regular.ttf", "DejaVuSans.ttf", "Arial.ttf"),
    "control-bold": ("NotoSans-Bold.ttf", "DejaVuSans-Bold.ttf", "Arial Bold.ttf"),
}
"""Face -> font files; the first that is installed is taken. Pillow brings the last resort."""

ALSO = ("NotoSansDevanagari-Regular.ttf", "Lohit-Devanagari.ttf", "Nirmala.ttf", "DejaVuSans.ttf")
"""Font files that are asked for what the face itself has not: Hindi, above all."""

SPELLED = {"₹": "Rs ", "−": "-", "–": "-", "—": "-", "…": "...", "·": "-", "’": "'", "‘": "'",
           "“": '"', "”": '"', "\N{NO-BREAK SPACE}": " "}  # fmt: skip
"""What stands for signs that a face may not have."""

JOINERS = "\u200c\u200d"
"""Marks between letters that say whether they join."""

_NOWHERE = "\U000f0f0f"
"""A private character that no text font has: drawn, it shows how a missing one looks."""

Run = tuple[FreeTypeFont, str]


def runs_of(text: str, face: Face, size: int) -> tuple[Run, ...]:
    """Return a text in pieces that one font can draw; what none can draw is spelled or left out."""
    fonts = _fonts(face, size)
    runs: list[Run] = []
    for cluster in _clusters(unicodedata.normalize("NFC", text)):
        font = next((one for one in fonts if _can_draw(one, cluster)), fonts[0])
        piece = cluster if _can_draw(font, cluster) else _spelled(cluster, fonts[0])
        if runs and runs[-1][0] is font:
            runs[-1] = (font, runs[-1][1] + piece)
        elif piece:
            runs.append((font, piece))
    return tuple(runs)


def width_of(runs: tuple[Run, ...]) -> float:
    """Return the width of a line in pixels."""
    return sum(font.getlength(text) for font, text in runs)


def _clusters(text: str) -> Iterator[str]:
    cluster, is_hindi = "", False
    for character in text:
        hindi = "\u0900" <= character <= "\u097f"
        if cluster and (_is_mark(character) or (hindi and is_hindi)):
            cluster += character
            continue
        if cluster:
            yield cluster
        cluster, is_hindi = character, hindi
    if cluster:
        yield cluster


def _is_mark(character: str) -> bool:
    return unicodedata.category(character)[0] == "M" or character in JOINERS


def _can_draw(font: FreeTypeFont, cluster: str) -> bool:
    # The marks of a script come with its letters; alone they are drawn as nothing.
    letters = [character for character in cluster if not _is_mark(character)]
    return bool(letters) and all(_has(font, character) for character in letters)


def _spelled(cluster: str, font: FreeTypeFont) -> str:
    plain = to_latin(cluster) or "".join(SPELLED.get(c) or _without_marks(c) for c in cluster)
    return "".join(character for character in plain if _has(font, character))


def _without_marks(character: str) -> str:
    apart = unicodedata.normalize("NFKD", character)
    return "".join(c for c in apart if not unicodedata.combining(c))


@functools.lru_cache(maxsize=64)
def _fonts(face: Face, size: int) -> tuple[FreeTypeFont, ...]:
    own = next((font for name in FILES[face] if (font := _font(name, size))), None)
    others = (font for name in ALSO if (font := _font(name, size)))
    return (own or _last_resort(size), *others)


@functools.lru_cache(maxsize=128)
def _font(name: str, size: int) -> FreeTypeFont | None:
    try:
        return ImageFont.truetype(name, size)
    except OSError:
        return None


def _last_resort(size: int) -> FreeTypeFont:
    font = ImageFont.load_default(size)
    assert isinstance(font, FreeTypeFont)
    return font


_drawn: dict[tuple[str, str], bool] = {}
_MOST_REMEMBERED = 20_000


def _has(font: FreeTypeFont, character: str) -> bool:
    """Whether a font has a letter: a missing one is drawn like every other missing one."""
    if character == " ":
        return True
    key = (" ".join(str(part) for part in font.getname()), character)
    if key not in _drawn:
        if len(_drawn) > _MOST_REMEMBERED:
            _drawn.clear()
        mask, missing = font.getmask(character), font.getmask(_NOWHERE)
        is_box = mask.size == missing.size and bytes(mask) == bytes(missing)
        _drawn[key] = not is_box and min(mask.size) > 0
    return _drawn[key]


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
    low, high = 1, len(word)
    while low < high:
        middle = (low + high + 1) // 2
        if canvas.width(word[:middle], face, size) <= room:
            low = middle
        else:
            high = middle - 1
    return low
