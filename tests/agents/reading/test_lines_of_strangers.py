"""Lines in the manner of strangers: prices, tells, and what must not fire."""

import pytest

from agents.scoring.scores import notice
from agents.text.intent import read_intent
from agents.text.tells.words import SignalName
from negotiation.engine.quantities import Paise, to_paise
from tests.agents.reading.stranger_lines import LINES
from tests.agents.reading.tell_lines import DENIED, PLAIN, SHOWING


@pytest.mark.parametrize(("ask", "bid", "text", "wanted"), LINES)
def test_a_line_asks_for_what_its_writer_meant(
    ask: int, bid: int, text: str, wanted: float | str
) -> None:
    intent = read_intent(text, Paise(ask * 100), Paise(bid * 100))
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
