"""Whole bargains of one model, many at once, and how it plays those that are held out."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from random import Random
from typing import Any, Protocol

import msgspec
import torch

from agents.buyers.trained import played
from agents.checkpoints import Card
from agents.dialects.compact import dialect
from bazaarbatna.bargain.log import Log
from bazaarbatna.bargain.moves import Offer
from bazaarbatna.bargain.observe import BuyerObservation
from bazaarbatna.bargain.quantities import clamp_price
from bazaarbatna.intervals import mean_interval
from bazaarbatna.players.guard import guard
from negotiation.policies import Entry
from training.data.seeds import HELD_OUT_FROM
from training.data.teaching import PEOPLE, SUITE_IDS, Teachers
from training.evaluation.playing import SeatedGame, source_of
from training.evaluation.samples import sample_of, write_samples
from training.sellers.random_sellers import SUITE as DRAWN
from training.stages.generation import Player, Sampling, Spoken
from training.stages.work import SAMPLES, Work

LOW_BIDS = (0.3, 0.6)  # Of the opening ask: what was bid all the time where a deal is taken up late

LEFT = (0, 0, 1, 2)
"""Rounds that are left after the first of a deal that begins late; one is drawn for each."""


class Deal(msgspec.Struct, frozen=True, order=True):
    """One bargain of a suite's game.

    Where a seller remembers, the seed's teacher has played the bargains of the game before this
    one. With ``left``, somebody made the same low bid until so many rounds were left after the
    next.
    """

    suite: str
    seed: int
    left: int | None = None


def rounds_left(suite: str, seed: int, late: float) -> int | None:
    """Draw for a deal whether it begins late, and how late: ``left``."""
    dice = Random(f"late:{suite}:{seed}")
    return dice.choice(LEFT) if dice.random() < late else None


class Turn(msgspec.Struct, frozen=True):
    """One answer of the model; ``legal`` tells whether it could be played as it was."""

    seen: BuyerObservation
    said: Spoken
    legal: bool


class Game(msgspec.Struct, frozen=True):
    """A finished bargain, with everything the model said in it."""

    deal: Deal
    log: Log
    turns: tuple[Turn, ...]

    def __repr__(self) -> str:
        return f"Game({self.deal.suite}, {self.deal.seed}, {len(self.turns)} turns)"

    @property
    def winnable(self) -> bool:
        """There was a zone of possible agreement."""
        return self.log.scenario.zopa > 0

    @property
    def share(self) -> float:
        """The buyer's share of the zone, 0..1; 0 without a deal."""
        ended = self.log.ended
        assert ended is not None
        return ended.buyer_share if ended.price is not None else 0.0

    @property
    def is_deal(self) -> bool:
        """It ended in a deal."""
        return self.log.ended is not None and self.log.ended.price is not None

    @property
    def invalid(self) -> int:
        """Answers that were not exactly the protocol's JSON."""
        return sum(not turn.said.valid for turn in self.turns)


def play_games(
    player: Player,
    deals: Sequence[Deal],
    sampling: Sampling | None = None,
    *,
    tick: Callable[[], None] = lambda: None,
) -> list[Game]:
    """Play every deal to its end, all in step."""
    tables = [_Table(deal) for deal in deals]
    live = list(tables)
    while live:
        tick()
        seen = [_seen(table.seat) for table in live]
        for table, one, said in zip(live, seen, player.answers(seen, sampling), strict=True):
            table.take(one, said)
        live = [table for table in live if table.log is None]
    return [table.game() for table in tables]


class _Table:
    def __init__(self, deal: Deal) -> None:
        self._deal = deal
        self.seat = _opened(deal)
        self._turns: list[Turn] = []
        self.log: Log | None = None

    def take(self, seen: BuyerObservation, said: Spoken) -> None:
        move = played(seen, said.parsed)
        self._turns.append(Turn(seen, said, _is_legal(seen, said)))
        self.log = self.seat.step(move).log

    def game(self) -> Game:
        assert self.log is not None
        return Game(self._deal, self.log, tuple(self._turns))


def _opened(deal: Deal) -> SeatedGame:
    # One and the same position for all who play the deal.
    game, teacher = source_of(deal.suite).open(deal.seed), Teachers(deal.seed)
    while game.game < deal.seed % game.games:
        game.step(teacher.act(_seen(game)))
    if deal.left is not None:
        low = Random(f"low:{deal.seed}").uniform(*LOW_BIDS)
        while (seen := _seen(game)).max_rounds - seen.round > deal.left:
            bid = clamp_price(low * seen.asks[0], high=seen.budget)
            if game.step(Offer(bid)).log is not None:
                # Over too soon: the seller sold or left.
                return _opened(msgspec.structs.replace(deal, left=None))
    return game


def _seen(game: SeatedGame) -> BuyerObservation:
    seen = game.observation
    assert seen is not None
    return seen


def _is_legal(seen: BuyerObservation, said: Spoken) -> bool:
    # Without the guards. A bid that reaches the ask is played as an acceptance: no offence.
    move = None if said.parsed is None else said.parsed.to_move()
    if move is None:
        return False
    kept = guard(seen, move)
    if isinstance(move, Offer):
        return move.price >= (seen.own_last_bid or 0) and move.price <= seen.budget
    return type(kept) is type(move)


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
    """Sum games up: means with 95 % intervals over games.

    ``share`` (no deal counts 0) and ``deal_rate`` over winnable games; ``valid_json`` and ``legal``
    are parts of all answers, 0..1.
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

    ``people`` is the part of them that are with people who answer, 0..1.
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
) -> dict[str, Any]:
    """Play held-out games and sum them up; the first of every suite is kept to be read."""
    work.say(f"{work.config.stage}: {games} held-out games")
    player, deals = player_of(model, tokenizer, card), held_out(games, people=people)
    with steady(work.config.seed):
        played = play_games(player, deals, tick=lambda: work.beat(work.run.done))
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
