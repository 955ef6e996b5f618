"""One game of a case for one client: the other role is played by rules, as the site plays it.

The same seed, seat and moves give the same events to the byte as OpenEnv's ``/env/case``.
"""

from collections.abc import Mapping
from typing import Any

import msgspec

from bazaarbatna.cases import play
from bazaarbatna.cases.case import Case, in_library, of_seed
from bazaarbatna.cases.packages import grid_of
from bazaarbatna.players.base import dice_of_move
from bazaarbatna.players.package_trials import drawn_case
from bazaarbatna.players.packages import (
    Player,
    Trader,
    move_for,
    yardsticks,
)

SHELF, DRAWN = "shelf", "drawn"
"""What is played: one of the library's cases, by the seed; or a case that nobody wrote."""


def case_of(seed: int, which: str = SHELF) -> Case:
    """Return the case that a seed names; ``which`` may also be the id of one of the library."""
    if which == DRAWN:
        return drawn_case(seed)
    if which == SHELF:
        return of_seed(seed)
    cases = in_library()
    if which not in cases:
        raise ValueError(
            f"There is no case {which!r}. Known: {SHELF}, {DRAWN}, {', '.join(cases)}."
        )
    return cases[which]


def rival_of(case: Case, name: str) -> Player:
    """Return a player by name: ``trader``, the house's own, or one of the yardsticks."""
    known: Mapping[str, Player] = {"trader": Trader(), **yardsticks(grid_of(case).frontier)}
    if name not in known:
        raise ValueError(f"There is no player {name!r}. Known: {', '.join(known)}.")
    return known[name]


class CaseEpisode:
    """A game as it stands; ``events`` is what the client's seat sees of its log."""

    def __init__(self, seed: int, seat: str, case: Case, rival: Player) -> None:
        self.seed, self.seat, self.rival = seed, seat, rival
        self.state, self._log = play.start(case, seed)
        self._others_move()

    @property
    def case(self) -> Case:
        """The case that is played, with both sheets."""
        return self.state.case

    @property
    def is_done(self) -> bool:
        """It is over."""
        return self.state.ended is not None

    def step(self, move: play.Move) -> float:
        """Move, let the other one answer, and return the reward: 0 until the end."""
        self.state, happened = play.apply(self.state, self.seat, move)
        self._log += happened
        self._others_move()
        ended = self.state.ended
        return 0.0 if ended is None else play.share(self.case, self.seat, ended.points[self.seat])

    def events(self) -> list[dict[str, Any]]:
        """Return the log as the seat sees it, as OpenEnv's observation has it."""
        return [
            {
                "seq": seq,
                "kind": str(event.__struct_config__.tag),
                **play.shown(event, self.seat, is_over=self.is_done),
            }
            for seq, event in enumerate(self._log, start=1)
        ]

    def view(self) -> str:
        """Return that log as JSON."""
        return msgspec.json.encode(self.events()).decode()

    def _others_move(self) -> None:
        while not self.is_done and self.state.turn != self.seat:
            turn = self.state.turn
            dice = dice_of_move(self.seed, turn, len(self._log))
            move = move_for(self.rival, self.state, turn, dice)
            self.state, happened = play.apply(self.state, turn, move)
            self._log += happened
