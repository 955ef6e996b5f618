"""The market's baselines for ``/market/``: a table with whiskers, and the published mix."""

import math
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext

from arena.gpu_market.board.titles import player_title, task_title
from bazaarbatna.intervals import Interval
from bazaarbatna.market.scenario import RewardMix
from negotiation.charts.svg import element, picture
from negotiation.sentences import sentences
from negotiation.ttl_cache import cached
from training.evaluation.domain import domain_of_plan
from training.evaluation.markets.players import MODEL, PREFIX, title_of
from training.evaluation.markets.summary import MarketCard, MarketDifference, MarketResult
from training.evaluation.published import MARKET, PublishedOf, shown
from training.models import published_runs
from training.receipts.figures import number_text

say = sentences(__file__)


WIDTH, ROW, TOP, FOOT = 320.0, 24.0, 10.0, 24.0
LEFT, RIGHT = 142.0, 308.0
CAP = 4.0
STEPS = (0.1, 0.2, 0.25, 0.5, 1.0, 2.0)
MOST_MARKS = 5
SHORT = say.texts("short")
"""Markets as the narrow columns of a comparison name them; others have their whole title."""


class Whisker(msgspec.Struct, frozen=True):
    """A row: its name, a mean with its 95 % interval, and whether it is set off from the others."""

    name: str
    rate: Interval
    is_lead: bool = False


def whiskers(title: str, rows: Sequence[Whisker], *, key: str) -> SafeString:
    """Draw rows in their order; numbers are said in its description.

    >>> "Expert: 0.50, 0.40 to 0.60." in whiskers(
    ...     "Return", [Whisker("Expert", Interval(0.5, 0.4, 0.6))], key="x"
    ... )
    True
    """
    low = min(0.0, *(row.rate.low for row in rows))
    high = max(0.0, *(row.rate.high for row in rows))
    step = next((one for one in STEPS if (high - low) / one <= MOST_MARKS), STEPS[-1])
    ends = (math.floor(low / step) * step, max(math.ceil(high / step), 1) * step)
    height = TOP + ROW * len(rows) + FOOT
    return picture(
        {"class": "market-whiskers", "viewBox": f"0 0 {WIDTH:g} {height:g}"},
        key,
        title,
        _words(rows),
        *_marks(ends, step, height - FOOT),
        *(part for place, row in enumerate(rows) for part in _row(row, place, ends)),
    )


def _words(rows: Sequence[Whisker]) -> str:
    return " ".join(
        say(
            "name_mean_low_to_high",
            name=row.name,
            mean=f"{row.rate.mean:.2f}",
            low=f"{row.rate.low:.2f}",
            high=f"{row.rate.high:.2f}",
        )
        for row in rows
    )


def _marks(ends: tuple[float, float], step: float, ground: float) -> Iterator[SafeString]:
    for number in range(round((ends[1] - ends[0]) / step) + 1):
        value = ends[0] + number * step
        x = _x(value, ends)
        name = "whisker-zero" if abs(value) < step / 2 else "whisker-grid"
        yield element("path", {"class": name, "d": f"M{x:.1f} {TOP:g}V{ground:.1f}"})
        text = f"{value + 0.0:g}" if abs(value) >= step / 2 else "0"
        place = {"x": x, "y": ground + 15, "text-anchor": "middle"}
        yield element("text", {"class": "whisker-mark", **place}, text.replace("-", "−"))


def _row(row: Whisker, place: int, ends: tuple[float, float]) -> Iterator[SafeString]:
    y = TOP + ROW * (place + 0.5)
    low, mean, high = (_x(one, ends) for one in (row.rate.low, row.rate.mean, row.rate.high))
    name = {"x": LEFT - 10, "y": y + 4, "text-anchor": "end"}
    lead = " whisker-lead" if row.is_lead else ""
    yield element("text", {"class": f"whisker-name{lead}", **name}, row.name)
    caps = "".join(f"M{x:.1f} {y - CAP:.1f}V{y + CAP:.1f}" for x in (low, high))
    way = f"M{low:.1f} {y:.1f}H{high:.1f}{caps}"
    yield element("path", {"class": f"whisker-span{lead}", "d": way})
    yield element("circle", {"class": f"whisker-dot{lead}", "cx": mean, "cy": y, "r": 3.4})


def _x(value: float, ends: tuple[float, float]) -> float:
    return LEFT + (RIGHT - LEFT) * (value - ends[0]) / (ends[1] - ends[0])


Published = PublishedOf[MarketCard, MarketDifference]
LOOKED_AT = 20  # Published runs that are looked through, newest first
ENOUGH = 50  # Seeds per task below which intervals are no evidence
LOOK_EVERY_S = 10.0
MEAN = say.text("mean")

COLUMNS: tuple[tuple[str, str, float, int, str], ...] = (
    (say.text("over_the_best_plan"), "over_best", 1.0, 2, ""),
    (say.text("utility_credits"), "utility", 1.0, 1, ""),
    (say.text("jobs_done"), "finished", 100.0, 0, "\N{NO-BREAK SPACE}%"),
    (say.text("contracts"), "contracts", 1.0, 2, ""),
    (say.text("coalitions"), "coalitions", 1.0, 2, ""),
    (say.text("refused"), "refusals", 1.0, 2, ""),
)
"""Heading, rate, times, decimals, unit."""


class Elsewhere(msgspec.Struct, frozen=True):
    """What the published environment reports of one policy; None where it reports no tasks.

    Another engine: its seeds are other worlds, its policies play in another way
    (``docs/gpu_market.md``), and it had no judge, so a pitch earned nothing but its 0.008.
    ``policy`` is ours that is made after it; ``tasks`` are single trade, market round and coalition
    market, ``overall`` their mean of all.
    """

    title: str
    policy: str
    tasks: tuple[float, float, float] | None
    overall: float


ELSEWHERE: tuple[Elsewhere, ...] = (
    Elsewhere("Rule expert", "rule_expert", (0.204, 0.526, 0.624), 0.451),
    # Theirs runs its jobs as well, wherever nothing is offered.
    Elsewhere("Always accept", "accepts_first", (0.171, 0.400, 0.227), 0.266),
    Elsewhere("SFT, Llama-3.2-3B", "", (0.164, 0.189, 0.416), 0.257),
    Elsewhere("Greedy hoarder", "greedy_hoarder", (0.157, 0.192, 0.083), 0.144),
    # Their two play alike: one is the other.
    Elsewhere("Allocator only", "no_negotiation_allocator", (0.157, 0.192, 0.083), 0.144),
    Elsewhere("Random valid", "random_valid", (0.081, 0.187, 0.110), 0.126),
    Elsewhere("Naive instruct", "naive_instruct", (0.078, -0.007, -0.095), -0.008),
    Elsewhere("Base Llama-3.2-3B", "", (0.050, -0.051, -0.281), -0.094),
)
"""Best first, as they rank them."""


class Cell(msgspec.Struct, frozen=True):
    """A mean and its 95 % interval, in words."""

    heading: str
    text: str
    low: str
    high: str


class Line(msgspec.Struct, frozen=True):
    """One policy: ``returns`` are the mean over tasks and one per task, ``others`` the rest."""

    policy: str
    title: str
    version: str
    returns: tuple[Cell, ...]
    others: tuple[Cell, ...]


class Beside(msgspec.Struct, frozen=True):
    """A policy there and here, as texts; ``""`` where it did not play.

    ``ours`` is what the nearest policy here is called, where that is another name.
    """

    title: str
    ours: str
    theirs: tuple[str, ...]
    here: tuple[str, ...]


def market_figures() -> dict[str, Any]:
    """Gather what the page shows, made at most every few seconds; None for what nobody ran yet."""
    return cached(f"market-figures:{get_language()}", LOOK_EVERY_S, _figures)


def _figures() -> dict[str, Any]:
    # Scripts alone, where somebody measured them alone: trained labs have a section of their own.
    ours = newest("default", trained=False) or newest("default")
    mixed = newest("published")
    return {
        "baselines": baselines_of(ours) if ours else None,
        "comparison": comparison_of(mixed) if mixed else None,
    }


def newest(
    reward: RewardMix, *, small: bool = False, trained: bool | None = None
) -> Published | None:
    """Return the newest published evaluation of all three tasks under a mix.

    ``small``: of fewer than ``ENOUGH`` seeds, instead of at least so many. ``trained``: one in
    which a trained lab played (True) or none did (False).
    """
    runs = published_runs((MARKET,)).reverse()
    for run_id in runs.values_list("pk", flat=True)[:LOOKED_AT]:
        found = shown(run_id)
        if found is None or not _fits(found, reward, small=small):
            continue
        if trained is None or _has_trained(found) is trained:
            return found
    return None


def _has_trained(found: Published) -> bool:
    return any(row.kind == MODEL for row in found.rows)


def _fits(found: Published, reward: RewardMix, *, small: bool) -> bool:
    suites = found.made.suites
    mixed = all(f"@{reward}-" in suite.id for suite in suites)
    return mixed and len(suites) == 3 and (found.made.episodes < ENOUGH) is small


def baselines_of(found: Published, place: str = "market") -> dict[str, Any]:
    """Write an evaluation for the page: ``lines`` best first, ``chart`` of their means."""
    ranked = sorted(found.rows, key=lambda one: -_mean(one.mean))
    suites = found.made.suites
    headings = (say("mean"), *(task_title(_task(suite.id)) for suite in suites))
    return {
        "run": found.run,
        "receipt": reverse("receipt", args=[found.run]),
        "seeds": found.made.episodes,
        "first_seed": found.made.seed,
        "command": domain_of_plan(found.made).command(found.made),
        "headings": headings,
        "lines": tuple(_line(one, headings, [suite.id for suite in suites]) for one in ranked),
        "chart": whiskers(
            say("return_what", what=say("mean")),
            [
                Whisker(said_title(one.title), one.mean.reward, one.kind == MODEL)
                for one in ranked
                if one.mean.reward is not None
            ],
            key=f"{place}-mean",
        ),
    }


def comparison_of(found: Published) -> dict[str, Any]:
    """Set the published figures beside ours under the same mix."""
    ours = {row.policy: row for row in found.rows}
    named = {one.policy for one in ELSEWHERE}
    rows = [
        Beside(
            said_title(one.title),
            _other_name(one),
            _theirs(one),
            _ours(ours.get(one.policy), found),
        )
        for one in ELSEWHERE
    ]
    rows += [
        Beside(said_title(row.title), "", (), _ours(row, found))
        for row in sorted(found.rows, key=lambda one: -_mean(one.mean))
        if row.policy not in named
    ]
    return {
        "headings": (say("all"), *(_short_title(_task(suite.id)) for suite in found.made.suites)),
        "rows": tuple(rows),
        "order": order_of(found.rows),
        "receipt": reverse("receipt", args=[found.run]),
        "seeds": found.made.episodes,
    }


def said_title(title: str) -> str:
    """Return what an evaluation's row is called in the reader's language.

    >>> said_title("Rule expert"), said_title("Lab mini, SFT")
    ('Rule expert', 'Lab mini, SFT')
    """
    name = title[:1].lower() + title[1:]
    told = player_title(name)
    return gettext(title) if told == name else told


def _task(suite_id: str) -> str:
    return suite_id.removeprefix(PREFIX).partition("@")[0]


def _short_title(task: str) -> str:
    return say.of("short", task) if task in SHORT else task_title(task)


def _other_name(one: Elsewhere) -> str:
    ours = title_of(one.policy) if one.policy else ""
    return "" if ours == one.title else said_title(ours)


def order_of(rows: Sequence[MarketResult]) -> dict[str, Any] | None:
    """Compare what the published mix makes of policies both have; None where there are none.

    ``theirs`` and ``ours`` best first; ``above`` are those of ours alone that beat all of them.
    """
    means = {row.policy: _mean(row.mean) for row in rows}
    theirs = [one.policy for one in ELSEWHERE if one.policy in means]
    ours = sorted(theirs, key=lambda name: -means[name])
    if not ours:
        return None
    above = [one for one in means if one not in theirs and means[one] > means[ours[0]]]
    return {
        "theirs": _listed(theirs),
        "ours": _listed(ours),
        "is_same": ours == theirs,
        "has_same_first": ours[0] == theirs[0],
        "has_same_last": ours[-1] == theirs[-1],
        "above": _listed(sorted(above, key=lambda name: -means[name])),
    }


def _listed(names: Sequence[str]) -> str:
    return ", ".join(said_title(title_of(name)).lower() for name in names)


def _mean(card: MarketCard) -> float:
    return card.reward.mean if card.reward else 0.0


def _line(result: MarketResult, headings: Sequence[str], suites: Sequence[str]) -> Line:
    cards = (result.mean, *(result.suites[suite] for suite in suites))
    return Line(
        policy=result.policy,
        title=said_title(result.title),
        version=result.version,
        returns=tuple(_cell(name, card.reward, 1.0, 2, "")
                      for name, card in zip(headings, cards, strict=True)),
        others=tuple(_cell(gettext(heading), getattr(result.mean, rate), times, digits, unit)
                     for heading, rate, times, digits, unit in COLUMNS),
    )  # fmt: skip


def _cell(heading: str, rate: Interval | None, times: float, digits: int, unit: str) -> Cell:
    if rate is None:
        return Cell(heading, "–", "", "")
    mean, low, high = (number_text(times * one, digits) for one in (rate.mean, rate.low, rate.high))
    return Cell(heading, f"{mean}{unit}", low, high)


def _theirs(one: Elsewhere) -> tuple[str, ...]:
    tasks = one.tasks or (None, None, None)
    return tuple("–" if value is None else number_text(value, 3) for value in (one.overall, *tasks))


def _ours(result: MarketResult | None, found: Published) -> tuple[str, ...]:
    if result is None:
        return ()
    cards = (result.mean, *(result.suites[suite.id] for suite in found.made.suites))
    return tuple(number_text(_mean(card), 3) for card in cards)
