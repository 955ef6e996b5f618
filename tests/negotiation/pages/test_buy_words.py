"""The words of the two seats: complete, filled, and about the right person."""

import importlib
import pkgutil
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

import agents.text.tells
from agents.text.tells.words import Cue
from bazaarbatna.bargain.moves import Offer, Walk
from bazaarbatna.bargain.quantities import Paise
from bazaarbatna.bargain.scenario import Scenario, SealedValues
from negotiation.bargain.shops import PLAIN, SHOPS, shop_of
from negotiation.bargain.visibility import frames
from negotiation.bargain.web.bubbles import about_her
from negotiation.bargain.web.outcome import outcome_of, rivals_of
from negotiation.bargain.web.seats import BUYING, SELLING, Seat, facing, seat_of
from negotiation.models import EventRow, Game
from tests.support.finished import Playing, a_scenario, store
from tests.support.visitors import a_visitor, key_of


def reasons() -> set[str]:
    """Every reason that the reader of tells may give."""
    found: set[str] = set()
    for module in pkgutil.iter_modules(agents.text.tells.__path__, "agents.text.tells."):
        for name, value in vars(importlib.import_module(module.name)).items():
            if name.endswith("WHY") and isinstance(value, str):
                found.add(value)
            if isinstance(value, tuple):
                found |= {row[1].why for row in value if _is_row(row)}
    return found - {""}


def _is_row(row: object) -> bool:
    return isinstance(row, tuple) and len(row) == 2 and isinstance(row[1], Cue)


def test_the_reader_has_many_reasons_and_most_speak_to_you() -> None:
    assert len(reasons()) > 15
    assert sum(why.startswith("You ") for why in reasons()) > 10


@pytest.mark.parametrize("why", sorted(reasons()))
def test_no_reason_about_her_speaks_to_you(why: str) -> None:
    told = about_her(why)
    assert "you" not in told.lower().split()
    assert "your" not in told.lower()
    assert told[0].isupper()
    assert (told == why) is ("you" not in why.lower())


@pytest.mark.parametrize(
    ("why", "told"),
    [
        (
            "You are losing patience: tempers move prices, seldom your way.",
            "She is losing patience: tempers move prices, seldom her way.",
        ),
        (
            "You say it takes up room or time: you would rather be rid of it.",
            "She says it takes up room or time: she would rather be rid of it.",
        ),
        (
            "You named a last price before: the second one is not the last either.",
            "She named a last price before: the second one is not the last either.",
        ),
        (
            "You press for speed: haste reads as need.",
            "She presses for speed: haste reads as need.",
        ),
        (
            "You say you need the money: whoever needs it cannot wait.",
            "She says she needs the money: whoever needs it cannot wait.",
        ),
    ],
)
def test_reasons_are_told_of_her(why: str, told: str) -> None:
    assert about_her(why) == told


@pytest.mark.parametrize("seat", [SELLING, BUYING])
def test_a_seat_that_faces_somebody_names_her_everywhere(seat: Seat) -> None:
    faced = str(msgspec.structs.asdict(facing(seat, "Meena", "en")))
    assert "{rival}" not in faced
    assert "Meena" in faced
    assert "Sauda" not in faced


def test_a_purchase_faces_the_keeper_of_the_stall_and_a_sale_faces_sauda() -> None:
    assert seat_of(Game(seat="buyer", policy="seller:firm")).rival == "Zarina"
    assert seat_of(Game(seat="seller", policy="sauda")).rival == "Sauda"
    assert seat_of(Game(seat="buyer", policy="seller:gone")).rival == PLAIN.keeper


def test_no_two_stalls_share_a_keeper() -> None:
    assert len({shop.keeper for shop in SHOPS}) == len(SHOPS)
    assert all(shop_of(shop.policy) is shop for shop in SHOPS)


BID = Offer(Paise(90_000), "900.")
ENDS: dict[str, Callable[[Scenario], Playing]] = {
    "seller walks": lambda scenario: Playing(scenario).move("buyer", BID).move("seller", Walk()),
    "buyer walks": lambda scenario: (
        Playing(scenario)
        .move("buyer", BID)
        .move("seller", Offer(Paise(190_000), "1900"))
        .move("buyer", Walk())
    ),
    "rounds run out": lambda scenario: (
        Playing(msgspec.structs.replace(scenario, max_rounds=1))
        .move("buyer", BID)
        .move("seller", Offer(Paise(190_000), "1900"))
    ),
}
"""Games of a thing that its seller needs 1,200 rupees for, and that end without a deal."""

SOLD = {
    "seller walks": "Right to walk: no price suited both of you. ",
    "buyer walks": "She was right to walk, and you lost nothing: no price suited both of you. ",
    "rounds run out": "Right not to agree: no price suited both of you. ",
}
BOUGHT = SOLD | {"seller walks": SOLD["buyer walks"], "buyer walks": SOLD["seller walks"]}


def ended(end: str, budget: int) -> Playing:
    sealed = SealedValues(Paise(120_000), Paise(114_285), Paise(budget), 42)
    playing = ENDS[end](a_scenario(sealed=sealed))
    assert playing.state.ended is not None
    return playing


def verdict(playing: Playing, seat: Seat) -> str:
    game = store(playing)
    log = frames(game, seat.side)
    return outcome_of(log, playing.scenario, facing(seat, "Meena", "en")).verdict.sentence


@pytest.mark.django_db
@pytest.mark.parametrize("end", ENDS)
def test_where_no_price_suited_both_the_end_without_a_deal_is_praised(end: str) -> None:
    sold, bought = (verdict(ended(end, 100_050), seat) for seat in (SELLING, BUYING))
    assert sold == SOLD[end] + "She could pay at most ₹1,000; you needed ₹1,200."
    assert bought == BOUGHT[end] + "She needed ₹1,200; you could pay at most ₹1,000."


@pytest.mark.django_db
@pytest.mark.parametrize("end", ["seller walks", "buyer walks"])
def test_nobody_is_said_to_have_walked_from_a_table_that_was_closed(end: str) -> None:
    playing = ended(end, 100_050)
    game = store(playing)
    EventRow.objects.filter(game=game, kind="walk").update(backend="closed")
    for seat in (SELLING, BUYING):
        log = frames(game, seat.side)
        told = outcome_of(log, playing.scenario, facing(seat, "Meena", "en"))
        assert "table was closed" in told.headline
        assert told.verdict.sentence.startswith("Right not to agree: ")


@pytest.mark.django_db
@pytest.mark.parametrize("end", ENDS)
def test_where_a_price_suited_both_the_end_says_which_was_missed(end: str) -> None:
    sold, bought = (verdict(ended(end, 170_000), seat) for seat in (SELLING, BUYING))
    before = "A deal was possible: every price from "
    assert sold == f"{before}your ₹1,200 to her ₹1,700 suited both of you."
    assert bought == f"{before}her ₹1,200 to your ₹1,700 suited both of you."


@pytest.mark.django_db
def test_one_single_price_that_was_missed_is_named() -> None:
    for seat in (SELLING, BUYING):
        told = verdict(ended("seller walks", 120_000), seat)
        assert told.startswith("A deal was possible at one price alone, ₹1,200: ")


@pytest.mark.django_db
@pytest.mark.parametrize("end", ENDS)
def test_live_page_and_replay_tell_a_good_walk_from_a_missed_deal(end: str) -> None:
    asha = a_visitor()
    pages = {}
    for budget in (100_000, 170_000):
        game = store(ended(end, budget), owner=key_of(asha))
        for place in ("sell", "replays"):
            html = asha.get(f"/{place}/{game.pk}/").content.decode()
            pages[place, budget] = " ".join(html.split())
    for place in ("sell", "replays"):
        assert "A deal was possible: every price from " in pages[place, 170_000]
        assert SOLD[end] in pages[place, 100_000]
        assert "A deal was possible" not in pages[place, 100_000]
        assert "no price suited both" not in pages[place, 170_000]


def test_the_sheet_lists_what_a_seller_said_of_other_buyers() -> None:
    why = "Rival offers cannot be checked: buyers hear them in every bluff."

    def log(actor: str) -> list[dict[str, Any]]:
        said = {"kind": "offer", "actor": actor, "text": "Two others want it."}
        told = {"kind": "tells", "actor": actor, "of_seq": 1, "spans": [{"why": why}]}
        return [{"seq": 1, "event": said}, {"seq": 2, "event": told}]

    assert rivals_of(log("seller"), BUYING) == ("Two others want it.",)
    assert rivals_of(log("seller"), SELLING) == (), "one's own words are no news"
    assert rivals_of(log("buyer"), BUYING) == ()
