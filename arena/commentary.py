"""The comment on a match, with what would have happened without the winner's strongest rival."""

from collections.abc import Sequence

from arena.buyers import player_of
from arena.engine.comment import Remark, comment, strongest_rival
from arena.engine.events import ArenaEvent, Ended
from arena.engine.moves import ArenaMove, Leave
from arena.engine.observe import ArenaObservation
from arena.engine.playing import Player, play_match
from arena.engine.scenario import ArenaScenario


def commentary(scenario: ArenaScenario, events: Sequence[ArenaEvent]) -> tuple[Remark, ...]:
    """Comment on a finished match: the same log, the same words.

    What rivalry cost is left out where a person won: nobody knows what that person would have
    done alone.

    Raises:
        BrokenLog: the match has not ended.
    """
    return comment(scenario, events, without=without_rival(scenario, events))


def without_rival(
    scenario: ArenaScenario, events: Sequence[ArenaEvent]
) -> tuple[int, Ended] | None:
    """Play the match again with the winner's strongest rival leaving in the first round.

    Returns:
        The rival's seat and how it ends; None if nobody, or a person, won.
    """
    ended = events[-1] if events else None
    if not isinstance(ended, Ended) or ended.winner is None or scenario.seats[ended.winner].person:
        return None
    rival = strongest_rival(scenario, ended.winner)

    def make(seat: int) -> Player:
        return _leaving if seat == rival else player_of(scenario, seat, quiet=True)

    other = play_match(scenario, make)[-1]
    assert isinstance(other, Ended)
    return rival, other


def _leaving(seen: ArenaObservation) -> ArenaMove:
    return Leave()
