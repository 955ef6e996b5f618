"""No bank holds a word about her own next prices that her policy cannot keep, whoever says it."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from agents.sellers.persona import PERSONAS
from agents.sellers.speaking import corpus as sellers_corpus
from agents.sellers.speaking import faults as sellers_faults
from agents.speech.bank import SLOTS, WARNINGS, Exchange, corpus, read_exchanges
from agents.speech.kind_tables import statements
from agents.speech.plan import plan_of
from agents.speech.promises import is_promise, is_warning, keep
from agents.text.languages import Register
from bazaarbatna.bargain.episode import Turn
from bazaarbatna.bargain.moves import Offer
from bazaarbatna.bargain.people.seller import all_lines
from bazaarbatna.bargain.quantities import Paise
from tests.support.positions import a_position
from tests.support.selling import a_stall

LANGUAGES: tuple[Register, ...] = ("english", "hinglish", "hindi")

MOVES = (
    r"(?:come (?:up|down|closer)|go (?:up|down|higher|lower)|climb|add|raise|lower|drop|match|meet"
    r"|reduce|argue|give (?:you )?(?:more|less)|move|get there|find a (?:price|number)|sell|shut)"
)
OF_LATER = re.compile(
    rf"\b(?:i'?ll|i will|i shall|we'?ll|and i will)\b(?! not)[^.?!:]*\b{MOVES}\b(?![^.?!]*<bid>)"
    r"|\bmoved[^.?!]*\. neither will i\b|\bwill not argue\b|\bcloser and i will\b"
    r"|\btomorrow it (?:costs|will)|\bmy last (?:price|word)\b|^last price,? [{<₹]|\bfinal,? then\b"
    r"|\b(?:badh|utr|utar|ghata|chadh|jhuk)\w*(?:ungi|oongi)\b"
    r"|\b(?:daam|price|number|rate|hisaab|<last>)\b(?! theek)[^.?!,]* (?<!theek )(?<!kaisa )"
    r"(?<!kya )(?:rahega|badhega|ghatega)(?! abhi)"
    r"|\bisse kam par\b|\byeh aakhri\b(?! round)|\bphir baat band\b"
    r"|(?:बढ़|उतर|उतार|घटा|चढ़|झुक)\S*(?:ूँगी|ाऊँगी)"
    r"|(?:दाम|हिसाब|<last>)[^।?!,]* (?<!ठीक )(?<!कैसा )(?<!क्या )(?<!ही )"
    r"(?:रहेगा|बढ़ेगा|घटेगा)|इससे कम पर|यह आख़िरी (?!राउंड|दौर)|^आख़िरी दाम [{<₹]"
    r"|फिर बात बंद",
    re.IGNORECASE,
)
NOT_SAID = ("asked", "together", "says", "needs", "words", "topics", "denies", "denied", "brands")
"""What tables of answers find questions by."""


def strings(table: object) -> Iterator[str]:
    match table:
        case str():
            yield table
        case dict():
            for key, value in table.items():
                yield from () if key in NOT_SAID else strings(value)
        case list():
            for value in table:
                yield from strings(value)


def buyers_lines() -> Iterator[str]:
    for path in sorted(Path("agents/speech").glob("*.toml")):
        if path.stem in ("answers", "statements", "forms", "goodbyes"):
            yield from strings(tomllib.loads(path.read_text(encoding="utf-8")))
    for path in sorted(Path("agents/speech/lines/truths").glob("*.toml")):
        yield from strings(tomllib.loads(path.read_text(encoding="utf-8")))
    # What is only said in the last round is true there.
    yield from (one.line for one in corpus() if not one.final)
    yield from (one.line for one in read_exchanges(WARNINGS, Exchange))


def sellers_lines() -> Iterator[str]:
    yield from (one.line for one in sellers_corpus())
    yield from strings(tomllib.loads(Path("agents/sellers/answers.toml").read_text("utf-8")))
    for moods in all_lines().values():
        yield from (line for lines in moods.values() for line in lines)
    for persona in PERSONAS.values():
        for pool in (persona.counters, persona.holds):
            yield from (line for lines in pool.values() for line in lines)


def later(lines: Iterator[str]) -> list[str]:
    return [line for line in lines if OF_LATER.search(line)]


@pytest.mark.parametrize(
    "line",
    [
        "Tomorrow it costs more. {price} now.",
        "One more step from you and I will add 200.",
        "You have not moved much. Neither will I.",
        "Ek kadam aap, phir main bhi badhungi.",
        "Mera daam kal bhi yahi rahega",
        "आप उतरिए, मैं भी उतरूँगी।",
        "Last price, {price}.",
    ],
)
def test_words_of_later_are_found(line: str) -> None:
    assert later(iter([line]))


def test_what_sauda_says_of_her_next_prices_binds_her() -> None:
    found = later(buyers_lines())
    assert len(found) > 20, "the search finds nothing any more"
    free = [line for line in found if not is_promise(line) and not is_warning(line)]
    assert free == []


def test_no_seller_says_a_word_of_her_next_prices_while_rounds_are_left() -> None:
    seen = a_stall(bids=(600, 700), asks=(1000, 950))
    plan = plan_of(seen, Offer(Paise(900_00)))
    found = later(sellers_lines())
    assert len(found) > 8, "the search finds nothing any more"
    said = []
    for line in found:
        text = re.sub("|".join(SLOTS), "₹900", line).replace("{price}", "₹900")
        if not any(sellers_faults(text, plan, seen, Offer(Paise(900_00)))):
            said.append(line)
    assert said == []


@pytest.mark.parametrize(
    "line", [one for language in LANGUAGES for one in statements().stand["step"].of(language)]
)
def test_a_step_that_is_offered_while_she_stands_is_taken(line: str) -> None:
    text = line.replace("<ask>", "₹5,800").replace("<last>", "₹2,700")
    seen = a_position((5_800, 5_600), (2_700,), budget=5_000)
    own = Turn("buyer", 1, "offer", Paise(2_700_00), text)
    told = Turn("seller", 1, "offer", Paise(5_600_00), "Hm.")
    kept = keep(msgspec.structs.replace(seen, turns=(own, told)), Offer(Paise(2_700_00)))
    assert is_promise(text)
    assert isinstance(kept, Offer)
    assert kept.price > Paise(2_700_00)
