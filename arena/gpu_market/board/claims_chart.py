"""What a coalition's members made, next to what they were worth alone and what they added."""

from django.utils.safestring import SafeString

from arena.gpu_market.board.explaining import Explained
from negotiation.charts.svg import element

ROW, BAR = 46, 18


def claims_chart(explained: Explained) -> SafeString:
    """Draw one row for each member: a bar for what it got, ticks for its claims. In credits."""
    numbers = [n for claim in explained.claims for n in (claim.alone, claim.adds, claim.gets)]
    low, high = min([0.0, *numbers]), max([1.0, *numbers])

    def at(value: float) -> str:
        return f"{100 * (value - low) / (high - low):.2f}%"

    rows: list[SafeString] = []
    for number, claim in enumerate(explained.claims):
        top = number * ROW + 20
        left, wide = min(claim.gets, 0.0), abs(claim.gets)
        rows.append(
            element(
                "g",
                {"class": f"claim of-{claim.lab}"},
                element("title", {}, _words(explained.claims[number].name, claim.gets)),
                element("text", {"x": 0, "y": top - 6}, claim.name),
                element(
                    "rect",
                    {
                        "class": "claim-got",
                        "x": at(left),
                        "y": top,
                        "width": f"{100 * wide / (high - low):.2f}%",
                        "height": BAR,
                        "rx": 3,
                    },
                ),
                _tick("claim-alone", at(claim.alone), top),
                _tick("claim-adds", at(claim.adds), top),
            )
        )
    name = explained.coalition
    said = "; ".join(
        f"{claim.name}: made {claim.gets:.2f}, worth {claim.alone:.2f} alone, "
        f"adds {claim.adds:.2f} on average"
        for claim in explained.claims
    )
    return element(
        "svg",
        {
            "class": "claims",
            "width": "100%",
            "height": ROW * len(explained.claims),
            "role": "img",
            "aria-labelledby": f"{name}-title {name}-desc",
        },
        element("title", {"id": f"{name}-title"}, "What members made, and what they could claim"),
        element("desc", {"id": f"{name}-desc"}, said),
        *rows,
    )


def _tick(look: str, x: str, top: int) -> SafeString:
    return element("line", {"class": look, "x1": x, "x2": x, "y1": top - 3, "y2": top + BAR + 3})


def _words(name: str, gets: float) -> str:
    return f"{name} made {gets:.2f} credits"
