"""What somebody agreed to holds for that one, whatever the study says later."""

import datetime as dt
from typing import Any

import msgspec
import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from rooms.export.forgetting import forget_due
from rooms.export.rows import Promises
from rooms.models import Answer, Member, Room, Study
from rooms.study import flow, hosts, paying, promises
from rooms.study.files import from_values
from tests.rooms.study import games
from tests.rooms.study.conftest import DESIGN, MakeStudy, Participant

pytestmark = pytest.mark.django_db

CONSENT: dict[str, Any] = DESIGN["consent"]


def rewritten(study: Study, **consent: Any) -> Study:
    """The host writes another consent, as the pages let him after a pilot."""
    design = {**DESIGN, "consent": {**CONSENT, **consent}}
    return hosts.save(study.room, from_values(design))


def aged(days: int) -> None:
    """All that was consented to, so long ago."""
    Member.objects.update(consented_at=timezone.now() - dt.timedelta(days=days))


def kept_until() -> dt.date | None:
    return Room.objects.get().keep_until


def test_leaving_deletes_what_the_first_text_promised(a_study: MakeStudy) -> None:
    study = a_study({"is_pilot": True})
    asha = Participant(study, "one").to_the_lobby()
    rewritten(study, withdrawal=[])
    page = asha.client.get(asha.at("withdraw")).content.decode()
    assert "your answers" in page
    asha.post("withdraw")
    assert not Answer.objects.filter(member=asha.member).exists()
    assert "your answers" in asha.client.get(asha.at("done")).content.decode()
    ravi = Participant(Study.objects.get(), "two").to_the_lobby()
    ravi.post("withdraw")
    assert Answer.objects.filter(member=ravi.member).exists(), "he was promised nothing"


def test_what_is_exported_of_somebody_is_what_that_one_agreed_to(a_study: MakeStudy) -> None:
    study = a_study({"is_pilot": True}, consent={**CONSENT, "keeps": ["prices", "words"]})
    asha = Participant(study, "one").to_the_lobby()
    study = rewritten(study, keeps=["answers", "prices", "words", "times"])
    ravi = Participant(study, "two").to_the_lobby()
    held = Promises(study)
    assert not held.allows("answers", asha.member)
    assert held.allows("answers", ravi.member)
    assert not held.allows("times", asha.member)
    narrow = rewritten(study, keeps=["prices", "words"])
    assert Promises(narrow).allows("answers", ravi.member), "that one agreed to more"


def test_a_game_goes_only_where_all_in_it_agreed_to_prices(a_study: MakeStudy) -> None:
    study = a_study({"is_pilot": True}, consent={**CONSENT, "keeps": ["answers", "words"]})
    asha = Participant(study, "one").to_the_lobby()
    row = games.begin(asha.member)
    games.end(row)
    study = rewritten(study, keeps=["answers", "prices", "words"])
    assert not Promises(study).has_game(row)


def test_who_agreed_to_training_before_it_was_taken_back_still_has(a_study: MakeStudy) -> None:
    study = a_study({"is_pilot": True})
    asha = Participant(study, "one")
    asha.consent(may_train="yes")
    study = rewritten(study, train=False)
    ravi = Participant(study, "two")
    ravi.consent(may_train="yes")
    assert (asha.member.may_train, ravi.member.may_train) == (True, False)


def test_somebody_is_paid_as_the_page_said(a_study: MakeStudy) -> None:
    study = a_study({"is_pilot": True})
    asha = Participant(study, "one").to_the_lobby()
    Member.objects.update(end="finished", finished_at=timezone.now())
    hosts.save(study.room, from_values({**DESIGN, "bonus": {"base": 0.1}}))
    ravi = Participant(study, "two").to_the_lobby()
    Member.objects.update(end="finished", finished_at=timezone.now())
    lines = paying.table(study.room, pilot=True)
    assert [(one.external_id, str(one.amount)) for one in lines] == [
        ("one", "2.00"),
        ("two", "0.10"),
    ]
    assert asha.member.promise["text"] != ravi.member.promise["text"]


def test_nobody_agrees_to_a_text_that_was_not_read(a_study: MakeStudy) -> None:
    study = a_study({"is_pilot": True})
    asha = Participant(study, "one")
    read = asha.enter().context["read"]
    rewritten(study, months=24)
    again = asha.consent(read=read)
    assert again.status_code == 422
    html = again.content.decode()
    assert "has changed since you opened it" in html
    assert "24 months" in html
    assert asha.consent(read="").status_code == 422, "no word of what was read is no reading"
    assert not Member.objects.exists()
    assert asha.consent(read=again.context["read"]).status_code == 302
    assert asha.member.promise["months"] == 24


def test_a_room_is_kept_as_long_as_was_promised_and_no_longer(a_study: MakeStudy) -> None:
    study = a_study(consent={**CONSENT, "months": 1})
    far = timezone.localdate() + dt.timedelta(days=365)
    Room.objects.update(keep_until=far)
    Participant(study, "one").to_the_lobby()
    day = promises.after(timezone.localdate(), 1)
    assert kept_until() == day, "the year of any room is longer than the promise"
    aged(20)
    Room.objects.update(keep_until=far)
    hosts.stop(Study.objects.get(), stopped=True)
    last = timezone.localdate(Member.objects.get().consented_at)
    assert kept_until() == promises.after(last, 1), "to stop a study takes nothing back"


def test_a_host_may_choose_an_earlier_day_and_no_later_one(a_study: MakeStudy, host: User) -> None:
    study = a_study(consent={**CONSENT, "months": 2})
    Participant(study, "one").to_the_lobby()
    latest = promises.after(timezone.localdate(), 2)
    priya = Client()
    priya.force_login(host)
    address = f"/rooms/{study.room.code}/data/"
    later = latest + dt.timedelta(days=1)
    refused = priya.post(address, {"keep_until": later.isoformat()})
    assert refused.status_code == 422
    assert "at the latest" in refused.content.decode()
    assert kept_until() == latest
    earlier = timezone.localdate() + dt.timedelta(days=10)
    assert priya.post(address, {"keep_until": earlier.isoformat()}).status_code == 302
    Participant(study, "two").to_the_lobby()
    assert kept_until() == earlier, "who comes later changes nothing about that"


def test_who_was_promised_less_time_goes_before_the_room(a_study: MakeStudy) -> None:
    study = a_study({"is_pilot": True}, consent={**CONSENT, "months": 1})
    asha = Participant(study, "one").to_the_lobby()
    games.end(games.begin(asha.member))
    gone = asha.member.pk
    study = rewritten(study, months=12)
    Study.objects.update(is_pilot=False)
    aged(40)
    ravi = Participant(Study.objects.get(), "two").to_the_lobby()
    room_day = kept_until()
    assert room_day == promises.after(timezone.localdate(), 12)
    forget_due()
    assert list(Member.objects.all()) == [ravi.member]
    assert not Member.objects.filter(pk=gone).exists()
    assert not study.room.games.exists()


def test_tests_of_the_host_make_nobodys_time_longer(a_study: MakeStudy) -> None:
    study = a_study(consent={**CONSENT, "months": 1})
    Participant(study, "one").to_the_lobby()
    aged(40)
    Participant(study, "test-1").to_the_lobby()
    forget_due()
    assert [one.external_id for one in Member.objects.all()] == ["test-1"]


@pytest.mark.parametrize(
    ("how", "bonus", "told"),
    [
        ("waited", {"base": 2, "waited": 0.75}, ["For waiting", "0.75 GBP"]),
        ("waited", {"base": 2}, ["There is no payment for this."]),
        ("waited", {}, []),
        ("screened", {"base": 2, "screened": 0.3}, ["For your time", "0.30 GBP"]),
        ("screened", {"base": 2}, ["There is no payment for this."]),
        ("withdrawn", {"base": 2, "withdrawn": 2}, ["For your time", "2.00 GBP"]),
        ("finished", {"base": 2}, ["For coming to the end", "2.00 GBP"]),
        ("finished", {"rule": "share", "rate": 1}, ["There is no payment for this."]),
    ],
)
def test_the_last_page_says_what_is_paid(
    a_study: MakeStudy, how: str, bonus: dict[str, Any], told: list[str]
) -> None:
    asha = Participant(a_study(bonus=bonus), "one").to_the_lobby()
    if how == "withdrawn":
        asha.post("withdraw")
    else:
        Member.objects.update(end=how, finished_at=timezone.now())
    page = asha.client.get(asha.at("done")).content.decode()
    for words in told:
        assert words in page
    assert "you are paid for waiting" not in page
    assert ("no payment" in page) == ("There is no payment for this." in told)
    assert (" GBP" in page) == any("GBP" in words for words in told)


def test_who_consented_before_promises_were_stored_has_the_studys(a_study: MakeStudy) -> None:
    study = a_study()
    asha = Participant(study, "one").to_the_lobby()
    Member.objects.update(promise=None)
    promise = promises.promise_to(asha.member, study)
    assert promise == promises.promise_now(study)
    assert promises.pay_to(asha.member, flow.design_of(study)).base == 2


def test_the_promise_is_small_and_holds_no_text(a_study: MakeStudy) -> None:
    asha = Participant(a_study(), "one").to_the_lobby()
    assert len(msgspec.json.encode(asha.member.promise)) < 1000
    assert "Taking part" not in str(asha.member.promise)
