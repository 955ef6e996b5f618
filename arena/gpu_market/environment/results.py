"""How an episode ended for all labs, with its hidden values open."""

import msgspec

from arena.gpu_market.engine import State
from arena.gpu_market.engine.quantities import LabId, to_credits
from arena.gpu_market.engine.scenario import Archetype, MarketSealed


class LabResult(msgspec.Struct, frozen=True, gc=False):
    """How one lab did; ``utility`` and ``budget`` in credits."""

    lab: LabId
    archetype: Archetype
    utility: float
    finished: int
    jobs: int
    budget: float
    idle_blocks: int
    reputation: float


class Result(msgspec.Struct, frozen=True, gc=False):
    """A finished episode.

    Attributes:
        labs: how each did.
        commitment: the SHA-256 that was shown before the first action.
        opened: the committed values as they were sealed, money in hundredths of a credit.
        salt: with ``opened`` it gives the commitment again.
    """

    labs: tuple[LabResult, ...]
    commitment: str
    opened: MarketSealed
    salt: str

    def __repr__(self) -> str:
        return f"Result({len(self.labs)} labs)"


def to_result(state: State, commitment: str) -> Result | None:
    """Sum an episode up; None while it goes on."""
    ended = state.ended
    if ended is None:
        return None
    labs = tuple(
        LabResult(
            one.lab,
            ended.opened.archetypes[number],
            to_credits(one.utility),
            one.finished,
            one.jobs,
            to_credits(one.budget),
            one.idle,
            state.reputations[number],
        )
        for number, one in enumerate(ended.results)
    )
    return Result(labs, commitment, ended.opened, ended.salt)
