"""Asha rates what Sauda said: after the end, on her own game, and nowhere in the log."""

import json
import re
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client, override_settings

from bazaarbatna.bargain.moves import Walk
from negotiation.bargain import sessions
from negotiation.bargain.commands import Say
from negotiation.bargain.purchases import NewPurchase
from negotiation.bargain.web.thumbs import thumbs_of
from negotiation.limits import forget_uses
from negotiation.models import EventRow, Game, LineThumb, Listing
from tests.support.builders import a_started_sale, rupees
from tests.support.viewers import owners_look
from tests.support.visitors import a_visitor, key_of

pytestmark = pytest.mark.django_db

BID = 2
"""Sauda's first bid; 1 is the opening, 3 what Asha says, the last one the end."""


@pytest.fixture
def asha() -> Client:
    return a_visitor()


@pytest.fixture
def sale(asha: Client) -> Game:
    """A sale that goes on, with a line of both."""
    game = a_started_sale(key_of(asha))
    sessions.play(game.pk, key_of(asha), Say("1950, it was my nani's"))
    sessions.opponent_turn(game.pk)
    return game


@pytest.fixture
def over(asha: Client, sale: Game) -> Game:
    """The same sale after Asha walked."""
    sessions.play(sale.pk, key_of(asha), Walk("bye"))
    sale.refresh_from_db()
    return sale


def rates(client: Client, game: Game, seq: Any, thumb: Any, kind: str = "sell") -> HttpResponse:
    return client.post(
        f"/api/{kind}/{game.pk}/thumbs/",
        {"seq": seq, "thumb": thumb},
        content_type="application/json",
    )


def code(answer: HttpResponse) -> tuple[int, str]:
    return answer.status_code, json.loads(answer.content)["error"]["code"]


def the_log(game: Game) -> list[tuple[Any, ...]]:
    return list(EventRow.objects.filter(game=game).order_by("seq").values_list())


def buttons(html: str) -> dict[int, tuple[str, str]]:
    """What aria-pressed says of both thumbs, by line."""
    found: dict[int, tuple[str, str]] = {}
    for pair in re.findall(r'data-thumbs="(\d+)">(.*?)</p>', html, re.S):
        up, down = re.findall(r'aria-pressed="(\w+)"', pair[1])
        found[int(pair[0])] = (up, down)
    return found


def test_a_thumb_is_given_changed_and_taken_back(asha: Client, over: Game) -> None:
    before = the_log(over)
    for thumb, kept in (
        ("up", {BID: "up"}),
        ("up", {BID: "up"}),
        ("down", {BID: "down"}),
        ("none", {}),
        ("none", {}),
    ):
        answer = rates(asha, over, BID, thumb)
        assert (answer.status_code, json.loads(answer.content)) == (
            200,
            {"seq": BID, "thumb": thumb},
        )
        assert thumbs_of(over) == kept
        assert LineThumb.objects.count() == len(kept)
    assert the_log(over) == before


def test_nobody_rates_before_the_end(asha: Client, sale: Game) -> None:
    assert code(rates(asha, sale, BID, "up")) == (409, "not-over")
    page = asha.post(f"/sell/{sale.pk}/lines/{BID}/thumb/", {"thumb": "up"})
    assert page.status_code == 409
    assert not LineThumb.objects.exists()


def test_for_a_stranger_there_is_no_such_game(asha: Client, over: Game) -> None:
    rates(asha, over, BID, "up")
    for stranger in (a_visitor(), Client()):
        assert code(rates(stranger, over, BID, "down")) == (404, "unknown-game")
        posted = stranger.post(f"/sell/{over.pk}/lines/{BID}/thumb/", {"thumb": "down"})
        assert posted.status_code == 404
    assert code(rates(asha, over, BID, "down", kind="buy")) == (404, "unknown-game")
    assert thumbs_of(over) == {BID: "up"}


def test_another_site_cannot_rate(asha: Client, over: Game) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.cookies = asha.cookies
    assert code(rates(strict, over, BID, "up")) == (403, "csrf")
    posted = strict.post(f"/sell/{over.pk}/lines/{BID}/thumb/", {"thumb": "up"})
    assert posted.status_code == 403
    assert not LineThumb.objects.exists()


@pytest.mark.parametrize("source", [Game.Source.IMPORT, Game.Source.WHAT_IF])
def test_a_game_that_nobody_played_here_takes_no_thumbs(
    asha: Client, over: Game, source: Game.Source
) -> None:
    Game.objects.filter(pk=over.pk).update(source=source)
    assert code(rates(asha, over, BID, "up")) == (404, "unknown-game")
    assert "data-thumbs=" not in asha.get(f"/sell/{over.pk}/").content.decode()


def test_only_lines_of_the_other_side_with_words_are_rated(asha: Client, over: Game) -> None:
    rows = list(EventRow.objects.filter(game=over).order_by("seq"))
    for row in rows:
        event = json.loads(row.payload)
        rated = event.get("actor") == "buyer" and bool(event.get("text"))
        expected = 200 if rated else 404
        assert rates(asha, over, row.seq, "up").status_code == expected, event
    assert BID in thumbs_of(over)
    assert code(rates(asha, over, 1, "up")) == (404, "unknown-line")
    assert code(rates(asha, over, 999, "up")) == (404, "unknown-line")


def test_a_line_without_words_is_no_line(asha: Client, over: Game) -> None:
    row = EventRow.objects.get(game=over, seq=BID)
    silent = {**json.loads(row.payload), "text": " "}
    EventRow.objects.filter(pk=row.pk).update(payload=json.dumps(silent).encode())
    assert code(rates(asha, over, BID, "up")) == (404, "unknown-line")
    assert BID not in buttons(asha.get(f"/sell/{over.pk}/").content.decode())


@pytest.mark.parametrize(
    ("body", "status", "wrong"),
    [
        ({"seq": BID, "thumb": "sideways"}, 422, "unknown-thumb"),
        ({"seq": BID, "thumb": ""}, 422, "unknown-thumb"),
        ({"seq": BID, "thumb": None}, 422, "bad-request"),
        ({"seq": BID, "thumb": ["up"]}, 422, "bad-request"),
        ({"seq": 0, "thumb": "up"}, 422, "bad-request"),
        ({"seq": 2**31, "thumb": "up"}, 422, "bad-request"),
        ({"seq": "first", "thumb": "up"}, 422, "bad-request"),
        ({"thumb": "up"}, 422, "bad-request"),
        ({"seq": BID, "thumb": "up", "rater": "mallory"}, 422, "bad-request"),
        ([], 422, "bad-request"),
    ],
)
def test_what_cannot_be_read_is_told_and_loses_nothing(
    asha: Client, over: Game, body: Any, status: int, wrong: str
) -> None:
    rates(asha, over, BID, "down")
    answer = asha.post(f"/api/sell/{over.pk}/thumbs/", body, content_type="application/json")
    assert code(answer) == (status, wrong)
    assert thumbs_of(over) == {BID: "down"}


def test_a_plain_form_leads_back_to_the_line(asha: Client, over: Game) -> None:
    address = f"/sell/{over.pk}/lines/{BID}/thumb/"
    posted = asha.post(address, {"thumb": "up"})
    assert (posted.status_code, posted["Location"]) == (302, f"/sell/{over.pk}/#event-{BID}")
    assert buttons(asha.get(f"/sell/{over.pk}/").content.decode())[BID] == ("true", "false")
    asha.post(address, {"thumb": "none"})
    assert buttons(asha.get(f"/sell/{over.pk}/").content.decode())[BID] == ("false", "false")
    assert asha.get(address).status_code == 405


def test_a_plain_form_that_is_wrong_is_told_on_the_page(asha: Client, over: Game) -> None:
    answer = asha.post(f"/sell/{over.pk}/lines/{BID}/thumb/", {"thumb": "<b>"})
    html = answer.content.decode()
    assert answer.status_code == 422
    form = html.partition('id="thumbs"')[2].partition("</form>")[0]
    assert "A thumb is “up”, “down” or “none”, not “&lt;b&gt;”." in form
    assert asha.post(f"/sell/{over.pk}/lines/1/thumb/", {"thumb": "up"}).status_code == 404
    far = asha.post(f"/sell/{over.pk}/lines/{10**30}/thumb/", {"thumb": "up"})
    assert far.status_code == 404


def test_too_many_thumbs_have_to_wait(asha: Client, over: Game) -> None:
    with override_settings(LIMITS={**_limits(), "frames": "2/minute"}):
        forget_uses()
        assert [rates(asha, over, BID, "up").status_code for _ in range(3)] == [200, 200, 429]
    forget_uses()


def _limits() -> dict[str, str]:
    from django.conf import settings

    return dict(settings.LIMITS)


def test_whoever_looks_on_and_whoever_reads_the_replay_sees_no_buttons(
    asha: Client, sale: Game
) -> None:
    from negotiation.bargain import guests

    shared = guests.share(sale.pk, key_of(asha), "sell")
    sessions.play(sale.pk, key_of(asha), Walk("bye"))
    rates(asha, sale, BID, "up")
    for address in (f"/watch/{shared.watch_key}/", f"/replays/{sale.pk}/"):
        html = asha.get(address).content.decode()
        assert "data-thumbs" not in html


def test_a_socket_that_comes_late_draws_the_thumbs_that_stand(asha: Client, over: Game) -> None:
    rates(asha, over, BID, "down")
    view = owners_look(over, 0, html=True)
    drawn = "".join(frame.get("html", "") for frame in view.frames)
    assert buttons(drawn)[BID] == ("false", "true")
    plain = owners_look(over, 0)
    assert "thumb" not in json.dumps(plain.frames)


def test_a_buyer_rates_the_seller(asha: Client) -> None:
    listing = Listing.objects.create(
        title="Hero cycle", category="cycles", list_price=500000, street_price=400000,
        source_key="cycle-1",
    )  # fmt: skip
    purchase = NewPurchase(listing=listing, budget=rupees(4600), policy="seller:default")
    game = sessions.open_purchase(key_of(asha), purchase)
    sessions.play(game.pk, key_of(asha), Say("3500 dunga"))
    sessions.opponent_turn(game.pk)
    sessions.play(game.pk, key_of(asha), Walk("bye"))
    html = asha.get(f"/buy/{game.pk}/").content.decode()
    answer = next(
        row.seq
        for row in EventRow.objects.filter(game=game, kind="offer").order_by("seq")
        if json.loads(row.payload)["actor"] == "seller"
    )
    assert set(buttons(html)) == {answer}
    assert rates(asha, game, answer, "up", kind="buy").status_code == 200
    posted = asha.post(f"/buy/{game.pk}/lines/{answer}/thumb/", {"thumb": "down"})
    assert posted.status_code == 302
    game.refresh_from_db()
    assert thumbs_of(game) == {answer: "down"}


def test_a_game_that_goes_takes_its_thumbs_along(asha: Client, over: Game) -> None:
    rates(asha, over, BID, "up")
    over.delete()
    assert not LineThumb.objects.exists()
