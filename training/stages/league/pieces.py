"""Games of a league of which only a few numbers come back, so that any machine may play them.

Which network a buyer is comes with the question, every piece has luck of its own, and scores are
of double precision: a last digit that another processor rounds otherwise decides no bid.
"""

import functools
from collections.abc import Mapping, Sequence

import msgspec
import numpy as np
from safetensors.numpy import load, save

from agents.buyers.network import Floats, Network
from negotiation.engine.people.manner import Manner
from negotiation.environment.people.games import deal_many
from training.evaluation.elsewhere import code_here
from training.evaluation.spreading import Errand, Spread, answered
from training.evaluation.workers import Tick
from training.runs.code_version import TRAINING
from training.stages.config import LeagueConfig
from training.stages.league.exploiting import taken_by_sellers, with_floors_of
from training.stages.league.groups import (
    ENDS,
    OPENINGS,
    Population,
    as_on_the_site,
    floors_of_stock,
    population,
)
from training.stages.league.outcomes import Bid, by, climb, played_out, summed_up

UNSEEN = -1


class Taking(msgspec.Struct, frozen=True, tag=True):
    """What found sellers take from the network, each in as many games."""

    manners: tuple[Manner, ...]
    dice: tuple[tuple[int, ...], ...]
    games: int


class Measuring(msgspec.Struct, frozen=True, tag=True):
    """How the network does against a kind of sellers, by number, or against those never met.

    ``site``: part of the games as the site deals them; None where none may be.
    """

    kind: int
    dice: tuple[int, ...]
    games: int
    site: float | None = None


class Lining(msgspec.Struct, frozen=True, tag=True):
    """How the best of all straight lines does against a kind of sellers."""

    kind: int
    dice: tuple[int, ...]
    games: int


What = Taking | Measuring | Lining


class Piece(msgspec.Struct, frozen=True):
    """A question with all that its answer follows from."""

    sellers: int
    seed: int
    blind: float
    network: bytes
    what: What

    @property
    def population(self) -> Population:
        """Who is met."""
        return population(self.sellers, self.seed)

    @property
    def bid(self) -> Bid:
        """How the network bids."""
        weights = load(self.network).items()
        return by(Network({name: one.astype(np.float64) for name, one in weights}))


def ask(
    config: LeagueConfig,
    weights: Mapping[str, Floats],
    questions: Sequence[What],
    spread: Spread | None,
    tick: Tick,
) -> list[list[float]]:
    """Have questions answered, by the workers of a spread or here; the numbers are the same."""
    # Single precision is what it is trained in; nobody here asks what a position is worth.
    network = save({name: one.astype(np.float32) for name, one in weights.items()
                    if name.startswith("choose")})  # fmt: skip
    asked = [
        msgspec.msgpack.encode(Piece(config.sellers, config.seed, config.blind, network, one))
        for one in questions
    ]
    found = answered(spread, "league", asked, tick)
    return [msgspec.msgpack.decode(one, type=list[float]) for one in found]


def _answer(asked: bytes, tick: Tick) -> bytes:
    piece = msgspec.msgpack.decode(asked, type=Piece)
    match piece.what:
        case Taking():
            found = _taken(piece, piece.what, tick)
        case Measuring():
            found = _measured(piece, piece.what, tick)
        case Lining():
            found = [_best_line(piece, piece.what, tick)]
    return msgspec.msgpack.encode(found)


def _taken(piece: Piece, what: Taking, tick: Tick) -> list[float]:
    unseen, bid, found = piece.population.unseen, piece.bid, []
    for manner, numbers in zip(what.manners, what.dice, strict=True):
        dice = np.random.default_rng(numbers)
        goods = unseen.take(dice.integers(0, unseen.count, what.games))
        deals = deal_many(with_floors_of(manner, goods), what.games, dice, drawn=False)
        took = taken_by_sellers(played_out(deals, bid, dice, tick))
        found.append(float(took.sum() / max((deals.zone > 0).sum(), 1)))
    return found


def _measured(piece: Piece, what: Measuring, tick: Tick) -> list[float]:
    dice, who = np.random.default_rng(what.dice), piece.population
    sellers = who.unseen if what.kind == UNSEEN else who.kinds[what.kind]
    deals = deal_many(sellers, what.games, dice, piece.blind)
    if what.site is not None:
        deals = as_on_the_site(deals, what.site, floors_of_stock(), dice)
    found = summed_up(played_out(deals, piece.bid, dice, tick))
    return [found.share, found.deals, found.rounds]


def _best_line(piece: Piece, what: Lining, tick: Tick) -> float:
    dice, kind = np.random.default_rng(what.dice), piece.population.kinds[what.kind]

    def share(bid: Bid) -> float:
        return summed_up(played_out(deal_many(kind, what.games, dice), bid, dice, tick)).share

    return max(
        share(functools.partial(climb, opening=opening, end=end))
        for opening in OPENINGS
        for end in ENDS
    )


def _version(_: bytes) -> str:
    return code_here(TRAINING)


PIECES = Errand(_answer, _version)
