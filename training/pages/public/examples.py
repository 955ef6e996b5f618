"""One tiny game per stage: the first of the samples in which the stage changed something."""

import msgspec
from django.utils.safestring import SafeString

from negotiation.charts.svg import element
from negotiation.money import rupees_text
from training.evaluation.samples import Sample
from training.pages.public.games import ending_of, pairs

WIDTH, HEIGHT = 340.0, 64.0
LEFT, RIGHT = 8.0, 332.0


class Example(msgspec.Struct, frozen=True):
    """The same game before and after a stage, as words and as two marks on the prices."""

    item: str
    anchor: str
    before: str
    after: str
    before_ending: str
    after_ending: str
    before_words: str
    after_words: str
    drawn: SafeString


def example_of(samples: tuple[Sample, ...], before: str, after: str, key: str) -> Example | None:
    """Find the first winnable game that two stages played otherwise; None where there is none.

    Args:
        samples: games that runs have left.
        before: stage that played first, for example "sft".
        after: stage that played after it.
        key: names the drawing on the page.
    """
    shared = [pair for pair in pairs(samples, before, after) if pair[0].share is not None]
    ended = [pair for pair in shared if pair[0].price != pair[1].price]
    said = [pair for pair in shared if pair[0].lines != pair[1].lines]
    found = (ended or said)[:1]
    if not found:
        return None
    first, second = found[0]
    return Example(
        item=second.item,
        anchor=_money(second.anchor, second),
        before=first.title,
        after=second.title,
        before_ending=ending_of(first),
        after_ending=ending_of(second),
        before_words=_words(first),
        after_words=_words(second),
        drawn=_draw(first, second, key),
    )


def _words(one: Sample) -> str:
    """Give the buyer's last words that were not empty."""
    spoken = [line.text for line in one.lines if line.side == "buyer" and line.text]
    return spoken[-1] if spoken else ""


def _draw(first: Sample, second: Sample, key: str) -> SafeString:
    low = min(second.reservation, second.budget)
    high = max(second.anchor, second.budget)
    low -= (high - low) // 8

    def x(price: int) -> float:
        return LEFT + (RIGHT - LEFT) * (price - low) / ((high - low) or 1)

    about: dict[str, object] = {
        "class": "example-drawing",
        "viewBox": f"0 0 {WIDTH:g} {HEIGHT:g}",
        "role": "img",
        "aria-labelledby": f"{key}-title",
    }
    words = (
        f"{first.title}: {ending_of(first)}. {second.title}: {ending_of(second)}. "
        f"The seller would go down to {_money(second.reservation, second)}, "
        f"the buyer up to {_money(second.budget, second)}."
    )
    zone = {"x": x(second.reservation), "width": x(second.budget) - x(second.reservation)}
    parts = [
        element("path", {"class": "example-line", "d": f"M{LEFT:g} 32H{RIGHT:g}"}),
        element("rect", {"class": "example-zone", **zone, "y": 28, "height": 8}),
        element("path", {"class": "example-ask", "d": f"M{x(second.anchor):.1f} 24V40"}),
    ]
    for one, kind, y in ((first, "is-before", 14.0), (second, "is-after", 50.0)):
        if one.price is not None:
            at = x(one.price)
            parts.append(element("path", {"class": f"example-stem {kind}",
                                          "d": f"M{at:.1f} 32V{y:g}"}))  # fmt: skip
            spot = {"cx": at, "cy": y, "r": 6.0}
            parts.append(element("circle", {"class": f"example-spot {kind}", **spot}))
    return element("svg", about, element("title", {"id": f"{key}-title"}, words), *parts)


def _money(paise: int, one: Sample) -> str:
    return rupees_text(paise / 100, one.currency)
