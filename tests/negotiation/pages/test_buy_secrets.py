"""What the seller's side of a purchase gets to see: never the buyer's budget."""

from collections.abc import Iterator

import msgspec
import pytest
from django.test import Client

from bazaarbatna.bargain.moves import Move, Offer
from bazaarbatna.bargain.observe import SellerObservation
from negotiation import policies
from negotiation.bargain.scenarios import stored_scenario
from negotiation.models import Game, Listing
from tests.support.visitors import a_visitor

pytestmark = pytest.mark.django_db

BUDGET = 171_337
FORMS = ("171337", "1713.37", "1,713.37")


class Spy:
    """A seller that writes down everything it is shown, and comes down a little each time."""

    def __init__(self, seen: list[bytes]) -> None:
        self.seen = seen

    def act(self, observation: SellerObservation) -> Move:
        self.seen.append(msgspec.json.encode(observation) + repr(observation).encode())
        return Offer(max(observation.standing_ask - 1000, observation.reservation), "So much.")

    def reply(self, observation: SellerObservation) -> str:
        self.seen.append(msgspec.json.encode(observation))
        return "I hear you."


@pytest.fixture
def spied() -> Iterator[list[bytes]]:
    """Everything that the default seller of this test was shown."""
    seen: list[bytes] = []
    real = policies._entries.pop("seller:default")
    policies.register("seller:default", lambda seed: Spy(seen), version="spy@1", side="seller")
    yield seen
    policies._entries["seller:default"] = real


@pytest.fixture
def lamp() -> Listing:
    lamp = Listing(
        title="Brass lamp",
        category="Home",
        list_price=2000_00,
        street_price=1500_00,
        source_key="l",
    )
    lamp.save()
    return lamp


def plays(bilal: Client, lamp: Listing) -> Game:
    chosen = {"listing": str(lamp.pk), "budget": "1713.37", "policy": "seller:default"}
    bilal.post("/buy/new/", chosen)
    game = Game.objects.get()
    for said in ("700", "aur kam karo", "720", "1713.36 nahi dunga"):
        bilal.post(f"/buy/{game.pk}/move/", {"text": said})
    game.refresh_from_db()
    return game


def test_the_seller_is_shown_no_byte_of_the_budget(spied: list[bytes], lamp: Listing) -> None:
    game = plays(a_visitor(), lamp)
    assert stored_scenario(game).sealed.budget == BUDGET
    assert len(spied) >= 3
    shown = b"".join(spied).decode()
    assert "700" in shown
    assert [form for form in FORMS if form in shown] == []


def test_no_log_line_and_no_page_of_others_holds_the_budget(
    spied: list[bytes], lamp: Listing, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")
    game = plays(a_visitor(), lamp)
    chetan = a_visitor()
    pages = [chetan.get(place) for place in ("/", "/buy/", "/replays/", f"/buy/{game.pk}/")]
    told = caplog.text + "".join(page.content.decode() for page in pages)
    assert [form for form in FORMS if form in told] == []
