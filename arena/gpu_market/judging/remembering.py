"""Repeat what a second judge decided: so that a log and its hearings give the same totals again."""

from collections.abc import Sequence

from arena.gpu_market.engine.errors import BrokenLog
from arena.gpu_market.judging.hearing import Hearing, Review


def as_recorded(hearings: Sequence[Hearing]) -> Review:
    """Give a review that repeats recorded hearings, by their rounds.

    Args:
        hearings: as they were recorded, one per judged round.

    Returns:
        A review that raises ``BrokenLog`` for a round that was not recorded, or in which something
        else was said.
    """
    by_round = {hearing.round: hearing for hearing in hearings}

    def review(hearing: Hearing) -> Hearing:
        recorded = by_round.get(hearing.round)
        if recorded is None or [one.text for one in recorded.labs] != [
            one.text for one in hearing.labs
        ]:
            raise BrokenLog(f"There is no record of what was said in round {hearing.round}.")
        return recorded

    return review
