"""Asha shares her sale, Bilal looks on, Chetan has no link, and Asha takes it back."""

import re

import pytest
from asgiref.sync import async_to_sync, sync_to_async
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from bazaarbatna.bargain.errors import GameOver
from bazaarbatna.bargain.moves import Walk
from negotiation.bargain import guests, sessions
from negotiation.bargain.commands import Say
from negotiation.bargain.purchases import NewPurchase
from negotiation.bargain.web.live import SALE_LIVE, Guest
from negotiation.errors import UnknownGame
from negotiation.games import viewer_hub
from negotiation.games.viewer_socket import ViewerSocket
from negotiation.models import Game, Listing
from tests.support.builders import ASHA, CHETAN, a_started_sale, rupees
from tests.support.viewers import guests_look
from tests.support.visitors import a_visitor, key_of

pytestmark = pytest.mark.django_db

LINK = re.compile(r'value="http://testserver(/watch/[a-z0-9]{24}/)"')


@pytest.fixture
def asha() -> Client:
    return a_visitor()


@pytest.fixture
def sale(asha: Client) -> Game:
    return a_started_sale(key_of(asha))


def shares(asha: Client, sale: Game) -> str:
    """Press "Let a friend watch" and read the link from the page."""
    page = asha.post(f"/sell/{sale.pk}/guests/", follow=True)
    found = LINK.search(page.content.decode())
    assert found
    return found[1]


def test_the_link_opens_a_page_without_a_way_to_play(asha: Client, sale: Game) -> None:
    page = Client().get(shares(asha, sale))
    html = page.content.decode()
    assert page.status_code == 200
    assert "Brass lamp" in html
    assert "You are watching a sale to Sauda" in html
    main = html.partition("<main")[2].partition("</main>")[0]
    assert "<form" not in main
    assert "<button" not in main
    assert sale.pk not in html


def test_no_search_engine_and_no_other_site_learns_the_link(asha: Client, sale: Game) -> None:
    page = Client().get(shares(asha, sale))
    assert "noindex" in page["X-Robots-Tag"]
    assert page["Referrer-Policy"] == "no-referrer"
    assert "no-store" in page["Cache-Control"]


def test_sharing_twice_keeps_the_link_that_is_out(asha: Client, sale: Game) -> None:
    assert shares(asha, sale) == shares(asha, sale)


def test_stopping_ends_the_link_and_the_next_one_is_another(asha: Client, sale: Game) -> None:
    first = shares(asha, sale)
    asha.post(f"/sell/{sale.pk}/guests/stop/")
    assert Client().get(first).status_code == 404
    assert shares(asha, sale) != first


def test_a_fragment_is_enough_for_a_page_with_scripts(asha: Client, sale: Game) -> None:
    shown = asha.post(f"/sell/{sale.pk}/guests/", headers={"HX-Request": "true"})
    assert shown.status_code == 200
    assert shown.content.decode().lstrip().startswith("<details")
    assert LINK.search(shown.content.decode())


def test_only_the_owner_shares_and_stops(asha: Client, sale: Game) -> None:
    for path in ("guests/", "guests/stop/"):
        assert a_visitor().post(f"/sell/{sale.pk}/{path}").status_code == 404
        assert asha.get(f"/sell/{sale.pk}/{path}").status_code == 405
        assert asha.post(f"/buy/{sale.pk}/{path}").status_code == 404
    strict = Client(enforce_csrf_checks=True)
    strict.cookies = asha.cookies
    assert strict.post(f"/sell/{sale.pk}/guests/").status_code == 403
    sale.refresh_from_db()
    assert sale.watch_key is None


@pytest.mark.parametrize("key", ["a" * 24, "a", "None", "null", "a" * 60])
def test_a_wrong_key_opens_nothing(key: str, sale: Game) -> None:
    assert sale.watch_key is None
    assert Client().get(f"/watch/{key}/").status_code == 404


def test_a_game_that_is_over_is_not_shared_but_an_old_link_shows_its_end(
    asha: Client, sale: Game
) -> None:
    link = shares(asha, sale)
    sessions.play(sale.pk, key_of(asha), Walk("bye"))
    html = Client().get(link).content.decode()
    assert "The seller walked away" in html
    assert sale.pk not in html
    guests.stop(sale.pk, key_of(asha), "sell")
    with pytest.raises(GameOver):
        guests.share(sale.pk, key_of(asha), "sell")


def test_a_shared_replay_is_offered_at_the_end(asha: Client) -> None:
    sale = a_started_sale(key_of(asha), share_replay=True)
    link = shares(asha, sale)
    sessions.play(sale.pk, key_of(asha), Walk("bye"))
    assert f"/replays/{sale.pk}/" in Client().get(link).content.decode()


def test_a_guest_reads_of_the_seller_and_not_of_you(asha: Client, sale: Game) -> None:
    sessions.play(sale.pk, key_of(asha), Say("1900, im moving out tomorrow"))
    html = Client().get(shares(asha, sale)).content.decode()
    assert "They say they are leaving" in html
    assert "You say" not in html
    assert "The seller asks" in html


def test_a_stranger_cannot_use_the_writer() -> None:
    sale = a_started_sale()
    for act in (guests.share, guests.stop):
        with pytest.raises(UnknownGame):
            act(sale.pk, CHETAN, "sell")


def test_fifty_guests_cost_one_drawing(
    django_assert_num_queries: DjangoAssertNumQueries, monkeypatch: pytest.MonkeyPatch
) -> None:
    # On this thread, whose database has not been committed to.
    monkeypatch.setattr(viewer_hub, "in_thread", sync_to_async)
    game = guests.share(a_started_sale().pk, ASHA, "sell")

    def a_guest() -> ViewerSocket:
        guest = ViewerSocket(SALE_LIVE)
        guest.place, guest.drawn_in = Guest(game.watch_key or ""), "en-in"
        return guest

    hub = viewer_hub.Hub(game.pk, SALE_LIVE)
    crowd = [a_guest() for _ in range(50)]
    hub.sockets.update(crowd)
    # The game, where it stands, and its log.
    with django_assert_num_queries(3):
        async_to_sync(hub.refresh)()
        feeds = [async_to_sync(hub.feed_of)(guest) for guest in crowd]
    assert feeds[0] is not None
    assert feeds[0].texts
    assert all(feed is feeds[0] for feed in feeds)


def test_what_is_kept_for_guests_is_no_older_than_the_log() -> None:
    game = guests.share(a_started_sale().pk, ASHA, "sell")
    seen = guests_look(game, 0)
    sessions.play(game.pk, ASHA, Say("1900"))
    news = guests_look(game, seen.scene.seq)
    assert [one["event"]["kind"] for one in news.frames] == ["offer", "tells"]
    assert guests_look(game, news.scene.seq).frames == []


def test_a_look_asks_for_the_key_again(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    game = guests.share(a_started_sale().pk, ASHA, "sell")
    guests_look(game, 0)
    guests.stop(game.pk, ASHA, "sell")
    with django_assert_num_queries(1), pytest.raises(UnknownGame):
        guests_look(game, 0)


def test_a_purchase_is_shared_without_the_budget(asha: Client) -> None:
    lamp = Listing.objects.create(
        title="Brass lamp", list_price=2000_00, street_price=1500_00, source_key="lamp"
    )
    bought = NewPurchase(listing=lamp, budget=rupees(1713.37))
    game = sessions.open_purchase(key_of(asha), bought)
    # No seller of this lamp takes so little.
    sessions.play(game.pk, key_of(asha), Say("1100, cash abhi"))
    sessions.opponent_turn(game.pk)
    page = asha.post(f"/buy/{game.pk}/guests/", follow=True).content.decode()
    found = LINK.search(page)
    assert found
    assert "₹1,713" in page
    html = Client().get(found[1]).content.decode()
    assert "You are watching a purchase from Meena" in html
    assert "1100, cash abhi" in html
    assert "1,713" not in html
    sessions.play(game.pk, key_of(asha), Walk("bye"))
    assert "The buyer walked away" in Client().get(found[1]).content.decode()
