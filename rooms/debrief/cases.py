"""What a room played of a case: its finished games, read from their logs, and what they are worth.

The first role stands as "seller", the second one as "buyer", as everywhere in rooms.
"""

import functools
from collections.abc import Sequence
from typing import Literal

import msgspec
from django.utils.translation import gettext

from bazaarbatna.bargain.quantities import Side
from bazaarbatna.cases import play
from bazaarbatna.cases.case import Case, Package
from bazaarbatna.cases.packages import Trade, grid_of, missed
from negotiation.bargain.terms import PERSON
from negotiation.cases.game import CASE, language
from negotiation.cases.seats import ROLE_OF, SIDE_OF
from negotiation.models import EventRow, Game
from rooms.debrief.counted import games_in
from rooms.debrief.games import BROKEN_OFF, SIDES, Chair, made_by
from rooms.models import Member, Room, RoomGame

READ = ("offered", "said", "accepted", "walked", "ended")


class Turn(msgspec.Struct, frozen=True):
    """A move as it was made; ``package`` is what an offer settles."""

    side: Side
    kind: str
    package: Package
    text: str
    by: Literal["person", "policy", "table"]


class Settled(msgspec.Struct, frozen=True, kw_only=True):
    """A finished game of a case; ``points`` are what both came out with, by role."""

    number: int
    round: int
    game: str
    case: Case
    seller: Chair
    buyer: Chair
    turns: tuple[Turn, ...]
    package: Package
    points: dict[str, float]
    outcome: str
    closed: str = ""

    @property
    def is_deal(self) -> bool:
        """They agreed."""
        return self.outcome == "deal"

    @property
    def is_broken_off(self) -> bool:
        """Closed because somebody was gone: it counts for nobody."""
        return self.closed in BROKEN_OFF and not self.is_deal

    @property
    def is_between_people(self) -> bool:
        """No program played any part."""
        return self.seller.is_person and self.buyer.is_person

    @property
    def joint(self) -> float:
        """Points of both together."""
        return sum(self.points.values())

    @property
    def left(self) -> float:
        """Points of both together that a better package would have given."""
        return max(0.0, worth_of(self.case).best - self.joint)

    @property
    def part(self) -> float:
        """The points of both as a part of the most there were."""
        best = worth_of(self.case).best
        return self.joint / best if best > 0 else 1.0

    @property
    def is_on_frontier(self) -> bool:
        """No package would have been better for one without being worse for the other."""
        grid = grid_of(self.case)
        return self.is_deal and grid.index(self.package) in worth_of(self.case).efficient

    @property
    def trade(self) -> Trade | None:
        """The best change of one or two issues that both would have liked."""
        return missed(self.case, self.package) if self.is_deal else None

    @property
    def found_by(self) -> Side | None:
        """Who laid the package of the deal on the table first."""
        offers = (turn for turn in self.turns if turn.package == self.package)
        return next((turn.side for turn in offers), None) if self.is_deal else None

    def chair(self, side: Side) -> Chair:
        """Return who sat on a side."""
        return self.seller if side == "seller" else self.buyer

    def gained(self, side: Side) -> float:
        """Return a side's points."""
        return self.points[ROLE_OF[side]]

    def is_loss(self, side: Side) -> bool:
        """Whether no deal would have been worth more to a side."""
        return self.gained(side) < self.case.side(ROLE_OF[side]).outside

    def share(self, side: Side) -> float | None:
        """Return a side's part, 0..1, of the most that it could gain while the other gains, too.

        None where no package is better for both than none.
        """
        return worth_of(self.case).share(ROLE_OF[side], self.gained(side))

    def earned(self, side: Side) -> float | None:
        """Return the share that counts for a person on a side; None: the game does not count.

        As in a sale, what a program did for somebody who was gone earns no more than the package
        that stood for the taking at that moment.
        """
        share = self.share(side)
        if share is None:
            return None
        if self.is_broken_off:
            return 0.0 if self.closed == "absent" and self.turns[-1].side == side else None
        return min(share, self._left_at(side)) if self.chair(side).helped else share

    def decided_well(self, side: Side) -> bool | None:
        """Say whether a person's last decision was right, as ``FinishedGame`` has it."""
        if self.is_broken_off or self.chair(side).helped:
            return None
        if self.is_deal:
            return not self.is_loss(side)
        if not worth_of(self.case).has_zone:
            return True
        last = self.turns[-1] if self.turns else None
        if last is None or (last.kind, last.side, last.by) != ("walk", side, "person"):
            return None
        offers = [turn.package for turn in self.turns if turn.kind == "offer" and turn.side != side]
        if not offers or not self.case.is_whole(offers[-1]):
            return True
        role = ROLE_OF[side]
        return self.case.points(role, offers[-1]) < self.case.side(role).outside

    def _left_at(self, side: Side) -> float:
        standing: Package = {}
        for turn in self.turns:
            if turn.side == side and turn.by == "policy":
                break
            if turn.side != side and turn.kind == "offer":
                standing = turn.package
        if not self.case.is_whole(standing):
            return 0.0
        role = ROLE_OF[side]
        return worth_of(self.case).share(role, self.case.points(role, standing)) or 0.0


class Worth(msgspec.Struct, frozen=True):
    """What there is in a case: the greatest sum, the most for each role, the efficient packages."""

    case: Case
    best: float
    most: dict[str, float]
    has_zone: bool
    efficient: frozenset[int]

    def share(self, role: str, points: float) -> float | None:
        """Return points as a part, 0..1, of the way from no deal to the most; None: no way."""
        outside = self.case.side(role).outside
        if not self.has_zone or self.most[role] <= outside:
            return None
        return min(1.0, max(0.0, (points - outside) / (self.most[role] - outside)))


def worth_of(case: Case) -> Worth:
    """Return what there is in a case; the last few are kept."""
    return _worth(msgspec.json.encode(case))


@functools.lru_cache(maxsize=64)
def _worth(told: bytes) -> Worth:
    case = msgspec.json.decode(told, type=Case)
    grid = grid_of(case)
    outside = sum(case.side(role).outside for role in ("a", "b"))
    best = float(grid.joint[grid.best_joint]) if grid.is_better.any() else outside
    most = {
        role: max(map(float, grid.points[role][grid.is_better]), default=0.0) for role in ("a", "b")
    }
    edge = {
        (round(float(grid.points["a"][at]), 6), round(float(grid.points["b"][at]), 6))
        for at in grid.frontier
    }
    pairs = zip(grid.points["a"], grid.points["b"], strict=True)
    efficient = frozenset(
        at for at, (a, b) in enumerate(pairs) if (round(float(a), 6), round(float(b), 6)) in edge
    )
    return Worth(case, best, most, bool(grid.is_better.any()), efficient)


def settled_in(room: Room, case: Case) -> list[Settled]:
    """Read all finished games that count, by round; few queries, however many there are."""
    rows = games_in(room).select_related("game", "seller", "buyer")
    logs: dict[str, list[tuple[play.Event, str]]] = {}
    stored = EventRow.objects.filter(
        game__in_room__room=room, game__status=Game.Status.ENDED, kind__in=READ
    ).order_by("game", "seq")
    for game, payload, backend in stored.values_list("game_id", "payload", "backend"):
        logs.setdefault(game, []).append((CASE.event_from(payload), backend))
    return [
        _settled(number, row, case, log)
        for number, row in enumerate(rows, start=1)
        if row.game.status == Game.Status.ENDED and (log := logs.get(row.game_id))
    ]


def _settled(
    number: int, row: RoomGame, case: Case, log: Sequence[tuple[play.Event, str]]
) -> Settled:
    ended = log[-1][0]
    assert isinstance(ended, play.Ended)
    turns = tuple(
        Turn(SIDE_OF[told[0]], told[1].action, told[1].package, told[1].text, made_by(backend))
        for event, backend in log
        if (told := play.move_of(event))
    )
    served = {turn.side for turn in turns if turn.by == "policy"}
    chairs = {side: _chair(row, side, helped=side in served) for side in SIDES}
    return Settled(
        number=number,
        round=row.round,
        game=row.game_id,
        case=case,
        seller=chairs["seller"],
        buyer=chairs["buyer"],
        turns=turns,
        package=ended.package,
        points=ended.points,
        outcome=ended.outcome,
        closed=row.closed,
    )


def _chair(row: RoomGame, side: Side, *, helped: bool) -> Chair:
    member: Member | None = getattr(row, side)
    if member is None:
        return Chair(side, None, "", may_quote=False, house=gettext("the house"))
    helped = helped or (row.game.policy != PERSON and row.game.seat != ROLE_OF[side])
    shown = "" if member.withdrawn_at else member.nickname
    return Chair(side, member.number, shown, may_quote=False, house="", helped=helped)


def called(game: Settled, side: Side, *, named: bool) -> str:
    """Name whoever sat on a side: the house always, a person by name or by role."""
    chair = game.chair(side)
    if chair.house or (named and chair.nickname):
        return chair.house or chair.nickname
    return play.words(game.case.side(ROLE_OF[side]).name, language())


def in_words(game: Settled) -> str:
    """Say what a deal settles."""
    return play.in_words(game.case, game.package, language())
