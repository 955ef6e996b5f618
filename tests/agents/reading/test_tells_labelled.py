"""How often the reader agrees with people: lines labelled by hand, half of them held out.

The half is chosen by the hash of the line. Phrases are written with the *open* half in view only;
the *held out* half is what the documentation reports.
"""

import hashlib
from collections import Counter
from pathlib import Path

import pytest

from agents.text.tells.reader import read_tells
from negotiation.readers import SaleContext

LINES = Path(__file__).with_name("utterances.txt")
SIGNALS = {"u": "urgency", "d": "deception", "c": "confidence", "k": "condition", "e": "escalation"}
NOBODY = SaleContext((), (), ())


def labelled() -> list[tuple[frozenset[str], str]]:
    rows = [line.split("\t") for line in LINES.read_text().splitlines() if "\t" in line]
    return [(frozenset(labels.replace("-", "")), text) for labels, text in rows]


def is_held_out(text: str) -> bool:
    return hashlib.sha256(text.encode()).digest()[0] % 2 == 1


def noticed(text: str) -> frozenset[str]:
    reading = read_tells(text, NOBODY, None)
    tells = reading.tells
    levels = {
        "u": (tells.verbal_urgency or 0) >= 0.4,
        "d": (tells.verbal_deception_cue or 0) >= 0.4,
        "c": (tells.verbal_confidence or 0) >= 0.7,
        "e": (tells.emotional_escalation or 0) >= 0.4,
        "k": any(span.signal == "condition" for span in reading.spans),
    }
    return frozenset(label for label, shown in levels.items() if shown)


def f1_by_signal(rows: list[tuple[frozenset[str], str]]) -> dict[str, float]:
    counts: Counter[tuple[str, str]] = Counter()
    for wanted, text in rows:
        got = noticed(text)
        counts.update((label, "hit") for label in wanted & got)
        counts.update((label, "wrong") for label in wanted ^ got)
    return {
        SIGNALS[label]: 2
        * counts[label, "hit"]
        / (2 * counts[label, "hit"] + counts[label, "wrong"])
        for label in SIGNALS
    }


def test_the_set_is_large_and_holds_no_line_twice() -> None:
    texts = [text for _, text in labelled()]
    assert len(texts) >= 300
    assert len(set(texts)) == len(texts)


@pytest.mark.parametrize("held_out", [False, True], ids=["open half", "held-out half"])
def test_the_reader_agrees_with_the_labels(held_out: bool) -> None:
    rows = [row for row in labelled() if is_held_out(row[1]) == held_out]
    scores = f1_by_signal(rows)
    assert len(rows) >= 150
    assert min(scores.values()) >= 0.85
    assert sum(scores.values()) / len(scores) >= 0.9


def test_a_reader_that_notices_nothing_would_fail() -> None:
    rows = [(labels, "") for labels, _ in labelled()]
    assert max(f1_by_signal(rows).values()) == 0.0
