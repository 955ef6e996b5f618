"""Lines in the manner of strangers: prices, tells, and what must not fire."""

import json
from pathlib import Path
from typing import Any

import pytest

from agents.scoring.scores import notice
from agents.text.intent import read_buyer_intent, read_intent
from agents.text.tells.words import SignalName
from bazaarbatna.bargain.quantities import Paise, to_paise
from negotiation.readers import Intent
from tests.agents.reading.stranger_lines import LINES
from tests.agents.reading.tell_lines import DENIED, PLAIN, SHOWING

PLAYED = [
    json.loads(line) for line in Path(__file__).with_name("played.jsonl").read_text().splitlines()
]


@pytest.mark.parametrize(("ask", "bid", "text", "wanted"), LINES)
def test_a_line_asks_for_what_its_writer_meant(
    ask: int, bid: int, text: str, wanted: float | str
) -> None:
    means(read_intent(text, Paise(ask * 100), Paise(bid * 100)), wanted)


@pytest.mark.parametrize("line", PLAYED, ids=lambda line: line["text"])
def test_so_does_one_of_a_newcomer_at_play(line: dict[str, Any]) -> None:
    """Lines of people at their first games, and some near to theirs: of both sides."""
    read = read_intent if line["side"] == "seller" else read_buyer_intent
    bid = line["bid"] and Paise(line["bid"] * 100)
    means(read(line["text"], Paise(line["ask"] * 100), bid), line["wanted"])


def means(intent: Intent, wanted: float | str) -> None:
    """Hold what was read against what was meant."""
    if isinstance(wanted, str):
        assert intent.kind == {"ask": "ambiguous"}.get(wanted, wanted)
        assert bool(intent.question) == (wanted == "ask")
    else:
        assert (intent.kind, intent.price) == ("price", to_paise(wanted))


@pytest.mark.parametrize(
    ("signal", "text"), [(signal, text) for signal, texts in SHOWING.items() for text in texts]
)
def test_a_tell_is_noticed_and_nothing_else(signal: SignalName, text: str) -> None:
    assert notice(text) == {signal}


@pytest.mark.parametrize("text", PLAIN)
def test_small_talk_gives_nothing_away(text: str) -> None:
    assert notice(text) == frozenset()


@pytest.mark.parametrize("text", DENIED)
def test_a_denial_gives_nothing_away(text: str) -> None:
    assert notice(text) == frozenset()
