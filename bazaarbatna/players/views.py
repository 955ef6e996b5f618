"""What a role of a case knows when it is to move: its own points, and what both have offered."""

import functools

import msgspec
import numpy as np
from numpy.typing import NDArray

from bazaarbatna.cases.case import Case
from bazaarbatna.cases.packages import Floats, total
from bazaarbatna.cases.play import State
from bazaarbatna.players.hearing import Hint, hints


class Own:
    """What one role knows of a case: its points of every package, scaled to 0..1, and no deal's.

    ``where`` is which value of each issue a package has, shape (issues, packages).
    """

    def __init__(self, parts: list[Floats], outside: float) -> None:
        raw = total(parts)
        self._low = float(raw.min())
        self._span = (float(raw.max()) - self._low) or 1.0
        self.parts = [(part - part.min()) / self._span for part in parts]
        self.points = total(self.parts)
        self.outside = self.scaled(outside)
        shape = tuple(len(part) for part in parts)
        self.where = np.stack(np.unravel_index(np.arange(len(raw)), shape))

    def scaled(self, points: float) -> float:
        """Write points as a part of the own range over all packages."""
        return (points - self._low) / self._span

    def takes_back(self, before: int) -> NDArray[np.bool_]:
        """Return which packages only take back: more for oneself on some issue, less on none."""
        gained = [
            part[at] - part[at[before]] for part, at in zip(self.parts, self.where, strict=True)
        ]
        return np.asarray((np.min(gained, axis=0) > -1e-9) & (np.max(gained, axis=0) > 1e-9))

    def index(self, at: tuple[int, ...]) -> int:
        """Return the index of a whole package by the places of its values."""
        return int(np.ravel_multi_index(at, tuple(len(part) for part in self.parts)))


class View(msgspec.Struct, frozen=True):
    """What a player sees when it is to move.

    ``mine``: indices of own offers; ``theirs``: the other's, as places of values, -1 where open;
    ``left``: moves that are left to both, this one included; ``answered``: for each of their
    offers how many own ones came before; ``heard``: what the other's words say of his wishes.
    """

    own: Own
    mine: tuple[int, ...]
    theirs: tuple[tuple[int, ...], ...]
    left: int
    answered: tuple[int, ...] = ()
    heard: tuple[Hint, ...] = ()

    @property
    def standing(self) -> int | None:
        """The other's last package if it is whole."""
        if not self.theirs or -1 in self.theirs[-1]:
            return None
        return self.own.index(self.theirs[-1])

    @property
    def worth(self) -> float:
        """Own points of what can be accepted now; below everything if nothing can."""
        return -1.0 if self.standing is None else float(self.own.points[self.standing])

    @property
    def passed(self) -> float:
        """The part of the own moves that is over, 0..1; 1 at the last one."""
        rest = (self.left + 1) // 2
        made = len(self.mine)
        return made / max(made + rest - 1, 1)


def view_of(state: State, role: str) -> View:
    """Return what a role sees of a position: nothing of the other's points goes in."""
    case = state.case
    own = own_of(case, role)
    mine: list[int] = []
    theirs: list[tuple[int, ...]] = []
    answered: list[int] = []
    for event in state.history:
        at = tuple(
            list(issue.values).index(event.package[issue.key]) if issue.key in event.package else -1
            for issue in case.issues
        )
        if event.seat != role:
            theirs.append(at)
            answered.append(len(mine))
        elif -1 not in at:
            mine.append(own.index(at))
    heard = hints(case, [text for seat, text in state.said if seat != role])
    return View(own, tuple(mine), tuple(theirs), state.left, tuple(answered), heard)


def own_of(case: Case, role: str) -> Own:
    """Return what a role knows of a case; the last few are kept."""
    return _own(msgspec.json.encode(case), role)


@functools.lru_cache(maxsize=128)
def _own(case: bytes, role: str) -> Own:
    read = msgspec.json.decode(case, type=Case)
    return Own([np.array(issue.points(role)) for issue in read.issues], read.side(role).outside)
