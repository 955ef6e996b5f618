"""A case as the game of a room: two at each table, and whatever a room does to its tables."""

import csv
import io
import json
import re
from datetime import timedelta
from io import StringIO
from typing import Any

import msgspec
import pytest
import time_machine
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from bazaarbatna.cases.case import Case, Package, in_library
from negotiation.bargain.chairs import DESERTED_S, FORSAKEN_S
from negotiation.bargain.clocks import AWAY_S
from negotiation.bargain.terms import PERSON, terms_of
from negotiation.cases.game import CASE
from negotiation.cases.seats import SIDE_OF, clocks_of, look_after_all, look_everywhere
from negotiation.models import EventRow, Game, SealedRecord
from rooms import desk, hosting, lobby
from rooms.debrief.cases import settled_in, worth_of
from rooms.lobby import live_game
from rooms.models import Answer, Member, Room, RoomGame
from rooms.seating import pairing
from rooms.study import hosts
from rooms.study.files import from_values
from rooms.tending import tend
from tests.rooms.debrief.test_access import as_host
from tests.support.rooms import a_room, at_desk, comes_in, seen

pytestmark = pytest.mark.django_db(transaction=True)

SCOOTER = in_library()["scooter"]


@pytest.fixture(autouse=True)
def fast_fingers(settings: Any) -> None:
    settings.LIMITS = {**settings.LIMITS, "messages": "900/minute", "games": "900/minute"}


class Pair:
    """Asha and Bilal in a room with a case; ``a`` and ``b`` are the browsers by role."""

    def __init__(self, case: Case = SCOOTER, **plan: Any) -> None:
        self.room = a_room(playing=True, case=case, roles="seller", **plan)
        asha = comes_in(self.room, "Asha")
        bilal = comes_in(self.room, "Bilal")
        assert pairing.advance(self.room, now=True) <= 1
        self.asha, self.bilal = Member.objects.order_by("number")
        self.a, self.b = asha, bilal
        self.game = Game.objects.get()

    def browser(self, seat: str) -> Client:
        return self.a if seat == "a" else self.b

    @property
    def turn(self) -> str:
        return CASE.position_of(Game.objects.get(pk=self.game.pk)).state.turn

    def page(self, seat: str) -> str:
        return self.browser(seat).get(f"/cases/table/{self.game.pk}/").content.decode()

    def moves(self, seat: str, action: str, **fields: object) -> Any:
        told = {f"issue-{key}": value for key, value in fields.items()}
        return self.browser(seat).post(
            f"/cases/table/{self.game.pk}/move/", {"action": action, **told}
        )

    def offers(self, seat: str, **package: object) -> None:
        assert self.moves(seat, "offer", **package).status_code == 302

    def deal(self) -> None:
        """Whoever begins offers what both gain by, the other one agrees."""
        first = self.turn
        self.offers(first, price=45000, day="sunday", warranty="quarter", helmet="given")
        other = "b" if first == "a" else "a"
        assert self.moves(other, "accept").status_code == 302


def test_two_people_of_a_room_settle_a_case() -> None:
    pair = Pair()
    assert (pair.game.kind, pair.game.policy, pair.game.seat) == ("case", PERSON, "a")
    assert CASE.people(pair.game) == {"a": pair.asha.session, "b": pair.bilal.session}
    for client in (pair.a, pair.b):
        answer = client.get(f"/rooms/{pair.room.code}/lobby/?mark=x")
        assert answer["HX-Redirect"] == f"/cases/table/{pair.game.pk}/"
    assert "Bilal" in pair.page("a")
    pair.deal()
    game = Game.objects.get()
    assert (game.status, game.outcome) == ("ended", "deal")
    assert f'href="/rooms/{pair.room.code}/"' in pair.page("a")
    assert "Play it again" not in pair.page("a")


def test_each_role_is_kept_from_the_other_one_until_the_end() -> None:
    pair = Pair()
    sheets = {
        seat: [text.split("**")[0].encode() for text in SCOOTER.side(seat).sheet.values()]
        for seat in ("a", "b")
    }
    pair.offers(pair.turn, price=45000, helmet="given")
    for seat, hidden in (("a", "b"), ("b", "a")):
        page = pair.page(seat).encode()
        assert all(text in page for text in sheets[seat][:1])
        for text in sheets[hidden]:
            assert text not in page
        points = json.dumps(
            dict(
                zip(
                    map(
                        str,
                        SCOOTER.issues[1].values,
                    ),
                    SCOOTER.issues[1].points(hidden),
                    strict=True,
                )
            )
        )
        assert points not in page.decode()


def test_the_end_tells_what_the_room_lets_it() -> None:
    pair = Pair(reveal="at_debrief")
    pair.deal()
    page = pair.page("a")
    assert "You have" in page
    assert "The other side has" not in page
    assert '<svg class="chart' not in page
    assert "case-cloud" not in page
    assert pair.a.get(f"/replays/{pair.game.pk}/").status_code == 404
    hosting.show_debrief(pair.room, is_open=True, is_named=False)
    assert "case-cloud" in pair.page("a")
    assert pair.a.get(f"/replays/{pair.game.pk}/").status_code == 200


@pytest.mark.parametrize("deal", [True, False])
@pytest.mark.parametrize(("reveal", "is_own"), [("price", False), ("own", True)])
def test_the_price_of_a_case_is_its_package_without_points(
    reveal: str, is_own: bool, deal: bool
) -> None:
    pair = Pair(reveal=reveal)
    if deal:
        pair.deal()
    else:
        assert pair.moves(pair.turn, "walk").status_code == 302
    page = pair.page("a")
    assert ("Price ₹45,000" in page.partition("case-talk")[0]) is deal
    assert ("without a deal it would have been" in page) is is_own
    assert "The other side has" not in page
    assert "stays sealed" in page


@pytest.mark.parametrize("is_early", [True, False])
def test_who_ends_early_hears_nothing_that_others_still_play_for(is_early: bool) -> None:
    pair = Pair(reveal="all")
    if is_early:
        hosting.show_debrief(pair.room, is_open=True, is_named=False)
        pair.game.refresh_from_db()
    pair.deal()
    sheet = SCOOTER.b.sheet["en"].split("**")[0]
    told = (sheet in pair.page("a"), pair.a.get(f"/replays/{pair.game.pk}.json").status_code == 200)
    assert told == (is_early, is_early)
    hosting.show_debrief(pair.room, is_open=True, is_named=False)
    assert sheet in pair.page("a")


def test_a_case_that_is_played_again_tells_all_in_the_debrief_alone() -> None:
    pair = Pair(games=2)
    pair.deal()
    assert "is told in the debrief" in pair.page("a")
    assert "case-cloud" not in pair.page("a")
    sheet = SCOOTER.b.sheet["en"].split("**")[0]
    assert sheet not in pair.page("a")
    for end in ("/", ".json"):
        assert pair.a.get(f"/replays/{pair.game.pk}{end}").status_code == 404
    seen(pair.room)
    tend(pair.room, at_once=True)
    again = Game.objects.exclude(pk=pair.game.pk).get()
    assert again.status == Game.Status.LIVE
    hosting.show_debrief(pair.room, is_open=True, is_named=False)
    page = pair.page("a")
    assert "case-cloud" in page
    assert sheet in page
    assert hosting.plan_of(pair.room).reveal == "all"


def test_nobody_sees_from_the_page_who_sits_opposite() -> None:
    begins = msgspec.structs.replace(SCOOTER, begins="a")
    pages = []
    for meeting in ("people", "policy"):
        room = a_room(
            playing=True, case=begins, roles="seller", meeting=meeting, persona_told=False
        )
        people = [comes_in(room, name) for name in ("Asha", "Bilal")]
        pairing.advance(room, now=True)
        game = Game.objects.filter(in_room__room=room, owner=people[0].session.session_key).get()
        page = people[0].get(f"/cases/table/{game.pk}/").content.decode()
        page = page.replace(game.pk, "GAME").replace(room.code, "ROOM")
        pages.append(re.sub(r'"[A-Za-z0-9]{64}"', "TOKEN", page))
    assert "follow-table" in pages[0]
    assert pages[0] == pages[1]


def test_who_stays_away_loses_the_seat_to_the_house_and_gets_it_back() -> None:
    pair = Pair(absent_s=60, move_s=0)
    gone = pair.turn
    stays = "b" if gone == "a" else "a"
    with time_machine.travel(timezone.now() + timedelta(seconds=61), tick=True):
        pair.page(stays)
        game = Game.objects.get()
        assert game.policy == "case"
        assert game.gone
        assert CASE.people(game) == {stays: pair.browser(stays).session.session_key}
        assert pair.turn == stays, "the house has moved"
        assert pair.moves(gone, "offer", price=45000).status_code == 404
        back = pair.browser(gone).get(f"/cases/table/{pair.game.pk}/")
        assert back["Location"] == f"/rooms/{pair.room.code}/"
        pair.browser(gone).get(back["Location"])
        game = Game.objects.get()
        assert (game.policy, game.gone) == (PERSON, "")
        pair.offers(stays, price=44000)
        pair.offers(gone, price=45000)


def test_a_case_that_both_have_left_ends_after_a_week() -> None:
    pair = Pair(absent_s=0, move_s=0)
    with time_machine.travel(timezone.now(), tick=True) as now:
        now.shift(DESERTED_S - 60)
        assert look_everywhere() == 0
        pair.offers(pair.turn, price=45000)
        now.shift(DESERTED_S - 60)
        assert look_everywhere() == 0, "somebody was there in between"
        now.shift(61)
        assert look_everywhere() == 1
    assert Game.objects.get().outcome == "walk"
    assert EventRow.objects.get(kind="walked").backend == "absent"


def test_who_is_left_alone_with_the_house_and_goes_too_ends_the_table() -> None:
    pair = Pair(absent_s=60, move_s=0)
    desk.remove(pair.room, pair.bilal)
    assert not Game.objects.get().gone, "he is not to come back"
    with time_machine.travel(timezone.now(), tick=True) as now:
        look_everywhere()
        assert pair.turn == "a"
        now.shift(FORSAKEN_S - 60)
        assert look_everywhere() == 0
        now.shift(120)
        assert look_everywhere() == 1
    assert Game.objects.get().outcome == "walk"


def test_a_table_that_cannot_go_on_keeps_no_other_one_waiting() -> None:
    first = Pair(absent_s=60, move_s=0)
    SealedRecord.objects.filter(game=first.game.pk).delete()
    CASE.positions.forget_all()
    room = a_room(playing=True, case=SCOOTER, roles="seller", absent_s=60)
    for name in ("Chetan", "Divya"):
        comes_in(room, name)
    pairing.advance(room, now=True)
    with time_machine.travel(timezone.now() + timedelta(seconds=100), tick=True):
        assert look_everywhere() == 1
    assert Game.objects.exclude(pk=first.game.pk).get().policy == CASE.kinds[0]


def test_many_tables_are_looked_after_with_one_reading(django_assert_num_queries: Any) -> None:
    room = a_room(playing=True, case=SCOOTER, roles="seller", absent_s=60)
    for name in ("Asha", "Bilal", "Chetan", "Divya"):
        comes_in(room, name)
    pairing.advance(room, now=True)
    games = list(Game.objects.all())
    assert len(games) == 2
    with django_assert_num_queries(1):
        assert look_after_all(games) == 0


@pytest.mark.parametrize("begins", ["a", "b"])
def test_the_clock_of_whoever_is_to_move_runs(begins: Any) -> None:
    pair = Pair(msgspec.structs.replace(SCOOTER, begins=begins), clock_s=600)
    second = {"a": "b", "b": "a"}[begins]
    with time_machine.travel(timezone.now(), tick=False) as now:
        now.shift(100)
        pair.offers(begins, price=45000)
        now.shift(30)
        clocks = clocks_of(Game.objects.get())
        assert clocks is not None
        assert clocks.running == SIDE_OF[second]
        now_is = timezone.now()
        left = {seat: clocks.left(SIDE_OF[seat], 600, now_is) for seat in "ab"}
    assert left == {begins: pytest.approx(500, abs=5), second: pytest.approx(570, abs=5)}


def test_a_move_has_its_time_and_a_pause_stops_it() -> None:
    pair = Pair(absent_s=0, move_s=100, absence="close")
    hosting.pause(pair.room, paused=True)
    assert pair.moves(pair.turn, "offer", price=45000).status_code == 409
    with time_machine.travel(timezone.now() + timedelta(seconds=200), tick=True):
        assert look_everywhere() == 0
        hosting.pause(pair.room, paused=False)
        pair.offers(pair.turn, price=45000)
        assert CASE.people(Game.objects.get()) == CASE.people(pair.game)
        with time_machine.travel(timezone.now() + timedelta(seconds=99), tick=True):
            assert look_everywhere() == 0
        with time_machine.travel(timezone.now() + timedelta(seconds=101), tick=True):
            assert look_everywhere() == 1
    assert RoomGame.objects.get().closed == "clock"
    assert Game.objects.get().outcome == "walk"


def test_the_host_has_hands_that_help() -> None:
    pair = Pair()
    places = {place.member.nickname: place for place in desk.desk_of(pair.room).places}
    assert (places["Asha"].role, places["Asha"].rival) == ("Seller", "Bilal")
    page = at_desk(pair.room.host).get(f"/rooms/{pair.room.code}/desk/").content.decode()
    assert "Seller, opposite Bilal" in " ".join(page.split())
    assert desk.replace(pair.room, pair.asha)
    game = Game.objects.get()
    assert CASE.people(game) == {"b": pair.bilal.session}
    assert lobby.come_back(pair.asha)
    desk.remove(pair.room, pair.bilal)
    game = Game.objects.get()
    assert CASE.people(game) == {"a": pair.asha.session}
    assert not game.gone
    assert desk.end_games(pair.room) == 1
    assert RoomGame.objects.get().closed in ("closed", "replaced")


def test_the_odd_one_and_a_class_against_the_house() -> None:
    room = a_room(playing=True, case=SCOOTER, meeting="policy", roles="buyer", games=2)
    asha = comes_in(room, "Asha")
    pairing.advance(room)
    row = live_game(Member.objects.get())
    assert row is not None
    assert row.game.seat == "b"
    for _ in range(12):
        asha.post(f"/cases/table/{row.game_id}/move/", {"action": "walk"})
    row.game.refresh_from_db()
    assert row.game.outcome in ("walk", "deal")
    seen(room)
    tend(room, at_once=True)
    assert RoomGame.objects.count() == 2


def test_a_room_with_a_case_is_opened_by_its_form() -> None:
    room = a_room()
    host = at_desk(room.host)
    assert "A used scooter" in host.get("/rooms/new/").content.decode()
    from rooms.web.forms import PlanForm

    fields = {
        name: "on" if field.initial is True else field.initial
        for name, field in PlanForm().fields.items()
        if field.initial not in (None, False)
    }
    answer = host.post("/rooms/new/", {**fields, "name": "Scooters", "case": "scooter"})
    assert answer.status_code == 302
    plan = hosting.plan_of(Room.objects.get(name="Scooters"))
    assert plan.case == SCOOTER
    assert terms_of(Game()).rival_seat == ""
    assert host.post("/rooms/new/", {**fields, "name": "x", "case": "nothing"}).status_code == 422
    untold = {**fields, "name": "x", "case": "scooter"}
    del untold["persona_told"]
    answer = host.post("/rooms/new/", untold)
    assert answer.status_code == 422
    assert "Tick this with a case" in answer.content.decode()
    assert host.post("/rooms/new/", {**untold, "case": ""}).status_code == 302


def rows_of(answer: Any) -> list[list[str]]:
    return list(csv.reader(io.StringIO(answer.content.decode("utf-8-sig"))))


def test_the_debrief_has_the_deals_on_the_frontier_and_what_was_left() -> None:
    pair = Pair()
    pair.deal()
    host = at_desk(pair.room.host)
    page = " ".join(host.get(f"/rooms/{pair.room.code}/debrief/").content.decode().split())
    deal: Package = {"price": 45000, "day": "sunday", "warranty": "quarter", "helmet": "given"}
    both = {role: SCOOTER.points(role, deal) for role in ("a", "b")}
    assert page.count('class="debrief-deal is-people"') == 1
    assert "Asha" not in page
    assert f"{sum(both.values()):.0f}" in page
    hosting.show_debrief(pair.room, is_open=True, is_named=True)
    page = pair.a.get(f"/rooms/{pair.room.code}/debrief/").content.decode()
    assert "Asha + Bilal" in page
    assert "For you: the guide" not in page
    (settled,) = settled_in(pair.room, SCOOTER)
    assert settled.points == both
    assert settled.left == worth_of(SCOOTER).best - sum(both.values())
    assert settled.found_by is not None
    heads, asha, bilal = rows_of(host.get(f"/rooms/{pair.room.code}/gradebook.csv"))
    told = dict(zip(heads, asha, strict=True))
    assert told["Mean own points"] == f"{both['a']:.1f}"
    assert float(told["Mean own share, percent"]) == pytest.approx(
        100 * (settled.share("seller") or 0), abs=0.1
    )
    assert float(dict(zip(heads, bilal, strict=True))["Mean own points"]) == both["b"]
    moves = rows_of(host.get(f"/rooms/{pair.room.code}/packages.csv"))
    assert len(moves) == 3
    told = dict(zip(moves[0], moves[-1], strict=True))
    assert (told["kind"], told["warranty"], told["is_deal"]) == ("accept", "quarter", "1")
    assert float(told["points_a"]) == both["a"]


def test_the_seat_of_who_was_deleted_is_not_the_houses() -> None:
    pair = Pair()
    pair.deal()
    pair.bilal.delete()
    (settled,) = settled_in(pair.room, SCOOTER)
    assert (settled.buyer.house, settled.is_between_people) == ("", True)


def test_leaving_is_worth_no_more_than_staying() -> None:
    pair = Pair(absent_s=0)
    assert desk.replace(pair.room, pair.bilal)
    for _ in range(12):
        if Game.objects.get().status == Game.Status.ENDED:
            break
        pair.offers("a", price=45000, day="sunday", warranty="month", helmet="given")
    (settled,) = settled_in(pair.room, SCOOTER)
    assert settled.buyer.helped
    assert not settled.seller.helped
    assert settled.earned("buyer") == 0.0, "nothing stood for the taking when the house sat down"
    assert settled.earned("seller") == settled.share("seller")


def test_nobody_waits_at_a_case_for_who_is_away() -> None:
    pair = Pair(absent_s=600)
    gone = pair.turn
    stays = "b" if gone == "a" else "a"
    assert "End the game without a deal" not in pair.page(stays)
    pair.moves(stays, "end")
    assert Game.objects.get().status == "live", "the other one is there"
    with time_machine.travel(timezone.now() + timedelta(seconds=AWAY_S + 5), tick=True):
        place = f"/cases/table/{pair.game.pk}/"
        seq = Game.objects.get().last_seq
        drawn = pair.browser(stays).get(f"{place}?seen={seq}", headers={"HX-Request": "true"})
        assert "End the game without a deal" in drawn.content.decode(), "without a new event"
        same = f"{place}?seen={seq}-away"
        assert pair.browser(stays).get(same, headers={"HX-Request": "true"}).status_code == 204
        pair.moves(gone, "end")
        assert Game.objects.get().status == "live", "who is away ends nothing"
        pair.moves(stays, "end")
        pair.moves(stays, "end")
    assert Game.objects.get().outcome != "deal"
    assert EventRow.objects.get(kind="walked").backend == "absent"
    for seat in "ab":
        page = pair.page(seat)
        assert "the table was closed" in page
        assert "left." not in page.partition('class="case-talk"')[2]


def test_a_game_that_is_broken_off_counts_for_nobody_but_who_left() -> None:
    pair = Pair(absent_s=60, absence="close")
    gone = pair.turn
    with time_machine.travel(timezone.now() + timedelta(seconds=61), tick=True):
        look_everywhere()
    (settled,) = settled_in(pair.room, SCOOTER)
    assert settled.is_broken_off
    earned = {"a": settled.earned("seller"), "b": settled.earned("buyer")}
    assert earned == {"a": None, "b": None, gone: 0.0}
    RoomGame.objects.update(closed="")
    (settled,) = settled_in(pair.room, SCOOTER)
    assert settled.is_broken_off, "the log tells it, whoever wrote it down"


def test_with_soft_limits_the_desk_sees_who_agreed_to_less_than_nothing() -> None:
    soft = msgspec.structs.replace(SCOOTER, limits="soft")
    pair = Pair(soft)
    first = pair.turn
    other = "b" if first == "a" else "a"
    worst = {"price": 60000, "day": "today", "warranty": "none", "helmet": "kept"}
    pair.offers(first, **worst)
    assert pair.moves(other, "accept").status_code == 302
    (settled,) = settled_in(pair.room, soft)
    assert settled.is_loss("buyer")
    page = at_desk(pair.room.host).get(f"/rooms/{pair.room.code}/debrief/").content.decode()
    assert "Agreed to less than no deal" in page


def test_a_crowd_rehearses_a_room_with_a_case() -> None:
    room = a_room(case=SCOOTER, games=2, roles="swapped")
    sheet, survey = [("My target", "number")], [("Was it fair?", "scale")]
    Room.objects.update(sheet=sheet, survey=survey)
    out = StringIO()
    call_command("rehearse", room.code, people=5, stdout=out)
    again = Room.objects.exclude(pk=room.pk).get()
    assert "5 people, 6 games" in out.getvalue()
    assert not again.games.exclude(game__status=Game.Status.ENDED).exists()
    games = settled_in(again, SCOOTER)
    assert sum(game.is_between_people for game in games) == 4
    page = at_desk(room.host).get(f"/rooms/{again.code}/debrief/").content.decode()
    assert page.count("debrief-deal is-") == sum(game.is_deal for game in games) > 0
    for form in ("sheet", "class"):
        assert Answer.objects.filter(form=form).values("member").distinct().count() == 5, form


def test_a_room_with_a_case_becomes_a_study_of_it_and_is_rehearsed() -> None:
    room = a_room(case=SCOOTER)
    host = at_desk(room.host)
    assert "Make it a study" in host.get(f"/rooms/{room.code}/desk/").content.decode()
    address = f"/rooms/{room.code}/study/"
    assert host.post(address, {"do": "ready", "ready": ""}).status_code == 302
    room.refresh_from_db()
    assert hosting.plan_of(room).case == SCOOTER
    arms = host.get(f"{address}arms/").content.decode()
    assert '<option value="scooter"' in arms
    assert SCOOTER.a.sheet["en"].split("**")[0] not in arms, "it is the room's own"
    asks = [{"name": "odds", "about": "deal", "required": True, "pays": 1}]
    study = room.study
    hosts.save(room, from_values({**study.design, "beliefs": asks}))
    for page in ("preview/all/play/", "preregistration.md"):
        assert host.get(f"{address}{page}").status_code == 200, page
    call_command("rehearse", room.code, people=4, stdout=(out := StringIO()))
    assert "4 people, 2 games" in out.getvalue()
    again = Room.objects.exclude(pk=room.pk).get()
    assert host.get(f"/rooms/{again.code}/debrief/").status_code == 200
    assert host.get(f"/rooms/{again.code}/study/pay/?pilot=1").status_code == 200
    assert len(settled_in(again, SCOOTER)) == 2
    assert set(Answer.objects.filter(question="odds").values_list("member__number", flat=True)) == {
        1, 2, 3, 4,
    }  # fmt: skip


def test_where_nobody_may_write_only_packages_go_over() -> None:
    pair = Pair(chat=False)
    page = pair.page("a")
    assert 'name="text"' not in page
    seat = pair.turn
    answer = pair.browser(seat).post(
        f"/cases/table/{pair.game.pk}/move/",
        {"action": "offer", "issue-price": 45000, "text": "hi"},
    )
    assert answer.status_code >= 400
    assert "packages only" in answer.content.decode()
    pair.offers(seat, price=45000)


def test_two_people_may_speak_at_any_time_and_words_take_no_move() -> None:
    pair = Pair()
    first = pair.turn
    second = "b" if first == "a" else "a"
    assert "Only say it<" in pair.page(second)
    for seat in (second, second, first, second):
        assert pair.moves(seat, "say").status_code == 409, "there are no words in that"
        told = {"action": "say", "text": f"{seat} thinks aloud"}
        address = f"/cases/table/{pair.game.pk}/move/"
        assert pair.browser(seat).post(address, told).status_code == 302
    state = CASE.position_of(Game.objects.get()).state
    assert (pair.turn, state.moves) == (first, 0)
    assert f"{second} thinks aloud" in pair.page(first)
    assert clocks_of(Game.objects.get()).running == SIDE_OF[first]  # type: ignore[union-attr]
    # Whoever spoke since the page was drawn has not moved since.
    assert pair.moves(first, "offer", price=45000, seen="1").status_code == 302
    assert pair.moves(first, "offer", price=46000).status_code == 409
    pair.offers(second, price=45000, day="sunday", warranty="quarter", helmet="given")
    assert pair.moves(first, "accept").status_code == 302
    CASE.positions.forget_all()
    assert CASE.position_of(Game.objects.get()).state.ended
    [game] = settled_in(pair.room, SCOOTER)
    assert [one.kind for one in game.moves].count("say") == 4


def test_in_turn_only_words_take_a_move() -> None:
    pair = Pair(talk="turns")
    first = pair.turn
    second = "b" if first == "a" else "a"
    told = {"action": "say", "text": "Well."}
    address = f"/cases/table/{pair.game.pk}/move/"
    assert pair.browser(second).post(address, told).status_code == 409
    assert pair.browser(first).post(address, told).status_code == 302
    assert pair.turn == second
    assert "takes a move" in pair.page(second)


def test_a_host_reads_what_each_came_out_with_beside_the_marks() -> None:
    pair = Pair()
    pair.deal()
    page = as_host(pair.room).get(f"/rooms/{pair.room.code}/gradebook/").content.decode()
    words = " ".join(re.sub("<[^>]+>", " ", page).split())
    for seat in ("a", "b"):
        points = SCOOTER.points(seat, CASE.position_of(Game.objects.get()).state.ended.package)
        role = SCOOTER.side(seat).name["en"]
        assert f"Game 1 · {role} · {points:g} points" in words
