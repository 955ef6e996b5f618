"""How dialogues go on until the deal: figures of people, and of those who are to be like them.

An acceptance is not counted as a price, spoken or not: of two equal prices at the end, one each,
the second says yes. Intervals are 95 % bootstrap intervals over dialogues.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise, zip_longest

import msgspec
import numpy as np

from bazaarbatna.bargain.people.dialogues import Dialogue
from bazaarbatna.bargain.people.paths import Talk
from bazaarbatna.bargain.quantities import Side
from bazaarbatna.intervals import Floats, Interval, interval, ratio, resampled_sums

SAME = 0.005
"""Prices closer than this share of the list price are the same price."""
MIDDLE = 0.05
"""An answer this near to half of the gap proposes the middle."""

Sums = tuple[float, ...]


def played_talk(dialogue: Dialogue) -> Talk:
    """Read the prices of a game in the order in which they were named."""
    unsaid = dialogue.wordless()
    named: list[tuple[Side, float]] = []
    for bid, ask in zip_longest(unsaid.bids, unsaid.asks[1:]):
        if bid is not None:
            named.append(("buyer", bid))
        if ask is not None:
            named.append(("seller", ask))
    return Talk(tuple(named), unsaid.deal)


def _unsaid(talk: Talk) -> Talk:
    ends = [(side, price) for side, price in talk.prices[-2:] if _is_same(price, talk.agreed)]
    if len({side for side, _ in ends}) < 2:
        return talk
    return msgspec.structs.replace(talk, prices=talk.prices[:-1])


def _is_same(price: float, other: float | None) -> bool:
    return other is not None and abs(price - other) <= SAME


def _of_seller(talk: Talk) -> int:
    return sum(side == "seller" for side, _ in talk.prices)


def _prices(talk: Talk) -> Sums:
    return (0, 0) if talk.agreed is None else (_of_seller(talk), 1)


def _settled(most: int) -> Callable[[Talk], Sums]:
    def count(talk: Talk) -> Sums:
        return (0, 0) if talk.agreed is None else (_of_seller(talk) <= most, 1)

    return count


def _price_after(low: float, high: float) -> Callable[[Talk], Sums]:
    def count(talk: Talk) -> Sums:
        first = next((price for side, price in talk.prices if side == "buyer"), None)
        if talk.agreed is None or first is None or not low <= first < high:
            return (0, 0)
        return (talk.agreed, 1)

    return count


def _at_once(talk: Talk) -> Sums:
    bids = [price for side, price in talk.prices if side == "buyer"]
    if not bids:
        return (0, 0)
    is_last = talk.prices[-1][0] == "buyer" and len(bids) == 1
    return (is_last and _is_same(bids[0], talk.agreed), 1)


def concessions(talk: Talk) -> Iterator[float | None]:
    """Give the part of the gap that each price closes: 1 accepts; None where it answers none."""
    standing: dict[Side, float | None] = {"seller": 1.0, "buyer": None}
    before: Side | None = None
    for side, price in talk.prices:
        ask, bid = standing["seller"], standing["buyer"]
        is_answer = before != side and ask is not None and bid is not None and ask - bid > SAME
        if is_answer and ask is not None and bid is not None:
            yield (ask - price if side == "seller" else price - bid) / (ask - bid)
        else:
            yield None
        standing[side], before = price, side


def _middle(talk: Talk) -> Sums:
    steps = [part for part in concessions(talk) if part is not None and 0 < part < 1]
    return (sum(abs(part - 0.5) <= MIDDLE for part in steps), len(steps))


def _answered(talk: Talk) -> Sums:
    pairs = [
        (step, answer)
        for step, answer in pairwise(concessions(talk))
        if step is not None and answer is not None and 0 <= step < 1 and 0 <= answer <= 1
    ]
    return (
        len(pairs),
        sum(x for x, _ in pairs),
        sum(y for _, y in pairs),
        sum(x * y for x, y in pairs),
        sum(x * x for x, _ in pairs),
    )


def _share(sums: Floats) -> Floats:
    return ratio(sums[:, 0], sums[:, 1])


def _slope(sums: Floats) -> Floats:
    count, x, y, xy, xx = sums.T
    return ratio(count * xy - x * y, count * xx - x * x)


class Moment(msgspec.Struct, frozen=True):
    """A figure of many dialogues: ``count`` sums of each, and what the sums of all of them say.

    ``why`` says why the sellers named in it have another figure than people.
    """

    key: str
    words: str
    count: Callable[[Talk], Sums]
    figure: Callable[[Floats], Floats] = _share
    why: Mapping[str, str] = {}


POPULATION, ON_PATHS = "population", "paths"
FEWER = "they take a bid that is enough, where people name one more price"
BLIND = "what is named next does not ask what was bid"
LATE = "no bid below the price that would be named next is taken before it is named"

MOMENTS: tuple[Moment, ...] = (
    Moment(
        "prices", "prices a seller names until the deal, mean", _prices, why={POPULATION: FEWER}
    ),
    Moment(
        "settled_1", "deals after one price of the seller at most", _settled(1),
        why={POPULATION: FEWER},
    ),
    Moment("settled_2", "deals after two at most", _settled(2), why={ON_PATHS: LATE}),
    Moment("settled_3", "deals after three at most", _settled(3)),
    Moment(
        "low", "deal / list after a first bid below 0.5", _price_after(0.0, 0.5),
        why={ON_PATHS: BLIND},
    ),
    Moment(
        "middle", "deal / list after one of 0.5 to 0.7", _price_after(0.5, 0.7),
        why={POPULATION: "off by 0.03: what a side takes at most is one draw for all openings"},
    ),
    Moment(
        "high", "deal / list after one of 0.7 or more", _price_after(0.7, math.inf),
        why={ON_PATHS: LATE},
    ),
    Moment(
        "at_once", "agreed at once, at the first bid (eBay: a third)", _at_once,
        why={POPULATION: "near the third of eBay; these people were told to bargain"},
    ),
    Moment("split", "answers that name the middle of both prices", _middle, why={ON_PATHS: BLIND}),
    Moment("step", "part of the gap answered to a part of the gap (slope)", _answered, _slope),
)  # fmt: skip
"""The last three are those of Backus, Blake, Larsen and Tadelis (2020); what they publish of the
last two (the middle is favoured, a larger step gets a larger one) is no figure of this form."""


def measured(talks: Iterable[Talk]) -> dict[str, Interval | None]:
    """Count every moment; None where no dialogue has what it counts."""
    read = [_unsaid(talk) for talk in talks]
    counted = [[one for moment in MOMENTS for one in moment.count(talk)] for talk in read]
    drawn = resampled_sums("people", np.array(counted, dtype=float))
    found, begin = {}, 0
    for moment in MOMENTS:
        end = begin + (5 if moment.figure is _slope else 2)
        found[moment.key] = interval(moment.figure(drawn[:, begin:end]))
        begin = end
    return found


def moments_table(people: Sequence[Talk], others: Mapping[str, Sequence[Talk]]) -> str:
    """Set others beside people, in Markdown; one fits where its interval meets that of people."""
    human = measured(people)
    columns = {name: measured(talks) for name, talks in others.items()}
    head = ["figure", "people", *columns, "fits"]
    lines = [f"| {' | '.join(head)} |", "|---|" + "---:|" * (len(head) - 2) + "---|"]
    for moment in MOMENTS:
        cells = [human[moment.key], *(found[moment.key] for found in columns.values())]
        odd = [name for name, one in zip(columns, cells[1:], strict=True) if _misses(cells[0], one)]
        told = [f"{name}: {moment.why.get(name, 'NO')}" for name in odd]
        shown = [moment.words, *map(_cell, cells), "; ".join(told) or "yes"]
        lines.append(f"| {' | '.join(shown)} |")
    return "\n".join(lines)


def _misses(people: Interval | None, other: Interval | None) -> bool:
    if people is None or other is None:
        return False
    return people.high < other.low or other.high < people.low


def _cell(found: Interval | None) -> str:
    return "-" if found is None else f"{found.mean:.3f} ({found.low:.3f} to {found.high:.3f})"
