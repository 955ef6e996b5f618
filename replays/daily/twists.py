"""What is special about a day: one rule more, by the day of the week, said before the first bid.

A twist changes the scenario that was drawn, or the terms of the table; ``docs/daily.md`` lists them
with what each changes. Goods, limits and luck follow from the secret, a twist from the date alone.
"""

import datetime as dt
from collections.abc import Callable

import msgspec

from bazaarbatna.bargain.quantities import Paise
from bazaarbatna.bargain.scenario import Scenario
from negotiation.bargain.scenarios import whole_rupees
from negotiation.bargain.terms import USUAL, Terms
from negotiation.sentences import sentences
from replays.sealed_days import NEXT_DOOR

say = sentences(__file__)

TWISTS_FROM = dt.date(2026, 11, 30)
"""The first day with a twist. Days that were made and promised before stay as they are."""

Change = Callable[[Scenario, float], Scenario]
"""Changes what was drawn; the luck, from 0 up to 1, follows from the secret of the day."""


class Twist(msgspec.Struct, frozen=True):
    """What a day changes; ``name`` is in the day's row, its words in ``words.toml``."""

    name: str
    change: Change
    terms: Terms = USUAL

    @property
    def title(self) -> str:
        """Two or three words to call it by."""
        return say.of("titles", self.name)

    @property
    def told(self) -> str:
        """What holds today, in a sentence; it tells no number that is drawn."""
        return say.of("told", self.name)


def _four_rounds(drawn: Scenario, luck: float) -> Scenario:
    return msgspec.structs.replace(drawn, max_rounds=4)


def _next_door(drawn: Scenario, luck: float) -> Scenario:
    # Not from her budget: what the neighbour pays tells nothing of what she can.
    floor = drawn.sealed.reservation
    paid = floor + (0.1 + 0.2 * luck) * (drawn.anchor - floor)
    return _sealed(drawn, reservation=whole_rupees(paid))


def _in_silence(drawn: Scenario, luck: float) -> Scenario:
    return msgspec.structs.replace(drawn, max_rounds=6)


def _label_cut(drawn: Scenario, luck: float) -> Scenario:
    floor = drawn.sealed.reservation
    cut = msgspec.structs.replace(drawn, anchor=whole_rupees(1.3 * floor))
    return _sealed(cut, budget=whole_rupees((1.15 + 0.14 * luck) * floor))


def _her_train(drawn: Scenario, luck: float) -> Scenario:
    return _sealed(drawn, deadline=3)


def _full_purse(drawn: Scenario, luck: float) -> Scenario:
    return _sealed(drawn, budget=whole_rupees((0.9 + 0.1 * luck) * drawn.anchor))


def _thin_purse(drawn: Scenario, luck: float) -> Scenario:
    return _sealed(drawn, budget=whole_rupees((1.15 + 0.14 * luck) * drawn.sealed.reservation))


def _sealed(drawn: Scenario, **values: Paise | int) -> Scenario:
    sealed = msgspec.structs.replace(drawn.sealed, **values)
    return msgspec.structs.replace(drawn, sealed=sealed)


WEEK = (
    Twist("four-rounds", _four_rounds),
    Twist(NEXT_DOOR, _next_door),
    Twist("blitz", _in_silence, Terms(chat=False, clock_s=120)),
    Twist("label-cut", _label_cut),
    Twist("her-train", _her_train),
    Twist("full-purse", _full_purse),
    Twist("thin-purse", _thin_purse),
)
"""One for each day of the week, from Monday on."""

SILENCE = Twist("silence", _in_silence, Terms(chat=False))
"""A Wednesday that was promised before those against the clock stays without one."""

TWISTS = {twist.name: twist for twist in (*WEEK, SILENCE)}


def twist_of(day: dt.date) -> str:
    """Name what is special about a day; "" before there were twists."""
    return WEEK[day.weekday()].name if day >= TWISTS_FROM else ""
