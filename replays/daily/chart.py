"""How a day's results lie: one row for no deal, one for each tenth of the zone."""

from django.utils.safestring import SafeString
from django.utils.translation import gettext, ngettext

from negotiation.charts.svg import element, picture
from replays.daily.results import BARS, Standing

WIDTH, ROW, LEFT, RIGHT = 320, 22, 78, 72


def histogram(standing: Standing, key: str) -> SafeString:
    """Draw the results of a day, the reader's row marked; ``key`` begins the ids of the picture."""
    rows = [(gettext("No deal"), standing.no_deal, standing.own == -1)]
    for place, count in enumerate(standing.bars):
        low, high = (100 * edge // BARS for edge in (place, place + 1))
        rows.append((f"{low}–{high} %", count, standing.own == place))
    most = max(*(count for _, count, _ in rows), 1)
    told = [f"{label}: {count}" for label, count, _ in rows if count]
    words = "; ".join(told) or gettext("Nobody has finished yet.")
    drawn: list[SafeString] = []
    for number, (label, count, is_own) in enumerate(rows):
        drawn += _row(number * ROW, label, count, most, is_own=is_own)
    look: dict[str, object] = {
        "class": "daily-histogram",
        "viewBox": f"0 0 {WIDTH} {ROW * len(rows)}",
    }
    title = ngettext(
        "What %(count)d person got of the zone",
        "What %(count)d people got of the zone",
        standing.total,
    ) % {"count": standing.total}
    return picture(look, key, title, words, *drawn)


def _row(y: float, label: str, count: int, most: int, *, is_own: bool) -> list[SafeString]:
    room = WIDTH - LEFT - RIGHT
    bar: dict[str, object] = {
        "class": "is-own" if is_own else None,
        "x": LEFT,
        "y": y + 3,
        "width": max(room * count / most, 2),
        "height": ROW - 6,
        "rx": 2,
    }
    name: dict[str, object] = {"x": LEFT - 8, "y": y + 15.5, "text-anchor": "end"}
    end: dict[str, object] = {"x": LEFT + max(room * count / most, 2) + 6, "y": y + 15.5}
    parts = [element("text", name, label), element("rect", bar)]
    if count:
        told = f"{count} · {gettext('you')}" if is_own else str(count)
        end["class"] = "is-own" if is_own else None
        parts.append(element("text", end, told))
    return parts
