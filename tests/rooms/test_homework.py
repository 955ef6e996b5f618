"""Homework: a room is open for days, everybody comes when they like, and the deadline is fair."""

from datetime import datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.test import Client
from django.utils import timezone

from bazaarbatna.bargain.moves import Offer
from bazaarbatna.bargain.quantities import Paise
from negotiation import ttl_cache
from negotiation.bargain import pairs
from negotiation.bargain.terms import PERSON
from negotiation.cases.seats import look_everywhere as look_at_cases
from negotiation.errors import TimeIsUp
from negotiation.models import Game
from rooms import desk, homework, hosting, tables
from rooms.debrief.games import own_games, played_in
from rooms.debrief.gradebook import mean_share
from rooms.models import Member, Room, RoomGame
from rooms.seating import pairing
from rooms.tending import hear_end
from tests.rooms.test_case_rooms import SCOOTER
from tests.support.rooms import a_browser, a_host, a_room, at_desk, comes_in

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)


def told(answer: Any) -> str:
    return str(answer.content.decode())


def local(at: datetime, zone: str = "UTC") -> str:
    with timezone.override(zone):
        return f"{timezone.localtime(at):%Y-%m-%dT%H:%M}"


def days(opens: float = -1, alone: float = 5, due: float = 7, zone: str = "UTC") -> dict[str, str]:
    now = timezone.now()
    shown = {"opens_at": opens, "alone_from": alone, "due_at": due}
    return {**{name: local(now + n * DAY, zone) for name, n in shown.items()}, "zone": zone}


class Class:
    """A room that is homework, its host's browser, and people at browsers of their own."""

    def __init__(self, window: dict[str, str] | None = None, **plan: Any) -> None:
        host = a_host()
        self.room = a_room(host, **plan)
        self.desk = at_desk(host)
        self.people: dict[str, Client] = {}
        self.sets(window or days())

    def sets(self, window: dict[str, str]) -> Any:
        answer = self.desk.post(f"/rooms/{self.room.code}/homework/", window)
        self.room.refresh_from_db()
        return answer

    def comes(self, *names: str) -> None:
        for name in names:
            self.people[name] = comes_in(self.room, name)

    def page(self, name: str) -> str:
        ttl_cache.forget()  # as if some seconds had passed
        return told(self.people[name].get(f"/rooms/{self.room.code}/"))

    def member(self, name: str) -> Member:
        return self.room.members.get(nickname=name)

    def game(self, name: str) -> RoomGame:
        (one,) = self.games(name)
        return one

    def games(self, name: str) -> list[RoomGame]:
        own = self.member(name)
        return [row for row in self.room.games.all() if own.pk in (row.seller_id, row.buyer_id)]

    def offers(self, name: str, rupees: int) -> None:
        game = self.game(name).game
        pairs.play(game.pk, self.member(name).session, Offer(Paise(rupees * 100)))


def look(group: Class) -> None:
    """Do what the worker does every ten seconds."""
    pairs.look_everywhere()
    look_at_cases()
    for row in group.room.games.filter(closed="", game__status=Game.Status.ENDED):
        hear_end(row.game_id)


def both_begin(group: Class) -> None:
    """Let Asha and Bilal make the first move each."""
    buyer, seller = sides(group)
    group.offers(buyer, 1000)
    game = group.game("Asha").game
    pairs.play(game.pk, group.member(seller).session, Offer(Paise(game.listing.list_price)))


def sides(group: Class) -> tuple[str, str]:
    """Name who buys, and who sells, of Asha and Bilal."""
    row = group.game("Asha")
    assert row.buyer
    return ("Asha", "Bilal") if row.buyer.nickname == "Asha" else ("Bilal", "Asha")


def test_two_who_are_never_here_together_play_over_days() -> None:
    with time_machine.travel(timezone.now(), tick=True) as now:
        group = Class()
        group.comes("Asha")
        assert "no partner yet" in group.page("Asha")
        now.shift(DAY)
        group.comes("Bilal")  # Asha's page has been closed for a day
        game = group.game("Asha").game
        assert game.policy == PERSON
        buyer, seller = sides(group)
        assert f"{buyer}’s turn" in group.page(seller)
        assert "1 game waits for your move" in group.page(buyer)
        now.shift(DAY)
        look(group)
        assert Game.objects.get().policy == PERSON, "no clock takes a seat"
        assert "your turn for 1" in group.page(buyer)
        group.offers(buyer, 1000)
        assert "1 game waits for your move" in group.page(seller)
        notice = told(group.people[seller].get(f"/rooms/{group.room.code}/notice/?game={game.pk}"))
        assert "your turn" in notice
        assert "No clock runs" in notice


def plays_out(group: Class, buyer: str, after: timedelta, now: Any) -> RoomGame:
    """Let the buyer bid at last, and nobody answer until the deadline."""
    now.shift(after)
    group.offers(buyer, 1000)
    now.shift(7 * DAY - after)
    look(group)
    return group.game("Asha")


@pytest.mark.parametrize(("thought_days", "late"), [(5, "buyer"), (2, "seller")])
def test_the_deadline_costs_who_let_the_other_wait_longer(thought_days: int, late: str) -> None:
    with time_machine.travel(timezone.now(), tick=True) as now:
        group = Class()
        group.comes("Asha", "Bilal")
        buyer, seller = sides(group)
        row = plays_out(group, buyer, thought_days * DAY, now)
        assert (row.game.outcome, row.closed) == ("walk", f"deadline-{late}")
        shares = {
            number: mean_share(own) for number, own in own_games(played_in(group.room)).items()
        }
        blamed, waited = (buyer, seller) if late == "buyer" else (seller, buyer)
        wide = played_in(group.room)[0].has_zone
        assert shares[group.member(blamed).number] == (0.0 if wide else None)
        assert shares[group.member(waited).number] is None
        assert "the other side waited longer for you" in group.page(blamed)
        assert "you waited longer" in group.page(waited)
        book = told(group.desk.get(f"/rooms/{group.room.code}/gradebook.csv"))
        lines = {line.split(",")[1]: line.split(",")[-4:] for line in book.splitlines()[1:]}
        assert lines == {blamed: ["1", "0", "1", "0"], waited: ["1", "0", "0", "1"]}


def test_a_move_after_the_deadline_comes_too_late() -> None:
    with time_machine.travel(timezone.now(), tick=True) as now:
        group = Class()
        group.comes("Asha", "Bilal")
        buyer, seller = sides(group)
        now.shift(7 * DAY)
        with pytest.raises(TimeIsUp):
            group.offers(buyer, 1000)
        look(group)
        row = group.game("Asha")
        assert row.closed == "deadline-buyer", "neither has done anything: it was the buyer's turn"
        assert "This room is finished" in group.page(seller)
        group.room.refresh_from_db()
        assert group.room.state == Room.State.OVER
        late = a_browser()
        page = told(late.get(f"/rooms/{group.room.code}/"))
        assert "Nobody comes in any more" in page
        assert late.post(f"/rooms/{group.room.code}/", {"nickname": "Late"}).status_code == 409
        assert group.room.members.count() == 2


def test_from_a_stated_time_on_who_has_nobody_plays_the_house() -> None:
    with time_machine.travel(timezone.now(), tick=True) as now:
        group = Class(games=2)
        group.comes("Asha", "Bilal", "Chetan")
        assert group.room.games.count() == 1, "they have met: nobody new is there yet"
        both_begin(group)
        now.shift(5 * DAY)
        assert group.page("Chetan")
        now.shift(timedelta(seconds=5))
        group.page("Chetan")
        assert [row.game.policy == PERSON for row in group.games("Chetan")] == [False]
        # Asha has a game with Bilal open; her second one is with the house, once she is here.
        assert len(group.games("Asha")) == 1
        group.page("Asha")
        now.shift(timedelta(seconds=5))
        group.page("Asha")
        assert [row.game.policy == PERSON for row in group.games("Asha")] == [True, False]
        group.comes("Divya")
        group.page("Divya")
        assert {row.game.policy == PERSON for row in group.games("Divya")} == {False}


def test_all_games_with_people_are_open_at_once() -> None:
    group = Class(games=3)
    group.comes("Asha", "Bilal", "Chetan", "Divya")
    group.page("Asha")
    assert [len(group.games(name)) for name in group.people] == [3, 3, 3, 3]
    met = {frozenset((row.seller_id, row.buyer_id)) for row in group.room.games.all()}
    assert len(met) == 6, "each has met each"


def test_the_deadline_moves_for_games_that_run_too() -> None:
    with time_machine.travel(timezone.now(), tick=True) as now:
        group = Class()
        group.comes("Asha", "Bilal")
        buyer, _ = sides(group)
        assert group.sets(days(due=12)).status_code == 302
        now.shift(8 * DAY)
        look(group)
        group.page(buyer)
        group.offers(buyer, 1000)
        assert group.sets(days(opens=-9, alone=-4, due=0.5)).status_code == 302
        now.shift(DAY)
        look(group)
        assert group.game("Asha").closed.startswith("deadline-")
        group.page("Asha")
        group.room.refresh_from_db()
        assert group.room.state == Room.State.OVER
        # Moved once more, the room opens again; what has ended stays as it is.
        group.sets(days(opens=-9, alone=1, due=2))
        assert group.room.state == Room.State.PLAYING
        group.comes("Chetan", "Divya")
        assert group.game("Chetan").game.status == Game.Status.LIVE


@pytest.mark.parametrize(
    ("window", "said"),
    [
        (days(due=-0.5), "This deadline is past"),
        (days(opens=8, alone=9), "The deadline comes after the opening"),
        (days(alone=7), "leave time to play"),
        (days(alone=-2), "leave time to play"),
        ({**days(), "zone": "Mars/Olympus"}, "no time zone called “Mars/Olympus”"),
        ({**days(), "zone": "../../etc/passwd"}, "no time zone called"),
        ({**days(), "due_at": "soon"}, "valid date/time"),
        ({**days(), "due_at": ""}, "required"),
        ({**days(), "zone": "Europe/Berlin", "due_at": "2027-03-28T02:30"}, "Europe/Berlin"),
    ],
)
def test_days_that_cannot_be_are_refused_in_words(window: dict[str, str], said: str) -> None:
    group = Class()
    before = group.room.due_at
    answer = group.sets(window)
    assert answer.status_code == 422
    assert said in told(answer)
    assert group.room.due_at == before


def test_times_are_those_of_the_zone() -> None:
    group = Class({**days(), "zone": "Asia/Kolkata", "due_at": "2027-03-01T18:00"})
    assert group.room.due_at == datetime.fromisoformat("2027-03-01T12:30:00+00:00")
    page = told(a_browser().get(f"/rooms/{group.room.code}/"))
    assert "Mon 1 Mar, 18:00 (Asia/Kolkata)" in page
    assert 'datetime="2027-03-01T18:00:00+05:30"' in page
    form = told(group.desk.get(f"/rooms/{group.room.code}/homework/"))
    assert 'value="2027-03-01T18:00"' in form


def test_it_opens_by_itself() -> None:
    with time_machine.travel(timezone.now(), tick=True) as now:
        group = Class(days(opens=1))
        group.comes("Asha", "Bilal")
        assert "it opens" in group.page("Asha")
        assert not group.room.games.exists()
        now.shift(DAY + timedelta(minutes=1))
        group.page("Asha")
        assert group.game("Bilal").game.policy == PERSON


def test_the_desk_says_who_has_played_and_who_has_not() -> None:
    with time_machine.travel(timezone.now(), tick=True) as now:
        group = Class()
        group.comes("Asha", "Bilal", "Chetan")
        buyer, seller = sides(group)
        now.shift(3 * DAY)
        page = told(group.desk.get(f"/rooms/{group.room.code}/desk/"))
        rows = {name: page.split(f"<b>{name}</b>")[1].split("</li>")[0] for name in group.people}
        assert "to move for 3" in rows[buyer]
        assert "waits for the other side" in rows[seller]
        assert "not begun" in rows["Chetan"]
        assert "0 of 1 played" in rows["Chetan"]
        assert "The deadline is" in page


def test_two_tabs_set_the_days_once_and_a_lesson_comes_back() -> None:
    group = Class()
    code = group.room.code
    one, two = at_desk(group.room.host), at_desk(group.room.host)
    assert one.post(f"/rooms/{code}/homework/", {"off": "1"}).status_code == 302
    assert two.post(f"/rooms/{code}/homework/", {"off": "1"}).status_code == 302
    group.room.refresh_from_db()
    assert group.room.due_at is None
    group.sets(days())
    group.comes("Asha", "Bilal")
    late = two.post(f"/rooms/{code}/homework/", {"off": "1"})
    assert late.status_code == 422
    assert "Games have begun" in told(late)
    # Two tabs of one student are one member, whose game stands in both.
    assert "1 game waits for your move" in group.page(sides(group)[0])
    assert comes_in(group.room, "Asha", group.people["Asha"])
    assert group.room.members.count() == 2
    other = at_desk(a_host("ravi"))
    assert other.post(f"/rooms/{code}/homework/", days()).status_code == 404


def test_of_two_hosts_none_moves_the_days_unseen() -> None:
    group = Class()
    at = f"/rooms/{group.room.code}/homework/"
    seen = told(group.desk.get(at)).partition('name="seen" value="')[2].partition('"')[0]
    moved = {**days(due=9), "open_at_once": "0", "seen": seen}
    assert [group.sets(moved).status_code for _ in range(2)] == [302, 302], "pressed twice"
    theirs = group.room.due_at
    for mine in ({**days(due=12), "zone": "Asia/Kolkata"}, {"off": "1"}):
        late = group.sets({**mine, "seen": seen})
        assert (late.status_code, group.room.due_at) == (422, theirs)
        assert "Somebody else wrote this meanwhile" in told(late)
    page = told(group.sets({**days(due=12), "seen": seen}))
    assert f'value="{days(due=12)["due_at"]}"' in page, "nothing typed is lost"
    seen = page.partition('name="seen" value="')[2].partition('"')[0]
    assert group.sets({**days(due=12), "seen": seen}).status_code == 302
    assert group.room.due_at != theirs


def test_a_copy_is_a_lesson_by_its_own_rules() -> None:
    group = Class(move_s=90, absent_s=45)
    again = hosting.copy(group.room, group.room.host)
    assert again.due_at is None
    assert (hosting.plan_of(again).move_s, hosting.plan_of(again).absent_s) == (90, 45)
    assert hosting.plan_of(group.room).move_s == 0


def test_a_game_with_the_house_ends_at_the_deadline_as_well() -> None:
    with time_machine.travel(timezone.now(), tick=True) as now:
        group = Class(meeting="policy", roles="buyer")
        group.comes("Asha")
        now.shift(7 * DAY)
        look(group)
        assert group.game("Asha").closed == "deadline-buyer"


def test_a_game_that_nobody_opened_ends_at_the_deadline_though_the_house_begins() -> None:
    with time_machine.travel(timezone.now(), tick=True) as now:
        group = Class(meeting="policy", roles="seller")
        group.comes("Asha")
        assert group.game("Asha").game.last_seq <= 1, "the house has not bid: nobody looked"
        now.shift(6 * DAY)
        look(group)
        assert group.game("Asha").game.status == Game.Status.LIVE
        now.shift(DAY)
        look(group)
        assert group.game("Asha").closed == "deadline-seller"
        book = told(group.desk.get(f"/rooms/{group.room.code}/gradebook.csv"))
        assert book.splitlines()[1].split(",")[-4:] == ["1", "0", "1", "0"]


def test_the_deadline_deals_nobody_another_game() -> None:
    with time_machine.travel(timezone.now(), tick=True) as now:
        group = Class(meeting="policy", roles="buyer", games=3)
        group.comes("Asha")
        dealt = group.member("Asha").dealt
        now.shift(7 * DAY)
        group.people["Asha"].get(f"/rooms/{group.room.code}/notice/")
        look(group)
        look(group)
        assert group.member("Asha").dealt == dealt
        assert not any(row.closed == "" for row in group.games("Asha"))


def test_only_who_has_moved_took_part_in_what_a_deadline_ended() -> None:
    with time_machine.travel(timezone.now(), tick=True) as now:
        group = Class()
        group.comes("Asha", "Bilal")
        buyer, _ = sides(group)
        group.offers(buyer, 1000)
        now.shift(7 * DAY)
        look(group)
        (played,) = played_in(group.room)
        assert (played.closed, played.kept_waiting) == ("deadline-seller", "seller")
        assert played.took_part("buyer")
        assert not played.took_part("seller")


def test_nobody_took_part_in_what_nobody_began() -> None:
    with time_machine.travel(timezone.now(), tick=True) as now:
        group = Class()
        group.comes("Asha", "Bilal")
        now.shift(7 * DAY)
        look(group)
        (played,) = played_in(group.room)
        assert not played.took_part("buyer")
        assert not played.took_part("seller")


def test_a_browser_without_a_session_has_no_reserved_seat() -> None:
    group = Class()
    Member.objects.create(room=group.room, nickname="Farid", session="", number=99)
    browser = Client()
    browser.cookies["sessionid"] = "ended-long-ago"
    assert browser.get(f"/rooms/{group.room.code}/notice/").content == b""
    assert Member.objects.get(nickname="Farid").here_until is None


def test_whom_the_host_takes_out_leaves_no_open_chair() -> None:
    group = Class(games=2)
    group.comes("Asha", "Bilal", "Chetan", "Divya")
    group.page("Asha")
    assert len(group.games("Asha")) == 2
    desk.remove(group.room, group.member("Asha"))
    assert all(row.game.policy != PERSON for row in group.games("Asha"))


def test_the_house_plays_for_who_has_not_begun_until_they_come() -> None:
    with time_machine.travel(timezone.now(), tick=True) as now:
        group = Class()
        group.comes("Asha", "Bilal")
        buyer, seller = sides(group)
        now.shift(4.9 * DAY)
        group.page(seller)
        assert group.game("Asha").game.policy == PERSON, "partners are still found"
        now.shift(0.2 * DAY)
        group.page(seller)
        assert group.game("Asha").game.policy != PERSON
        assert group.member(buyer).session == group.game("Asha").game.gone
        assert "You have" not in group.page(buyer)
        row = group.game("Asha")
        assert (row.game.policy, row.game.gone) == (PERSON, ""), "back, and it is theirs again"
        now.shift(0.9 * DAY)
        group.page(buyer)
        assert group.game("Asha").game.policy == PERSON, "the seller has had less than a day"


def test_who_has_begun_keeps_the_seat_however_long_it_takes() -> None:
    with time_machine.travel(timezone.now(), tick=True) as now:
        group = Class()
        group.comes("Asha", "Bilal")
        _, seller = sides(group)
        both_begin(group)
        now.shift(6.5 * DAY)
        group.page(seller)
        assert group.game("Asha").game.policy == PERSON


def test_who_leaves_for_good_leaves_the_seats_to_the_house() -> None:
    group = Class(games=2)
    group.comes("Asha", "Bilal", "Chetan", "Divya")
    group.people["Asha"].post(f"/rooms/{group.room.code}/leave/")
    assert all(row.game.policy != PERSON for row in group.games("Asha"))
    group.people["Asha"].post(f"/rooms/{group.room.code}/", {"nickname": "Asha"})
    group.page("Asha")
    assert all(row.game.policy == PERSON for row in group.games("Asha"))


def test_homework_is_no_study_and_a_study_no_homework() -> None:
    group = Class()
    page = f"/rooms/{group.room.code}/study/"
    answer = group.desk.post(page, {"do": "ready", "ready": "chat"})
    group.room.refresh_from_db()
    assert not hasattr(group.room, "study")
    assert "is no homework" in told(answer)


def test_a_case_ends_at_the_deadline_by_the_same_rule() -> None:
    with time_machine.travel(timezone.now(), tick=True) as now:
        group = Class(case=SCOOTER, roles="seller")
        group.comes("Asha", "Bilal")
        row = group.game("Asha")
        first = (
            "buyer"
            if tables.running_clocks([row.game])[row.game_id].running == "buyer"
            else "seller"
        )
        late = getattr(row, first)
        now.shift(7 * DAY)
        move = {"action": "walk"}
        answer = group.people[late.nickname].post(f"/cases/table/{row.game_id}/move/", move)
        assert "time" in told(answer).lower()
        look(group)
        assert group.game("Asha").closed == f"deadline-{first}"
        assert "the other side waited longer for you" in group.page(late.nickname)


def test_a_lesson_under_way_becomes_homework_without_its_clocks() -> None:
    with time_machine.travel(timezone.now(), tick=True) as now:
        room = a_room(a_host(), playing=True, move_s=60, absent_s=60)
        people = [comes_in(room, name) for name in ("Asha", "Bilal")]
        assert len(people) == 2
        game = Game.objects.get()
        assert at_desk(room.host).post(f"/rooms/{room.code}/homework/", days()).status_code == 302
        now.shift(DAY)
        pairs.look_everywhere()
        game.refresh_from_db()
        assert (game.status, game.policy) == (Game.Status.LIVE, PERSON)


def test_somebody_has_as_many_games_open_as_the_host_says() -> None:
    group = Class({**days(), "open_at_once": "1"}, games=2)
    group.comes("Asha", "Bilal", "Chetan", "Divya")
    for _ in range(3):
        pairing.advance(group.room)
    assert [len(group.games(name)) for name in group.people] == [1, 1, 1, 1]
    for row in group.room.games.all():
        pairs.close(row.game_id, "closed")
        hear_end(row.game_id)
    assert [len(group.games(name)) for name in group.people] == [2, 2, 2, 2]
    form = told(group.desk.get(f"/rooms/{group.room.code}/homework/"))
    assert 'name="open_at_once" min="0" max="20" value="1"' in form
    assert group.sets({**days(), "open_at_once": "99"}).status_code == 422


def test_without_a_number_all_games_are_open_at_once() -> None:
    group = Class(days(), games=2)
    group.comes("Asha", "Bilal", "Chetan", "Divya")
    pairing.advance(group.room)
    assert [len(group.games(name)) for name in group.people] == [2, 2, 2, 2]


def test_an_opening_that_is_moved_holds_after_games_were_played() -> None:
    with time_machine.travel(timezone.now(), tick=True) as now:
        group = Class(games=2)
        group.comes("Asha", "Bilal")
        first = group.game("Asha")
        group.sets(days(opens=2))
        group.comes("Chetan", "Divya")
        assert "it opens" in group.page("Chetan")
        pairing.advance(group.room)
        assert list(group.room.games.all()) == [first], "nothing new begins before"
        buyer, _ = sides(group)
        group.offers(buyer, 1000)
        now.shift(2 * DAY + timedelta(minutes=1))
        group.page("Asha")
        assert group.games("Chetan")[0].game.status == Game.Status.LIVE
        # The same where the deadline was past.
        group.sets(days(due=0.5, alone=0.4))
        now.shift(DAY)
        group.page("Asha")
        group.room.refresh_from_db()
        assert group.room.state == Room.State.OVER
        group.sets(days(opens=1))
        assert (group.room.state, group.room.over_at) == (Room.State.GATHERING, None)


def test_a_table_that_opens_while_the_days_move_has_the_new_ones() -> None:
    group = Class(days(opens=1))
    group.comes("Asha", "Bilal")
    hosting.start(group.room)
    before = Room.objects.get(pk=group.room.pk)
    [pair] = pairing._pairs(before, at_once=False)
    now = timezone.now()
    homework.set_window(group.room, homework.Window(now - DAY, now + DAY, now + 9 * DAY, "UTC"))
    assert group.room.due_at != before.due_at
    assert pairing._open(before, pair) == "opened"
    assert group.game("Asha").game.terms["due_at"] == group.room.due_at.timestamp()


@pytest.mark.parametrize(("reveal", "after"), [("all", True), ("at_debrief", True), ("own", False)])
def test_of_a_case_nobody_hears_the_other_sheet_while_others_play_for_days(
    reveal: str, after: bool
) -> None:
    group = Class(case=SCOOTER, roles="seller", reveal=reveal)
    group.comes("Asha", "Bilal")
    _, seller = sides(group)
    row = group.game(seller)
    tables.seats_of(row.game).close(row.game_id, "closed")
    theirs = SCOOTER.side("b").sheet["en"].split("**")[0]

    def end() -> str:
        return told(group.people[seller].get(f"/cases/table/{row.game_id}/"))

    assert theirs not in end()
    assert f"/replays/{row.game_id}/" not in end()
    hosting.show_debrief(group.room, is_open=True, is_named=False)
    assert (theirs in end()) is after


def test_a_turn_that_has_just_begun_has_lasted_no_minutes() -> None:
    with time_machine.travel(timezone.now(), tick=False) as now:
        group = Class()
        group.comes("Asha", "Bilal")
        buyer, seller = sides(group)

        def pages() -> list[str]:
            desk = told(group.desk.get(f"/rooms/{group.room.code}/desk/"))
            return [" ".join(one.split()) for one in (group.page(buyer), group.page(seller), desk)]

        words = ("your turn", f"{buyer}’s turn", "to move")
        assert all(word in page for word, page in zip(words, pages(), strict=True))
        assert not any("0 minutes" in page for page in pages())
        now.shift(timedelta(minutes=4))
        assert "your turn for 4 minutes" in pages()[0]
        assert "to move for 4 minutes" in pages()[2]
