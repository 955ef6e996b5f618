"""The missed deals: each zone that nobody used, as long as the money that was in it."""

from collections.abc import Sequence

from django.utils.safestring import SafeString
from django.utils.translation import gettext

from bazaarbatna.money import rupees_text
from negotiation.charts.svg import element, text_width
from rooms.debrief.figures import MissedDeal
from rooms.debrief.plot import LETTER, WIDTH, framed, opens, text
from rooms.debrief.zone_charts import Words

MOST = 8
"""Bars that are drawn; the table behind has all."""

ROW = LETTER * 1.5


def lost_chart(missed: Sequence[MissedDeal], words: Words, currency: str) -> SafeString:
    """Draw a bar for each missed deal, the dearest first."""
    shown = [one for one in missed if one.game.currency == currency][:MOST]
    most = max(one.game.zone for one in shown)
    amounts = [rupees_text(one.game.zone, currency) for one in shown]
    names = [gettext("Game %(number)d") % {"number": one.game.number} for one in shown]
    left = max(text_width(name, LETTER) for name in names) + LETTER * 0.8
    right = WIDTH - max(text_width(amount, LETTER) for amount in amounts) - LETTER
    height = len(shown) * ROW + LETTER * 0.6
    parts: list[SafeString] = []
    for place, (one, amount, name) in enumerate(zip(shown, amounts, names, strict=True)):
        top = place * ROW + LETTER * 0.3
        wide = max((right - left) * one.game.zone / most, 2.0)
        box = {"x": left, "y": top, "width": wide, "height": ROW * 0.72, "rx": 3}
        bar = element("rect", {"class": "debrief-lost", **box})
        parts.append(opens(one.game.game, words(one.game), bar))
        baseline = top + ROW * 0.56
        parts.append(text(left - LETTER * 0.5, baseline, name, "end"))
        parts.append(
            text(left + wide + LETTER * 0.4, baseline, amount, name="chart-end chart-walk")
        )
    total = rupees_text(
        sum(one.game.zone for one in missed if one.game.currency == currency), currency
    )
    told = gettext("Deals that were missed held %(total)s in all.") % {"total": total}
    return framed("lost", gettext("What missed deals cost"), told, *parts, height=height)
