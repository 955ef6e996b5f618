"""No two texts of a finished chart lie over each other, whatever was bargained."""

import itertools
import random
import re

import pytest

from negotiation.charts.price_path import price_path
from negotiation.charts.reference_marks import Box
from negotiation.charts.svg import text_width
from tests.negotiation.charts.test_ghost_path import a_log

TEXT = re.compile(r'<text class="(chart-[^"]*)"([^>]*)>(.*?)</text>')


def a_game(seed: int) -> str:
    """A finished haggle between limits that are drawn; the buyer's may lie above the ask."""
    dice = random.Random(seed)
    asked = dice.choice([60.0, 900.0, 6200.0, 138000.0])
    floor = dice.uniform(0.3, 0.9) * asked
    budget = floor * dice.uniform(1.02, 2.5)
    ask, bid, moves = asked, floor * dice.uniform(0.5, 0.95), []
    for _ in range(dice.randint(1, 9)):
        moves += [("buyer", round(bid, 2)), ("seller", round(ask, 2))]
        bid, ask = (
            bid + dice.uniform(0, 0.4) * (ask - bid),
            ask - dice.uniform(0, 0.4) * (ask - bid),
        )
    moves.append(("buyer", moves[-1][1]))
    log = a_log(*moves, deal=True, asked=round(asked, 2))
    opened = {"reservation": round(floor, 2), "budget": round(budget, 2)}
    end = {"kind": "ended", "outcome": "deal", "price": moves[-1][1], "opened": opened, "round": 1}
    return price_path([*log, {"seq": len(log) + 1, "event": end}])


def boxes_of(chart: str) -> list[tuple[str, Box]]:
    """What is written at the end: the names of limits and the labels of the last moment."""
    letter = float(re.search(r'font-size="([\d.]+)"', chart)[1])  # type: ignore[index]
    last = chart.rindex('class="chart-moment')
    found = []
    for text in TEXT.finditer(chart):
        if text[1] == "chart-round" or ("chart-reference" not in text[1] and text.start() < last):
            continue
        words = re.sub(r"<[^>]+>", "", text[3])
        x, y = (float(re.search(rf' {name}="([\d.]+)"', text[2])[1]) for name in "xy")  # type: ignore[index]
        width = text_width(words, letter)
        left = x - width if 'text-anchor="end"' in text[2] else x
        found.append((words, Box(left, left + width, y - 0.7 * letter, y)))
    return found


@pytest.mark.parametrize("block", range(8))
def test_no_two_texts_of_a_finished_chart_meet(block: int) -> None:
    for seed in range(50 * block, 50 * (block + 1)):
        for (one, here), (two, there) in itertools.combinations(boxes_of(a_game(seed)), 2):
            assert not here.meets(there), (seed, one, two)
