"""Games of a league of which only a few numbers come back, so that any machine may play them.

Which network a buyer is comes with the question, every piece has luck of its own, and scores are
of double precision: a last digit that another processor rounds otherwise decides no bid.
"""

from collections.abc import Mapping, Sequence

import msgspec
import numpy as np
from safetensors.numpy import load, save

from agents.buyers.network import Network
from agents.buyers.positions import Floats
from bazaarbatna.bargain.people.manner import Manner
from bazaarbatna.envs.bargain.people.games import deal_many
from negotiation.code_version import TRAINING
from training.evaluation.spreading import Errand, Spread, answered, code_here
from training.evaluation.workers import Tick
from training.stages.config import LeagueConfig
from training.stages.league.exploiting import taken_by_sellers, with_floors_of
from training.stages.league.groups import (
    Population,
    as_on_the_site,
    deal_kind,
    floors_of_stock,
    population,
)
from training.stages.league.outcomes import RULES, Bid, by, played_out, summed_up

UNSEEN = -1


class Taking(msgspec.Struct, frozen=True, tag=True):
    """What found sellers take from the network, each in as many games."""

    manners: tuple[Manner, ...]
    dice: tuple[tuple[int, ...], ...]
    games: int


class Measuring(msgspec.Struct, frozen=True, tag=True):
    """How the network does against the unseen sellers of a kind, by number, or of all families.

    ``site``: part of the games of all families that has the catalogue's goods.
    """

    kind: int
    dice: tuple[int, ...]
    games: int
    site: float = 0.0


class Ruling(msgspec.Struct, frozen=True, tag=True):
    """How the best of all simple rules does against a kind of sellers."""

    kind: int
    dice: tuple[int, ...]
    games: int


What = Taking | Measuring | Ruling


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
        case Ruling():
            found = [_best_rule(piece, piece.what, tick)]
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
    if what.kind == UNSEEN:
        deals = deal_many(who.unseen, what.games, dice, piece.blind)
        which = dice.random(what.games) < what.site
        deals = as_on_the_site(deals, which, dice, floors_of_stock())
    else:
        deals = deal_kind(who.kinds[what.kind], what.games, dice, piece.blind, unseen=True)
    games = played_out(deals, piece.bid, dice, tick)
    found = summed_up(games)
    return [found.share, found.deals, found.rounds]


def _best_rule(piece: Piece, what: Ruling, tick: Tick) -> float:
    kind = piece.population.kinds[what.kind]

    def share(bid: Bid) -> float:
        # All rules meet the same games: the best one is not merely lucky.
        dice = np.random.default_rng(what.dice)
        deals = deal_kind(kind, what.games, dice, piece.blind, unseen=True)
        return summed_up(played_out(deals, bid, dice, tick)).share

    return max(share(rule) for rule in RULES.values())


def _version(_: bytes) -> str:
    return code_here(TRAINING)


PIECES = Errand(_answer, _version)
