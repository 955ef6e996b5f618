"""A class of four, small enough to be reckoned by hand."""

import pytest

from rooms.models import Room
from tests.support.class_rooms import a_game, a_member, a_room, ask, bid, takes, walks


@pytest.fixture
def four(db: None) -> Room:
    """Asha, Ravi, Meena and Omar played four games; two of them may be quoted.

    1: Asha sells to Ravi at 1,500 of 1,200..1,700. 2: Meena and Omar miss 800..900.
    3: Ravi has 900, Asha 800: he rightly leaves. 4: Omar sells to Sauda at her budget, 800.
    """
    room = a_room("Four people")
    asha, ravi = a_member(room, "Asha", may_quote=True), a_member(room, "=Ravi+1", may_quote=True)
    meena, omar = a_member(room, "Meena"), a_member(room, "Omar")
    first = [
        bid(1100, "Only one thousand one hundred, my friend"),
        ask(1800, "It is nearly new, look at it"),
        bid(1400),
        ask(1600),
        bid(1500),
        takes("seller"),
    ]
    a_game(room, asha, ravi, first)
    second = [bid(500, "Meena shall not be quoted here"), ask(900), walks("buyer", "Never.")]
    a_game(room, meena, omar, second, limits=(1000, 800, 900))
    third = [bid(750), walks("seller")]
    a_game(room, ravi, asha, third, limits=(1000, 900, 800), number=2)
    fourth = [bid(500), ask(800), takes("buyer")]
    a_game(room, omar, "sauda", fourth, limits=(1000, 600, 800), number=2)
    return room
