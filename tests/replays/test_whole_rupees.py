"""Money that people read is in whole rupees, whatever paise the sealed values have."""

import re
from collections.abc import Iterator

import pytest
from django.test import Client

from bazaarbatna.bargain.moves import Accept, Offer, Walk
from bazaarbatna.bargain.quantities import Paise
from bazaarbatna.bargain.scenario import SealedValues
from bazaarbatna.bargain.tells import Tells, TellSpan
from negotiation.models import Game
from replays.grade import jobs
from tests.support.finished import Playing, a_scenario, store
from tests.support.visitors import key_of

pytestmark = pytest.mark.django_db

URGENT = TellSpan(0, 6, "verbal_urgency", 0.9, "You press for speed: a hurry to sell.")
GOODS = {
    "dear": (200_000, SealedValues(Paise(121_237), Paise(115_463), Paise(189_963), 42)),
    "cheap": (9_500, SealedValues(Paise(5_269), Paise(5_018), Paise(8_777), 42)),
}


def a_game(owner: str, goods: str, *, is_deal: bool) -> Game:
    anchor, sealed = GOODS[goods]
    playing = Playing(a_scenario(anchor=Paise(anchor), sealed=sealed))
    step = anchor // 2_000 * 100
    for number in range(1, 5):
        playing.move("buyer", Offer(Paise(anchor // 200 * 100 + number * step)))
        playing.move("seller", Offer(Paise(anchor - number * step), "urgent, I lose money"))
        playing.tells(Tells(verbal_urgency=0.9), [URGENT])
    playing.move("buyer", Offer(Paise(anchor // 200 * 100 + 5 * step)))
    return store(playing.move("seller", Accept() if is_deal else Walk()), owner=owner)


PAISE = r".{30}₹[\d,]+\.\d+"


def pages(client: Client, game: Game, language: str) -> Iterator[tuple[str, str]]:
    kind = "sell" if game.seat == "seller" else "buy"
    for at in (f"/{kind}/{game.pk}/", f"/replays/{game.pk}/", f"/replays/{game.pk}/?seq=4"):
        yield at, client.get(at, headers={"accept-language": language}).content.decode()


@pytest.mark.parametrize("language", ["en", "hi"])
@pytest.mark.parametrize("seat", ["seller", "buyer"])
@pytest.mark.parametrize("is_deal", [True, False])
def test_no_page_of_a_game_has_paise(asha: Client, is_deal: bool, seat: str, language: str) -> None:
    game = a_game(key_of(asha), "dear", is_deal=is_deal)
    game.kind, game.seat = ("sell" if seat == "seller" else "buy"), seat
    game.save()
    assert jobs.run(game.pk)
    for at, html in pages(asha, game, language):
        assert "₹" in html, at
        assert re.findall(PAISE, html) == [], at


@pytest.mark.parametrize("is_deal", [True, False])
def test_of_cheap_things_distances_and_losses_are_whole(asha: Client, is_deal: bool) -> None:
    """Limits keep their paise below 100 rupees: a price is never rounded across one."""
    game = a_game(key_of(asha), "cheap", is_deal=is_deal)
    assert jobs.run(game.pk)
    told = []
    for _, html in pages(asha, game, "en"):
        for part in ("grade-loss", "mark-left", "ledger-hope", "step-gap"):
            told += re.findall(rf'class="{part}[^>]*>.{{0,80}}?₹([\d.,]+)', html, re.S)
    assert len(told) > 3
    assert [amount for amount in told if "." in amount.rstrip(".")] == []
