"""Two friends who have played play again, seats swapped."""

from contextlib import suppress

import pytest
from django.test import Client

from bazaarbatna.bargain.errors import GameOver, NotYourTurn
from bazaarbatna.bargain.moves import Walk
from bazaarbatna.bargain.scenario import Scenario
from negotiation.bargain import sessions
from negotiation.bargain.pairs import match_of, pair_scenario
from negotiation.bargain.scenarios import stored_scenario
from negotiation.models import Game, Invitation, Listing
from tests.support.visitors import a_visitor, key_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def listing() -> Listing:
    return Listing.objects.create(
        title="Pressure cooker", list_price=200_000, street_price=160_000, source_key="cooker"
    )


@pytest.fixture
def asha() -> Client:
    return a_visitor()


@pytest.fixture
def ravi() -> Client:
    return a_visitor()


@pytest.fixture
def game(listing: Listing, asha: Client, ravi: Client) -> Game:
    """Asha has sold, and walked away."""
    asked = {"listing": listing.pk, "name": "Asha", "seat": "seller", "clock_s": 300}
    link = asha.post("/pair/", asked)["Location"]
    place = ravi.post(link, {"name": "Ravi"})["Location"]
    game = Game.objects.get(pk=place.split("/")[2])
    assert asha.post(f"/pair/rematch/{game.pk}/").status_code == 404, "it goes on"
    sessions.play(game.pk, key_of(ravi), Walk())
    game.refresh_from_db()
    return game


def lands(client: Client, place: str) -> str:
    """Press the button, and say where one is in the end."""
    answer = client.post(place, follow=True)
    return str(answer.redirect_chain[-1][0])


@pytest.mark.parametrize(("first", "second"), [("asha", "ravi"), ("ravi", "asha")])
def test_both_land_at_one_new_table_in_the_other_seat(
    asha: Client, ravi: Client, game: Game, first: str, second: str
) -> None:
    page = f"/pair/rematch/{game.pk}/"
    one, two = (asha, ravi) if first == "asha" else (ravi, asha)
    for client, kind in ((asha, "sell"), (ravi, "buy")):
        told = client.get(f"/{kind}/{game.pk}/").content.decode()
        assert told.count(f'formaction="{page}"') == 1
        assert told.count("button-primary") == 1 + told.count("data-send")
        assert client.get(page).status_code == 204
    waiting = lands(one, page)
    told = one.get(waiting).content.decode()
    assert "a rematch waits" in told
    assert "friend-link" not in told, "nobody else is asked"
    assert one.get(page).status_code == 204
    assert f"{first.title()} waits for a rematch." in two.get(page).content.decode()
    theirs = lands(two, page)
    # Who went back to the page of the last game meanwhile is called to the new table.
    assert f"{second.title()} waits for a rematch." in one.get(page).content.decode()
    mine = one.get(waiting)["Location"]
    assert mine == one.get(lands(one, page)).request["PATH_INFO"], "a second press leads there, too"
    again = Game.objects.exclude(pk=game.pk).get()
    assert {mine, theirs} == {f"/sell/{again.pk}/", f"/buy/{again.pk}/"}
    assert ravi.get(f"/sell/{again.pk}/").status_code == 200, "who bought sells"
    assert again.names == {"seller": "Ravi", "buyer": "Asha"}
    assert again.terms["clock_s"] == 300
    assert stored_scenario(again).sealed != stored_scenario(game).sealed


def test_nobody_else_has_part_in_it(asha: Client, ravi: Client, game: Game) -> None:
    chetan, page = a_visitor(), f"/pair/rematch/{game.pk}/"
    waiting = lands(asha, page)
    assert chetan.get(page).status_code == chetan.post(page).status_code == 404
    assert chetan.get(waiting).status_code == 410
    assert chetan.post(waiting, {"name": "Chetan"}).status_code == 410
    assert ravi.get(waiting)["Location"] == f"/buy/{game.pk}/", "there the button is"
    assert Invitation.objects.get(after=game).game is None


def test_two_who_press_at_once_meet(asha: Client, ravi: Client, game: Game) -> None:
    lands(asha, f"/pair/rematch/{game.pk}/")
    assert Invitation.objects.filter(after=game).count() == 1
    places = {lands(one, f"/pair/rematch/{game.pk}/") for one in (ravi, asha)}
    again = Game.objects.exclude(pk=game.pk).get()
    assert places == {f"/sell/{again.pk}/", f"/buy/{again.pk}/"}


def test_after_a_rematch_comes_another_one(asha: Client, ravi: Client, game: Game) -> None:
    for _ in range(2):
        page = f"/pair/rematch/{game.pk}/"
        lands(asha, page)
        game = Game.objects.get(pk=lands(ravi, page).split("/")[2])
        sessions.play(game.pk, game.rival, Walk())
    assert game.names == {"seller": "Asha", "buyer": "Ravi"}
    assert Game.objects.count() == 3


def test_a_table_whose_link_is_gone_leads_to_a_new_one(asha: Client, game: Game) -> None:
    Invitation.objects.all().delete()
    told = asha.get(f"/sell/{game.pk}/").content.decode()
    assert 'href="/pair/">Another game with a friend' in told
    assert asha.post(f"/pair/rematch/{game.pk}/").status_code == 404


def test_no_rematch_waits_for_who_left_the_seat_to_the_house(
    asha: Client, ravi: Client, game: Game
) -> None:
    Game.objects.filter(pk=game.pk).update(rival="")
    assert "Another game with a friend" in asha.get(f"/sell/{game.pk}/").content.decode()
    assert asha.post(f"/pair/rematch/{game.pk}/").status_code == 404
    assert a_visitor().get(f"/pair/rematch/{game.pk}/").status_code == 404


def test_points_of_games_in_a_row_add_up_from_each_chair(
    asha: Client, ravi: Client, game: Game
) -> None:
    Game.objects.filter(pk=game.pk).update(seller_share=0.64, buyer_share=0.36)
    page = f"/pair/rematch/{game.pk}/"
    lands(asha, page)
    again = Game.objects.get(pk=lands(ravi, page).split("/")[2])
    sessions.play(again.pk, key_of(asha), Walk())
    Game.objects.filter(pk=again.pk).update(seller_share=0.3, buyer_share=0.7)
    again.refresh_from_db()
    for who, own, theirs in ((asha, 134, 66), (ravi, 66, 134)):
        match = match_of(again.as_seen_by(key_of(who)))
        assert (match.games, match.own, match.theirs) == (2, own, theirs)
    told = "After 2 games: you 134 points, Ravi 66."
    assert told in asha.get(f"/buy/{again.pk}/").content.decode()
    assert "After" not in asha.get(f"/sell/{game.pk}/").content.decode().split("outcome-next")[0]


def test_some_price_suits_both_in_the_first_two_games_of_a_table_alone(
    asha: Client, ravi: Client, game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    dealt = list[bool]()

    def deal(listing: Listing, *, has_zone: bool) -> Scenario:
        dealt.append(has_zone)
        return pair_scenario(listing, has_zone=has_zone)

    monkeypatch.setattr("negotiation.bargain.web.invitations.pair_scenario", deal)
    sealed = stored_scenario(game).sealed
    assert sealed.reservation <= sealed.budget
    assert "suits you both here" in asha.get(f"/sell/{game.pk}/").content.decode()
    for _ in range(2):
        lands(asha, f"/pair/rematch/{game.pk}/")
        lands(ravi, f"/pair/rematch/{game.pk}/")
        game = Game.objects.exclude(pk=game.pk).latest("created_at")
        for client in (asha, ravi):
            with suppress(GameOver, NotYourTurn):
                sessions.play(game.pk, key_of(client), Walk())
    assert dealt == [True, False]
