"""Whole bargains of one model, many at once: each turn of all live games in one batch."""

from collections.abc import Callable, Sequence
from random import Random

import msgspec

from agents.backends.local.player import Player, Sampling, Spoken
from agents.buyers.trained import blind, played
from agents.output_guard.moves import guard
from negotiation.engine.log import Log
from negotiation.engine.moves import Offer
from negotiation.engine.observe import BuyerObservation
from negotiation.engine.quantities import clamp_price
from training.data.teachers import Teachers
from training.evaluation.sources import SeatedGame, source_of

LOW_BIDS = (0.3, 0.6)
"""Of the opening ask: what was bid all the time where a deal is taken up late."""

LEFT = (0, 0, 1, 2)
"""Rounds that are left after the first of a deal that begins late; one is drawn for each."""


class Deal(msgspec.Struct, frozen=True, order=True):
    """What is bargained over: one bargain of a suite's game.

    Where a seller remembers, seeds take the bargains of a game in turn, and whichever teacher the
    seed names has played those before. With ``left``, somebody has made the same low bid until
    so many rounds were left after the next one.
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
    tells: bool = True,
    tick: Callable[[], None] = lambda: None,
) -> list[Game]:
    """Play every deal to its end, all of them in step.

    Args:
        player: the model.
        deals: what is played; the same deal may come several times.
        sampling: instead of the player's own.
        tells: whether the model is told what the seller lets it notice.
        tick: called between turns.
    """
    tables = [_Table(deal) for deal in deals]
    live = list(tables)
    while live:
        tick()
        seen = [table.seen(tells) for table in live]
        for table, one, said in zip(live, seen, player.answers(seen, sampling), strict=True):
            table.take(one, said)
        live = [table for table in live if table.log is None]
    return [table.game() for table in tables]


class _Table:
    def __init__(self, deal: Deal) -> None:
        self._deal = deal
        self._game = _opened(deal)
        self._turns: list[Turn] = []
        self.log: Log | None = None

    def seen(self, tells: bool) -> BuyerObservation:
        seen = _seen(self._game)
        return seen if tells else blind(seen)

    def take(self, seen: BuyerObservation, said: Spoken) -> None:
        move = played(seen, said.parsed)
        self._turns.append(Turn(seen, said, _is_legal(seen, said)))
        self.log = self._game.step(move).log

    def game(self) -> Game:
        assert self.log is not None
        return Game(self._deal, self.log, tuple(self._turns))


def _opened(deal: Deal) -> SeatedGame:
    """Open a game, and play it up to the deal's position: one and the same for all who play it."""
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
    """Whether an answer keeps the rules by itself, without the guards.

    A bid that reaches the ask is played as an acceptance, which is no offence.
    """
    move = None if said.parsed is None else said.parsed.to_move()
    if move is None:
        return False
    kept = guard(seen, move)
    if isinstance(move, Offer):
        return move.price >= (seen.own_last_bid or 0) and move.price <= seen.budget
    return type(kept) is type(move)
