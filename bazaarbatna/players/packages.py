"""Players who offer packages of several issues and know their own points only.

All of them see a ``View``. ``Trader`` learns what the other side cares for from what it moves, and
offers what costs itself least and gives the other most; the rest are the yardsticks of the field.
"""

import functools
from collections.abc import Mapping
from random import Random
from typing import Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

from bazaarbatna.cases.case import Case
from bazaarbatna.cases.packages import Floats, grid_of, part_of_range, total
from bazaarbatna.cases.play import Move, State
from bazaarbatna.players.hearing import Hint, hints

Decision = int | Literal["accept", "walk"]
"""The index of a package to offer, or what ends the game."""


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
        self.particles: tuple[Floats, list[Floats]] | None = None  # what the other may want

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
    """How ``Trader`` concedes and learns; found by search over drawn cases (``package_trials``).

    ``end``: the last target, as a part of the way from no deal to the estimated Nash point;
    ``bend``: below 1 holds out long. ``their_outside``: what the other has without a deal, as a
    guess. ``hair``: with one answer left, what it takes of the own offer's worth to accept.
    ``gives``: how far below the target it goes at the end for what serves both better, in parts of
    the own range; ``together``: what own points weigh there beside the other's.

    What an offer is taken to show: ``keen``: that it is good for whoever makes it; ``refused``:
    that it is better than what was passed over for it; ``steady``: how far concessions stray from
    small steps; ``first``: how far the first one is from the best, both in parts of all points.
    ``trusts``: how much words say of what matters; 0: nothing, for they cost nothing.
    """

    end: float = 0.85
    bend: float = 0.47
    keen: float = 8.0
    their_outside: float = 0.3
    hair: float = 0.85
    gives: float = 0.1
    together: float = 0.6
    steady: float = 0.2
    refused: float = 8.0
    first: float = 0.15
    trusts: float = 5.0


class Trader(Player):
    """Estimates the other's points by particles, and offers on its own lines what it likes best."""

    name = "trader"

    def __init__(self, habits: Habits | None = None) -> None:
        self.habits = habits or Habits()

    def offer(self, view: View, dice: Random) -> int:
        """Return the package that serves both best among those that are worth the target."""
        own, habits = view.own, self.habits
        theirs = total(estimated(view, habits))
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
        """Return the move: near the end little is risked."""
        found = super().decide(view, dice)
        if isinstance(found, int) and view.left == 2 and view.worth > view.own.outside:
            risked = self.habits.hair * float(view.own.points[found])
            return "accept" if view.worth >= risked else found
        return found


PARTICLES = 120
STEPS = 15

Beliefs = tuple[Floats, list[Floats]]
"""What the other may want: weights, shape (particles, issues), and for each issue the parts of the
weight that its values give, shape (particles, values), each row from 0 to 1."""


def estimated(view: View, habits: Habits) -> list[Floats]:
    """Return the other's points of every value of each issue as particles see them, best sum 1.

    The particles are moved by Metropolis steps on what they have to explain (``_logs``).
    """
    # The legacy generator: its numbers are the same in every version.
    luck = np.random.RandomState(7 + len(view.theirs))
    own = view.own
    if own.particles is None:
        prior = np.random.RandomState(7)
        weights = prior.dirichlet(np.ones(len(own.parts)), PARTICLES)
        own.particles = weights, [_values(part, prior, PARTICLES) for part in own.parts]
    weights, values = own.particles[0], list(own.particles[1])
    if view.theirs or view.heard:
        logs = _logs(view, habits, (weights, values))
        count = len(values)
        for step in range(STEPS):
            tried = weights * np.exp(0.4 * luck.randn(*weights.shape))
            tried /= tried.sum(axis=1, keepdims=True)
            at = step % count
            bent = values[at] ** np.exp(0.4 * luck.randn(PARTICLES, 1))
            fresh = _values(own.parts[at], luck, PARTICLES)
            changed = [*values]
            changed[at] = np.where(luck.rand(PARTICLES, 1) < 0.4, fresh, bent)
            found = _logs(view, habits, (tried, changed))
            takes = np.log(luck.rand(PARTICLES)) < found - logs
            weights = np.where(takes[:, None], tried, weights)
            values[at] = np.where(takes[:, None], changed[at], values[at])
            logs = np.where(takes, found, logs)
    return [
        np.asarray((weights[:, issue, None] * part).mean(axis=0))
        for issue, part in enumerate(values)
    ]


def _logs(view: View, habits: Habits, beliefs: Beliefs) -> Floats:
    """Return how well particles explain the other's offers, shape (particles,).

    An offer is likelier the better it is for whoever makes it; a package that was passed over was
    worse for it than its next own offer; concessions are small steps down.
    """
    logs = _logs_of_words(view, habits.trusts, beliefs)
    if not view.theirs:
        return logs
    weights, values = beliefs
    offers = np.array(view.theirs)
    liked = np.zeros((len(weights), len(offers)))
    for issue, part in enumerate(values):
        known = np.where(offers[:, issue] >= 0, part[:, offers[:, issue]], 0.5)
        liked += weights[:, issue, None] * known
    new = [at for at, one in enumerate(view.theirs) if one not in view.theirs[:at]]
    sure = habits.keen * 0.9 ** np.arange(len(new))
    logs = logs + (liked[:, new] * sure).sum(axis=1)
    for issue, part in enumerate(values):
        weighted = weights[:, issue, None] * part
        logs -= np.log(np.exp(weighted[:, None, :] * sure[:, None]).mean(axis=2)).sum(axis=1)
    asked = [at for at, count in enumerate(view.answered) if count]
    if asked:
        mine = view.own.where[:, [view.mine[view.answered[at] - 1] for at in asked]]
        passed = np.zeros((len(weights), len(asked)))
        for issue, part in enumerate(values):
            passed += weights[:, issue, None] * part[:, mine[issue]]
        logs -= np.log1p(np.exp(-habits.refused * (liked[:, asked] - passed + 0.05))).sum(axis=1)
    steps = np.diff(liked, axis=1)
    logs -= ((steps + 0.03) ** 2).sum(axis=1) / (2 * habits.steady**2)
    return np.asarray(logs - (1 - liked[:, 0]) ** 2 / (2 * habits.first**2))


def _logs_of_words(view: View, trusts: float, beliefs: Beliefs) -> Floats:
    """Return how well particles explain what the other says: weakly, for words cost nothing."""
    weights, values = beliefs
    logs = np.zeros(len(weights))
    for hint in view.heard:
        if hint.sort == "never":
            logs -= np.log1p(np.exp(trusts * (values[hint.issue][:, hint.value] - 0.3)))
        else:
            leans = weights * (trusts if hint.sort == "most" else -trusts)
            logs += leans[:, hint.issue] - np.log(np.exp(leans).sum(axis=1))
    return logs


def _values(part: Floats, luck: np.random.RandomState, count: int) -> Floats:
    """Draw what the other may want on an issue: mostly the opposite, sometimes the same."""
    kind = luck.rand(count, 1)
    rising = np.sort(luck.rand(count, len(part)), axis=1)
    if len(part) > 8:  # a number's points run straighter than those of a few options
        rising = np.linspace(0, 1, len(part)) ** np.exp(0.4 * luck.randn(count, 1))
    order = np.argsort(np.argsort(part, kind="stable"), kind="stable")
    drawn = np.where(kind < 0.8, rising[:, ::-1][:, order], rising[:, order])
    if len(part) <= 8:
        drawn = np.where(kind < 0.95, drawn, luck.rand(count, len(part)))
    drawn = drawn - drawn.min(axis=1, keepdims=True)
    return np.asarray(drawn / np.maximum(drawn.max(axis=1, keepdims=True), 1e-9))


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
