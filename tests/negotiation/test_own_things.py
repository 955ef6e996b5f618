"""Two friends haggle over a thing that one of them describes."""

from html import unescape

import pytest
from django.test import Client

from bazaarbatna.bargain.moves import Walk
from negotiation.bargain import sessions
from negotiation.bargain.scenarios import stored_scenario
from negotiation.models import Game, Invitation, Listing
from tests.support.visitors import a_visitor, key_of

pytestmark = pytest.mark.django_db

CLOCK = {
    "listing": "own",
    "title": "Grandfather's <clock>",
    "description": "Runs ten minutes fast.",
    "asking_price": "4,200",
    "name": "Asha",
    "seat": "seller",
}


def invited(client: Client, **changed: str) -> str:
    made = client.post("/pair/", {**CLOCK, **changed})
    assert made.status_code == 302, made.content
    return str(made["Location"])


def test_friends_haggle_over_their_own_thing_and_again_with_seats_swapped() -> None:
    asha, ravi = a_visitor(), a_visitor()
    link = invited(asha)
    shown = ravi.get(link).content.decode()
    assert "Grandfather&#x27;s &lt;clock&gt;" in shown
    assert "Runs ten minutes fast." in shown
    assert "₹4,200" in shown
    game = Game.objects.get(pk=ravi.post(link, {"name": "Ravi"})["Location"].split("/")[2])
    first = stored_scenario(game)
    assert (first.item.title, first.anchor) == ("Grandfather's <clock>", 420_000)
    assert first.zopa > 0, "the first two games of a table are sure"
    for client, page in ((asha, "sell"), (ravi, "buy")):
        text = unescape(client.get(f"/{page}/{game.pk}/").content.decode())
        assert "Grandfather's <clock>" in text
    sessions.play(game.pk, key_of(ravi), Walk())
    for client in (asha, ravi):
        client.post(f"/pair/rematch/{game.pk}/")
    again = Game.objects.exclude(pk=game.pk).get()
    assert (again.owner, again.rival) == (game.rival, game.owner)
    second = stored_scenario(again)
    assert second.item == first.item
    assert second.sealed != first.sealed


def test_an_own_thing_is_on_nobody_elses_stall() -> None:
    invited(a_visitor())
    assert not Listing.objects.filter(title__contains="clock").exists()


@pytest.mark.parametrize(
    "wrong",
    [
        {"title": ""},
        {"title": "\u0007 \u2028"},
        {"asking_price": ""},
        {"asking_price": "free"},
        {"asking_price": "9.99"},
        {"asking_price": "9" * 20},
        {"title": "x" * 81},
        {"description": "x" * 401},
        {"name": ""},
    ],
)
def test_what_cannot_be_haggled_over_is_said_beside_its_field(wrong: dict[str, str]) -> None:
    asha = a_visitor()
    answer = asha.post("/pair/", {**CLOCK, **wrong})
    assert answer.status_code == 422
    text = answer.content.decode()
    assert 'value="own" checked' in text
    assert 'class="problem"' in text
    assert not Invitation.objects.exists()


@pytest.mark.parametrize("price", ["10", "15", "60", "99.99", "137.50", "9999999"])
def test_the_secret_numbers_lie_around_what_is_asked(price: str) -> None:
    asha, ravi = a_visitor(), a_visitor()
    link = invited(asha, asking_price=price)
    game = Game.objects.get(pk=ravi.post(link, {"name": "Ravi"})["Location"].split("/")[2])
    scenario = stored_scenario(game)
    assert scenario.anchor / 4 < scenario.sealed.reservation < scenario.sealed.budget
    assert scenario.sealed.budget <= scenario.anchor
    limits = (scenario.sealed.reservation, scenario.sealed.budget)
    # A budget of all that is asked is as odd as that is.
    assert not any(limit % 100 for limit in limits if limit < scenario.anchor)
