"""A first game teaches its three moves by doing, and never again."""

import re

import pytest
from django.test import Client

from bazaarbatna.bargain.moves import Offer
from bazaarbatna.bargain.quantities import Paise
from bazaarbatna.bargain.scenario import SealedValues
from negotiation.bargain.scenarios import draw_budget
from negotiation.bargain.visibility import frames
from negotiation.bargain.web.rendering import panels_html
from negotiation.models import Game
from tests.support.finished import Playing, a_scenario, store
from tests.support.visitors import a_visitor, key_of

pytestmark = pytest.mark.django_db

OWN = {"title": "Brass lamp", "asking_price": "1800", "reservation_price": "1000"}


def starts(client: Client) -> Game:
    client.post("/sell/new/", OWN)
    return Game.objects.order_by("created_at").last()  # type: ignore[return-value]


def page(client: Client, game: Game) -> str:
    return re.sub(r"\s+", " ", client.get(f"/sell/{game.pk}/").content.decode())


def test_the_steps_follow_what_was_done() -> None:
    asha = a_visitor()
    game = starts(asha)
    assert "<b>Say something.</b>" in page(asha, game)
    asha.post(f"/sell/{game.pk}/move/", {"text": "Namaste! It shines like new."})
    assert "<b>Offer a price.</b>" in page(asha, game)
    asha.post(f"/sell/{game.pk}/move/", {"text": "1700 for you"})
    assert "<b>Offer a price.</b>" not in page(asha, game)


def coach_after(*prices: int, floor: int = 1200) -> str:
    """Return the steps of a seller who asked 2,000 after bids and asks in turn."""
    return panels_after(*prices, floor=floor)["sale-coach"]


def panels_after(*prices: int, floor: int = 1200) -> dict[str, str]:
    sealed = SealedValues(Paise(100 * floor), Paise(100 * floor), Paise(190_000), 42)
    playing = Playing(a_scenario(sealed=sealed))
    for place, price in enumerate(prices):
        playing.move("seller" if place % 2 else "buyer", Offer(Paise(100 * price)))
    game = store(playing)
    game.policy = "sauda-network"
    return panels_html(frames(game, "seller"), game, "seller")


@pytest.mark.parametrize(
    ("prices", "floor", "is_told"),
    [
        ((900, 1800, 1000), 1200, True),
        ((900, 1800, 1300), 1200, False),  # what is on the table suits: nobody is told to leave
        ((900, 1800, 1200), 1200, False),
        ((900, 1800, 1000, 1700, 1000), 1200, False),  # who has gone on knows how
    ],
)
def test_to_accept_or_walk_is_said_once_and_of_no_price_that_suits(
    prices: tuple[int, ...], floor: int, is_told: bool
) -> None:
    assert ("<b>Accept, or walk.</b>" in coach_after(*prices, floor=floor)) is is_told


STUCK = (1000, 1930, 1000, 1860, 1000, 1790, 1000)


def test_before_an_own_thing_it_is_said_that_a_floor_makes_her_richer() -> None:
    """As it is: with the same luck and ask a higher floor gives her more to spend."""
    shown = re.sub(r"\s+", " ", a_visitor().get("/sell/new/").content.decode())
    assert "a higher floor makes her richer" in shown
    for seed in range(20):
        low, high = (draw_budget(seed, Paise(3000_00), Paise(floor)) for floor in (900_00, 1500_00))
        assert low < high


def test_a_second_game_has_no_steps() -> None:
    asha = a_visitor()
    starts(asha)
    assert "sale-coach" not in page(asha, starts(asha))


def test_who_has_got_it_is_left_alone_with_and_without_scripts() -> None:
    asha = a_visitor()
    game = starts(asha)
    answer = asha.post(f"/sell/{game.pk}/coach/")
    assert answer["Location"] == f"/sell/{game.pk}/"
    assert "sale-coach" not in page(asha, game)
    assert asha.post(f"/sell/{game.pk}/coach/", HTTP_HX_REQUEST="true").content == b""
    assert a_visitor().post(f"/sell/{game.pk}/coach/").status_code == 404


def test_small_talk_is_said_and_answered_without_an_alarm() -> None:
    asha = a_visitor()
    game = starts(asha)
    talk = {"text": "Namaste, how are you?"}
    answer = asha.post(f"/sell/{game.pk}/move/", talk, follow=True)
    shown = answer.content.decode()
    assert "Namaste, how are you?" in shown
    assert 'class="problem"' not in shown
    assert 'role="alert"' not in shown
    said = [row.kind for row in game.events.all()]
    assert said.count("message") == 2, "hers, too"


def test_the_brief_is_three_lines_and_says_that_no_price_may_be_right() -> None:
    asha = a_visitor()
    for _ in range(3):
        game = starts(asha)
    shown = page(asha, game)
    hand = shown[shown.index('<dl class="hand">') : shown.index("</dl>", shown.index("hand"))]
    assert hand.count("<dt>") == 3
    assert "her budget lies below your floor" in hand


def test_her_face_stands_beside_the_talk_whatever_her_envelope_holds() -> None:
    asha, faces = a_visitor(), set()
    for budget in (130_000, 190_000):
        sealed = SealedValues(Paise(120_000), Paise(114_285), Paise(budget), 42)
        playing = Playing(a_scenario(sealed=sealed)).move("buyer", Offer(Paise(100_000)))
        playing.move("seller", Offer(Paise(160_000))).move("buyer", Offer(Paise(110_000)))
        shown = page(asha, store(playing, owner=key_of(asha)))
        faces.add(
            shown[shown.index('<div class="standing-rival">') : shown.index('id="transcript"')]
        )
    assert len(faces) == 1
    assert "<svg" in faces.pop()


def test_the_round_of_an_own_price_lasts_until_it_is_answered() -> None:
    """The bar and the talk count alike: an ask of round 1 is answered in round 2."""
    standing = {n: panels_after(*STUCK[:n])["sale-standing"] for n in (1, 2, 3, 6, 7)}
    told = {n: re.search(r"Round \d+, \d+ left", html) for n, html in standing.items()}
    assert {n: found and found[0] for n, found in told.items()} == {
        1: "Round 1, 9 left",
        2: "Round 1, 9 left",
        3: "Round 2, 8 left",
        6: "Round 3, 7 left",
        7: "Round 4, 6 left",
    }
