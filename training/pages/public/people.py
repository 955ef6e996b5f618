"""The story of sellers who answer: by family, round by round, and the same games before and after.

What is behind a rule stands here as well: it is computed, not told.
"""

from collections.abc import Iterator
from operator import attrgetter
from typing import Any

import msgspec
from django.urls import reverse
from django.utils.translation import get_language, gettext

from agents.buyers.network_buyer import NAME
from bazaarbatna.intervals import Interval
from negotiation.sentences import sentences
from negotiation.ttl_cache import cached
from training.evaluation.ceilings.players import BEST_LINE, BEST_RESPONSE, BOUNDS
from training.evaluation.folder import SAMPLES
from training.evaluation.measures import of_best
from training.evaluation.published import PEOPLE, Published, newest
from training.evaluation.samples import try_samples
from training.evaluation.summary import Card, PolicyResult
from training.models import Run
from training.pages.public.board import FINE, board_of, figure_of, gaps
from training.pages.public.games import SameGame, same_games
from training.receipts.figures import PERCENT, SHARE, Figure, figure, number_text, signed
from training.receipts.tables import ExploitTable, Horizon, UsesTable
from training.runs import lifecycle

say = sentences(__file__)

BEFORE = "sauda-mini:dpo"  # Who spoke and bargained before: the same sellers, the same games
RULES = "sauda"
COLUMNS = (BEST_RESPONSE, BEST_LINE, RULES, BEFORE, NAME)  # Who stands in the table of families
HORIZONS = (2, 3, 4, 6, 8, 10, 14)  # Rounds of a game whose rows are shown
LEAGUE = "league"
LOOK_EVERY_S = 10.0


class Line(msgspec.Struct, frozen=True):
    """A family of sellers, or the mean over all.

    ``cells`` are shares of winnable games in the order of ``COLUMNS``, ``of_best`` the network's
    over the best response's; ``ahead`` names the rules that keep more than the network.
    """

    title: str
    cells: tuple[Figure | None, ...]
    of_best: str
    deals: tuple[Figure | None, ...]
    ahead: tuple[str, ...]


class Taken(msgspec.Struct, frozen=True):
    """What a searched seller takes; ``width`` on 0 to 100, ``is_here`` from the site."""

    title: str
    text: str
    width: str
    is_here: bool


class Row(msgspec.Struct, frozen=True):
    """Games of so many rounds: what network, halver and best line keep, what knowing is worth."""

    rounds: int
    cells: tuple[Figure | None, ...]
    tells: str
    deadline: str


def people() -> dict[str, Any] | None:
    """Gather the story, at most every few seconds; None while the network has not played.

    ``now``, ``before``, ``line`` and ``best`` are means of the network, of who bargained before, of
    the best blind line and of the best response; ``behind`` the families in which some rule keeps
    more than the network; ``searched`` the games of each search for a seller.
    """
    return cached(f"people-story:{get_language()}", LOOK_EVERY_S, _people)


def _people() -> dict[str, Any] | None:
    published = newest(PEOPLE)
    board = board_of(published)
    if published is None or board is None:
        return None
    by_policy = {one.policy: one for one in published.rows}
    if not {NAME, BEST_RESPONSE} <= by_policy.keys():
        return None

    def mean(policy: str) -> Figure | None:
        return figure_of(published, policy, None, "share_of_winnable")

    found = ExploitTable.shipped()
    rows = sorted(found.rows, key=attrgetter("takes")) if found else []
    published_leagues = Run.objects.filter(kind=LEAGUE, published_at__isnull=False)
    league = published_leagues.order_by("published_at", "pk").last()
    exploiters = (league.summary or {}).get("exploiters", []) if league else []
    lines = tuple(_lines(published, by_policy))
    return {
        "board": board,
        "now": mean(NAME),
        "before": mean(BEFORE),
        "line": mean(BEST_LINE),
        "best": mean(BEST_RESPONSE),
        "headings": tuple(gettext(by_policy[name].title) for name in COLUMNS if name in by_policy),
        "lines": lines,
        "behind": [line for line in lines[:-1] if line.ahead],
        "gaps": gaps(published, [(NAME, _best_rule(published)), (NAME, BEFORE)]),
        "exploited": tuple(
            _taken(gettext(one.title), one.takes, one.policy == NAME) for one in rows
        ),
        "searched": max((one.games for one in rows), default=0),
        "horizons": tuple(_horizons()),
        "league": league,
        "rounds": tuple(
            _taken(_after(number, len(exploiters) - 1), one["takes"], is_here=True)
            for number, one in enumerate(exploiters)
        ),
        "league_searched": max((one["games"] for one in exploiters), default=0),
        "games": _games(published),
    }


def _rules(published: Published) -> list[PolicyResult]:
    return [
        one
        for one in published.rows
        if one.kind == "rules" and (one.policy not in BOUNDS or one.policy == BEST_LINE)
    ]


def _best_rule(published: Published) -> str:
    return max(_rules(published), key=lambda one: _share(one.mean)).policy


def _share(card: Card | None) -> float:
    share = card.share_of_winnable if card else None
    return share.mean if share else -1.0


def _lines(published: Published, by_policy: dict[str, PolicyResult]) -> Iterator[Line]:
    where = [(one.id, gettext(one.title)) for one in published.made.suites]
    for suite, title in [*where, (None, say("mean_over_these"))]:
        cards = {
            name: one.mean if suite is None else one.suites.get(suite)
            for name, one in by_policy.items()
        }
        part, ours = of_best(cards[NAME], cards[BEST_RESPONSE]), _share(cards[NAME])
        rules = [(gettext(one.title), _share(cards[one.policy])) for one in _rules(published)]
        rules.sort(key=lambda one: -one[1])
        yield Line(
            title=title,
            cells=tuple(
                figure_of(published, name, suite, "share_of_winnable")
                for name in COLUMNS
                if name in by_policy
            ),
            of_best="" if part is None else number_text(part, 2),
            deals=tuple(
                figure_of(published, name, suite, "deal_rate", PERCENT)
                for name in (NAME, BEST_RESPONSE)
            ),
            ahead=tuple(f"{name} {number_text(one, 2)}" for name, one in rules if one > ours),
        )


def _taken(title: str, takes: float, is_here: bool) -> Taken:
    return Taken(title, number_text(takes, 2), f"{100 * takes:.1f}", is_here)


def _after(number: int, last: int) -> str:
    if not number:
        return say("before_the_first_round")
    if number == last:
        return say("after_the_last_round")
    return say("after_round_number", number=number)


def _horizons() -> Iterator[Row]:
    found = UsesTable.shipped()
    for place, row in enumerate(found.rows if found else ()):
        if row.rounds in HORIZONS:
            yield _row(row, f"{reverse('table', args=[UsesTable.name])}#/rows/{place}")


def _row(row: Horizon, receipt: str) -> Row:
    cells = {"network": row.network, "halver": row.halver, "line": row.line}
    return Row(
        rounds=row.rounds,
        cells=tuple(figure(one, SHARE, f"{receipt}/{name}") for name, one in cells.items()),
        tells=_added(row.tells),
        deadline=_added(row.deadline),
    )


def _added(found: Interval | None) -> str:
    if found is None:
        return ""
    mean, low, high = (signed(one, FINE) for one in (found.mean, found.low, found.high))
    return say("mean_low_to_high", mean=mean, low=low, high=high)


def _games(published: Published) -> tuple[SameGame, ...]:
    # The first winnable game that was kept with each family.
    run = Run.objects.get(pk=published.run)
    samples = try_samples(lifecycle.folder_of(run) / SAMPLES)
    shown = [one for one in samples if one.policy in (BEFORE, NAME) and one.share is not None]
    firsts: dict[str, int] = {}
    for one in shown:
        firsts[one.suite] = min(one.seed, firsts.get(one.suite, one.seed))
    return same_games([one for one in shown if firsts[one.suite] == one.seed], len(firsts))
