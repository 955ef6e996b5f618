"""The words of the two seats: complete, filled, and about the right person."""

import importlib
import pkgutil

import msgspec
import pytest

import agents.tells_reader
from agents.tells_reader.cue import Cue
from negotiation.mirrored import about_her
from negotiation.models import Game
from negotiation.seats import BUYING, SELLING, Seat, seat_of
from negotiation.shops import PLAIN, SHOPS, shop_of


def reasons() -> set[str]:
    """Every reason that the reader of tells may give."""
    found: set[str] = set()
    for module in pkgutil.iter_modules(agents.tells_reader.__path__, "agents.tells_reader."):
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
    ],
)
def test_reasons_are_conjugated(why: str, told: str) -> None:
    assert about_her(why) == told


@pytest.mark.parametrize("seat", [SELLING, BUYING])
def test_a_seat_that_faces_somebody_names_her_everywhere(seat: Seat) -> None:
    faced = str(msgspec.structs.asdict(seat.facing("Meena")))
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
