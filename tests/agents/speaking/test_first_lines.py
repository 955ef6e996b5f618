"""Her first line: in the language of the page, and never that of the game before."""

import pytest
from msgspec.structs import replace

from agents.speech.bank import ANY_GOODS, pool
from agents.speech.checks import is_in, opening_of
from agents.speech.sides import language_of
from agents.speech.speaker import Speaker
from agents.text.languages import Register
from bazaarbatna.bargain.episode import advance, start
from bazaarbatna.bargain.moves import Offer
from bazaarbatna.bargain.observe import BuyerObservation, observe_buyer
from bazaarbatna.bargain.quantities import Paise
from tests.agents.speaking.test_speaker import scenario

PAGES: dict[str, Register] = {"hi": "hindi", "en-in": "english", "en": "english"}
FIRST_BID = Offer(Paise(2800_00))


def first(seed: int, page: str, *earlier: str, title: str = "") -> str:
    """Return her first line in a game that begins."""
    return Speaker(seed).line(replace(beginning(seed, page, title), before=earlier), FIRST_BID)


def beginning(seed: int, page: str, title: str = "") -> BuyerObservation:
    seen = replace(observe_buyer(start(scenario(seed))[0]), language=page)
    return replace(seen, item=replace(seen.item, title=title)) if title else seen


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize(
    "title", ["Brass lamp", "Purani wali lakdi ki almirah", "पुरानी अलमारी", "टेबल, चार सीटर"]
)
def test_she_begins_in_the_language_of_the_page_whatever_is_sold(page: str, title: str) -> None:
    for seed in range(12):
        line = first(seed, page, title=title)
        assert line
        assert is_in(line.replace(title, ""), PAGES[page])


@pytest.mark.parametrize(
    ("words", "language"),
    [("5500", "hindi"), ("ok", "hindi"), ("What would you pay for it?", "english"),
     ("Bhai itne mein nahi hoga", "hinglish")],
)  # fmt: skip
def test_on_a_hindi_page_she_stays_with_hindi_until_another_is_written(
    words: str, language: Register
) -> None:
    state, _ = start(scenario(4))
    state, _ = advance(state, replace(FIRST_BID, text=first(4, "hi")))
    state, _ = advance(state, Offer(Paise(5500_00), words))
    # The log alone tells from here on: a replay that knows no page speaks alike.
    for page in ("hi", ""):
        assert language_of(replace(observe_buyer(state), language=page)) == language


@pytest.mark.parametrize("page", PAGES)
def test_the_line_of_the_game_before_is_not_the_first_again(page: str) -> None:
    for seed in range(40):
        before = first(seed, page)
        again = first(seed, page, before)
        assert again
        assert opening_of(again) != opening_of(before)


@pytest.mark.parametrize("language", ["english", "hinglish", "hindi"])
def test_a_line_with_another_thing_and_price_in_it_is_the_same_line(language: Register) -> None:
    seen = replace(beginning(1, ""), item=replace(beginning(1, "").item, title="blue scooter"))
    there = pool(language, "open")
    begun = [one for one in there if "<item>" in one.line and one.goods == ANY_GOODS]
    assert begun
    for one in begun:
        before = one.line.replace("<item>", "harmonium").replace("<bid>", "₹99,000")
        heard = replace(seen, before=(before,), language="hi" if language == "hindi" else "en")
        said = [found.line for _, found in Speaker(1).of_the_bank(heard, FIRST_BID)]
        assert said
        assert one.line not in said
