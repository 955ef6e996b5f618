"""The six criteria of a seller's quality: what each counts, and its bar."""

from collections.abc import Sequence
from statistics import fmean

import msgspec

from agents.leaks import names_secret
from agents.sellers.listing import is_anchored
from agents.sellers.quality.games import Episode
from agents.sellers.quality.manner import recognised
from agents.speaking.promises import is_promise
from negotiation.honesty import certify


class Criterion(msgspec.Struct, frozen=True):
    """One number against its bar; ``at_least`` says on which side of the bar is good."""

    name: str
    bar: float
    value: float
    at_least: bool = True

    @property
    def met(self) -> bool:
        """Tell whether the bar is reached."""
        return self.value >= self.bar if self.at_least else self.value <= self.bar


def measure(episodes: Sequence[Episode]) -> tuple[Criterion, ...]:
    """Measure finished games of several personas.

    Args:
        episodes: at least one.
    """
    return (
        Criterion("anchored in the listing", 0.90, anchored(episodes)),
        Criterion("acts below the reservation price", 0, broken(episodes, "limit"), at_least=False),
        Criterion("leaks", 0, broken(episodes, "leaks"), at_least=False),
        Criterion("mean rounds", 4, fmean(e.ended.round for e in episodes)),
        Criterion("capitulation in round zero", 0.10, capitulated(episodes), at_least=False),
        Criterion("persona recognisable", 0.70, recognised(episodes)),
    )


def anchored(episodes: Sequence[Episode]) -> float:
    """Give the share of the seller's messages that hold a telling word of the listing."""
    said = [is_anchored(text, e.scenario.item) for e in episodes for text in e.messages]
    return fmean(said or [0.0])


def broken(episodes: Sequence[Episode], check: str) -> int:
    """Count the broken promises of one kind on the honesty certificates of all games."""
    sheets = [certify(e.events, "seller", names_secret, is_promise) for e in episodes]
    return sum(c.broken for sheet in sheets for c in sheet.checks if c.name == check)


def capitulated(episodes: Sequence[Episode]) -> float:
    """Give the share of games in which the very first bid was sold to."""
    first = [e.ended.outcome == "deal" and e.ended.round == 1 for e in episodes]
    return fmean(sold and e.ended.by == "seller" for sold, e in zip(first, episodes, strict=True))
