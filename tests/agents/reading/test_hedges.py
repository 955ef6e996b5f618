"""What keeps a number from being a price: the measures of the thing, and a condition."""

import pytest

from agents.plug import Speech
from agents.text.intent import read_buyer_intent, read_intent
from bazaarbatna.bargain.quantities import Paise, Side
from negotiation.readers import Intent, SaleContext

LAPTOP = "HP gaming laptop, Ryzen 5, GTX 1650. Bought in 2021 for ₹62,000, 512 GB."
HANSLI = "Old silver hansli, tribal, 210 grams. Worn at 12 weddings."
SIDES: tuple[Side, ...] = ("seller", "buyer")


def hears(side: Side, text: str, listing: str, ask: int, bid: int) -> Intent:
    read = read_intent if side == "seller" else read_buyer_intent
    return read(text, Paise(100 * ask), Paise(100 * bid), listing=listing)


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize(
    ("text", "listing", "ask", "bid"),
    [
        ("GTX 1650 pe kya chalega", LAPTOP, 2400, 1500),
        ("gtx 1650 to purana hai yaar", LAPTOP, 2400, 1500),
        ("GTX 1650 पर गेम चलेगा क्या", LAPTOP, 2400, 1500),
        ("512, itna kam storage", LAPTOP, 50_000, 40_000),
        ("it's heavy right, 210, would anyone's neck survive", HANSLI, 250_000, 200_000),
        ("210, itna bhaari pehnega kaun", HANSLI, 250_000, 200_000),
        ("210 का वज़न गले पर भारी है", HANSLI, 250_000, 200_000),
    ],
)
def test_a_number_of_the_listing_is_no_price(
    side: Side, text: str, listing: str, ask: int, bid: int
) -> None:
    assert hears(side, text, listing, ask, bid).kind == "none"


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize(
    ("text", "listing", "ask", "bid", "price"),
    [
        ("1650 final", LAPTOP, 2400, 1500, 1650),
        ("210 mein de do", HANSLI, 250, 200, 210),
        ("twelve thousand for the GTX 1650", LAPTOP, 14_000, 11_000, 12_000),
        ("210 gram ka 19500 bas", HANSLI, 21_000, 18_000, 19_500),
        ("barah mein pakka", HANSLI, 14_000, 11_000, 12_000),
    ],
)
def test_a_price_that_may_come_next_is_one_though_the_listing_has_it(
    side: Side, text: str, listing: str, ask: int, bid: int, price: int
) -> None:
    assert hears(side, text, listing, ask, bid) == Intent("price", Paise(100 * price))


def test_the_standing_price_is_taken_though_the_listing_has_it() -> None:
    assert hears("seller", "210 done", HANSLI, 250, 210).kind == "accept"
    assert hears("buyer", "210 done", HANSLI, 210, 180).kind == "accept"


@pytest.mark.parametrize("side", SIDES)
def test_the_reader_of_the_site_knows_title_and_description(side: Side) -> None:
    text, asks, bids = "GTX 1650 to purana hai", (Paise(240_000),), (Paise(150_000),)
    told = SaleContext(asks, bids, (), "Runs hot.", side=side, title="HP laptop, GTX 1650")
    described = SaleContext(asks, bids, (), "It has a GTX 1650.", side=side, title="HP laptop")
    assert {Speech().intent(text, one).kind for one in (told, described)} == {"none"}


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize(
    "text",
    ["32,000 IF I deliver", "32000 if you throw in the bag", "agar bag bhi doge to 32000",
     "अगर डिलीवरी आप करवा दो तो 32000"],
)  # fmt: skip
def test_a_condition_is_asked_back_in_words_of_its_own(side: Side, text: str) -> None:
    asked = hears(side, text, "", 36_000, 28_000)
    assert asked.candidates == (3_200_000,)
    assert "condition" in asked.question
    assert "condition" not in hears(side, "maybe 32000", "", 36_000, 28_000).question
