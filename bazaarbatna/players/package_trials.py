"""Trials of players of packages: drawn cases, partners like people, paired games, a table.

Every player meets the same cases, partners and luck. ``python -m bazaarbatna cases`` prints it.
"""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random

import msgspec
import numpy as np

from bazaarbatna.cases.case import ROLES, Case, Choice, Number, Option, Side, other
from bazaarbatna.cases.packages import Floats, grid_of
from bazaarbatna.cases.play import Ended, apply, start
from bazaarbatna.intervals import Interval, paired_interval
from bazaarbatna.players.packages import (
    Decision,
    Micro,
    Player,
    TimeDependent,
    TitForTat,
    Trader,
    move_for,
    nearest,
    yardsticks,
)
from bazaarbatna.players.views import View


def drawn_case(seed: int) -> Case:
    """Draw a case: 2 to 5 issues, weights from opposed to aligned, one issue in six compatible."""
    dice = Random(f"{seed}/case")
    count = dice.randint(2, 5)
    mine = _weights(dice, count)
    lean = dice.uniform(-1, 1)
    mirrored = [mine[at] for at in _opposite(mine)]
    source = mine if lean > 0 else mirrored
    fresh = _weights(dice, count)
    theirs = [
        abs(lean) * own + (1 - abs(lean)) * new for own, new in zip(source, fresh, strict=True)
    ]
    issues = tuple(
        _issue(dice, at, 100 * mine[at], 100 * theirs[at] / sum(theirs)) for at in range(count)
    )
    text = {"en": "drawn"}
    a, b = (Side(text, text, round(dice.uniform(20, 45), 1)) for _ in "ab")
    return Case("drawn", text, text, text, a, b, issues, rounds=dice.randint(6, 12))


def _weights(dice: Random, count: int) -> list[float]:
    parts = [dice.expovariate(1) + 0.1 for _ in range(count)]
    return [part / sum(parts) for part in parts]


def _opposite(weights: Sequence[float]) -> list[int]:
    order = sorted(range(len(weights)), key=lambda at: weights[at])
    found = [0] * len(weights)
    for low, high in zip(order, reversed(order), strict=True):
        found[low] = high
    return found


def _issue(dice: Random, at: int, mine: float, theirs: float) -> Choice:
    count = dice.randint(3, 7)
    up = sorted([0.0, 1.0, *(dice.random() for _ in range(count - 2))])
    down = sorted([0.0, 1.0, *(dice.random() for _ in range(count - 2))], reverse=True)
    if dice.random() < 1 / 6:
        down.reverse()
    options = tuple(
        Option(f"o{place}", {"en": f"{place}"}, round(mine * one, 2), round(theirs * two, 2))
        for place, (one, two) in enumerate(zip(up, down, strict=True))
    )
    return Choice(f"i{at}", {"en": f"{at}"}, options)


class FixedPie(Player):
    """Believes that the other wants the opposite, and gives a step on one issue at a time.

    It begins with the best of everything, and takes what is worth its own next offer.
    """

    name = "issue by issue"

    def __init__(self, dice: Random) -> None:
        self.order = dice.random()
        self.slack = dice.uniform(0.0, 0.1)
        self.firm = dice.uniform(0.5, 1.5)

    def offer(self, view: View, dice: Random) -> int:
        """Return the last package with one issue a step lower, as far as the clock asks."""
        own = view.own
        if not view.mine:
            return int(np.argmax(own.points))
        at = own.where[:, view.mine[-1]].tolist()
        target = 1 - (1 - own.outside) * view.passed**self.firm
        issues = list(range(len(at)))
        if self.order < 0.5:
            dice.shuffle(issues)
        else:
            issues.sort(key=lambda issue: float(np.ptp(own.parts[issue])))
        for issue in issues:
            while own.points[own.index(tuple(at))] > target and own.parts[issue][at[issue]] > 0:
                part = own.parts[issue]
                lower = [place for place in range(len(part)) if part[place] < part[at[issue]]]
                step = max(lower, key=lambda place: float(part[place]))
                tried = [*at[:issue], step, *at[issue + 1 :]]
                if own.points[own.index(tuple(tried))] < max(target - 0.08, own.outside):
                    break
                at = tried
                if self.order < 0.75:
                    break
        return own.index(tuple(at))

    def decide(self, view: View, dice: Random) -> Decision:
        """Return the move: a little less than the own next offer is taken too."""
        found = super().decide(view, dice)
        if isinstance(found, int) and view.worth >= max(
            float(view.own.points[found]) - self.slack, view.own.outside + 0.02
        ):
            return "accept"
        return found


class RandomPackages(Player):
    """Offers any package that is worth enough, the less the later."""

    name = "random packages"

    def offer(self, view: View, dice: Random) -> int:
        """Return a package drawn from those above the target."""
        own = view.own
        target = 1 - (1 - own.outside) * (0.3 + 0.6 * view.passed)
        fits = np.flatnonzero(own.points >= target)
        return int(fits[dice.randrange(len(fits))]) if len(fits) else nearest(own, 1, dice)


def partner(seed: int) -> Player:
    """Draw whom a seed's case is played with: people-like two times in three."""
    dice = Random(f"{seed}/partner")
    kinds: list[Callable[[], Player]] = [
        lambda: FixedPie(dice),
        lambda: FixedPie(dice),
        RandomPackages,
        TitForTat,
        lambda: TimeDependent("a clock", dice.choice((0.3, 0.6, 1.0, 1.8))),
        Micro,
    ]
    return dice.choice(kinds)()


class Blind(Trader):
    """Plays as ours with what it thought of the other before the first move."""

    name = "trader, blind"

    def estimated(self, view: View) -> Floats:
        """Return the other's points of every package as nothing seen would have it."""
        unseen = msgspec.structs.replace(view, theirs=(), answered=(), heard=())
        return super().estimated(unseen)


class Result(msgspec.Struct, frozen=True):
    """A game: parts of the own range above no deal, 0..1, and joint points of the most possible.

    ``joint`` is None where there was no deal.
    """

    own: float
    joint: float | None


def finished(case: Case, player: Player, opposite: Player, seat: str, seed: int) -> Ended:
    """Play a case to its end; ``player`` sits in ``seat`` and hears first what the other says."""
    state = msgspec.structs.replace(start(case, seed)[0], said=((other(seat), opposite.says),))
    dice = {"a": Random(f"{seed}/a"), "b": Random(f"{seed}/b")}
    while state.ended is None:
        mover = player if state.turn == seat else opposite
        state, _ = apply(state, state.turn, move_for(mover, state, state.turn, dice[state.turn]))
    return state.ended


def played(case: Case, player: Player, opposite: Player, seat: str, seed: int) -> Result:
    """Play a drawn case to its end."""
    ended, outside = finished(case, player, opposite, seat, seed), case.side(seat).outside
    if ended.outcome != "deal":
        return Result(0.0, None)
    grid = grid_of(case)
    own = (ended.points[seat] - outside) / (100 - outside)
    return Result(own, sum(ended.points.values()) / float(grid.joint[grid.best_joint]))


class Row(msgspec.Struct, frozen=True):
    """A player over all games: mean own gain, ahead of ours by, deals, joint part of the deals."""

    name: str
    own: float
    behind: Interval | None
    deals: float
    joint: float
    itself: float
    itself_deals: float


def trial(seeds: Sequence[int]) -> list[Row]:
    """Let ours and all yardsticks play the same games, then each with itself; ours hears last."""
    cases = [(seed, case) for seed in seeds if grid_of(case := drawn_case(seed)).is_better.any()]
    ours = Trader()
    found: dict[str, list[Result]] = {}
    selves: dict[str, list[Result]] = {}
    for seed, case in cases:
        seat = "ab"[seed % 2]
        players = {
            ours.name: ours,
            Blind.name: Blind(),
            **yardsticks(grid_of(case).frontier),
        }
        for name, player in players.items():
            found.setdefault(name, []).append(played(case, player, partner(seed), seat, seed))
            selves.setdefault(name, []).append(played(case, player, player, seat, seed))
        for name, is_true in (("trader, told the truth", True), ("trader, told lies", False)):
            speaker = partner(seed)
            speaker.says = told(case, other(seat), is_true=is_true)
            found.setdefault(name, []).append(played(case, ours, speaker, seat, seed))
    best, itself = found[ours.name], selves[ours.name]
    return [
        _row(name, games, selves.get(name, itself), None if name == ours.name else best)
        for name, games in found.items()
    ]


def told(case: Case, role: str, *, is_true: bool) -> str:
    """Write what a role says of what matters most and least to it; untrue: the other way round."""
    parts = grid_of(case).parts[role]
    order = sorted(range(len(parts)), key=lambda at: float(np.ptp(parts[at])))
    least, most = (case.issues[order[at]].key for at in ((0, -1) if is_true else (-1, 0)))
    return f"{most} matters most to me. I don't mind {least}."


def _row(
    name: str, games: Sequence[Result], selves: Sequence[Result], best: Sequence[Result] | None
) -> Row:
    gaps = [one.own - two.own for one, two in zip(best or games, games, strict=True)]
    behind = paired_interval(gaps) if best is not None else None
    joint, itself = (
        [game.joint for game in some if game.joint is not None] for some in (games, selves)
    )
    return Row(
        name,
        float(np.mean([game.own for game in games])),
        behind,
        len(joint) / len(games),
        float(np.mean(joint)) if joint else 0.0,
        float(np.mean(itself)) if itself else 0.0,
        len(itself) / len(selves),
    )


class Receipt(msgspec.Struct, frozen=True):
    """What a trial found, and the command that finds it again."""

    command: str
    rows: list[Row]


def receipt_of(seeds: range) -> Receipt:
    """Return what a trial of seeds finds."""
    command = f"python -m bazaarbatna cases --games {len(seeds)} --seed {seeds[0]} --receipt FILE"
    return Receipt(command, trial(seeds))


def trial_lines(seeds: Sequence[int]) -> Iterator[str]:
    """Write a line for each player: own gain, how far ours is ahead, deals, joint points."""
    head = f"{'player':<24}{'own gain':>9}  {'ours ahead by':<24}{'deals':>6}{'joint':>7}"
    yield f"{head}{'  itself: deals':>15}{'joint':>7}"
    for row in trial(seeds):
        gap = row.behind
        ahead = "" if gap is None else f"{gap.mean:.3f} ({gap.low:.3f} to {gap.high:.3f})"
        told = f"{row.name:<24}{row.own:>9.3f}  {ahead:<24}{row.deals:>6.2f}{row.joint:>7.3f}"
        yield f"{told}{row.itself_deals:>15.2f}{row.itself:>7.3f}"
    yield (
        f"Drawn cases {seeds[0]} to {seeds[-1]} with a zone, the same partners and luck for all. "
        "Own gain: part of the way from no deal to the best package, no deal counts 0. Joint: "
        "points of both, of the most that any package has, where there was a deal."
    )


class Dialogue(msgspec.Struct, frozen=True):
    """What two people wanted of three packages each of some goods, per package, and what they got.

    One with 5 points for both had no deal (Chawla et al. 2021).
    """

    weights: tuple[dict[str, int], dict[str, int]]
    points: tuple[int, int]

    @property
    def case(self) -> Case:
        """The same goods as a case: each is shared out by whole packages."""
        text = {"en": "packages"}
        mine, theirs = self.weights
        issues = tuple(
            Number(name.lower(), text, 0, 3, 1, a=((0, 0), (3, 3 * worth)), b=knots)
            for name, worth in mine.items()
            for knots in [((0, 3 * theirs[name]), (3, 0))]
        )
        return Case("camp", text, text, text, Side(text, text, 5), Side(text, text, 5), issues)


def dialogue_lines(path: Path) -> Iterator[str]:
    """Write what people had of several issues, and what ours has in their places with itself.

    The file has a dialogue in each line (JSON: ``weights``, ``points``). Raises ValueError,
    KeyError or DecodeError for any other.
    """
    read = msgspec.json.Decoder(Dialogue)
    talks = [read.decode(line) for line in path.read_bytes().splitlines()]
    if not talks:
        raise ValueError("there are no dialogues")
    with_itself = [finished(one.case, Trader(), Trader(), "a", at) for at, one in enumerate(talks)]
    theirs = [one.points if one.points != (5, 5) else None for one in talks]
    ours = [
        (one.points["a"], one.points["b"]) if one.outcome == "deal" else None for one in with_itself
    ]
    for name, found in (("people", theirs), ("ours with itself", ours)):
        shares = [
            sum(points) / float(grid.joint[grid.best_joint])
            for points, talk in zip(found, talks, strict=True)
            for grid in [grid_of(talk.case)]
            if points
        ]
        each = float(np.mean([points or (5, 5) for points in found]))
        yield (
            f"{name}, {len(talks)} talks: {len(shares) / len(talks):.0%} deals, joint "
            f"{np.mean(shares):.3f} of the most, {each:.1f} points each"
        )


def case_lines(case: Case, games: int) -> Iterator[str]:
    """Write how a case ends when drawn partners and ours play it, in either seat."""
    most = float(grid_of(case).joint[grid_of(case).best_joint])
    for ours in ROLES:
        ended = [finished(case, Trader(), partner(seed), ours, seed) for seed in range(games)]
        deals = [sum(one.points.values()) / most for one in ended if one.outcome == "deal"]
        means = [float(np.mean([one.points[role] for one in ended])) for role in ROLES]
        yield (
            f"{case.id}, ours is {ours}: {len(deals) / games:.0%} deals, points a {means[0]:,.1f}, "
            f"b {means[1]:,.1f}, joint {np.mean(deals) if deals else 0:.3f} of the most"
        )
