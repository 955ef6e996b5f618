"""Which language she answers in: that of the last line that is plainly in one."""

import pytest
from msgspec.structs import replace

from agents.sellers.speaking import corpus as sellers_corpus
from agents.speech.bank import corpus
from agents.speech.checks import is_in
from agents.speech.sides import clearly, language_of
from agents.speech.speaker import Speaker
from agents.text.languages import Register, is_mixed
from bazaarbatna.bargain.episode import advance, start
from bazaarbatna.bargain.moves import Offer
from bazaarbatna.bargain.observe import BuyerObservation, observe_buyer, observe_seller
from bazaarbatna.bargain.quantities import Paise
from tests.agents.speaking.test_speaker import scenario

ENGLISH = "It was my grandmother's, and she lit it every evening."
HINGLISH = "Bhai, yeh daadi ka tha, isse kam nahi hoga."
HINDI = "यह मेरी दादी का था, इससे कम नहीं होगा।"


def after(
    *lines: str, hers: str = "A fine piece. Shall we begin?", seed: int = 1
) -> BuyerObservation:
    """Return a position in which the seller has said these lines, one a round."""
    state, _ = start(scenario(seed))
    for number, line in enumerate(lines):
        state, _ = advance(state, Offer(Paise((2800 + 100 * number) * 100), hers))
        state, _ = advance(state, Offer(Paise((5700 - 100 * number) * 100), line))
    return observe_buyer(state)


@pytest.mark.parametrize(
    ("lines", "language"),
    [
        (["Arre bhai!", ENGLISH], "english"),  # one word of Hindi does not hold the whole sale
        ([HINGLISH, HINGLISH, ENGLISH], "english"),
        ([HINDI, ENGLISH], "english"),
        ([ENGLISH, HINGLISH], "hinglish"),
        ([HINDI, HINGLISH], "hinglish"),
        ([ENGLISH, HINDI], "hindi"),
        ([HINGLISH, HINDI], "hindi"),
    ],
)
def test_the_last_clear_line_decides(lines: list[str], language: Register) -> None:
    assert language_of(after(*lines)) == language


@pytest.mark.parametrize("running", [ENGLISH, HINGLISH, HINDI])
@pytest.mark.parametrize(
    "unclear", ["", "4,500?", "last price 4300", "ok deal", "hello", "Is daam?", "the best है", "₹"]
)
def test_a_line_that_tells_nothing_keeps_what_is_spoken(running: str, unclear: str) -> None:
    assert clearly(unclear) is None
    assert language_of(after(running, unclear, unclear)) == language_of(after(running))


@pytest.mark.parametrize(
    ("hers", "language"),
    [("A fine piece. Shall we begin?", "english"), ("Accha hai. Shuru karein?", "hinglish"),
     ("अच्छा लग रहा है। शुरू करें?", "hindi"),
     ("Good day, Sauda here. I bargain the way others breathe.", "english")],
)  # fmt: skip
def test_before_any_clear_line_she_keeps_her_own(hers: str, language: Register) -> None:
    assert language_of(after("hello, 4500", hers=hers)) == language


@pytest.mark.parametrize("line", [ENGLISH, HINGLISH, HINDI])
@pytest.mark.parametrize("before", [ENGLISH, HINGLISH, HINDI])
def test_her_words_follow(before: str, line: str) -> None:
    language = clearly(line)
    assert language
    for seed in range(12):
        seen = after(before, line, seed=seed)
        for said in (Speaker(seed).line(seen, Offer(Paise(3100_00))), Speaker(seed).reply(seen)):
            assert said
            assert is_in(said, language), said


def test_a_seller_follows_the_buyer_likewise() -> None:
    state, _ = start(scenario(1))
    for number, line in enumerate(("Bhaiya, kitna?", "Could you come down a little for me?")):
        state, _ = advance(state, Offer(Paise((2800 + number) * 100), line))
        if number == 0:
            state, _ = advance(state, Offer(Paise(5700_00), "Aapke liye achha daam hai."))
    assert language_of(observe_seller(state)) == "english"


def test_she_opens_in_the_language_of_the_goods_name() -> None:
    drawn = scenario(1)
    for title, language in (
        ("बनारसी रेशमी साड़ी", "hindi"),
        ("Banarasi silk saree", None),
        ("Purani silai machine", "hinglish"),
        ("Yashica Mat 124G", None),
    ):
        state, _ = start(replace(drawn, item=replace(drawn.item, title=title)))
        assert language_of(observe_buyer(state)) == language


@pytest.mark.parametrize(
    ("line", "language"),
    [
        ("Sale mein naya achhi every festival", "hinglish"),
        ("Main with pleasure le lungi, daam theek hai", "hinglish"),
        ("मैं इसे with pleasure ले लूँगी", "hindi"),
        ("Aapka daam because zyada hai", "hinglish"),
    ],
)
def test_a_mixture_that_nobody_speaks_is_refused(line: str, language: Register) -> None:
    assert not is_in(line, language)


@pytest.mark.parametrize(
    ("line", "language"),
    [
        ("Final price thoda zyada hai, kuch discount kijiye", "hinglish"),
        ("Thank you ji, kam kiya aapne, ab aap hi boliye", "hinglish"),
        ("Listing mein “one link of chain is a later brass” likha hai", "hinglish"),
        ("यह Samsung Galaxy अच्छा है", "hindi"),
    ],
)
def test_words_at_home_in_hindi_are_let_through(line: str, language: Register) -> None:
    assert is_in(line, language)


def test_no_line_of_the_bank_is_a_mixture() -> None:
    lines = [*corpus(), *sellers_corpus()]
    assert len(lines) > 4000
    assert [one.line for one in lines if one.language != "english" and is_mixed(one.line)] == []


def test_a_greeting_does_not_choose_the_language() -> None:
    assert clearly("namaste! is the chain original?", 2) == "english"
    assert clearly("namaste ji, chain theek hai?", 2) == "hinglish"
