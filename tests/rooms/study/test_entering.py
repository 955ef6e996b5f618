"""The door: one id is one person, the last place is given once, tests are marked."""

from datetime import timedelta

import pytest
from django.utils import timezone

from rooms.models import Answer, Member, Study
from tests.rooms.study.conftest import MakeStudy, Participant
from tests.support.at_once import all_at_once

pytestmark = pytest.mark.django_db

LONG = "5f1a2b3c4d5e6f7a8b9c0d1e"
"""An id as a panel has it: nobody guesses one."""


def test_the_same_id_in_another_browser_is_the_same_person(a_study: MakeStudy) -> None:
    study = a_study()
    asha = Participant(study, LONG).to_the_lobby()
    first = asha.member
    elsewhere = Participant(study, LONG)
    elsewhere.enter()
    assert Member.objects.get().session == first.session, "a look alone moves nobody"
    assert elsewhere.post("enter", PROLIFIC_PID=LONG)["Location"] == f"/rooms/{study.room.code}/"
    assert elsewhere.member == first
    assert Member.objects.count() == 1


def test_without_an_id_nobody_comes_in_where_one_is_needed(a_study: MakeStudy) -> None:
    asha = Participant(a_study(), "")
    assert "by your own link" in asha.enter().content.decode()
    asha.consent()
    assert not Member.objects.exists()


def test_a_study_may_let_in_people_without_an_id_once_in_each_browser(a_study: MakeStudy) -> None:
    asha = Participant(a_study(link={"required": False}), "")
    asha.enter()
    asha.consent()
    asha.consent()
    assert Member.objects.count() == 1
    assert asha.enter()["Location"] == asha.at("questions")


def test_two_people_do_not_share_a_browser_until_the_first_is_through(a_study: MakeStudy) -> None:
    study = a_study()
    asha = Participant(study, "one").to_the_lobby()
    asha.external_id = "two"
    assert "Somebody takes part in this browser" in asha.consent().content.decode()
    Member.objects.update(finished_at=timezone.now(), end="finished")
    asha.consent()
    assert set(Member.objects.values_list("external_id", flat=True)) == {"one", "two"}
    assert asha.member.external_id == "two"


def test_a_test_id_is_marked_and_takes_no_place(a_study: MakeStudy) -> None:
    study = a_study(quota=1)
    tester = Participant(study, "test-1").to_the_lobby()
    assert tester.member.is_pilot
    asha = Participant(study, "real").to_the_lobby()
    assert not asha.member.is_pilot
    assert (tester.member.slot, asha.member.slot) == (0, 0), "counted apart"
    full = Participant(study, "late")
    assert "All places are taken" in full.enter().content.decode()
    assert Participant(study, "test-2").to_the_lobby().member.is_pilot


def test_everybody_in_a_pilot_is_marked(a_study: MakeStudy) -> None:
    study = a_study({"is_pilot": True})
    assert Participant(study, "one").to_the_lobby().member.is_pilot
    Study.objects.update(is_pilot=False)
    # Who took part in the pilot is somebody new in the study, in the same browser, too.
    asha = Participant(Study.objects.get(), "one").to_the_lobby()
    assert not asha.member.is_pilot
    assert Member.objects.count() == 2


def test_a_stopped_study_tells_kindly_and_lets_who_is_in_go_on(a_study: MakeStudy) -> None:
    study = a_study(exits={"full": {"text": "Come **again**.", "code": "LATE"}})
    asha = Participant(study, "one")
    asha.consent()
    Study.objects.update(stopped_at=timezone.now())
    late = Participant(study, "two")
    html = late.enter().content.decode()
    assert "This study is over" in html
    assert "<strong>again</strong>" in html
    assert "LATE" in html
    late.consent()
    assert Member.objects.count() == 1
    assert asha.understand()["Location"] == asha.at("before")


def test_who_is_gone_too_long_gives_the_place_but_not_the_arm(a_study: MakeStudy) -> None:
    study = a_study(quota=1, gone_min=30)
    gone = Participant(study, "one").to_the_lobby()
    late = Participant(study, "two")
    assert "All places are taken" in late.enter().content.decode()
    long_ago = timezone.now() - timedelta(minutes=31)
    Answer.objects.update(given_at=long_ago)
    Member.objects.update(consented_at=long_ago, seen_at=None)
    late.to_the_lobby()
    assert late.member.slot == 1
    assert gone.member.slot == 0


@pytest.mark.django_db(transaction=True)
def test_the_last_places_are_given_once(a_study: MakeStudy) -> None:
    study = a_study(quota=3)
    people = [Participant(study, f"id{number:04}") for number in range(8)]
    for one in people:
        assert one.enter().status_code == 200
    assert all_at_once(*(one.consent for one in people)) == []
    assert Member.objects.filter(consented_at__isnull=False).count() == 3
    assert sorted(Member.objects.values_list("slot", flat=True)) == [0, 1, 2]


@pytest.mark.django_db(transaction=True)
def test_one_id_in_many_tabs_at_once_is_one_member(a_study: MakeStudy) -> None:
    study = a_study()
    tabs = [Participant(study, "same") for _ in range(6)]
    for one in tabs:
        one.enter()
    assert all_at_once(*(one.consent for one in tabs)) == []
    member = Member.objects.get()
    assert (member.external_id, member.slot) == ("same", 0)


@pytest.mark.parametrize("bad", ["x" * 129, "a\x00b", "a\u202eb"])
def test_an_id_that_nobody_could_have_is_refused(a_study: MakeStudy, bad: str) -> None:
    mallory = Participant(a_study(), bad)
    assert "by your own link" in mallory.enter().content.decode()
    mallory.consent()
    assert not Member.objects.exists()
