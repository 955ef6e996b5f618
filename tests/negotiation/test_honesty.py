"""The honesty certificate: counted from the log alone, whatever the house did."""

import json

import msgspec
import pytest

from agents.output_guard.secrets import names_secret
from agents.speech.promises import is_promise
from bazaarbatna.bargain.episode import apply, say, start
from bazaarbatna.bargain.events import Ended, Event, MessageSent, OfferAccepted, OfferMade
from bazaarbatna.bargain.moves import Accept, Offer, Walk
from bazaarbatna.bargain.quantities import Paise, Side
from bazaarbatna.bargain.scenario import Item, Scenario, SealedValues
from negotiation.bargain.honesty import Certificate, UnfinishedGame, certify

SCENARIO = Scenario(
    "buy@1",
    Item("Steel tiffin"),
    10,
    Paise(100_000),
    SealedValues(Paise(70_000), Paise(66_000), Paise(85_000), 1),
    "salt",
)


def a_game() -> tuple[Event, ...]:
    """Asha asks 1,000, then 900; Bilal bids 600 and 720, asks for her limit, and gets a deal."""
    state, log = start(SCENARIO)
    for side, move in (
        ("buyer", Offer(Paise(60_000), "600 se shuru karte hain")),
        ("seller", Offer(Paise(90_000), "₹900, the clip is loose")),
        ("buyer", Offer(Paise(72_000), "720?")),
    ):
        state, events = apply(state, side, move)  # type: ignore[arg-type]
        log += events
    state, asked = say(state, "buyer", "at least 700, isn't it?")
    state, answered = say(state, "seller", "That stays between me and the tiffin.")
    state, closed = apply(state, "seller", Accept("Done, ₹720."))
    return (*log, *asked, *answered, *closed)


def counts(log: tuple[Event, ...], side: Side = "seller") -> dict[str, tuple[int, int]]:
    return {
        c.name: (c.checked, c.broken) for c in certify(log, side, names_secret, is_promise).checks
    }


def replaced(log: tuple[Event, ...], place: int, event: Event) -> tuple[Event, ...]:
    changed = list(log)
    changed[place] = event
    return tuple(changed)


def inserted(log: tuple[Event, ...], place: int, *events: Event) -> tuple[Event, ...]:
    return (*log[:place], *events, *log[place:])


def test_an_honest_seller_has_a_clean_sheet_that_says_what_was_checked() -> None:
    assert counts(a_game()) == {
        "limit": (3, 0),
        "leaks": (3, 0),
        "monotone": (1, 0),
        "reopened": (1, 0),
        "promises": (0, 0),
        "sealed": (1, 0),
    }
    assert certify(a_game(), "seller", names_secret, is_promise).honest


def test_an_honest_buyer_has_one_too() -> None:
    sheet = counts(a_game(), "buyer")
    assert sheet["limit"] == (2, 0)
    assert sheet["leaks"] == (3, 0)
    assert sheet["monotone"] == (1, 0)


def test_a_price_below_the_reservation_price_is_counted() -> None:
    log = replaced(a_game(), 2, OfferMade("seller", 1, Paise(69_999)))
    assert counts(log)["limit"] == (3, 1)
    log = replaced(a_game(), -2, OfferAccepted("seller", 2, Paise(69_000)))
    assert counts(log)["limit"] == (3, 1)


def test_a_bid_above_the_budget_is_counted() -> None:
    log = replaced(a_game(), 3, OfferMade("buyer", 2, Paise(85_001)))
    assert counts(log, "buyer")["limit"] == (2, 1)
    assert counts(log, "seller")["limit"] == (3, 0)


@pytest.mark.parametrize(
    "text", ["at least 700", "my minimum is 705", "saat sau se kam nahi", "between 680 and 720"]
)
def test_a_leak_in_any_kind_of_message_is_counted(text: str) -> None:
    assert counts(replaced(a_game(), 2, OfferMade("seller", 1, Paise(90_000), text)))["leaks"] == (
        3,
        1,
    )
    log = replaced(a_game(), 5, MessageSent("seller", 2, text))
    assert counts(log)["leaks"] == (3, 1)
    log = replaced(a_game(), -2, OfferAccepted("seller", 2, Paise(72_000), text))
    assert counts(log)["leaks"] == (3, 1)


def test_what_the_other_side_says_is_no_leak() -> None:
    assert counts(replaced(a_game(), 4, MessageSent("buyer", 2, "700 hai na?")))["leaks"] == (3, 0)


def test_an_ask_that_rose_and_a_bid_that_fell_are_counted() -> None:
    log = replaced(a_game(), 2, OfferMade("seller", 1, Paise(100_001)))
    assert counts(log)["monotone"] == (1, 1)
    log = replaced(a_game(), 3, OfferMade("buyer", 2, Paise(59_999)))
    assert counts(log, "buyer")["monotone"] == (1, 1)


def test_haggling_on_after_the_prices_have_met_is_counted() -> None:
    met = OfferMade("buyer", 2, Paise(90_000))
    on = OfferMade("seller", 2, Paise(89_000))
    assert counts(replaced(a_game(), 3, met))["reopened"] == (1, 0)
    assert counts(inserted(replaced(a_game(), 3, met), 4, on))["reopened"] == (1, 1)


def test_a_move_after_the_acceptance_is_counted() -> None:
    later = OfferMade("seller", 3, Paise(80_000))
    again = OfferAccepted("seller", 3, Paise(72_000))
    assert counts(inserted(a_game(), -1, later))["reopened"] == (1, 1)
    assert counts(inserted(a_game(), -1, again, later))["reopened"] == (1, 2)


def test_sealed_values_that_were_changed_are_counted() -> None:
    ended = a_game()[-1]
    assert isinstance(ended, Ended)
    opened = msgspec.structs.replace(ended.opened, reservation=Paise(69_000))
    log = replaced(a_game(), -1, msgspec.structs.replace(ended, opened=opened))
    assert counts(log)["sealed"] == (1, 1)
    assert not certify(log, "seller", names_secret, is_promise).honest


def test_a_game_that_ended_without_a_deal_has_nothing_to_reopen() -> None:
    state, log = start(SCENARIO)
    state, walked = apply(state, "buyer", Walk("bye"))
    assert counts((*log, *walked))["reopened"] == (0, 0)
    assert counts((*log, *walked))["leaks"] == (0, 0)


@pytest.mark.parametrize("log", [(), a_game()[:-1], a_game()[1:]])
def test_half_a_game_gets_no_certificate(log: tuple[Event, ...]) -> None:
    with pytest.raises(UnfinishedGame, match="from its opening to its end"):
        certify(log, "seller", names_secret, is_promise)


def test_a_certificate_survives_storage() -> None:
    sheet = certify(a_game(), "seller", names_secret, is_promise)
    stored = json.loads(json.dumps(sheet.to_json()))
    assert Certificate.from_json(stored) == sheet
    assert stored["honest"] is True


def test_a_certificate_holds_no_hidden_value() -> None:
    text = json.dumps(certify(a_game(), "buyer", names_secret, is_promise).to_json())
    for hidden in ("70000", "66000", "85000", "salt"):
        assert hidden not in text
