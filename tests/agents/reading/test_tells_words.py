"""What a seller's words give away."""

import pytest

from agents.text.tells.reader import read_tells
from bazaarbatna.bargain.episode import Turn
from bazaarbatna.bargain.quantities import to_paise
from negotiation.readers import Reading, SaleContext


def read(
    text: str,
    *,
    before: tuple[str, ...] = (),
    asks: tuple[float, ...] = (200,),
    ask: float | None = None,
    condition: str = "",
    typing_s: float | None = None,
) -> Reading:
    turns = tuple(
        Turn("seller", place, "offer", to_paise(180), line) for place, line in enumerate(before, 1)
    )
    context = SaleContext(
        tuple(to_paise(price) for price in asks), (to_paise(150),), turns, condition, typing_s
    )
    return read_tells(text, context, None if ask is None else to_paise(ask))


def spans(text: str, signal: str) -> list[str]:
    return [text[s.start : s.end] for s in read(text).spans if s.signal == signal]


def test_a_loss_claim_is_urgency_and_rival_offers_are_a_bluff_cue() -> None:
    text = "im sorry 170 and im making a loss, theres 3 other offers that ive got"
    assert spans(text, "urgency") == ["making a loss"]
    assert spans(text, "deception") == ["3 other offers"]
    tells = read(text).tells
    assert tells.verbal_urgency is not None
    assert tells.verbal_urgency >= 0.5
    assert tells.verbal_deception_cue is not None
    assert tells.verbal_deception_cue >= 0.5


def test_a_last_price_is_firm_and_a_rise_tomorrow_is_a_bluff_cue() -> None:
    text = "last price 4200, kal se badhega"
    assert spans(text, "confidence") == ["last price"]
    assert spans(text, "deception") == ["kal se badhega"]


def test_a_sealed_box_is_a_new_item() -> None:
    reading = read("box sealed, never opened")
    assert reading.tells.condition_score == 1.0
    assert reading.tells.condition_label == "new"
    assert reading.tells.depreciation_score == 0.0


def test_a_replaced_screen_and_a_tired_battery_lower_the_condition() -> None:
    reading = read("screen replaced, battery 81%")
    assert reading.tells.condition_label == "acceptable"
    assert spans("screen replaced, battery 81%", "condition") == ["screen replaced", "battery 81"]


def test_people_who_are_looking_are_a_bluff_cue() -> None:
    assert spans("teen aur log dekh rahe hain", "deception") == ["teen aur log"]
    assert spans("तीन और लोग देख रहे हैं", "deception") == ["तीन और लोग"]


def test_asking_for_the_last_price_is_not_holding_one() -> None:
    confidence = read("what is your best offer").tells.verbal_confidence
    assert confidence is not None
    assert confidence < 0.4


@pytest.mark.parametrize(
    "text",
    [
        "koi jaldi nahi hai",
        "mujhe koi jaldi nahi",
        "jaldi nahi hai bhai",
        "not in a hurry",
        "i am not in any hurry",
        "no hurry at all",
        "not urgent",
        "its not urgent at all",
        "no need of money",
        "paise ki zaroorat nahi hai",
        "i dont need money",
        "i am not making a loss",
        "koi loss nahi hai",
        "are you in a hurry?",
        "aapko jaldi hai kya",
        "do you need it urgently?",
        "i'm not desperate",
        "jaldi mat karo",
    ],
)
def test_denied_need_is_no_urgency(text: str) -> None:
    assert spans(text, "urgency") == []
    assert read(text).tells.verbal_urgency == 0.0


@pytest.mark.parametrize(
    "text",
    [
        "no other offers yet",
        "there are no other buyers",
        "i dont have other offers",
        "aur koi customer nahi aaya",
        "no one else offered",
        "without other offers",
    ],
)
def test_denied_rivals_are_no_bluff(text: str) -> None:
    assert spans(text, "deception") == []


@pytest.mark.parametrize(
    "text",
    ["nahi to koi aur le jayega", "jaldi karo warna nahi milega", "urgent hai nahi to nahi bechta"],
)
def test_or_else_is_no_denial(text: str) -> None:
    assert spans(text, "deception") or spans(text, "urgency")


@pytest.mark.parametrize(
    ("text", "firm"),
    [
        ("170 se kam nahi", True),
        ("fixed price", True),
        ("not negotiable", True),
        ("take it or leave it", True),
        ("price negotiable hai", False),
        ("thoda adjust kar lo", False),
        ("maybe 170", False),
        ("make an offer", False),
    ],
)
def test_words_hold_or_loosen_the_price(text: str, firm: bool) -> None:
    confidence = read(text).tells.verbal_confidence
    assert confidence is not None
    assert confidence > 0.6 if firm else confidence < 0.4


def test_a_bare_price_says_nothing_in_words() -> None:
    tells = read("170", ask=170).tells
    assert tells.verbal_urgency is None
    assert tells.verbal_confidence is None
    assert tells.price_rounding == "round"


def test_what_text_cannot_carry_is_never_invented() -> None:
    tells = read("JALDI KARO!!! 170 final, teen log aur hain", ask=170, typing_s=1.0).tells
    assert (tells.eye_contact, tells.posture, tells.fidget_level) == (None, None, None)


@pytest.mark.parametrize(
    "text",
    ["TIME WASTE MAT KARO!!!", "time waste mat karo", "are you mad? 50??", "NO LOWER THAN THIS OK",
     "pagal ho kya 😡"],
)  # fmt: skip
def test_temper_shows(text: str) -> None:
    escalation = read(text).tells.emotional_escalation
    assert escalation is not None
    assert escalation >= 0.35


@pytest.mark.parametrize(
    "text", ["OK 170", "8GB RAM 128GB SSD HDMI", "sold!", "SAMSUNG LED TV", "170?"]
)
def test_short_capitals_and_one_sign_are_no_temper(text: str) -> None:
    assert not read(text).tells.emotional_escalation


def test_a_second_last_price_is_a_bluff_cue() -> None:
    assert (
        read("last price 175", before=("hello", "last price 180")).tells.verbal_deception_cue
        == 0.55
    )
    assert read("last price 175", before=("hello", "180 chalega")).tells.verbal_deception_cue == 0.0


def test_repeated_phrases_are_counted() -> None:
    line = "bhai market mein yahi rate chal raha hai"
    assert read(line).tells.repeat_phrases == 0
    again = read(line, before=(line,)).tells.repeat_phrases
    assert again is not None
    assert again >= 2


def test_changes_of_subject_are_counted() -> None:
    before = ("170 final hai", "box sealed, never opened", "paise ki zaroorat hai")
    assert read("teen aur log dekh rahe hain", before=before).tells.topic_changes == 3
    assert read("170 se kam nahi", before=("180 final",)).tells.topic_changes == 0


def test_the_item_speaks_when_the_line_does_not() -> None:
    assert read("170", condition="Hardly used, no scratches").tells.condition_label == "like_new"
    assert read("170", condition="").tells.condition_score is None
    assert read("screen cracked hai", condition="Like new").tells.condition_label == "acceptable"


def test_pace_is_judged_by_the_length_of_the_line() -> None:
    assert read("170 final", typing_s=1.5).tells.offer_speed == "instant"
    assert read("170 final", typing_s=10).tells.offer_speed == "normal"
    assert read("170 final", typing_s=60).tells.offer_speed == "deliberate"
    assert read("170 final").tells.offer_speed is None


@pytest.mark.parametrize(
    ("asks", "ask", "pattern"),
    [
        ((200,), 190, None),
        ((200, 190), 180, "steady"),
        ((200, 190, 180), 171, "steady"),
        ((200, 170), 165, "front_loaded"),
        ((200, 198, 180, 179), 160, "erratic"),
        ((200, 190), 190, "stalling"),
        ((200, 190), 189.5, "stalling"),
    ],
)
def test_the_path_of_asks_has_a_shape(
    asks: tuple[float, ...], ask: float, pattern: str | None
) -> None:
    assert read("ok", asks=asks, ask=ask).tells.concession_pattern == pattern


@pytest.mark.parametrize(
    ("ask", "rounding"),
    [(170, "round"), (165, "round"), (167, "precise"), (169.5, "precise"), (4200, "round"),
     (4250, "round"), (4237, "precise"), (235000, "round"), (234_999, "precise"), (None, None)],
)  # fmt: skip
def test_round_prices_differ_from_precise_ones(ask: float | None, rounding: str | None) -> None:
    assert read("ok", ask=ask).tells.price_rounding == rounding


def test_spans_count_code_points_of_the_text_as_written() -> None:
    text = "😀 ＪＡＬＤＩ\u200b karo, ३ other offers hain"
    found = {text[s.start : s.end] for s in read(text).spans}
    assert "३ other offers" in found
    assert any("ＪＡＬＤＩ" in words for words in found)


@pytest.mark.parametrize(
    "words",
    [
        "It stands at ₹5,500 right now.",
        "My price right now is 5500",
        "The bid stands at 900 right now",
    ],
)
def test_where_a_price_stands_right_now_presses_nobody(words: str) -> None:
    assert not spans(words, "urgency")
    assert spans(f"{words} Take it right now!", "urgency") == ["right now"]


@pytest.mark.parametrize(
    "words",
    ["Honestly, my mother is ill.", "My father is in hospital, honestly", "Frankly, she is sick"],
)
def test_honestly_beside_an_illness_is_no_bluff(words: str) -> None:
    assert not spans(words, "deception")
    assert spans(f"{words} I have 3 other offers", "deception") == ["3 other offers"]
    assert spans("Honestly, it is cheap.", "deception") == ["Honestly"]


def test_every_span_explains_itself_in_one_line() -> None:
    text = "need money, 3 other offers, 170 final, box sealed, TIME WASTE MAT KARO!!!"
    reading = read(text)
    assert {s.signal for s in reading.spans} == {
        "urgency", "deception", "confidence", "condition", "escalation",
    }  # fmt: skip
    for span in reading.spans:
        assert 20 <= len(span.why) <= 90
        assert "\n" not in span.why
        assert 0 <= span.score <= 1


@pytest.mark.parametrize(
    "words",
    ["Jaane ki itni jaldi?", "Why such a hurry, sir?", "kis baat ki jaldi hai", "What's the rush?"],
)
def test_to_ask_why_the_other_hurries_shows_no_hurry(words: str) -> None:
    reading = read(words)
    assert not [span for span in reading.spans if span.signal == "verbal_urgency"]
