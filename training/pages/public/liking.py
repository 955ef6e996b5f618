"""Buyers by what they keep and how they go about it: counted in games, and as people say."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec
from django.db.models import Avg
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext

from bazaarbatna.intervals import Interval, wilson
from negotiation.bargain.terms import PERSON
from negotiation.bargain.web.feelings import AGAIN, POINTS, QUESTIONS
from negotiation.charts.frontier import Axes, Spot, frontier_chart, percent
from negotiation.models import Game, GameAnswer
from negotiation.policies import title_of
from negotiation.sentences import sentences
from negotiation.ttl_cache import cached
from training.evaluation.samples import INSULT, LEAP, STUBBORN, MannersRow
from training.receipts.figures import PERCENT, SHARE, Figure, Style, figure, number_text
from training.receipts.tables import MannersTable

say = sentences(__file__)

FEWEST = 5
"""Who was judged by fewer people is neither drawn nor told."""

LOW = 340.0
"""Height of the charts in their user units: the page has a long table already."""

LOOK_EVERY_S = 60.0
POINT = Style(1)
"""Answers of 1 to 7."""


class Counted(msgspec.Struct, frozen=True):
    """A buyer in simulated games; ``plain`` are leap, equal bids, rounds and insults as text."""

    title: str
    share: Figure | None
    smooth: Figure | None
    seller_share: Figure | None
    plain: tuple[str, ...]


class Judged(msgspec.Struct, frozen=True):
    """What so many ``people`` said of a player; None where too few answered that question."""

    title: str
    people: int
    cells: tuple[Figure | None, ...]


Said = Mapping[str, tuple[float, int]]
"""Question -> mean over people, each person once, as a part of its scale; and how many people."""


def liking() -> dict[str, Any] | None:
    """Gather the section, at most once a minute; None where nothing was counted.

    ``waiting`` counts the players that some people judged, and too few to be shown.
    """
    return cached(f"liking:{get_language()}", LOOK_EVERY_S, _liking)


def _liking() -> dict[str, Any] | None:
    table, said = MannersTable.shipped(), people_said()
    if table is None and not said:
        return None
    rows = sorted(table.rows, key=lambda row: -row.share.mean) if table else []
    receipt = reverse("table", args=[MannersTable.name]) if table else ""
    enough = {name: one for name, one in said.items() if _most(one) >= FEWEST}
    return {
        "chart": _drawn(rows),
        "rows": tuple(_counted(rows, table, receipt) if table else ()),
        "games": table.games if table else 0,
        "suite": table.suite if table else "",
        "receipt": receipt,
        "judged_chart": _drawn_by_people(rows, enough),
        "judged": tuple(_judged(enough)),
        "waiting": len(said) - len(enough),
        "insult": percent(INSULT),
        "leap": percent(LEAP),
        "stubborn": STUBBORN,
        "fewest": FEWEST,
    }


def people_said() -> dict[str, dict[str, tuple[float, int]]]:
    """Return by player what people said who met it on the site, outside rooms, for the first time.

    A rematch has the same cards again: it is practice and counts nowhere.
    """
    asked = GameAnswer.objects.filter(
        game__source=Game.Source.PERSON, game__rematch_of=None, game__terms={}, game__rival=""
    ).exclude(game__policy=PERSON)
    means = asked.order_by().values("game__policy", "game__owner", "question")
    found: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for row in means.annotate(mean=Avg("value")):
        found[row["game__policy"]][row["question"]].append(_part(row["question"], row["mean"]))
    return {
        policy: {name: (sum(parts) / len(parts), len(parts)) for name, parts in one.items()}
        for policy, one in found.items()
    }


def _part(question: str, value: float) -> float:
    return value if question == AGAIN else (value - POINTS[0]) / (POINTS[-1] - POINTS[0])


def _most(said: Said) -> int:
    return max(people for _, people in said.values())


def _counted(rows: Sequence[MannersRow], table: MannersTable, receipt: str) -> Iterator[Counted]:
    for row in rows:
        at = f"{receipt}#/rows/{table.rows.index(row)}"
        yield Counted(
            title=gettext(row.title),
            share=figure(row.share, SHARE, f"{at}/share"),
            smooth=figure(row.smooth, PERCENT, f"{at}/smooth"),
            seller_share=figure(row.seller_share, SHARE, f"{at}/seller_share"),
            plain=(
                percent(row.jump),
                *(number_text(one, 1) for one in (row.equal, row.rounds, row.insults)),
            ),
        )


def _judged(said: Mapping[str, Said]) -> Iterator[Judged]:
    for policy, one in sorted(said.items(), key=lambda item: -_most(item[1])):
        cells = tuple(_cell(question.name, one) for question in QUESTIONS)
        yield Judged(gettext(title_of(policy)), _most(one), cells)


def _cell(question: str, said: Said) -> Figure | None:
    part, people = said.get(question, (0.0, 0))
    if people < FEWEST:
        return None
    found = wilson(part, people)
    if question == AGAIN:
        return figure(found, PERCENT, "")
    scaled = (POINTS[0] + (POINTS[-1] - POINTS[0]) * x for x in (found.mean, found.low, found.high))
    return figure(Interval(*scaled), POINT, "")


def _drawn(rows: Sequence[MannersRow]) -> SafeString:
    axes = Axes(say("axes_slights"), say("point_slights"))
    spots = [Spot(gettext(row.title), row.share, row.smooth) for row in rows]
    title = say("title_slights")
    return frontier_chart(spots, title, axes, height=LOW) if spots else SafeString()


def _drawn_by_people(rows: Sequence[MannersRow], said: Mapping[str, Said]) -> SafeString:
    axes = Axes(say("axes_again"), say("point_again"))
    again = {name: one[AGAIN] for name, one in said.items() if AGAIN in one}
    spots = [
        Spot(gettext(row.title), row.share, wilson(*again[row.policy]))
        for row in rows
        if again.get(row.policy, (0.0, 0))[1] >= FEWEST
    ]
    title = say("title_again")
    return frontier_chart(spots, title, axes, key="judged", height=LOW) if spots else SafeString()
