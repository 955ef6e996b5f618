"""All deals of a case in one picture: every package a small dot, every deal a large one."""

from collections.abc import Sequence

from django.utils.safestring import SafeString
from django.utils.translation import gettext

from bazaarbatna.cases import play
from bazaarbatna.cases.case import Case
from negotiation.cases.chart import LOOK, ground, nash
from negotiation.cases.game import language
from negotiation.charts.svg import element
from rooms.debrief.cases import Settled
from rooms.debrief.plot import opens

RADIUS = 8.0


def deals_chart(case: Case, deals: Sequence[tuple[Settled, str]]) -> SafeString:
    """Draw deals, each with its words; the first role's points across, the other's upwards."""
    first, second = (
        gettext("points: %(who)s") % {"who": play.words(role.name, language())}
        for role in (case.a, case.b)
    )
    drawn, at = ground(case, "a", (first, second))
    dots = []
    for deal, words in deals:
        x, y = at(deal.points["a"], deal.points["b"])
        name = f"debrief-deal {'is-people' if deal.is_between_people else 'is-policy'}"
        shape = element("circle", {"class": name, "cx": x, "cy": y, "r": RADIUS})
        dots.append(opens(deal.game, words, shape))
    said = gettext(
        "Every small dot is a package, every large one a deal. No package lies beyond the line at "
        "the edge, the frontier. The dashed lines are what each role has without a deal."
    )
    look: dict[str, object] = {
        **LOOK,
        "role": "group",
        "aria-labelledby": "case-deals-title",
        "aria-describedby": "case-deals-words",
    }
    title = element("title", {"id": "case-deals-title"}, gettext("All deals of the room"))
    about = element("desc", {"id": "case-deals-words"}, said)
    svg = element("svg", look, title, about, *drawn, *nash(case, "a", at), *dots)
    return element("div", {"class": "chart debrief-chart case-picture"}, svg)
