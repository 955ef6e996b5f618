"""The lab beside the scripts: the newest published evaluation in which it played."""

import msgspec

from training.evaluation.markets.players import MODEL
from training.pages.market.figures import Baselines, Published, baselines_of, newest
from training.receipts.figures import number_text

MEAN = "mean"


class Apart(msgspec.Struct, frozen=True):
    """A lab minus another policy in the same worlds; ``verdict`` is above, below or open."""

    other: str
    text: str
    low: str
    high: str
    verdict: str


class Rivals(msgspec.Struct, frozen=True):
    """An evaluation with trained labs in it; ``apart`` compares ``lab`` with everybody else."""

    board: Baselines
    lab: str
    version: str
    apart: tuple[Apart, ...]


def rivals(name: str | None) -> Rivals | None:
    """Compare a lab with everybody that played beside it.

    Args:
        name: of the lab; None, or one that did not play: the best trained one.

    Returns:
        None while no evaluation with a trained lab is published.
    """
    found = newest("default", trained=True) or newest("default", small=True, trained=True)
    if found is None:
        return None
    trained = [row for row in found.rows if row.kind == MODEL]
    best = max(trained, key=lambda row: row.mean.reward.mean if row.mean.reward else -1.0)
    lab = next((row for row in trained if row.policy == name), best)
    return Rivals(
        board=baselines_of(found, "lab"),
        lab=lab.title,
        version=lab.version,
        apart=_apart(found, lab.policy),
    )


def _apart(found: Published, lab: str) -> tuple[Apart, ...]:
    titles = {row.policy: row.title for row in found.rows}
    told: list[tuple[float, Apart]] = []
    for one in found.differences:
        if one.suite != MEAN or one.reward is None or lab not in (one.first, one.second):
            continue
        sign = 1 if one.first == lab else -1
        mean = sign * one.reward.mean
        low, high = sorted((sign * one.reward.low, sign * one.reward.high))
        verdict = "above" if low > 0 else "below" if high < 0 else "open"
        other = titles[one.second if sign > 0 else one.first]
        told.append((mean, Apart(other, _signed(mean), _signed(low), _signed(high), verdict)))
    return tuple(one for _, one in sorted(told, key=lambda pair: pair[0]))


def _signed(value: float) -> str:
    return number_text(value, 3, plus=True)
