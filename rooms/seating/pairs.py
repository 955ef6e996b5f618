"""Who waits for a game, and who plays it together: the choice alone, without the database.

Among strangers no two are put together where that would leave others with nobody new. So the choice
looks at everybody who may still come to this game, not only at who waits at this moment.
"""

import itertools
import random
import secrets
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, timedelta

import msgspec

from bazaarbatna.bargain.quantities import Side, other
from rooms.models import Member
from rooms.plan import FOR_DAYS_S, Plan


class Waiting(msgspec.Struct, frozen=True):
    """A member who could play now, ``since`` when; None: who still plays, or reads the end.

    ``last`` is the side of the last game, ``partner`` who sat opposite last, of people alone.
    ``met`` counts the games with each person, ``sat_out`` those with the house.
    """

    member: Member
    plan: Plan
    since: datetime | None
    last: Side | None
    partner: str
    met: Counter[str]
    sat_out: int

    @property
    def round(self) -> int:
        """The game this would be, from 1."""
        return self.member.dealt + 1

    def waits(self, seconds: float, now: datetime) -> bool:
        """Whether this one has waited for so long."""
        return self.since is not None and now - self.since >= timedelta(seconds=seconds)


class Pair(msgspec.Struct, frozen=True):
    """Who sells and who buys; None: the house."""

    seller: Waiting | None
    buyer: Waiting | None

    @property
    def people(self) -> list[Waiting]:
        """The one or two people of it."""
        return [one for one in (self.seller, self.buyer) if one is not None]


def choose(
    group: Sequence[Waiting], roster: Sequence[int], now: datetime, *, at_once: bool = False
) -> list[Pair]:
    """Choose who of an arm begins a game now; ``at_once``: nobody waits longer.

    ``group`` are all who play or wait; ``roster`` the numbers of all who ever did, for a rotation.
    """
    rounds = sorted({one.round for one in group if one.since is not None})
    return [
        pair
        for number in rounds
        for pair in _Round(number, group, roster, now, at_once=at_once).pairs()
    ]


def alone(one: Waiting) -> Pair:
    """Seat somebody opposite the house."""
    side: Side
    match one.plan.roles:
        case "seller" | "buyer" if one.plan.meeting == "policy":
            side = "seller" if one.plan.roles == "seller" else "buyer"
        case "swapped" if one.last is not None:
            side = other(one.last)
        case "seller" | "buyer" if one.last is not None:
            side = one.last
        case _:
            side = secrets.choice(("seller", "buyer"))
    return Pair(one, None) if side == "seller" else Pair(None, one)


class _Round:
    """The people of one game, 1, 2, ...: ``pool`` have not begun it, some of them wait."""

    def __init__(
        self,
        number: int,
        group: Sequence[Waiting],
        roster: Sequence[int],
        now: datetime,
        *,
        at_once: bool,
    ) -> None:
        self.pool = {one.member.pk: one for one in group if one.round <= number}
        self.number, self.now, self.at_once = number, now, at_once
        # Of people who play conditions in turn, another game may have other rules.
        self.plan = next(one.plan for one in group if one.round == number)
        self.least = min((one.sat_out for one in self.pool.values()), default=0)
        self.turn = _turn(sorted(roster), number - 1) if self.plan.partners == "rotation" else {}
        self.turns_before = (number - 1) // _turns(len(roster))

    def pairs(self) -> list[Pair]:
        """Put two and two together, then seat who is left opposite the house, where it is time."""
        here = [
            one for one in self.pool.values() if one.since is not None and one.round == self.number
        ]
        if self.plan.roles in ("random", "swapped"):
            # Who came in together shall not always play each other.
            random.Random(secrets.randbits(64)).shuffle(here)
        found = self._put_together(here, self._should_meet)
        found += self._put_together(here, self._may_meet)
        for one in here if not self.plan.is_people_only else ():
            if self._sits_out(one):
                del self.pool[one.member.pk]
                found.append(alone(one))
        return found

    def _put_together(
        self, here: list[Waiting], may_meet: Callable[[Waiting, Waiting], bool]
    ) -> list[Pair]:
        """Take pairs out of those who wait."""
        found = []
        for one in list(here):
            others = [two for two in here if two is not one] if one in here else []
            ranked = sorted(others, key=lambda two: self._fit(one, two), reverse=True)
            two = next((two for two in ranked if may_meet(one, two)), None)
            if two is not None:
                for gone in (one, two):
                    here.remove(gone)
                    del self.pool[gone.member.pk]
                found.append(together(one, two))
        return found

    def _fit(self, one: Waiting, two: Waiting) -> tuple[int, bool]:
        seats_fit = self.plan.roles != "swapped" or one.last is None or one.last != two.last
        return -one.met[two.member.pk], seats_fit

    def _should_meet(self, one: Waiting, two: Waiting) -> bool:
        if not self._is_wanted(one, two):
            return False
        is_late = self._is_tired(one) or self._is_tired(two)
        return is_late or not self._leaves_somebody(one, two)

    def _may_meet(self, one: Waiting, two: Waiting) -> bool:
        if not (self._is_loose(one) and self._is_loose(two)):
            return False
        if self.plan.partners in ("any", "same") or not one.met[two.member.pk]:
            return True
        return self._has_met_all(one) and self._has_met_all(two)

    def _is_wanted(self, one: Waiting, two: Waiting) -> bool:
        """Whether the plan wants these two to meet in this game."""
        key = two.member.pk
        match self.plan.partners:
            case "any":
                return True
            case "strangers":
                return not one.met[key]
            case "same":
                return one.partner == key if one.partner else not two.partner
            case "rotation":
                is_turn = self.turn.get(one.member.number) == two.member.number
                return is_turn and one.met[key] <= self.turns_before

    def _others(self, one: Waiting) -> Iterable[Waiting]:
        return (two for key, two in self.pool.items() if key != one.member.pk)

    def _is_loose(self, one: Waiting) -> bool:
        """Whether this one plays anybody: nobody wanted comes any more, or not soon enough."""
        if self.plan.partners == "any" or self._is_tired(one):
            return True
        may_come = self.plan.unmet_s == FOR_DAYS_S
        return not may_come and not any(self._is_wanted(one, two) for two in self._others(one))

    def _has_met_all(self, one: Waiting) -> bool:
        return self._is_tired(one) or all(one.met[two.member.pk] for two in self._others(one))

    def _is_tired(self, one: Waiting) -> bool:
        return self.at_once or one.waits(self.plan.unmet_s, self.now)

    def _sits_out(self, one: Waiting) -> bool:
        """Whether the house sits down opposite: nobody else will, or somebody has to sit out."""
        if self.at_once:
            return True
        if not one.waits(self.plan.odd_s, self.now):
            return False
        if self._is_loose(one):
            return True
        if self.plan.partners != "strangers" or len(self.pool) % 2 == 0:
            return False
        return one.sat_out == self.least and not self._leaves_somebody(one)

    def _leaves_somebody(self, *people: Waiting) -> bool:
        """Whether others would have nobody new to meet, who have somebody as long as these wait."""
        if self.plan.partners != "strangers":
            return False
        gone = {one.member.pk for one in people}
        rest = [one for key, one in self.pool.items() if key not in gone]
        if _is_easy(rest, self.least):
            return False
        # Two, or one and the house, are one pair fewer.
        return _matched(rest, self.least) < _matched(list(self.pool.values()), self.least) - 2


def _turns(people: int) -> int:
    """Return after how many turns of a round robin everybody has met everybody."""
    return max(1, people - 1 + people % 2)


def _turn(roster: Sequence[int], turn: int) -> dict[int, int]:
    """Return who meets whom in a turn of a round robin: of an odd number each sits out once.

    >>> [_turn((1, 2, 3), turn) for turn in range(3)]
    [{2: 3, 3: 2}, {1: 2, 2: 1}, {1: 3, 3: 1}]
    """
    last = _turns(len(roster))
    found: dict[int, int] = {}
    for place, number in enumerate(roster[:last]):
        opposite = (turn - place) % last
        # Whoever would meet himself meets the last place, which is empty with an odd number.
        opposite = last if opposite == place else opposite
        if place < opposite < len(roster):
            found |= {number: roster[opposite], roster[opposite]: number}
    return found


def _is_easy(people: Sequence[Waiting], least: int) -> bool:
    """Whether all of these surely find somebody new: each may meet half of the others (Dirac)."""
    if len(people) % 2 and all(one.sat_out > least for one in people):
        return False
    keys = {one.member.pk for one in people}
    most = max((sum(key in keys for key in one.met) for one in people), default=0)
    return most < len(people) // 2 or len(people) < 2


_PRIME = (1 << 61) - 1


def _matched(people: Sequence[Waiting], least: int) -> int:
    """Count who of these can be put together with somebody new, all at the same time.

    Of an odd number one who has sat out ``least`` meets the house. The count is the rank of the
    Tutte matrix of who may meet whom, at random numbers of a prime field (Lovász 1979): wrong with
    a chance below 1e-15.
    """
    count = len(people) + len(people) % 2
    rows = [[0] * count for _ in range(count)]
    for a, b in itertools.combinations(range(count), 2):
        if b < len(people):
            may_meet = not people[a].met[people[b].member.pk]
        else:
            may_meet = people[a].sat_out == least
        if may_meet:
            rows[a][b] = secrets.randbelow(_PRIME - 1) + 1
            rows[b][a] = -rows[a][b]
    return _rank(rows)


def _rank(rows: list[list[int]]) -> int:
    rank = 0
    for column in range(len(rows)):
        pivot = next((at for at in range(rank, len(rows)) if rows[at][column]), None)
        if pivot is None:
            continue
        rows[rank], rows[pivot] = rows[pivot], rows[rank]
        inverse = pow(rows[rank][column], -1, _PRIME)
        for row in rows[rank + 1 :]:
            if factor := row[column] * inverse % _PRIME:
                row[:] = [(x - factor * y) % _PRIME for x, y in zip(row, rows[rank], strict=True)]
        rank += 1
    return rank


def together(one: Waiting, two: Waiting) -> Pair:
    """Seat two people at one table, as the plan deals its roles."""
    match one.plan.roles:
        case "seller" | "buyer":
            first, second = sorted((one, two), key=lambda who: who.member.number)
            sells = first if one.plan.roles == "seller" else second
        case "swapped" if one.last != two.last:
            sells = one if one.last == "buyer" or two.last == "seller" else two
        case _:
            sells = secrets.choice((one, two))
    return Pair(sells, two if sells is one else one)
