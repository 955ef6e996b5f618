"""The picture of a result that spoils nothing: day, stars, squares, streak; no goods, no price."""

import datetime as dt
import functools

import msgspec
from django.utils.formats import date_format
from django.utils.safestring import SafeString
from django.utils.translation import gettext, ngettext

from negotiation.bargain.verdict import STARS
from negotiation.charts.svg import element, picture
from negotiation.sentences import sentences
from replays.daily.results import BARS, Result, Standing
from replays.preview.canvas import HEIGHT, WIDTH, Canvas
from replays.preview.card import ACCENT, INK, LINE, MARIGOLD, PAPER, SOFT, TONES, awning

say = sentences(__file__)

COLOURS = {"held": "#2f7d4b", "small": "#e3a51f", "big": "#b03a2e"}
HERS = {"held": "#d9d2c3", "small": "#5b7bb4", "big": "#2b3f73"}
SIDE, GAP = 62, 10
ROWS = (352, 352 + SIDE + 14)
LEFT = 64


class Card(msgspec.Struct, frozen=True):
    """A result with the streak that it belongs to, in days, and what was special about its day."""

    day: dt.date
    result: Result
    streak: int
    twist: str = ""

    @property
    def ending(self) -> str:
        """How it ended, in words without a price."""
        return say.of("endings", self.result.end)

    @property
    def told(self) -> str:
        """How it ended and after how many rounds, unless all of them were played."""
        if self.result.end == "expired":
            return self.ending
        count = self.result.rounds
        rounds = ngettext("%(count)d round", "%(count)d rounds", count) % {"count": count}
        return f"{self.ending}, {rounds}"

    @property
    def headline(self) -> str:
        """The one number of a deal and how it came about; without a deal, how it ended."""
        percent = self.result.verdict.percent
        return self.told if percent is None else f"{percent} %. {self.told}"

    @property
    def row(self) -> str:
        """The streak in words, "" below two days."""
        if self.streak < 2:
            return ""
        days = ngettext("%(count)d day in a row", "%(count)d days in a row", self.streak)
        return days % {"count": self.streak}


@functools.lru_cache(maxsize=128)
def draw(card: Card, language: str) -> bytes:
    """Return the image, 1200 by 630 pixels, as PNG, in the language that is spoken now."""
    del language  # of the words on it, so that a kept image is not shown in another one
    canvas = Canvas(PAPER)
    awning(canvas)
    canvas.text((LEFT, 92), "Bazaar", "display", 34, INK)
    start = LEFT + canvas.width("Bazaar", "display", 34)
    canvas.text((start, 92), "BATNA", "display-bold", 34, ACCENT)
    day = " · ".join(filter(None, (date_format(card.day, "j F Y"), card.twist)))
    canvas.text((WIDTH - LEFT - canvas.width(day, "control", 28), 92), day, "control", 28, SOFT)
    canvas.text((LEFT, 196), say("the_daily_haggle"), "display", 72, INK)
    _coins(canvas, card.result.verdict.stars)
    canvas.text((LEFT + 430, 300), card.headline, "display-bold", 40, _tone(card))
    _squares(canvas, card)
    if card.row:
        canvas.text((LEFT, HEIGHT - 60), card.row, "control-bold", 30, ACCENT)
    call = say("one_game_a_day_the_same")
    end = WIDTH - LEFT - canvas.width(call, "control", 26)
    canvas.text((end, HEIGHT - 60), call, "control", 26, SOFT)
    return canvas.png()


def _tone(card: Card) -> str:
    return TONES["deal"] if card.result.end == "deal" else TONES["walk"]


def _coins(canvas: Canvas, stars: int) -> None:
    for place in range(STARS):
        at = (LEFT + 34 + place * 80, 286.0)
        canvas.dot(at, 33, ACCENT if place < stars else LINE)
        canvas.dot(at, 29, MARIGOLD if place < stars else PAPER)


def _squares(canvas: Canvas, card: Card) -> None:
    names = (say("seller"), gettext("Sauda"))
    left = LEFT + 26 + max(canvas.width(name, "control-bold", 28) for name in names)
    # Her first bid is no step: what she did next stands below what it answers.
    rows = ((card.result.squares, COLOURS, 0), (card.result.hers, HERS, 1))
    end = float(left)
    for name, y, (squares, colours, first) in zip(names, ROWS, rows, strict=True):
        canvas.text((LEFT, y + SIDE / 2 + 10), name, "control-bold", 28, SOFT)
        for place, square in enumerate(squares, start=first):
            x = left + place * (SIDE + GAP)
            canvas.box((x, y), (x + SIDE, y + SIDE), colours[square], radius=10)
            end = max(end, x + SIDE + GAP)
            number = str(place + 1)
            middle = x + (SIDE - canvas.width(number, "control", 20)) / 2
            canvas.text((middle, ROWS[0] - 10), number, "control", 20, SOFT)
    _ending(canvas, card, (end + SIDE / 2, (ROWS[0] + ROWS[1] + SIDE) / 2))


def _ending(canvas: Canvas, card: Card, at: tuple[float, float]) -> None:
    x, y = at
    if card.result.end == "deal":
        canvas.dot(at, SIDE / 2, TONES["deal"])
        canvas.line([(x - 14, y + 2), (x - 4, y + 12), (x + 15, y - 10)], PAPER, 7)
    else:
        canvas.dot(at, SIDE / 2, TONES["walk"])
        canvas.line([(x - 11, y - 11), (x + 11, y + 11)], PAPER, 7)
        canvas.line([(x - 11, y + 11), (x + 11, y - 11)], PAPER, 7)


CHART_WIDTH, ROW, CHART_LEFT, RIGHT = 320, 22, 78, 72


DRAWN_FROM = 5
"""With fewer people a bar is a person, and no distribution."""


def histogram(standing: Standing, key: str) -> SafeString:
    """Draw the results of a day, the reader's row marked; ``key`` begins the ids of the picture."""
    rows = [(say("no_deal"), standing.no_deal, standing.own == -1)]
    for place, count in enumerate(standing.bars):
        low, high = (100 * edge // BARS for edge in (place, place + 1))
        rows.append((f"{low}–{high} %", count, standing.own == place))
    most = max(*(count for _, count, _ in rows), 1)
    told = [f"{label}: {count}" for label, count, _ in rows if count]
    words = "; ".join(told) or say("nobody_has_finished_yet")
    drawn: list[SafeString] = []
    for number, (label, count, is_own) in enumerate(rows):
        drawn += _row(number * ROW, label, count, most, is_own=is_own)
    look: dict[str, object] = {
        "class": "daily-histogram",
        "viewBox": f"0 0 {CHART_WIDTH} {ROW * len(rows)}",
    }
    title = ngettext(
        "What %(count)d person got of the zone",
        "What %(count)d people got of the zone",
        standing.total,
    ) % {"count": standing.total}
    return picture(look, key, title, words, *drawn)


def _row(y: float, label: str, count: int, most: int, *, is_own: bool) -> list[SafeString]:
    room = CHART_WIDTH - CHART_LEFT - RIGHT
    bar: dict[str, object] = {
        "class": "is-own" if is_own else None,
        "x": CHART_LEFT,
        "y": y + 3,
        "width": max(room * count / most, 2),
        "height": ROW - 6,
        "rx": 2,
    }
    name: dict[str, object] = {"x": CHART_LEFT - 8, "y": y + 15.5, "text-anchor": "end"}
    end: dict[str, object] = {"x": CHART_LEFT + max(room * count / most, 2) + 6, "y": y + 15.5}
    parts = [element("text", name, label), element("rect", bar)]
    if count:
        told = f"{count} · {say('you')}" if is_own else str(count)
        end["class"] = "is-own" if is_own else None
        parts.append(element("text", end, told))
    return parts
