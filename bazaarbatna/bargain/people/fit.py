"""The population beside people: the same figures of both.

Source of the human column: 1,299 dialogues between two people, the dev and test parts of
CraigslistBargain (He, Chen, Balakrishnan and Liang 2018), with the prices found in their messages
by pattern. All prices are shares of the list price.

People who accept may name the price ("180 it is") or not ("deal"), and a pattern finds the first
only. What counts named prices is therefore counted here both ways, and people should lie between.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

import msgspec

from bazaarbatna.bargain.people.dialogues import Dialogue, mean, measure, play
from bazaarbatna.bargain.people.families import FAMILIES, Family
from bazaarbatna.word_tables import read_table

DIALOGUES = 1299
SAMPLES = 8


class Human(msgspec.Struct, frozen=True):
    """What was counted in people's dialogues; ``unit`` is that of the last digit that is known.

    ``why`` says why the population's figure is another one.
    """

    key: str
    words: str
    value: float
    unit: float = 0.01
    why: str = ""


class _Table(msgspec.Struct, frozen=True):
    human: tuple[Human, ...]


HUMAN = read_table(Path(__file__).with_name("human.toml"), _Table).human


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
