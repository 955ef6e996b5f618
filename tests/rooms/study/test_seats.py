"""Whose seat it is: an id alone tells nothing and takes nothing, unless nobody could guess it."""

import random
import re
import string
import uuid
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from rooms import seats
from rooms.models import Answer, Member, Room, SeatEvent, Study
from rooms.study.entering import is_placeholder
from tests.rooms.study.conftest import MakeStudy, Participant
from tests.support.oracle.worlds import plain

pytestmark = pytest.mark.django_db

LONG = "5f1a2b3c4d5e6f7a8b9c0d1e"


def told_by(answer: Any, external_id: str) -> tuple[int, bytes]:
    """What an answer says, whoever it was given to."""
    return answer.status_code, plain(answer.content, {external_id.encode(): b"ID"})


def events() -> list[str]:
    return list(SeatEvent.objects.order_by("pk").values_list("kind", flat=True))


def come_back(one: Participant) -> Any:
    return one.post("enter", PROLIFIC_PID=one.external_id)


def press(study: Study, member: Member) -> None:
    desk = Client()
    desk.force_login(User.objects.get(username="priya"))
    answer = desk.post(f"/rooms/{study.room.code}/desk/allow-move/{member.pk}/")
    assert answer.status_code == 302


# What an answer tells


@pytest.mark.parametrize("fields", [{}, {"stopped_at": timezone.now()}, {"is_pilot": True}])
@pytest.mark.parametrize("ids", [("p01", "p02"), (LONG, LONG[::-1])])
def test_the_link_tells_nobody_whether_an_id_takes_part(
    a_study: MakeStudy, fields: dict[str, Any], ids: tuple[str, str]
) -> None:
    study = a_study({"is_pilot": fields.get("is_pilot", False)}, quota=5)
    Participant(study, ids[0]).to_the_lobby()
    Study.objects.update(**fields)
    told = {told_by(Participant(study, one).enter(), one) for one in ids}
    assert len(told) == 1
    assert b"Welcome back" not in told.pop()[1]


@pytest.mark.parametrize("case", ["usual", "unread", "not agreed", "full", "stopped", "taken"])
def test_short_ids_are_told_apart_by_nothing_but_a_seat_that_is_made(
    a_study: MakeStudy, case: str
) -> None:
    study = a_study(quota=1 if case == "full" else 5)
    Participant(study, "p01").to_the_lobby()
    if case == "stopped":
        Study.objects.update(stopped_at=timezone.now())
    told = {"enter": set(), "consent": set()}
    for external_id in ("p01", "p02"):
        mallory = Participant(study, "p99" if case == "taken" else external_id)
        if case == "taken":
            mallory.to_the_lobby()
            mallory.external_id = external_id
        told["enter"].add(told_by(come_back(mallory), external_id))
        if case == "usual":
            continue
        data = {"read": "other texts"} if case == "unread" else {}
        data |= {"agree": ""} if case == "not agreed" else {}
        form = {"PROLIFIC_PID": external_id, "agree": "yes", **data}
        if "read" not in form:
            page = mallory.client.get(mallory.at("enter"), {"PROLIFIC_PID": "p77"}).content.decode()
            form["read"] = (re.findall(r'name="read" value="(\w+)"', page) or [""])[0]
        told["consent"].add(told_by(mallory.post("consent", **form), external_id))
        Member.objects.filter(external_id="p99").delete()
    assert len(told["enter"]) == 1
    assert len(told["consent"]) <= 1
    assert Member.objects.count() == 1


# Who may have a seat


def test_a_short_id_moves_no_seat(a_study: MakeStudy) -> None:
    study = a_study()
    asha = Participant(study, "p01").to_the_lobby()
    mallory = Participant(study, "p01")
    mallory.enter()
    for answer in (come_back(mallory), mallory.consent()):
        assert answer.status_code == 409
        assert "Go on where you began" in answer.content.decode()
    assert mallory.post("withdraw")["Location"] == mallory.at("enter")
    assert Member.objects.get() == asha.member
    assert Answer.objects.exists()
    assert events() == ["refused", "refused"]
    assert SeatEvent.objects.filter(member=asha.member).count() == 2


def test_a_long_id_moves_its_seat(a_study: MakeStudy) -> None:
    study = a_study()
    asha = Participant(study, LONG).to_the_lobby()
    member = asha.member
    for way in (come_back, Participant.consent):
        elsewhere = Participant(study, LONG)
        elsewhere.enter()
        assert way(elsewhere)["Location"] == f"/rooms/{study.room.code}/"
        assert elsewhere.member == member
    assert events() == ["by-id", "by-id"]


@pytest.mark.parametrize("length", [15, 16])
def test_sixteen_characters_are_long(a_study: MakeStudy, length: int) -> None:
    study = a_study()
    external_id = "a1" * 20
    asha = Participant(study, external_id[:length]).to_the_lobby()
    elsewhere = Participant(study, external_id[:length])
    assert (come_back(elsewhere).status_code == 302) == (length == 16)
    assert (Member.objects.get().session == asha.client.session.session_key) == (length == 15)


GUESSABLE = (
    "asha.patel@example.org", "a1b2c3d4e5f6g7h8@example.org", "participant-00000017",
    "0000000000000017", "deadbeefcafe202611300017", "abcdef123456abcdef123456",
    "AshaPatelOfTheGreenSchool", "class-of-2026-asha-patel",
)  # fmt: skip


@pytest.mark.parametrize("external_id", GUESSABLE)
@pytest.mark.parametrize("way", [come_back, Participant.consent])
def test_a_long_id_that_others_may_know_moves_no_seat(
    a_study: MakeStudy, external_id: str, way: Any
) -> None:
    study = a_study()
    asha = Participant(study, external_id).to_the_lobby()
    assert way(Participant(study, external_id)).status_code == 409
    assert Member.objects.get() == asha.member


@pytest.mark.parametrize(
    "ids",
    [
        ("s1c7n1s1c7n7s10017", "s1c7n1s1c7n7s10018"),
        ("g01s07study2026wave3", "g02s11study2026wave3"),
    ],
)
def test_ids_that_were_counted_up_move_no_seat(a_study: MakeStudy, ids: tuple[str, str]) -> None:
    study = a_study()
    Participant(study, ids[0]).to_the_lobby()
    assert come_back(Participant(study, ids[0])).status_code == 302
    Participant(study, ids[1]).to_the_lobby()
    for one in ids:
        assert seats.is_drawn(one)
        assert come_back(Participant(study, one)).status_code == 409


def test_nearly_all_ids_of_prolific_move_their_seats() -> None:
    dice = random.Random(7)
    drawn = ["".join(dice.choices("0123456789abcdef", k=24)) for _ in range(4000)]
    assert sum(map(seats.is_drawn, drawn)) > 0.997 * len(drawn)


def test_ids_that_panels_draw_move_their_seats() -> None:
    dice, letters = random.Random(7), string.ascii_letters + string.digits
    drawn = [
        *(str(uuid.UUID(int=dice.getrandbits(128), version=4)) for _ in range(500)),
        *("".join(dice.choices(letters, k=22)) for _ in range(500)),
    ]
    assert sum(map(seats.is_drawn, drawn)) > 0.96 * len(drawn)


def test_the_hosts_press_lets_a_seat_move_once(a_study: MakeStudy) -> None:
    study = a_study()
    member = Participant(study, "p01").to_the_lobby().member
    press(study, member)
    second, third = Participant(study, "p01"), Participant(study, "p01")
    assert come_back(second).status_code == 302
    assert second.member == member
    assert come_back(third).status_code == 409
    assert events() == ["allowed", "by-host", "refused"]


def test_the_hosts_press_is_good_for_a_short_time_and_one_id(a_study: MakeStudy) -> None:
    study = a_study()
    first = Participant(study, "p01").to_the_lobby().member
    Participant(study, "p02").to_the_lobby()
    press(study, first)
    assert come_back(Participant(study, "p02")).status_code == 409
    with time_machine.travel(timezone.now() + timedelta(minutes=11)):
        assert come_back(Participant(study, "p01")).status_code == 409


def test_the_press_works_by_the_consent_too_and_is_kept_where_the_browser_is_taken(
    a_study: MakeStudy,
) -> None:
    study = a_study()
    member = Participant(study, "p01").to_the_lobby().member
    other = Participant(study, "p02").to_the_lobby()
    press(study, member)
    other.external_id = "p01"
    assert "Somebody takes part in this browser" in come_back(other).content.decode()
    elsewhere = Participant(study, "p01")
    assert elsewhere.consent().status_code == 302
    assert elsewhere.member == member


def test_the_desk_shows_who_may_move(a_study: MakeStudy) -> None:
    study = a_study()
    member = Participant(study, "p01").to_the_lobby().member
    desk = Client()
    desk.force_login(User.objects.get(username="priya"))
    at = f"/rooms/{study.room.code}/desk/"
    page = desk.get(at).content.decode()
    assert "Let sit at a new browser" in page
    assert "p01" in page
    press(study, member)
    assert "may move to a new browser" in desk.get(at).content.decode()
    overview = desk.get(f"/rooms/{study.room.code}/study/").content.decode()
    assert "the host let this seat move to another browser" in overview
    assert "Ids of fewer than 16 characters" in overview


@pytest.mark.parametrize(("stopped_at", "count"), [(None, 2), (timezone.now(), 1)])
def test_the_forms_of_the_first_page_are_taken_from_a_browser(
    a_study: MakeStudy, stopped_at: Any, count: int
) -> None:
    study = a_study({})
    Participant(study, LONG).consent()
    Study.objects.update(stopped_at=stopped_at)
    browser = Client(enforce_csrf_checks=True)
    page = browser.get(f"/rooms/{study.room.code}/enter/?PROLIFIC_PID={LONG}").content.decode()
    forms = re.findall(r'<form[^>]*action="(/rooms/[^"]*)"(.*?)</form>', page, re.DOTALL)
    assert len(forms) == count
    for action, inside in forms:
        named = dict(re.findall(r'name="([^"]+)" value="([^"]*)"', inside))
        assert browser.post(action, named).status_code in (200, 302, 422), action


def test_the_first_browser_is_welcomed_back(a_study: MakeStudy) -> None:
    study = a_study()
    asha = Participant(study, LONG).to_the_lobby()
    elsewhere = Participant(study, LONG)
    come_back(elsewhere)
    assert "Welcome back" in asha.enter().content.decode()
    assert come_back(asha).status_code == 302
    assert asha.member.external_id == LONG
    assert asha.member.moved_at is None
    assert events() == ["by-id", "back"]


def test_a_personal_link_moves_a_short_id(a_study: MakeStudy) -> None:
    study = a_study()
    member = Participant(study, "p01").to_the_lobby().member
    elsewhere = Participant(study, "p01")
    elsewhere.client.get("/rooms/")
    assert elsewhere.client.post(f"/rooms/seat/{member.key}/").status_code == 302
    assert elsewhere.member == member
    assert events() == ["by-link"]


# Leaving


@pytest.mark.parametrize("way", ["id", "link", "press"])
def test_a_seat_that_has_moved_leaves_the_study_only_after_an_hour(
    a_study: MakeStudy, way: str
) -> None:
    study = a_study()
    external_id = LONG if way == "id" else "p01"
    member = Participant(study, external_id).to_the_lobby().member
    mallory = Participant(study, external_id)
    mallory.client.get("/rooms/")
    if way == "link":
        mallory.client.post(f"/rooms/seat/{member.key}/")
    else:
        press(study, member)
        come_back(mallory)
    page = mallory.client.get(mallory.at("withdraw")).content.decode()
    assert "in the browser where you began" in page
    assert mallory.post("withdraw").status_code == 409
    assert Answer.objects.exists()
    assert Member.objects.get().withdrawn_at is None
    with time_machine.travel(timezone.now() + seats.SETTLES_AFTER + timedelta(seconds=1)):
        assert mallory.post("withdraw").status_code == 302
    assert Member.objects.get().withdrawn_at is not None
    assert events()[-2:] == ["too-soon", "withdrawn"]


@pytest.mark.parametrize("comes_back", [True, False])
def test_the_first_browser_leaves_the_study_at_once(a_study: MakeStudy, comes_back: bool) -> None:
    study = a_study()
    asha = Participant(study, LONG).to_the_lobby()
    come_back(Participant(study, LONG))
    if comes_back:
        come_back(asha)
    assert asha.client.get(asha.at("withdraw")).status_code == 200
    assert asha.post("withdraw")["Location"] == asha.at("done")
    assert Member.objects.get().withdrawn_at is not None
    assert "You have left the study" in asha.client.get(asha.at("done")).content.decode()


def test_a_seat_that_moves_twice_has_no_new_first_browser(a_study: MakeStudy) -> None:
    study = a_study()
    asha = Participant(study, LONG).to_the_lobby()
    bilal = Participant(study, "somebody-else-altogether")
    bilal.client = asha.client
    mallory, again = Participant(study, LONG), Participant(study, LONG)
    come_back(mallory)
    bilal.to_the_lobby()  # at the first browser, which is his from now on
    come_back(again)
    assert mallory.post("withdraw")["Location"] == mallory.at("enter")
    assert again.post("withdraw").status_code == 409
    assert Member.objects.filter(withdrawn_at=None).count() == 2


def test_who_never_moved_leaves_at_once(a_study: MakeStudy) -> None:
    asha = Participant(a_study(), "p01").to_the_lobby()
    assert asha.post("withdraw")["Location"] == asha.at("done")
    assert events() == ["withdrawn"]


# A lab


def test_in_a_lab_the_next_one_at_a_computer_has_nothing_of_the_last(a_study: MakeStudy) -> None:
    study = a_study()
    people = [Participant(study, f"p{number:02}") for number in range(1, 5)]
    for one in people:
        one.client = people[0].client
        one.enter()
        assert one.consent().status_code == 302, "nobody waits for the last one's limits"
        one.understand()
        one.post("before", age="30")
        assert one.member.external_id == one.external_id
        Member.objects.filter(external_id=one.external_id).update(
            finished_at=timezone.now(), end="finished"
        )
    first = people[0]
    assert "Welcome back" not in first.enter().content.decode()
    assert come_back(first).status_code == 409
    assert first.consent().status_code == 409
    assert people[-1].member.external_id == "p04"
    first.post("withdraw")
    gone = Member.objects.exclude(withdrawn_at=None)
    assert [one.number for one in gone] == [4], "the one who sits there"


def test_a_class_behind_one_router_comes_in(a_study: MakeStudy, settings: Any) -> None:
    settings.LIMITS = {**settings.LIMITS, "ids": "3/hour"}
    study = a_study()
    for number in range(10):
        Participant(study, f"p{number:02}").to_the_lobby()
    assert Member.objects.count() == 10


# Guessing


def test_wrong_ids_are_counted_by_address(a_study: MakeStudy, settings: Any) -> None:
    settings.LIMITS = {**settings.LIMITS, "ids": "5/hour"}
    study = a_study()
    asha = Participant(study, LONG).to_the_lobby()
    mallory = Participant(study)
    mallory.client = Client(REMOTE_ADDR="203.0.113.7")
    for number in range(5):
        assert mallory.post("enter", PROLIFIC_PID=f"{number:020}").status_code == 409
    for external_id in ("0" * 20, LONG):
        told = mallory.post("enter", PROLIFIC_PID=external_id)
        assert told.status_code == 429
        assert int(told["Retry-After"]) > 0
    assert Member.objects.get() == asha.member
    assert events() == ["refused"] * 5 + ["limited"]
    elsewhere = Participant(study, LONG)
    elsewhere.client = Client(REMOTE_ADDR="203.0.113.8")
    assert come_back(elsewhere).status_code == 302


def test_a_consent_that_nobody_has_read_moves_no_seat(a_study: MakeStudy) -> None:
    study = a_study()
    member = Participant(study, "p01").to_the_lobby().member
    press(study, member)
    for external_id in ("p01", "p02"):
        mallory = Participant(study, external_id)
        assert mallory.consent(read="nothing").status_code == 422
    assert Member.objects.get() == member
    assert Member.objects.get().is_movable


def test_a_consent_moves_no_seat_where_many_ids_were_tried(
    a_study: MakeStudy, settings: Any
) -> None:
    settings.LIMITS = {**settings.LIMITS, "ids": "2/hour"}
    study = a_study()
    asha = Participant(study, LONG).to_the_lobby()
    for number in range(2):
        come_back(Participant(study, f"p{number:02}"))
    assert Participant(study, LONG).consent().status_code == 429
    assert Member.objects.get() == asha.member
    assert Participant(study, "p50").consent().status_code == 302, "who comes anew comes in"


def test_what_is_noted_holds_no_id_and_no_address(a_study: MakeStudy) -> None:
    study = a_study()
    Participant(study, "p01").to_the_lobby()
    mallory = Participant(study, "p77")
    mallory.client = Client(REMOTE_ADDR="203.0.113.7")
    come_back(mallory)
    row = SeatEvent.objects.values().get()
    assert row["member_id"] is None
    assert not [value for value in row.values() if str(value) in ("p77", "203.0.113.7")]


# Links that nobody filled in

UNFILLED = [
    "{{%PROLIFIC_PID%}}", "{{%prolific_pid%}}", "{{ PROLIFIC_PID }}", "{{ }}", "{}", "{TOKEN}",
    "%PROLIFIC_PID%", "%%pid%%", "%SURVEY_CODE%", "${workerId}", "${e://Field/PROLIFIC_PID}", "$id",
    "[ID]", "[%RID%]", "[[identifier]]", "<id>", "<your id>", "(id)", "*|PID|*", "#PID#",
    "&lt;id&gt;", "%7B%7B%25PROLIFIC_PID%25%7D%7D", "%257B%257Bid%257D%257D", "%3Cid%3E",
    "\uff5b\uff5bPID\uff5d\uff5d",
    "PROLIFIC_PID", "prolific-pid", "__PID__", "ID", "participant_id", "workerId", "your_id",
    "xxx", "XXXX", "null", "None", "undefined", "NaN",
]  # fmt: skip


@pytest.mark.parametrize("mark", UNFILLED)
def test_a_link_that_nobody_filled_in_seats_nobody(a_study: MakeStudy, mark: str) -> None:
    asha = Participant(a_study(), mark)
    assert "The link you came by is not filled in" in asha.enter().content.decode()
    asha.consent()
    come_back(asha)
    assert not Member.objects.exists()
    assert events() == ["unfilled"]


def test_the_name_of_the_studys_own_parameter_is_no_id() -> None:
    assert is_placeholder("WER", "wer")
    assert is_placeholder("wer", "WER")
    assert not is_placeholder("wer1", "wer")


IDS = (
    LONG, "p01", "1", "A-17", "_x3Yz", "zoë", "asha@example.org", "dGhpcyBpcw==", "a+b/c", "12.5",
    "3f2504e0-4f89-11d3-9a0c-0305e82c3301", "idris", "pidge", "token7", "xx", "test-1", "नीला",
)  # fmt: skip


@pytest.mark.parametrize("external_id", IDS)
def test_ids_as_people_have_them_are_ids(external_id: str) -> None:
    assert not is_placeholder(external_id, "PROLIFIC_PID")


def test_the_link_at_the_desk_says_what_to_fill_in_and_seats_nobody_as_it_is(
    a_study: MakeStudy,
) -> None:
    study = a_study(link={"parameter": "who"})
    desk = Client()
    desk.force_login(User.objects.get(username="priya"))
    page = desk.get(f"/rooms/{study.room.code}/study/").content.decode()
    link = re.search(r'id="link" readonly value="([^"]+)"', page)
    assert link is not None
    address = link[1].replace("&amp;", "&")
    assert address.endswith("&who={{%PROLIFIC_PID%}}")
    assert "own id in the place of" in page
    told = Client().get(address).content.decode()
    assert "The link you came by is not filled in" in told
    assert Room.objects.get().code in address


def test_who_sits_here_goes_on_by_an_unfilled_link(a_study: MakeStudy) -> None:
    asha = Participant(a_study(), "p01")
    asha.consent()
    asha.external_id = "{{%PROLIFIC_PID%}}"
    assert asha.enter()["Location"] == asha.at("questions")
