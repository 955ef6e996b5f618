"""Figures of a set of games: share, deals, rounds, valid answers, each with an interval."""

from collections.abc import Sequence
from typing import Any, Protocol

import msgspec

from negotiation.statistics import mean_interval
from training.stages.games import Game

RESAMPLES = 1000


class Judged(Protocol):
    """An answer, and whether it kept the rules."""

    @property
    def legal(self) -> bool: ...  # noqa: D102  see the class


class Answered(Protocol):
    """A finished game with all answers of a model, of which ``invalid`` could not be read."""

    @property
    def turns(self) -> Sequence[Judged]: ...  # noqa: D102  see the class

    @property
    def invalid(self) -> int: ...  # noqa: D102


def figures(games: Sequence[Game], seed: int = 0) -> dict[str, Any]:
    """Sum games up.

    Args:
        games: any number of 1 or more.
        seed: of the bootstrap.

    Returns:
        ``games``, ``answers``, and means with 95 % intervals over games: ``share`` over winnable
        ones (no deal counts 0), ``deal_rate`` over winnable ones, ``rounds``; ``valid_json`` of
        all answers and ``legal`` likewise, 0..1.
    """
    winnable = [game for game in games if game.winnable]
    return {
        "games": len(games),
        "answers": answers_in(games),
        "share": mean_of([game.share for game in winnable], seed),
        "deal_rate": mean_of([float(game.is_deal) for game in winnable], seed),
        "rounds": mean_of([float(len(game.turns)) for game in games], seed),
        **obeyed(games),
    }


def answers_in(games: Sequence[Answered]) -> int:
    """Count the answers."""
    return sum(len(game.turns) for game in games)


def obeyed(games: Sequence[Answered]) -> dict[str, float]:
    """Give the parts of all answers that could be read and that kept the rules, 0..1."""
    answers = max(1, answers_in(games))
    return {
        "valid_json": 1 - sum(game.invalid for game in games) / answers,
        "legal": sum(turn.legal for game in games for turn in game.turns) / answers,
    }


def mean_of(values: Sequence[float], seed: int = 0) -> dict[str, float] | None:
    """Return the mean with its 95 % bootstrap interval; None of nothing."""
    return msgspec.structs.asdict(mean_interval(values, seed, RESAMPLES)) if values else None
