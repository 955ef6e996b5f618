"""Players who offer packages of several issues and know their own points only.

All of them see a ``View``. ``Trader`` learns what the other side cares for from what it moves, and
offers what costs itself least and gives the other most; the rest are the yardsticks of the field.
"""

from collections.abc import Mapping
from random import Random
from typing import Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

from bazaarbatna.cases.packages import Floats, grid_of, part_of_range, total
from bazaarbatna.cases.play import Move, State
from bazaarbatna.players.views import Own, View, view_of
from bazaarbatna.players.wishes import estimated

Decision = int | Literal["accept", "walk"]
"""The index of a package to offer, or what ends the game."""


class Player:
    """Accepts what is worth its next offer, and at the end whatever beats no deal."""

    name = "player"
    says = ""  # in trials, before the first move

    def offer(self, view: View, dice: Random) -> int:
        """Return the package to offer."""
        raise NotImplementedError

    def decide(self, view: View, dice: Random) -> Decision:
        """Return the move."""
        own = view.own
        if view.left == 1:
            return "accept" if view.worth >= own.outside else "walk"
        offer = self.offer(view, dice)
        if view.worth >= max(float(own.points[offer]), own.outside):
            return "accept"
        return offer if own.points[offer] >= own.outside else "walk"


def nearest(own: Own, target: float, dice: Random) -> int:
    """Return a package worth the target or the least above it; the dice choose among equals."""
    points = np.where(own.points >= target - 1e-9, own.points, np.inf)
    if not np.isfinite(points).any():
        return int(np.argmax(own.points))
    least = np.flatnonzero(points <= points.min() + 0.01)
    return int(least[dice.randrange(len(least))])


class TimeDependent(Player):
    """Goes down from its best to no deal by time alone (Faratin et al. 1998)."""

    def __init__(self, name: str, bend: float) -> None:
        self.name, self.bend = name, bend

    def offer(self, view: View, dice: Random) -> int:
        """Return a package worth what the clock says."""
        down = view.passed ** (1 / self.bend)
        return nearest(view.own, 1 - (1 - view.own.outside) * down, dice)


class Micro(Player):
    """Makes a new offer only for each new one of the other side (de Jonge 2022)."""

    name = "micro"

    def offer(self, view: View, dice: Random) -> int:
        """Return the next best package, or one of before where the other does not move."""
        order = np.argsort(-view.own.points, kind="stable")
        mine, theirs = len(set(view.mine)), len(set(view.theirs))
        if mine and mine > theirs:
            return view.mine[dice.randrange(len(view.mine))]
        return int(order[min(mine, len(order) - 1)])


class TitForTat(Player):
    """Gives what the other gave, in own points."""

    name = "tit-for-tat"

    def offer(self, view: View, dice: Random) -> int:
        """Return a package as far from the best as the other has come towards it."""
        worths = [
            float(view.own.points[view.own.index(one)]) for one in view.theirs if -1 not in one
        ]
        given = max(worths) - worths[0] if worths else 0.0
        return nearest(view.own, max(1 - given, view.own.outside), dice)


class Splitter(Player):
    """Splits every issue in the middle, whatever it is worth."""

    name = "split every issue"

    def offer(self, view: View, dice: Random) -> int:
        """Return the package in the middle of everything."""
        middle = [int(np.argmin(np.abs(part_of_range(part) - 0.5))) for part in view.own.parts]
        return view.own.index(tuple(middle))


class FrontierWalker(Player):
    """Draws from the true frontier what is worth the clock's target: it is told the frontier."""

    name = "random on the frontier"

    def __init__(self, frontier: NDArray[np.intp]) -> None:
        self.frontier = frontier

    def offer(self, view: View, dice: Random) -> int:
        """Return a package of the frontier."""
        target = 1 - (1 - view.own.outside) * view.passed
        fits = [int(at) for at in self.frontier if view.own.points[at] >= target - 1e-9]
        return fits[dice.randrange(len(fits))] if fits else int(np.argmax(view.own.points))


class Habits(msgspec.Struct, frozen=True):
    """How ``Trader`` concedes; found by search over drawn cases (``package_trials``).

    ``end``: the last target, as a part of the way from no deal to the estimated Nash point;
    ``bend``: below 1 holds out long. ``their_outside``: what the other has without a deal, as a
    guess. ``hair``: with one answer left, what it takes of the own offer's worth to accept.
    ``gives``: how far below the target it goes at the end for what serves both better, in parts of
    the own range; ``together``: what own points weigh there beside the other's. ``asks``: how much
    it gives, before it accepts with moves left, for a package that the other is thought to like
    that much better, and at most ``often`` times.
    """

    end: float = 1.05
    bend: float = 0.45
    their_outside: float = 0.3
    hair: float = 0.85
    gives: float = 0.33
    together: float = 1.05
    asks: float = 0.05
    often: int = 2


class Trader(Player):
    """Estimates the other's points, and offers on its own lines what it likes best."""

    name = "trader"

    def __init__(self, habits: Habits | None = None) -> None:
        self.habits = habits or Habits()

    def offer(self, view: View, dice: Random) -> int:
        """Return the package that serves both best among those that are worth the target."""
        own, habits = view.own, self.habits
        theirs = self.estimated(view)
        gains = np.maximum(theirs - habits.their_outside, 0)
        fair = float(own.points[np.argmax(np.maximum(own.points - own.outside, 0) * gains)])
        end = own.outside + habits.end * (fair - own.outside)
        target = 1 - (1 - end) * view.passed ** (1 / habits.bend)
        least = min(target, float(own.points.max())) - habits.gives * view.passed
        fits = own.points >= max(own.outside, least) - 1e-9
        liked = np.where(fits, theirs + habits.together * own.points, -1.0)
        if view.mine:
            liked[own.takes_back(view.mine[-1])] = -1.0
            liked[view.mine[-1]] = max(liked[view.mine[-1]], 0.0)  # it stands, whatever is thought
            fresh = liked.copy()  # what was offered once is not offered again
            fresh[list(view.mine)] = -1.0
            liked = fresh if fresh.max() > 0 else liked
        return int(np.argmax(liked))

    def decide(self, view: View, dice: Random) -> Decision:
        """Return the move: near the end little is risked, before it a better trade is asked for."""
        found = super().decide(view, dice)
        if found == "accept" and view.left > 2:
            return self._better(view)
        if isinstance(found, int) and view.left == 2 and view.worth > view.own.outside:
            risked = self.habits.hair * float(view.own.points[found])
            return "accept" if view.worth >= risked else found
        return found

    def estimated(self, view: View) -> Floats:
        """Return what every package may be worth to the other, 0..1."""
        return total(estimated(view))

    def _better(self, view: View) -> Decision:
        """Return a package to offer instead of accepting: about as good, and liked better."""
        own, theirs, habits = view.own, self.estimated(view), self.habits
        before = [
            own.points[own.index(one)] >= own.points[view.mine[count]] - 1e-9
            for one, count in zip(view.theirs[:-1], view.answered, strict=False)
            if -1 not in one and count < len(view.mine)
        ]
        if view.standing is None or not view.mine or sum(before) >= habits.often:
            return "accept"
        fits = own.points >= max(own.outside, view.worth - habits.asks) - 1e-9
        fits &= theirs >= theirs[view.standing] + habits.asks
        fits &= ~own.takes_back(view.mine[-1])
        liked = np.where(fits, theirs + habits.together * own.points, -1.0)
        return int(np.argmax(liked)) if fits.any() else "accept"


def move_for(player: Player, state: State, role: str, dice: Random) -> Move:
    """Return a player's move in a position of a case."""
    decision = player.decide(view_of(state, role), dice)
    if isinstance(decision, int):
        return Move("offer", grid_of(state.case).package(decision))
    return Move(decision)


PLAIN: dict[str, Player] = {
    "boulware": TimeDependent("boulware", 0.2),
    "linear": TimeDependent("linear", 1.0),
    "conceder": TimeDependent("conceder", 2.0),
    **{player.name: player for player in (Micro(), TitForTat(), Splitter())},
}
"""Players by a rule that know their own points only, by name."""


def yardsticks(frontier: NDArray[np.intp]) -> Mapping[str, Player]:
    """Return the players that ours has to beat, by name."""
    return {**PLAIN, FrontierWalker.name: FrontierWalker(frontier)}
