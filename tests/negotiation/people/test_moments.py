"""How dialogues go on until the deal: what is counted, and whom the table calls unlike people."""

from itertools import pairwise

import pytest

from bazaarbatna.bargain.people.dialogues import Dialogue, play
from bazaarbatna.bargain.people.families import FAMILIES
from bazaarbatna.bargain.people.moments import (
    MOMENTS,
    concessions,
    measured,
    moments_table,
    played_talk,
)
from bazaarbatna.bargain.people.paths import Path, Talk, path_family, talk_of


def a_talk(agreed: float | None, *prices: tuple[str, float]) -> Talk:
    return talk_of({"prices": [list(one) for one in prices], "agreed": agreed})


def means(*talks: Talk) -> dict[str, float | None]:
    return {key: one and one.mean for key, one in measured(talks).items()}


TOOK = a_talk(0.8, ("b", 0.8))
LONG = a_talk(0.7, ("s", 1.0), ("b", 0.4), ("s", 0.7), ("b", 0.55), ("s", 0.6), ("b", 0.6))
NONE = a_talk(None, ("b", 0.6), ("s", 0.9), ("b", 0.75))


def test_what_is_counted_of_three_dialogues() -> None:
    found = means(TOOK, LONG, NONE)
    assert found["prices"] == pytest.approx(1.5)
    assert (found["settled_1"], found["settled_2"], found["settled_3"]) == (0.5, 0.5, 1.0)
    assert (found["low"], found["middle"], found["high"]) == (0.7, None, 0.8)
    assert found["at_once"] == pytest.approx(1 / 3, abs=1e-6)
    # 1.0 to 0.7 and 0.4 to 0.55 (of 0.6 and 0.3), 0.7 to 0.6 (of 0.15); 0.25 and 0.5 of the last.
    assert found["split"] == pytest.approx(3 / 5)


def test_an_acceptance_is_no_price_spoken_or_not() -> None:
    spoken = a_talk(0.8, ("s", 0.9), ("b", 0.8), ("s", 0.8))
    assert means(spoken) == means(a_talk(0.8, ("s", 0.9), ("b", 0.8)))
    assert means(spoken)["at_once"] == 1.0
    played = Dialogue(4, 0.8, "seller", (1.0, 0.9, 0.8), (0.7, 0.8))
    assert played_talk(played).prices == (("buyer", 0.7), ("seller", 0.9), ("buyer", 0.8))
    bought = Dialogue(4, 0.9, "buyer", (1.0, 0.9), (0.7, 0.9))
    assert played_talk(bought).prices == (("buyer", 0.7), ("seller", 0.9))


def test_a_concession_is_a_part_of_the_gap_and_answers_the_other_side() -> None:
    talk = a_talk(None, ("b", 0.5), ("s", 0.9), ("s", 0.8), ("b", 0.8), ("s", 0.8))
    assert [one and round(one, 6) for one in concessions(talk)] == [None, 0.2, None, 1.0, None]


def test_a_larger_step_that_gets_a_larger_one_is_seen() -> None:
    """Sellers go half or all of the part that the buyer just went, of gaps from 0.5 of the ask."""
    for factor in (0.5, 1.0):
        talks = []
        for part in (0.1, 0.3, 0.5, 0.7):
            bid = 0.5 + part * 0.4
            ask = 0.9 - factor * part * (0.9 - bid)
            talks.append(a_talk(None, ("b", 0.5), ("s", 0.9), ("b", bid), ("s", ask)))
        # The seller's first answer, 0.2 of the gap, is one that the buyer's next follows.
        pairs = [[one for one in concessions(talk) if one is not None] for talk in talks]
        assert [round(steps[2] / steps[1], 6) for steps in pairs] == [factor] * 4
        found = measured(talks)["step"]
        assert found is not None
        told = _slope([pair for steps in pairs for pair in pairwise(steps)])
        assert found.mean == pytest.approx(told, abs=1e-6)


def _slope(pairs: list[tuple[float, float]]) -> float:
    x, y = ([one[at] for one in pairs] for at in (0, 1))
    mx, my = sum(x) / len(x), sum(y) / len(y)
    return sum((a - mx) * (b - my) for a, b in pairs) / sum((a - mx) ** 2 for a in x)


def test_an_interval_is_that_of_dialogues_and_narrows_with_them() -> None:
    few, many = ([TOOK, LONG, NONE] * times for times in (8, 80))
    widths = []
    for talks in (few, many):
        found = measured(talks)["at_once"]
        assert found is not None
        assert found.low < 1 / 3 < found.high
        assert found == measured(talks)["at_once"]
        widths.append(found.high - found.low)
    assert widths[0] > 2 * widths[1]
    assert all(one is None for one in measured([a_talk(None)]).values())


def test_who_is_unlike_people_is_named_in_the_row() -> None:
    people = [played_talk(one) for one in play(300, FAMILIES)]
    stone = path_family([Path((1.0, 0.99, 0.98, 0.97))], name="paths-stone")
    others = {
        "the same": people,
        "stone": [played_talk(one) for one in play(300, [stone])],
    }
    rows = moments_table(people, others).splitlines()[2:]
    assert len(rows) == len(MOMENTS)
    assert not any("the same: NO" in row for row in rows)
    assert "stone: NO" in rows[0]
    assert rows[3].startswith("| deals after three at most |")
