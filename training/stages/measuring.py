"""How a model plays held-out games: what a stage reports of itself."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Protocol

import msgspec
import torch

from agents.backends.local.player import Player, Sampling
from agents.checkpoints import Card
from agents.dialects.table import dialect
from negotiation.policies import Entry
from negotiation.statistics import mean_interval
from training.data.seeds import HELD_OUT_FROM
from training.data.teaching import PEOPLE, SUITE_IDS
from training.evaluation.samples import sample_of, write_samples
from training.sellers.random_sellers import SUITE as DRAWN
from training.stages.games import Deal, Game, play_games
from training.stages.work import SAMPLES, Work

RESAMPLES = 1000

PLAYED = (*SUITE_IDS, DRAWN)
"""What a stage is measured on: sellers that are pinned, and such as nobody has met."""


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
    """Return the parts of all answers that could be read and that kept the rules, 0..1."""
    answers = max(1, answers_in(games))
    return {
        "valid_json": 1 - sum(game.invalid for game in games) / answers,
        "legal": sum(turn.legal for game in games for turn in game.turns) / answers,
    }


def mean_of(values: Sequence[float], seed: int = 0) -> dict[str, float] | None:
    """Return the mean with its 95 % bootstrap interval; None of nothing."""
    return msgspec.structs.asdict(mean_interval(values, seed, RESAMPLES)) if values else None


def player_of(model: Any, tokenizer: Any, card: Card) -> Player:
    """Seat a model as its card says."""
    sampling = Sampling(card.temperature, card.top_p, card.max_new_tokens)
    return Player(model, tokenizer, dialect(card.dialect), sampling)


def held_out(games: int, first: int = HELD_OUT_FROM, people: float = 0.0) -> list[Deal]:
    """Choose deals: the suites in turn, each with seeds of its own from ``first`` on.

    Args:
        games: how many.
        first: seed in every suite.
        people: part of them that are with people who answer, 0..1.
    """
    answered = round(people * games)
    return [
        *(
            Deal(PLAYED[number % len(PLAYED)], first + number // len(PLAYED))
            for number in range(games - answered)
        ),
        *(Deal(PEOPLE, first + number) for number in range(answered)),
    ]


def check(
    work: Work,
    model: Any,
    tokenizer: Any,
    card: Card,
    games: int,
    *,
    people: float = 0.0,
    samples: bool = True,
) -> dict[str, Any]:
    """Play held-out games and sum them up; the first of every suite is kept to be read."""
    work.say(f"{work.config.stage}: {games} held-out games")
    player, deals = player_of(model, tokenizer, card), held_out(games, people=people)
    with steady(work.config.seed):
        played = play_games(player, deals, tick=lambda: work.beat(work.run.done))
    if samples:
        keep_samples(work, played, card.name, card.title)
    return figures(played)


def keep_samples(work: Work, games: Sequence[Game], name: str, title: str) -> None:
    """Keep the first held-out game of every suite: the same games of every stage."""
    who = Entry(name, f"{name}@{work.run.pk}", "model", title, "local", _nobody)
    firsts = [game for game in games if game.deal.seed == HELD_OUT_FROM]
    write_samples(
        work.folder / SAMPLES, [sample_of(game.log, who, game.deal.seed) for game in firsts]
    )


@contextmanager
def steady(seed: int) -> Iterator[None]:
    """Draw the same each time, and let training's own draws go on as if nothing had been asked."""
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        yield


def _nobody(_: int) -> None:
    """Nobody plays by this entry; it names who played."""
