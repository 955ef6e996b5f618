"""How it was: each side answers after the end, for itself, beside the log."""

import datetime as dt
import json
import re
from typing import Any

import pytest
from django.conf import settings
from django.db import IntegrityError, transaction
from django.http import HttpResponse
from django.test import Client, override_settings
from django.utils import timezone

from bazaarbatna.bargain.moves import Walk
from negotiation.bargain import guests, pairs, sessions
from negotiation.bargain.commands import Say
from negotiation.bargain.purchases import NewPurchase
from negotiation.bargain.terms import Terms
from negotiation.bargain.web import feelings
from negotiation.bargain.web.feelings import answers_of
from negotiation.limits import forget_uses
from negotiation.models import EventRow, Game, GameAnswer, Listing
from tests.support.builders import a_started_sale, rupees
from tests.support.visitors import a_visitor, key_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def asha() -> Client:
    return a_visitor()


@pytest.fixture
def sale(asha: Client) -> Game:
    return a_started_sale(key_of(asha))


@pytest.fixture
def over(asha: Client, sale: Game) -> Game:
    """The same sale after Asha walked."""
    sessions.play(sale.pk, key_of(asha), Walk("bye"))
    sale.refresh_from_db()
    return sale


def a_pair(asha: Client, ravi: Client) -> Game:
    """A game of two people in which Ravi, who buys, is to move."""
    cooker = Listing.objects.create(
        title="Pressure cooker", category="Kitchen", list_price=200_000, street_price=160_000,
        source_key="cooker",
    )  # fmt: skip
    cards = pairs.pair_scenario(cooker, lambda _: 7, has_zone=True)
    names = {"seller": "Asha", "buyer": "Ravi"}
    return sessions.open_pair(key_of(asha), key_of(ravi), cards, names=names, listing=cooker)


def says(client: Client, game: Game, kind: str = "sell", **body: Any) -> HttpResponse:
    return client.post(f"/{kind}/{game.pk}/answers/", body)


def page(client: Client, game: Game, kind: str = "sell") -> str:
    return client.get(f"/{kind}/{game.pk}/").content.decode()


def form(html: str) -> str:
    return html.partition('id="feelings"')[2].partition("</form>")[0]


def pressed(html: str) -> dict[str, str]:
    """What stands answered on a page: the question, and the words on the button."""
    found = re.findall(r'name="(\w+)" value="none" aria-pressed="true"[^>]*>([^<]+)<', form(html))
    return dict(found)


def test_each_answer_is_one_tap_and_can_be_changed_and_taken_back(asha: Client, over: Game) -> None:
    log = list(EventRow.objects.filter(game=over).order_by("seq").values_list())
    assert form(page(asha, over)).count("<fieldset") == 5
    for body, kept in (
        ({"process": "6"}, {"process": 6}),
        ({"process": "6"}, {"process": 6}),
        ({"process": "2"}, {"process": 2}),
        ({"again": "no"}, {"process": 2, "again": 0}),
        ({"instrumental": "1"}, {"instrumental": 1, "process": 2, "again": 0}),
        ({"process": "none"}, {"instrumental": 1, "again": 0}),
        ({"process": "none"}, {"instrumental": 1, "again": 0}),
    ):
        answer = says(asha, over, **body)
        assert (answer.status_code, answer["Location"]) == (302, f"/sell/{over.pk}/#feelings")
        assert answers_of(over, "seller") == kept
        assert GameAnswer.objects.count() == len(kept)
    assert pressed(page(asha, over)) == {"instrumental": "1", "again": "No"}
    assert list(EventRow.objects.filter(game=over).order_by("seq").values_list()) == log


def test_one_question_is_asked_and_the_others_wait_in_a_fold(asha: Client, over: Game) -> None:
    html = form(page(asha, over))
    asked, _, folded = html.partition("<details")
    assert [asked.count("<fieldset"), folded.count("<fieldset")] == [1, 4]
    assert 'name="again"' in asked
    assert "open" not in folded.partition(">")[0]
    address = f"/sell/{over.pk}/answers/"
    for body, is_open in (({"again": "yes"}, False), ({"self": "7"}, True), ({"self": "9"}, True)):
        answer = asha.post(address, body, headers={"hx-request": "true"}).content.decode()
        assert (" open" in answer.partition("<details")[2].partition(">")[0]) is is_open, body


def test_a_page_with_scripts_gets_the_questions_back_as_they_stand(
    asha: Client, over: Game
) -> None:
    address = f"/sell/{over.pk}/answers/"
    answer = asha.post(address, {"self": "7"}, headers={"hx-request": "true"})
    html = answer.content.decode()
    assert (answer.status_code, pressed(html)) == (200, {"self": "7"})
    assert "Kept." in html
    assert "<html" not in html
    assert asha.get(address).status_code == 405
    answer = asha.post(address, {"self": "8"}, headers={"hx-request": "true"})
    assert (answer.status_code, pressed(answer.content.decode())) == (422, {"self": "7"})
    assert "1 to 7, or “none”, not “8”" in answer.content.decode()


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ({"process": "0"}, "1 to 7"),
        ({"process": "8"}, "1 to 7"),
        ({"process": "4.5"}, "1 to 7"),
        ({"process": "٤"}, "1 to 7"),
        ({"process": ""}, "1 to 7"),
        ({"process": "yes"}, "1 to 7"),
        ({"process": "<b>"}, "&lt;b&gt;"),
        ({"again": "1"}, "“yes”, “no”"),
        ({"again": ""}, "“yes”, “no”"),
        ({"mood": "4"}, "no question"),
        ({}, "no question"),
        ({"process": "4", "self": "4"}, "no question"),
    ],
)
def test_what_is_no_answer_is_told_and_loses_nothing(
    asha: Client, over: Game, body: dict[str, str], told: str
) -> None:
    says(asha, over, process="3")
    answer = says(asha, over, **body)
    assert answer.status_code == 422
    assert told in answer.content.decode()
    assert answers_of(over, "seller") == {"process": 3}


def test_nobody_answers_before_the_end_and_no_stranger_ever(asha: Client, sale: Game) -> None:
    assert says(asha, sale, process="4").status_code == 409
    sessions.play(sale.pk, key_of(asha), Walk("bye"))
    for stranger in (a_visitor(), Client()):
        assert says(stranger, sale, process="4").status_code == 404
    assert says(asha, sale, kind="buy", process="4").status_code == 404
    strict = Client(enforce_csrf_checks=True)
    strict.cookies = asha.cookies
    assert says(strict, sale, process="4").status_code == 403
    assert not GameAnswer.objects.exists()


def test_after_a_week_answers_stand(asha: Client, over: Game) -> None:
    says(asha, over, process="4")
    ended = timezone.now() - feelings.OPEN_FOR + dt.timedelta(minutes=5)
    Game.objects.filter(pk=over.pk).update(ended_at=ended)
    assert says(asha, over, process="5").status_code == 302
    Game.objects.filter(pk=over.pk).update(ended_at=ended - dt.timedelta(minutes=10))
    answer = says(asha, over, process="6")
    assert answer.status_code == 409
    assert "more than a week ago" in answer.content.decode()
    assert 'id="feelings"' not in page(asha, over)
    assert answers_of(over, "seller") == {"process": 5}


@pytest.mark.parametrize("source", [Game.Source.IMPORT, Game.Source.WHAT_IF])
def test_a_game_that_nobody_played_here_is_not_asked_about(
    asha: Client, over: Game, source: Game.Source
) -> None:
    Game.objects.filter(pk=over.pk).update(source=source)
    assert says(asha, over, process="4").status_code == 404
    assert 'id="feelings"' not in page(asha, over)


def test_too_many_answers_have_to_wait(asha: Client, over: Game) -> None:
    with override_settings(LIMITS={**settings.LIMITS, "frames": "2/minute"}):
        forget_uses()
        codes = [says(asha, over, process="4").status_code for _ in range(3)]
    forget_uses()
    assert codes == [302, 302, 429]


def test_of_two_people_neither_sees_what_the_other_answered(asha: Client) -> None:
    ravi = a_visitor()
    game = a_pair(asha, ravi)
    assert says(asha, game, process="2").status_code == 409
    sessions.play(game.pk, key_of(ravi), Walk("bye"))
    assert says(asha, game, process="2").status_code == 302
    assert pressed(page(ravi, game, "buy")) == {}
    assert says(ravi, game, kind="buy", process="7", again="yes").status_code == 422
    assert says(ravi, game, kind="buy", process="7").status_code == 302
    assert pressed(page(asha, game)) == {"process": "2"}
    assert pressed(page(ravi, game, "buy")) == {"process": "7"}
    assert answers_of(game, "seller") == {"process": 2}
    assert answers_of(game, "buyer") == {"process": 7}
    for client in (asha, ravi):
        file = client.get(f"/replays/{game.pk}.json")
        assert file.status_code == 200
        assert "answers" not in json.loads(file.content)


def test_whoever_looks_on_is_asked_nothing(asha: Client, sale: Game) -> None:
    shared = guests.share(sale.pk, key_of(asha), "sell")
    sessions.play(sale.pk, key_of(asha), Walk("bye"))
    says(asha, sale, process="2")
    for address in (f"/watch/{shared.watch_key}/", f"/replays/{sale.pk}/"):
        assert "feelings" not in asha.get(address).content.decode()


def test_a_buyer_is_asked_about_the_seller(asha: Client) -> None:
    listing = Listing.objects.create(
        title="Hero cycle", category="cycles", list_price=500000, street_price=400000,
        source_key="cycle-1",
    )  # fmt: skip
    purchase = NewPurchase(listing=listing, budget=rupees(4600), policy="seller:default")
    game = sessions.open_purchase(key_of(asha), purchase)
    sessions.play(game.pk, key_of(asha), Say("3500 dunga"))
    sessions.opponent_turn(game.pk)
    sessions.play(game.pk, key_of(asha), Walk("bye"))
    assert says(asha, game, kind="buy", again="yes").status_code == 302
    assert pressed(page(asha, game, "buy")) == {"again": "Yes"}
    assert answers_of(game, "buyer") == {"again": 1}


@pytest.mark.parametrize("is_asked", [True, False])
def test_in_a_room_people_are_asked_where_its_plan_says_so(
    asha: Client, over: Game, is_asked: bool
) -> None:
    terms = {"back": "/rooms/ABCDEF/"} | ({"feelings": True} if is_asked else {})
    Game.objects.filter(pk=over.pk).update(terms=terms)
    assert ('id="feelings"' in page(asha, over)) is is_asked
    assert says(asha, over, process="4").status_code == (302 if is_asked else 404)
    assert Terms().feelings is False


def test_in_hindi_everything_is_hindi(asha: Client, over: Game) -> None:
    html = asha.get(f"/sell/{over.pk}/", headers={"accept-language": "hi"}).content.decode()
    for one in feelings.QUESTIONS:
        assert one.ask.partition("{who}")[0].strip() not in form(html)


def test_the_database_keeps_one_answer_of_a_side_and_none_above_seven(over: Game) -> None:
    GameAnswer.objects.create(game=over, side="seller", question="self", value=3)
    for wrong in ({"value": 4}, {"side": "buyer", "value": 8}):
        row = GameAnswer(**({"game": over, "side": "seller", "question": "self"} | wrong))
        with pytest.raises(IntegrityError), transaction.atomic():
            row.save()
    over.delete()
    assert not GameAnswer.objects.exists()
