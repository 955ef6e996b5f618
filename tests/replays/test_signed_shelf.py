"""Games on the shelf: by their player's wish alone, signed or not, and off again."""

import pytest
from django.test import Client

from negotiation.models import Game
from replays.browse.views import _tale
from tests.support.visitors import key_of

pytestmark = pytest.mark.django_db


def shelf(client: Client) -> str:
    return client.get("/replays/").content.decode()


def puts(client: Client, game: Game, **sent: str) -> int:
    return client.post(f"/replays/{game.pk}/share/", sent).status_code


def test_a_game_is_signed_by_its_player_and_taken_off_with_its_name(
    asha: Client, chetan: Client, kept: Game
) -> None:
    assert kept.owner == key_of(asha)
    assert str(kept.pk) not in shelf(chetan), "off by default"
    puts(asha, kept, public="1", name="  A. <K>\u2028")
    told = shelf(chetan)
    assert "A. &lt;K&gt; sells, Sauda buys" in told
    page = chetan.get(f"/replays/{kept.pk}/").content.decode()
    assert "A. &lt;K&gt;" in page or "sells" not in page
    puts(chetan, kept, public="1", name="Chetan")
    assert "Chetan" not in shelf(chetan), "nobody else signs it"
    puts(asha, kept, public="1", name="")
    assert "A visitor sells" in shelf(chetan)
    puts(asha, kept, public="1", name="A. K.")
    puts(asha, kept, public="0")
    assert "A. K." not in shelf(asha)
    assert str(kept.pk) not in shelf(chetan)
    assert Game.objects.get(pk=kept.pk).names == {}


def test_sharing_without_a_name_keeps_the_one_that_stands(asha: Client, kept: Game) -> None:
    puts(asha, kept, public="1", name="A" * 60)
    puts(asha, kept, public="1")
    assert Game.objects.get(pk=kept.pk).names == {"seller": "A" * 24}


@pytest.mark.parametrize(
    ("outcome", "rounds", "share", "tale"),
    [
        ("walk", 4, None, "and somebody leaves in round 4"),
        ("expired", 10, None, "and no deal after 10 rounds"),
        ("deal", 2, 0.9, "a quick handshake"),
        ("deal", 6, 0.45, "and they meet in the middle"),
        ("deal", 6, 0.9, "and the seller takes nearly all of it"),
        ("deal", 6, 0.1, "and the buyer takes nearly all of it"),
        ("deal", 7, 0.35, "and the buyer comes out ahead after 7 rounds"),
        ("deal", 0, 0.5, ""),
    ],
)
def test_a_title_tells_what_happens(
    outcome: str, rounds: int, share: float | None, tale: str
) -> None:
    game = Game(kind="sell", outcome=outcome, rounds_used=rounds, seller_share=share)
    assert _tale(game) == tale


def test_a_match_of_several_buyers_has_no_such_title() -> None:
    assert _tale(Game(kind="arena", outcome="walk", rounds_used=3)) == ""
