"""An evaluation as tables for a terminal."""

from collections.abc import Iterator
from itertools import pairwise

from rich.table import Table

from negotiation.engine.scoring import Interval
from training.evaluation.summary import PolicyResult, Summary

COLUMNS: tuple[tuple[str, str], ...] = (
    ("share of winnable", "share_of_winnable"),
    ("of deals", "share_of_deals"),
    ("deal rate", "deal_rate"),
    ("wins", "win_rate"),
    ("mutual loss", "mutual_loss_rate"),
    ("rational walk", "rational_walk_rate"),
)


def tables_of(summary: Summary) -> Iterator[Table]:
    """Draw the mean over suites, the share per suite, and what tells neighbours apart."""
    ranked = sorted(summary.policies, key=_share, reverse=True)
    yield _means(summary, ranked)
    yield _suites(summary, ranked)
    yield _differences(summary, ranked)


def _share(result: PolicyResult) -> float:
    return result.mean.share_of_winnable.mean if result.mean.share_of_winnable else -1.0


def _means(summary: Summary, ranked: list[PolicyResult]) -> Table:
    made = summary.config
    table = Table(
        title=f"Mean over {len(made.suites)} suites, {ranked[0].mean.n:,} bargains each; "
        "95 % intervals"
    )
    table.add_column("policy", no_wrap=True)
    for heading in (*dict(COLUMNS), "rounds"):
        table.add_column(heading, justify="right")
    for result in ranked:
        rates = [_percent(getattr(result.mean, name)) for _, name in COLUMNS]
        rounds = result.mean.rounds
        table.add_row(result.policy, *rates, f"{rounds.mean:.1f}" if rounds else "–")
    return table


def _suites(summary: Summary, ranked: list[PolicyResult]) -> Table:
    table = Table(title="Share over all winnable bargains, per suite (%)")
    table.add_column("policy", no_wrap=True)
    for one in summary.config.suites:
        table.add_column(one.id.split("@")[0].replace("_", " "), justify="right")
    for result in ranked:
        cards = [result.suites[one.id].share_of_winnable for one in summary.config.suites]
        table.add_row(result.policy, *(f"{100 * c.mean:.1f}" if c else "–" for c in cards))
    return table


def _differences(summary: Summary, ranked: list[PolicyResult]) -> Table:
    found = {(d.first, d.second): d for d in summary.differences if d.suite == "mean"}
    table = Table(title="Each minus the next, on the same games (points of share)")
    table.add_column("policies")
    table.add_column("difference", justify="right")
    table.add_column("bargains", justify="right")
    for upper, lower in pairwise(ranked):
        key = (upper.policy, lower.policy)
        difference, sign = (found[key], 1) if key in found else (found[key[::-1]], -1)
        share = difference.share_of_winnable
        if share is None:
            continue
        low, high = sorted((sign * share.low, sign * share.high))
        words = f"{100 * sign * share.mean:+.1f} [{100 * low:+.1f}, {100 * high:+.1f}]"
        table.add_row(" − ".join(key), words, f"{difference.n:,}")
    return table


def _percent(rate: Interval | None) -> str:
    if rate is None:
        return "–"
    mean, low, high = (f"{100 * value:.1f}".removesuffix(".0") for value in _ends(rate))
    return f"{mean} [{low}, {high}]"


def _ends(rate: Interval) -> tuple[float, float, float]:
    return rate.mean, rate.low, rate.high
