"""A preparation sheet: answered once, knowing the own cards, before the first move."""

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.test import Client
from django.utils import timezone

from negotiation.bargain import pairs
from negotiation.bargain.clocks import clocks_of
from negotiation.bargain.scenarios import stored_scenario
from negotiation.bargain.terms import PERSON
from negotiation.cases.game import CASE
from negotiation.models import Game
from rooms import hosting, tables
from rooms.models import Answer, Room
from rooms.tending import tend
from tests.rooms.test_case_rooms import SCOOTER
from tests.rooms.test_homework import days, told
from tests.support.rooms import a_browser, a_host, a_room, at_desk, comes_in

pytestmark = pytest.mark.django_db

ASKED = {
    "ask": ["My target", "My walk-away", " ", "What do they want?"],
    "kind": ["number", "number", "text", "long"],
    "minutes": "15",
}
FILLED = {"q1": "900", "q2": "1200", "q3": "A quick deal.\nAnd cash."}


class Lesson:
    """A room with a sheet, and two people who sit opposite each other."""

    def __init__(self, **plan: Any) -> None:
        self.room = a_room(a_host(), **plan)
        self.desk = at_desk(self.room.host)
        self.sheet = f"/rooms/{self.room.code}/sheet/"
        assert self.desk.post(self.sheet, ASKED).status_code == 302
        self.people = {name: comes_in(self.room, name) for name in ("Asha", "Bilal")}
        self.desk.post(f"/rooms/{self.room.code}/desk/start/")
        self.room.refresh_from_db()

    def leads(self, name: str) -> str:
        """Return where the lobby leads somebody."""
        answer = self.people[name].get(f"/rooms/{self.room.code}/lobby/")
        return str(answer.headers.get("HX-Redirect", ""))

    def fills(self, name: str, **said: str) -> Any:
        return fills(self.people[name], self.sheet, **said)


def fills(client: Client, sheet: str, **said: str) -> Any:
    page = told(client.get(sheet))
    seen = page.partition('name="seen" value="')[2].partition('"')[0]
    return client.post(sheet, {"seen": seen, **FILLED, **said})


def test_everybody_is_led_to_the_sheet_before_the_table() -> None:
    lesson = Lesson()
    assert lesson.leads("Asha") == lesson.leads("Bilal") == lesson.sheet
    page = told(lesson.people["Asha"].get(lesson.sheet))
    game = Game.objects.get()
    sealed = stored_scenario(game).sealed
    own, other = sealed.reservation, sealed.budget
    if "You buy." in page:
        own, other = other, own
    limit = lambda paise: f"{paise // 100:,}"[-5:]  # noqa: E731
    assert limit(own) in page
    assert limit(other) not in page
    assert "For 15 minutes no clock runs" in page
    assert lesson.fills("Asha", q1="").status_code == 422, "a sheet is filled in whole"
    assert lesson.fills("Asha", q1="much").status_code == 422
    there = lesson.fills("Asha")["Location"]
    assert there.endswith(f"/{game.pk}/")
    assert lesson.leads("Asha") == there
    assert lesson.leads("Bilal") == lesson.sheet
    # Once: from a second tab, too.
    assert lesson.people["Asha"].post(lesson.sheet, FILLED).status_code == 302
    assert Answer.objects.get(question="q1").value == 900
    # Of the page itself: an address of a style may have any digits.
    assert "900" not in told(lesson.people["Bilal"].get(lesson.sheet)).partition("<main")[2]
    assert lesson.desk.post(lesson.sheet, {"ask": "Other?"}).status_code == 422
    host = told(lesson.desk.get(lesson.sheet))
    assert '<th scope="row">Asha</th><td>900</td><td>1200</td>' in host
    assert '<th scope="row">Bilal</th>' not in host
    assert a_browser().get(lesson.sheet).status_code == 404


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("₹1,20,000", 120_000),
        ("Rs1200", 1200),
        ("rs. 1,200.50", 1200.5),
        ("1200/-", 1200),
        ("\u0967\u0968\u0966\u0966", 1200),
        ("-5", -5),
        ("12,5", None),
        ("1.200,50", None),
        ("1,200,00", None),
        ("rs", None),
        ("₹", None),
        ("1200/-/-", None),
    ],
)
def test_amounts_as_people_write_them(typed: str, kept: float | None) -> None:
    lesson = Lesson()
    assert lesson.fills("Asha", q1=typed).status_code == (422 if kept is None else 302)
    assert Answer.objects.filter(question="q1", value=kept).exists() is (kept is not None)


def test_no_clock_runs_while_people_prepare() -> None:
    Lesson(move_s=60, absent_s=30)
    game = Game.objects.get()
    with time_machine.travel(timezone.now(), tick=True) as now:
        now.shift(timedelta(minutes=14))
        clocks = clocks_of(game)
        assert clocks is not None
        assert not clocks.is_away
        pairs.look_everywhere()
        assert Game.objects.get().policy == PERSON
        now.shift(timedelta(minutes=2))
        pairs.look_everywhere()
        assert Game.objects.get().policy != PERSON, "the minutes are over, and nobody is there"


def test_it_is_asked_before_the_first_game_alone() -> None:
    lesson = Lesson(games=2, partners="same")
    for name in lesson.people:
        lesson.fills(name)
    pairs.close(Game.objects.get().pk, "closed")
    for name in lesson.people:
        lesson.people[name].get(f"/rooms/{lesson.room.code}/")
    tend(lesson.room, at_once=True)
    assert Game.objects.filter(status=Game.Status.LIVE).count() == 1
    assert lesson.leads("Asha").startswith(("/sell/", "/buy/"))
    assert not Game.objects.latest("created_at").terms.get("pauses")


def test_the_debrief_and_the_gradebook_show_it_beside_what_happened() -> None:
    lesson = Lesson()
    for name in lesson.people:
        lesson.fills(name, q3=f"=plan of {name}")
    pairs.close(Game.objects.get().pk, "clock")
    page = told(lesson.desk.get(f"/rooms/{lesson.room.code}/debrief/"))
    assert "What people had written down before" in page
    assert "=plan of Asha" in page
    assert "=plan of Bilal" in page
    book = told(lesson.desk.get(f"/rooms/{lesson.room.code}/gradebook.csv"))
    assert "My target" in book.splitlines()[0]
    assert "'=plan of Bilal" in book
    hosting.show_debrief(lesson.room, is_open=True, is_named=True)
    own = told(lesson.people["Asha"].get(f"/rooms/{lesson.room.code}/debrief/"))
    assert "=plan of Asha" in own
    assert "=plan of Bilal" not in own, "the other side never reads it"


def test_a_case_and_homework_have_it_too() -> None:
    room = a_room(a_host(), case=SCOOTER)
    desk = at_desk(room.host)
    desk.post(f"/rooms/{room.code}/sheet/", ASKED)
    desk.post(f"/rooms/{room.code}/homework/", days())
    people = [comes_in(room, name) for name in ("Asha", "Bilal")]
    pages = [told(one.get(f"/rooms/{room.code}/sheet/")) for one in people]
    assert all("You are:" in page and "no clock runs" not in page for page in pages)
    assert pages[0] != pages[1]
    link = f'href="/rooms/{room.code}/sheet/"'
    assert link in told(people[0].get(f"/rooms/{room.code}/"))
    assert fills(people[0], f"/rooms/{room.code}/sheet/").status_code == 302
    assert link not in told(people[0].get(f"/rooms/{room.code}/"))
    assert not Game.objects.get().terms.get("pauses")


def test_a_copy_asks_the_same() -> None:
    lesson = Lesson()
    again = hosting.copy(lesson.room, lesson.room.host)
    again = Room.objects.get(pk=again.pk)
    assert (len(again.sheet), again.sheet_min) == (3, 15)


def test_nobody_goes_round_it_by_the_address_of_the_table() -> None:
    lesson = Lesson()
    game = Game.objects.get()
    people = {game.owner: "seller", game.rival: "buyer"}
    for name, client in lesson.people.items():
        side = people[client.session.session_key or ""]
        address = f"/{'sell' if side == 'seller' else 'buy'}/{game.pk}/"
        assert client.get(address)["Location"] == lesson.sheet
        refused = client.post(f"{address}move/", {"price": "1900"})
        assert refused.status_code == 409
        assert "First answer what you are asked" in told(refused)
        assert lesson.fills(name)["Location"] == address
        assert client.get(address).status_code == 200
    assert Game.objects.get().last_seq == game.last_seq


def test_nor_round_that_of_a_case() -> None:
    lesson = Lesson(case=SCOOTER, roles="seller")
    game, client = Game.objects.get(), lesson.people["Asha"]
    address = f"/cases/table/{game.pk}/"
    assert client.get(address)["Location"] == lesson.sheet
    part = client.get(address, headers={"HX-Request": "true"})
    assert part["HX-Redirect"] == lesson.sheet
    for action in ("offer", "walk", "say"):
        move = {"action": action, "text": "Well.", "issue-price": "45000"}
        assert client.post(f"{address}move/", move).status_code == 409, action
    assert CASE.position_of(Game.objects.get()).seq == 1
    lesson.fills("Asha")
    assert client.get(address).status_code == 200
    # An end is for everybody to see.
    tables.seats_of(game).close(game.pk, "closed")
    assert lesson.people["Bilal"].get(address).status_code == 200
