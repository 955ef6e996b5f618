"""The story of sellers who answer: by family, round by round, and the same games before and after.

What is behind a rule stands here as well: it is computed, not told.
"""

from collections.abc import Iterator, Sequence
from typing import TypeVar

import msgspec
from django.urls import reverse

from agents.buyers.network.buyer import NAME, NetworkBuyerWithoutTells
from negotiation.engine.scoring import Interval
from training import runs
from training.evaluation.ceilings.players import BEST_LINE, BEST_RESPONSE, BOUNDS
from training.evaluation.folder import SAMPLES
from training.evaluation.measures import of_best
from training.evaluation.published import PEOPLE, Published, newest
from training.evaluation.summary import Card, PolicyResult
from training.figures import PERCENT, SHARE, Figure, figure, number_text, signed
from training.models import Run
from training.public.board import FINE, Board, Gap, board_of, gaps
from training.public.games import SameGame, same_games
from training.samples import Sample, try_samples

AnyTable = TypeVar("AnyTable")

BEFORE = "sauda-mini:dpo"
"""Who spoke and bargained before: the same sellers, the same games."""
HOUSE = "sauda"
COLUMNS = (BEST_RESPONSE, BEST_LINE, HOUSE, BEFORE, NAME)
"""Who stands in the table of families, after the name; the last one is the trained buyer."""
EXPLOIT, USES = TABLES = ("exploit", "network_uses")
"""Tables that a command each has measured, among the receipts."""
HORIZONS = (2, 3, 4, 6, 8, 10, 14)
"""Rounds of a game whose rows are shown."""
LEAGUE = "league"


class Line(msgspec.Struct, frozen=True):
    """A family of sellers, or the mean over all.

    ``cells`` are shares of winnable games in the order of ``COLUMNS``, ``of_best`` the network's
    over the best response's; ``deals`` are the network's and the best response's; ``ahead`` names
    the rules that keep more than the network.
    """

    title: str
    cells: tuple[Figure | None, ...]
    of_best: str
    deals: tuple[Figure | None, ...]
    ahead: tuple[str, ...]


class Taken(msgspec.Struct, frozen=True):
    """What a seller that was searched against a buyer takes; ``width`` is it on 0 to 100."""

    title: str
    text: str
    width: str
    is_trained: bool


class Horizon(msgspec.Struct, frozen=True):
    """Games of so many rounds: what network, halver and best line keep, what knowing is worth."""

    rounds: int
    cells: tuple[Figure | None, ...]
    tells: str
    deadline: str


class People(msgspec.Struct, frozen=True):
    """The newest published evaluation with sellers who answer, and what belongs to it."""

    board: Board
    headings: tuple[str, ...]
    lines: tuple[Line, ...]
    gaps: tuple[Gap, ...]
    tells: tuple[Gap, ...]
    exploited: tuple[Taken, ...]
    searched: int
    horizons: tuple[Horizon, ...]
    rounds: tuple[Taken, ...]
    league: Run | None
    games: tuple[SameGame, ...]

    @property
    def league_searched(self) -> int:
        """Games of each search of the league."""
        found = (self.league.summary or {}).get("exploiters", []) if self.league else []
        return max((one["games"] for one in found), default=0)

    @property
    def mean(self) -> Line:
        """The last line."""
        return self.lines[-1]

    @property
    def now(self) -> Figure | None:
        """What the network keeps over all kinds."""
        return self.mean.cells[-1]

    @property
    def best(self) -> Figure | None:
        """What the best response keeps."""
        return self.mean.cells[0]

    @property
    def before(self) -> Figure | None:
        """What the buyer before it keeps; None where it did not play."""
        return self.mean.cells[-2] if len(self.mean.cells) == len(COLUMNS) else None

    @property
    def behind(self) -> tuple[Line, ...]:
        """Families in which some rule keeps more than the network."""
        return tuple(line for line in self.lines[:-1] if line.ahead)


class _Row(msgspec.Struct, frozen=True):
    """Of the file that ``manage.py exploit --table`` writes."""

    policy: str
    title: str
    takes: float
    games: int


class _Horizon(msgspec.Struct, frozen=True):
    """Of the file that ``manage.py network_uses --table`` writes."""

    rounds: int
    network: Interval
    halver: Interval
    line: Interval
    tells: Interval
    deadline: Interval | None = None


class _Measured(msgspec.Struct, frozen=True):
    rows: tuple[_Horizon, ...]


class _Searched(msgspec.Struct, frozen=True):
    rows: tuple[_Row, ...]


def people() -> People | None:
    """Gather the story; None while there is no evaluation in which the network played."""
    published = newest(PEOPLE)
    board = board_of(published)
    if published is None or board is None:
        return None
    by_policy = {one.policy: one for one in published.rows}
    if not {NAME, BEST_RESPONSE} <= by_policy.keys():
        return None
    league = Run.objects.filter(kind=LEAGUE, published_at__isnull=False).order_by("pk").last()
    rows = exploited()
    return People(
        board=board,
        headings=tuple(by_policy[name].title for name in COLUMNS if name in by_policy),
        lines=tuple(_lines(published, by_policy)),
        gaps=gaps(published, [(NAME, _best_rule(published)), (NAME, BEFORE)]),
        tells=gaps(published, [(NAME, NetworkBuyerWithoutTells.name)], FINE),
        exploited=tuple(_taken(one.title, one.takes, one.policy) for one in rows),
        searched=rows[0].games if rows else 0,
        horizons=horizons(),
        rounds=tuple(_rounds(league)),
        league=league,
        games=_games(published),
    )


def exploited() -> tuple[_Row, ...]:
    """Read what searched sellers take from each buyer, least first; () without the file."""
    found = _table(EXPLOIT, _Searched)
    return tuple(sorted(found.rows, key=lambda row: row.takes)) if found else ()


def horizons() -> tuple[Horizon, ...]:
    """Read what the network keeps and uses by horizon; () without the file."""
    found = _table(USES, _Measured)
    if found is None:
        return ()
    url = reverse("table", args=[USES])
    told = []
    for place, row in enumerate(found.rows):
        if row.rounds not in HORIZONS:
            continue
        cells = tuple(
            figure(one, SHARE, f"{url}#/rows/{place}/{name}")
            for name, one in (("network", row.network), ("halver", row.halver), ("line", row.line))
        )
        told.append(Horizon(row.rounds, cells, _signed(row.tells), _signed(row.deadline)))
    return tuple(told)


def _signed(found: Interval | None) -> str:
    if found is None:
        return ""
    mean, low, high = (signed(one, FINE) for one in (found.mean, found.low, found.high))
    return f"{mean} ({low} to {high})"


def _table(name: str, kind: type[AnyTable]) -> AnyTable | None:
    path = runs.RECEIPTS / f"{name}.json"
    return msgspec.json.decode(path.read_bytes(), type=kind) if path.is_file() else None


def _rules(published: Published) -> list[PolicyResult]:
    return [
        one
        for one in published.rows
        if one.kind == "rules" and (one.policy not in BOUNDS or one.policy == BEST_LINE)
    ]


def _best_rule(published: Published) -> str:
    return max(_rules(published), key=lambda one: _mean(one.mean)).policy


def _mean(card: Card | None) -> float:
    share = card.share_of_winnable if card else None
    return share.mean if share else -1.0


def _lines(published: Published, by_policy: dict[str, PolicyResult]) -> Iterator[Line]:
    summary = reverse("receipt-summary", args=[published.run])
    place = {one.policy: number for number, one in enumerate(published.rows)}
    where = [(one.id, one.title, f"suites/{one.id}") for one in published.made.suites]
    for suite, title, path in [*where, (None, "Mean over these", "mean")]:
        cards = {
            name: one.mean if suite is None else one.suites.get(suite)
            for name, one in by_policy.items()
        }

        def number(
            name: str,
            rate: str = "share_of_winnable",
            cards: dict[str, Card | None] = cards,
            path: str = path,
        ) -> Figure | None:
            receipt = f"{summary}#/policies/{place[name]}/{path}/{rate}"
            style = SHARE if rate == "share_of_winnable" else PERCENT
            return figure(getattr(cards[name], rate, None), style, receipt)

        part = of_best(cards[NAME], cards[BEST_RESPONSE])
        ours = _mean(cards[NAME])
        ahead = [(one.title, _mean(cards[one.policy])) for one in _rules(published)]
        yield Line(
            title=title,
            cells=tuple(number(name) for name in COLUMNS if name in by_policy),
            of_best="" if part is None else number_text(part, 2),
            deals=(number(NAME, "deal_rate"), number(BEST_RESPONSE, "deal_rate")),
            ahead=tuple(
                f"{name} {number_text(share, 2)}"
                for name, share in sorted(ahead, key=lambda one: -one[1])
                if share > ours
            ),
        )


def _taken(title: str, takes: float, policy: str = NAME) -> Taken:
    return Taken(title, number_text(takes, 2), f"{100 * takes:.1f}", policy in (NAME, BEFORE))


def _rounds(league: Run | None) -> Iterator[Taken]:
    """Tell what the seller found against each round's network took from it."""
    found = (league.summary or {}).get("exploiters", []) if league else []
    for one in found:
        is_last = one["round"] == len(found) - 1
        after = "the last round" if is_last else f"round {one['round']}"
        yield _taken(f"after {after}" if one["round"] else "before the first round", one["takes"])


def _games(published: Published) -> tuple[SameGame, ...]:
    """Give the first winnable game that was kept with each family, before and after."""
    run = Run.objects.get(pk=published.run)
    kept = try_samples(runs.folder_of(run) / SAMPLES)
    shown = [one for one in kept if one.policy in (BEFORE, NAME) and one.share is not None]
    firsts: dict[str, int] = {}
    for one in shown:
        firsts[one.suite] = min(one.seed, firsts.get(one.suite, one.seed))
    chosen: Sequence[Sample] = [one for one in shown if firsts[one.suite] == one.seed]
    return same_games(chosen, len(firsts))
