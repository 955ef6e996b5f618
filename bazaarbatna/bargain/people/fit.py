"""The population beside people: the same figures of both.

Source of the human column: 1,299 dialogues between two people, the dev and test parts of
CraigslistBargain (He, Chen, Balakrishnan and Liang 2018), with the prices found in their messages
by pattern. All prices are shares of the list price.

People who accept may name the price ("180 it is") or not ("deal"), and a pattern finds the first
only. What counts named prices is therefore counted here both ways, and people should lie between.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence

import msgspec

from bazaarbatna.bargain.people.dialogues import PERCENTILES, Dialogue, mean, measure, play
from bazaarbatna.bargain.people.families import FAMILIES, Family

DIALOGUES = 1299
SAMPLES = 8
TALK = "people also greet, ask and thank, in messages without a price; every move here has one"
BEFORE = (
    "people's prices named before any bid count as no concession and push the others back a "
    "place; here every answer follows a bid"
)
FLOOR = "off by 0.02 to 0.05: here what a side pays or takes at most is one draw for all openings"
LEAST = "the percentiles of people's own first price allow no mean below 0.077; " + BEFORE
QUARTILE = "off by 0.05; the median and the upper quartile fit"
NEAR = "the mean and the other percentiles fit"


class Human(msgspec.Struct, frozen=True):
    """What was counted in people's dialogues; ``unit`` is that of the last digit that is known.

    ``why`` says why the population's figure is another one.
    """

    key: str
    words: str
    value: float
    unit: float = 0.01
    why: str = ""


HUMAN: tuple[Human, ...] = (
    Human("deals", "dialogues that end in a deal", 0.717, 0.001),
    *(
        Human(f"messages_{one}", f"messages, {one}th percentile", value, 1.0, TALK)
        for one, value in zip(PERCENTILES, (2, 5, 7, 10, 12), strict=True)
    ),
    *(
        Human(f"seller_named_{one}", f"prices a seller names, {one}th", value, 1.0)
        for one, value in zip(PERCENTILES[1:], (1, 1, 2, 3), strict=True)
    ),
    *(
        Human(f"buyer_named_{one}", f"prices a buyer names, {one}th", value, 1.0)
        for one, value in zip(PERCENTILES[1:], (1, 2, 2, 3), strict=True)
    ),
    *(
        Human(f"deal_{one}", f"deal price, {one}th percentile", value, 0.01, NEAR * (one == 50))
        for one, value in zip(PERCENTILES, (0.667, 0.75, 0.846, 0.90, 0.943), strict=True)
    ),
    Human("deal_mean", "deal price, mean", 0.82),
    *(
        Human(f"first_bid_{one}", f"first bid, {one}th percentile", value)
        for one, value in zip(PERCENTILES, (0.50, 0.60, 0.75, 0.88, 0.93), strict=True)
    ),
    *(
        Human(f"first_ask_{one}", f"seller's first price, {one}th percentile", value, 0.01, why)
        for one, value, why in zip(
            PERCENTILES, (0.70, 0.82, 0.92, 1.0, 1.0), (NEAR, "", "", "", ""), strict=True
        )
    ),
    Human("seller_step_1", "seller's 1st concession, mean", 0.068, 0.001, LEAST),
    Human("seller_none_1", "seller's 1st concession, none", 0.33),
    Human("seller_gap_1_25", "seller's 1st concession of the gap, 25th", 0.25, why=QUARTILE),
    Human("seller_gap_1_50", "seller's 1st concession of the gap, 50th", 0.5),
    Human("seller_gap_1_75", "seller's 1st concession of the gap, 75th", 1.0),
    Human("seller_step_2", "seller's 2nd concession, mean", 0.022, 0.001, BEFORE),
    Human("seller_none_2", "seller's 2nd concession, none", 0.55),
    Human("seller_gap_2_25", "seller's 2nd concession of the gap, 25th", 0.0),
    Human("seller_gap_2_50", "seller's 2nd concession of the gap, 50th", 0.4),
    Human("seller_gap_2_75", "seller's 2nd concession of the gap, 75th", 1.0),
    Human("seller_step_3", "seller's 3rd concession, mean", 0.007, 0.001, BEFORE),
    Human("seller_none_3", "seller's 3rd concession, none", 0.70),
    Human("buyer_step_1", "buyer's 1st concession, mean", 0.070, 0.001),
    Human("buyer_none_1", "buyer's 1st concession, none", 0.30),
    Human("buyer_step_2", "buyer's 2nd concession, mean", 0.033, 0.001),
    Human("buyer_none_2", "buyer's 2nd concession, none", 0.53),
    Human("buyer_step_3", "buyer's 3rd concession, mean", 0.023, 0.001),
    Human("buyer_none_3", "buyer's 3rd concession, none", 0.65),
    Human("low_deals", "deals after a first bid below 0.5", 0.66),
    Human("low_price", "price of deals after a first bid below 0.5", 0.65, why=FLOOR),
    Human("middle_deals", "deals after a first bid of 0.5 to 0.7", 0.76, why=FLOOR),
    Human("middle_price", "price of deals after one of 0.5 to 0.7", 0.76, why=FLOOR),
    Human("high_deals", "deals after a first bid of 0.7 or more", 0.87, why=FLOOR),
    Human("high_price", "price of deals after one of 0.7 or more", 0.87),
)


class Row(msgspec.Struct, frozen=True):
    """A figure of both: people's, and the population's with prices named in acceptances or not.

    In 95 % of samples of ``DIALOGUES`` games it falls in ``low..high``.
    """

    human: Human
    spoken: float
    wordless: float
    low: float
    high: float

    @property
    def fits(self) -> bool:
        """Whether the human figure could be one of the population's, as far as it is known."""
        known = self.human.unit / 2 + 1e-9
        return self.low - known <= self.human.value <= self.high + known


def compare(samples: int = SAMPLES, families: Sequence[Family] = FAMILIES) -> list[Row]:
    """Play as many samples of ``DIALOGUES`` games and set both columns beside each other."""
    games = [list(play(DIALOGUES, families, number * DIALOGUES)) for number in range(samples)]
    spoken = _sampled(games)
    wordless = _sampled([[one.wordless() for one in sample] for sample in games])
    return [_row(human, spoken(human.key), wordless(human.key)) for human in HUMAN]


Sampled = tuple[float, float, float]
"""A figure of all games, and the normal range of that of one sample."""


def _sampled(samples: Sequence[Sequence[Dialogue]]) -> Callable[[str], Sampled]:
    whole = measure([one for sample in samples for one in sample])
    parts = [measure(sample) for sample in samples]

    def figure(key: str) -> Sampled:
        values = [part[key] for part in parts]
        middle = mean(values)
        spread = 1.96 * mean([(value - middle) ** 2 for value in values]) ** 0.5
        return whole[key], middle - spread, middle + spread

    return figure


def _row(human: Human, spoken: Sampled, wordless: Sampled) -> Row:
    # An acceptance that names nothing is also what the figures without prices need: deals, bids.
    low, high = min(spoken[1], wordless[1]), max(spoken[2], wordless[2])
    return Row(human, spoken[0], wordless[0], low, high)


def table(rows: Iterable[Row], paths: Mapping[str, float]) -> str:
    """Write both columns, and beside them sellers on people's paths, as a table in Markdown."""
    lines = [
        "| figure | people | population | acceptances unnamed | 95 % of samples | fits | paths |",
        "|---|---:|---:|---:|---:|---|---:|",
    ]
    lines += [
        f"| {row.human.words} | {row.human.value:g} | {row.spoken:.3f} | {row.wordless:.3f} | "
        f"{row.low:.3f} to {row.high:.3f} | {'yes' if row.fits else row.human.why or 'NO'} | "
        f"{paths[row.human.key]:.3f} |"
        for row in rows
    ]
    return "\n".join(lines)
