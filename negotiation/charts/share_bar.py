"""Who got how much of the zone of possible agreement, as one bar with its two numbers."""

from django.utils.safestring import SafeString

from negotiation.charts.svg import element
from negotiation.sentences import sentences

say = sentences(__file__)

GAP, WIDTH, HEIGHT = 3, 320, 12
"""User units."""


def share_bar(seller_share: float, buyer_share: float) -> SafeString:
    """Draw both shares of a deal, 0..1, with the shares in words; both 0: no deal, an empty bar.

    Shares outside are drawn at the edge; the bar stretches to its box on the page.
    """
    deal = seller_share + buyer_share > 0
    cut = min(max(seller_share, 0.0), 1.0) * WIDTH
    pieces = [_piece("chart-track", 0, WIDTH)]
    if deal:
        middle = GAP / 2 if 0 < cut < WIDTH else 0
        pieces = [
            _piece("chart-ask", 0, max(cut - middle, 0)),
            _piece("chart-bid", cut + middle, max(WIDTH - cut - middle, 0)),
        ]
    seller, buyer = whole_percents(seller_share)
    words = (
        (say("seller_share", share=seller), say("buyer_share", share=buyer))
        if deal
        else (say("no_deal"), "")
    )
    svg = element(
        "svg",
        {
            "class": "chart-share-bar",
            "viewBox": f"0 0 {WIDTH} {HEIGHT}",
            "preserveAspectRatio": "none",
            "role": "img",
        },
        element("title", {}, "; ".join(word for word in words if word)),
        *pieces,
    )
    notes = [
        element("span", {"class": name, "aria-hidden": "true"}, word)
        for name, word in zip(("chart-ask", "chart-bid"), words, strict=True)
        if word
    ]
    return element("div", {"class": "chart chart-shares"}, svg, *notes)


def whole_percents(seller_share: float) -> tuple[int, int]:
    """Round two shares that add to 1 so that their percents add to 100."""
    seller = round(min(max(seller_share, 0.0), 1.0) * 100)
    return seller, 100 - seller


def _piece(name: str, x: float, width: float) -> SafeString:
    box = {"x": x, "y": 0, "width": width, "height": HEIGHT}
    return element("rect", {"class": name, **box, "fill": "currentColor"})
