"""What a room played of a case: its finished games, read from their logs, and what they are worth.

The first role stands as "seller", the second one as "buyer", as everywhere in rooms.
"""

from collections.abc import Sequence
from typing import Any

import msgspec
from django.utils.translation import gettext

from bazaarbatna.bargain.quantities import Side
from bazaarbatna.cases import play
from bazaarbatna.cases.case import Case, Package
from bazaarbatna.cases.packages import Trade, grid_of, missed
from negotiation.cases.game import CASE, Dealt, language
from negotiation.cases.grading import worth_of
from negotiation.cases.seats import ROLE_OF, SIDE_OF
from negotiation.cases.table import in_language
from negotiation.models import SealedRecord
from negotiation.sentences import sentences
from rooms.debrief import games
from rooms.debrief.counted import games_in
from rooms.debrief.games import SIDES, Log, Made, Played, made_by
from rooms.hosting import plan_of
from rooms.models import Room, RoomGame
from rooms.study_hooks import is_study

say = sentences(__file__)

SALES = "one-price"
"""The key of sales; no case has an id with a dash."""

READ = ("offered", "said", "spoke", "accepted", "walked", "ended")


class Turn(Made, frozen=True):
    """A move of a case; ``package`` is what an offer settles."""

    package: Package


class Settled(Played[Turn], frozen=True, kw_only=True):
    """A finished game of a case; ``points`` are what both came out with, by role."""

    case: Case
    package: Package
    points: dict[str, float]

    @property
    def is_deal(self) -> bool:
        """They agreed."""
        return self.outcome == "deal"

    @property
    def has_zone(self) -> bool:
        """Some package is better for both than none."""
        return worth_of(self.case).has_zone

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
        offers = (turn for turn in self.moves if turn.package == self.package)
        return next((turn.side for turn in offers), None) if self.is_deal else None

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
        part = worth_of(self.case).part(ROLE_OF[side], self.gained(side))
        return None if part is None else min(1.0, max(0.0, part))

    def share_if(self, offer: Turn | None, side: Side) -> float | None:
        """Return a side's share if it had taken an offer; None: there was no whole one."""
        if offer is None or not self.case.is_whole(offer.package):
            return None
        role = ROLE_OF[side]
        return worth_of(self.case).part(role, self.case.points(role, offer.package))


def settled_in(room: Room, case: Case) -> list[Settled]:
    """Read all finished games of a case that count, by round."""
    logs = games.logs_in(room, READ, CASE.event_from, game__kind__in=CASE.kinds)
    found = [settled(dealt_of(row.game_id).case, number, row, log) for number, row, log in logs]
    # A table has a rule of its own for what its end tells.
    told = msgspec.structs.replace
    return [one for one in found if told(one.case, reveal=case.reveal) == case]


class Part(msgspec.Struct, frozen=True):
    """What a room plays: sales, or a ``case``; ``key`` tells it from its other parts."""

    key: str
    case: Case | None = None

    @property
    def title(self) -> str:
        """What it is called; of two cases that have one id the second one is counted."""
        title = in_language(self.case.title) if self.case else say("sales")
        again = self.key.rpartition(".")[2]
        return f"{title} ({again})" if again.isdecimal() else title


def parts_of(room: Room) -> list[Part]:
    """Return what a room plays, of a study what its arms have played: sales, then each case."""
    rows = games_in(room)
    if not is_study(room):
        case = plan_of(room).case
        return [Part(case.id if case else SALES, case)]
    ids = rows.filter(game__kind__in=CASE.kinds).values_list("game_id", flat=True)
    sealed = dict(SealedRecord.objects.filter(game__in=ids).values_list("game_id", "scenario"))
    # An own case may have an id of the shelf, and two versions of a case have the same one.
    told = dict.fromkeys(bytes(msgspec.json.decode(sealed[one], type=_Told).case) for one in ids)
    found = [Part(SALES)]
    for case in (msgspec.json.decode(one, type=Case) for one in told):
        again = sum(part.case is not None and part.case.id == case.id for part in found)
        found.append(Part(f"{case.id}.{again + 1}" if again else case.id, case))
    has_sales = not told or rows.exclude(game__kind__in=CASE.kinds).exists()
    return found if has_sales else found[1:]


def played_of(room: Room, part: Part) -> Sequence[Played[Any]]:
    """Read the finished games of a part that count."""
    return settled_in(room, part.case) if part.case else games.played_in(room)


class _Told(msgspec.Struct, frozen=True):
    """Of a case that was dealt what tells it from others."""

    case: msgspec.Raw


def dealt_of(game_id: str) -> Dealt:
    """Return a case as it was when a game of it began."""
    return msgspec.json.decode(SealedRecord.objects.get(game=game_id).scenario, type=Dealt)


def settled(case: Case, number: int, row: RoomGame, log: Log) -> Settled:
    """Make a finished game out of its log."""
    ended = log[-1][1]
    assert isinstance(ended, play.Ended)
    moves = tuple(
        Turn(made_by(by), SIDE_OF[told[0]], told[1].action, told[1].text, told[1].package)
        for _, event, by in log
        if (told := play.move_of(event))
    )
    house = gettext("the house")
    seller, buyer = (games.chair_of(row, side, ROLE_OF[side], house, moves) for side in SIDES)
    return Settled(
        number=number,
        round=row.round,
        game=row.game_id,
        case=case,
        seller=seller,
        buyer=buyer,
        moves=moves,
        package=ended.package,
        points=ended.points,
        outcome=ended.outcome,
        by=moves[-1].side if moves else None,
        closed=games.closed_by(row, log),
    )


def called(game: Settled, side: Side, *, named: bool) -> str:
    """Name whoever sat on a side: the house always, a person by name or by role."""
    role = play.words(game.case.side(ROLE_OF[side]).name, language())
    return games.called(game.chair(side), named=named, role=role)


def in_words(game: Settled) -> str:
    """Say what a deal settles."""
    return play.in_words(game.case, game.package, language())
