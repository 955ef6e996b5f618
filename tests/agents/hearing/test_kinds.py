"""Kinds of lines that were once taken for something else, in all three languages."""

from pathlib import Path

import msgspec
import pytest

from agents.text.acts.acts import Act
from agents.text.acts.hear import hear
from agents.text.intent import read_intent
from agents.text.languages import nearest_to_other
from agents.text.tells.reader import read_tells
from agents.text.tells.words import SignalName
from bazaarbatna.bargain.quantities import Paise
from bazaarbatna.word_tables import read_table
from negotiation.readers import SaleContext

ASK, BID = Paise(12_500_00), Paise(9_000_00)


class Kind(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    acts: tuple[Act, ...]
    not_acts: tuple[Act, ...]
    not_signals: tuple[SignalName, ...]
    lines: str


KINDS = read_table(Path(__file__).with_name("kinds.toml"), dict[str, Kind])
LINES = [
    pytest.param(kind, line, id=f"{name}: {line}")
    for name, kind in KINDS.items()
    for line in kind.lines.splitlines()
    if line
]


@pytest.mark.parametrize(("kind", "line"), LINES)
def test_a_line_is_taken_for_what_it_is(kind: Kind, line: str) -> None:
    heard = {one.act for one in hear(line, ASK, BID)}
    shown = {span.signal for span in read_tells(line, SaleContext((ASK,), (BID,), ()), None).spans}
    assert set(kind.acts) <= heard
    assert heard.isdisjoint(kind.not_acts)
    assert shown.isdisjoint(kind.not_signals)


@pytest.mark.parametrize(
    ("line", "register", "price"),
    [
        ("4700 ghya, changla bhav aahe", "hinglish", 4700),
        ("हे चांगले आहे, 4800 द्या", "hindi", 4800),
        ("konjam koraiyunga madam, 4500", "english", 4500),
        ("இதன் விலை 4800", "english", 4800),
        ("koto deben? 4800 taka", "hinglish", 4800),
        ("ভালো অবস্থা, ৪৮০০ দিন", "hindi", 4800),
        ("kem chho, 4800 aapo", "hinglish", 4800),
        ("સારું છે, ૪૮૦૦ આપો", "hindi", 4800),
        ("tusi kinne paise deoge? 4800", "hinglish", 4800),
        ("ਵਧੀਆ ਹੈ 4800", "hindi", 4800),
        ("konchem ekkuva ivvandi, 4800", "english", 4800),
        ("ధర 4800 రూపాయలు", "english", 4800),
        ("kitna doge bhai, 4800", None, 4800),
        ("I'll do 4800 for you", None, 4800),
        ("4800 में ले लीजिए", None, 4800),
    ],
)
def test_other_languages_are_known_and_their_digits_read(
    line: str, register: str | None, price: int
) -> None:
    assert nearest_to_other(line) == register
    intent = read_intent(line, Paise(5800_00), Paise(2800_00))
    assert (intent.kind, intent.price) == ("price", price * 100)
