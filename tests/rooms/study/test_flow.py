"""A participant on the way through a study: no jumping ahead, nothing lost, nothing doubled."""

import re

import pytest

from negotiation.models import Listing
from rooms.models import Answer, Member, RoomGame
from tests.rooms.study.conftest import MakeStudy, Participant

pytestmark = pytest.mark.django_db

ID = "5f1a2b3c4d5e6f7a8b9c0d1e"


def test_a_participant_goes_through_every_step(a_study: MakeStudy) -> None:
    asha = Participant(a_study(), ID)
    page = asha.enter()
    html = page.content.decode()
    assert page.status_code == 200
    assert "<strong>how people bargain</strong>" in html
    assert not Member.objects.exists(), "nothing is kept before the consent"
    assert asha.consent(may_quote="yes")["Location"] == asha.at("questions")
    member = asha.member
    assert (member.external_id, member.may_quote, member.may_train) == (ID, True, False)
    assert asha.understand()["Location"] == asha.at("before")
    assert asha.post("before", age="30")["Location"] == f"/rooms/{asha.room.code}/"
    member.refresh_from_db()
    assert member.ready_at is not None
    assert member.arm in ("chat", "prices")
    assert set(Answer.objects.values_list("form", "question", "value")) == {
        ("questions", "floor", "The least you take"),
        ("questions", "_read", "yes"),
        ("before", "age", 30),
        ("before", "city", ""),
    }


@pytest.mark.parametrize("page", ["questions", "before", "after", "done"])
def test_nobody_jumps_ahead(a_study: MakeStudy, page: str) -> None:
    asha = Participant(a_study(), ID)
    asha.consent()
    answer = asha.client.get(asha.at(page))
    if page == "questions":
        assert answer.status_code == 200
    else:
        assert answer["Location"] == asha.at("questions")
        assert asha.post(page, age="30", fair="3")["Location"] == asha.at("questions")
    assert not Answer.objects.exists()


@pytest.mark.parametrize("page", ["consent", "questions", "before", "after", "done", "withdraw"])
def test_a_stranger_is_led_to_the_door(a_study: MakeStudy, page: str) -> None:
    mallory = Participant(a_study(), ID)
    assert mallory.client.get(mallory.at(page))["Location"] == mallory.at("enter")


def test_a_room_without_a_study_has_no_door_to_one(a_study: MakeStudy) -> None:
    study = a_study()
    asha = Participant(study, ID)
    study.delete()
    for page in ("enter", "consent", "before", "done", "withdraw"):
        assert asha.client.get(asha.at(page)).status_code == 404


def test_a_second_press_and_a_second_tab_change_nothing(a_study: MakeStudy) -> None:
    asha = Participant(a_study(), ID).to_the_lobby()
    again = asha.post("before", age="99", city="Elsewhere")
    assert again["Location"] == f"/rooms/{asha.room.code}/"
    assert Answer.objects.get(question="age").value == 30
    assert asha.consent()["Location"] == f"/rooms/{asha.room.code}/"
    assert Member.objects.count() == 1
    assert asha.member.slot == 0


def test_the_back_button_asks_the_server_again(a_study: MakeStudy) -> None:
    asha = Participant(a_study(), ID)
    for page in (asha.enter(), asha.consent(), asha.client.get(asha.at("questions"))):
        assert "no-store" in page["Cache-Control"]


def test_wrong_answers_are_told_beside_their_question_and_nothing_is_lost(
    a_study: MakeStudy,
) -> None:
    asha = Participant(a_study(), ID)
    asha.consent()
    asha.understand()
    page = asha.post("before", age="7", city="Pune")
    html = page.content.decode()
    assert page.status_code == 422
    assert "It must be 18 or more." in html
    assert 'value="Pune"' in html
    assert not Answer.objects.filter(form="before").exists()


def test_a_try_is_counted_once_however_often_the_button_is_pressed(a_study: MakeStudy) -> None:
    asha = Participant(a_study(), ID)
    asha.consent()
    for _ in range(3):
        asha.post("questions", **{"try": "1", "floor": "The price you ask"})
    answer = Answer.objects.get(question="floor")
    assert (answer.tries, answer.is_right) == (1, False)
    assert "1 try is left" in asha.client.get(asha.at("questions")).content.decode()


def test_after_the_last_try_it_is_explained_and_goes_on(a_study: MakeStudy) -> None:
    asha = Participant(a_study(), ID)
    asha.consent()
    for number in ("1", "2"):
        asha.post("questions", **{"try": number, "floor": "The price you ask"})
    page = asha.client.get(asha.at("questions")).content.decode()
    assert "Below it you would rather keep the thing." in page
    assert asha.post("questions", **{"try": "3"})["Location"] == asha.at("before")
    assert Answer.objects.get(question="floor").is_right is False


def test_after_the_last_try_a_study_can_send_away(a_study: MakeStudy) -> None:
    from tests.rooms.study.conftest import DESIGN

    questions = {**DESIGN["questions"], "then": "leave"}
    exits = {"screened": {"code": "SORRY", "text": "Paid *a little*."}}
    asha = Participant(a_study(questions=questions, exits=exits), ID)
    asha.consent()
    for number in ("1", "2"):
        last = asha.post("questions", **{"try": number, "floor": "The price you ask"})
    assert last["Location"] == asha.at("done")
    html = asha.client.get(asha.at("done")).content.decode()
    assert "SORRY" in html
    assert "<em>a little</em>" in html
    assert asha.member.end == "screened"


def test_the_explanation_is_in_no_page_before_the_tries_are_used(a_study: MakeStudy) -> None:
    asha = Participant(a_study(), ID)
    asha.consent()
    page = asha.client.get(asha.at("questions")).content.decode()
    assert "rather keep" not in page


def test_without_the_tick_nobody_takes_part(a_study: MakeStudy) -> None:
    asha = Participant(a_study(), ID)
    page = asha.post("consent", PROLIFIC_PID=ID, do="agree", may_train="yes")
    assert page.status_code == 422
    assert f'value="{ID}"' in page.content.decode()
    assert asha.post("consent", PROLIFIC_PID=ID, do="decline").status_code == 200
    assert not Member.objects.exists()


def test_boxes_that_the_study_does_not_show_are_not_believed(a_study: MakeStudy) -> None:
    from tests.rooms.study.conftest import DESIGN

    consent = {**DESIGN["consent"], "train": False}
    asha = Participant(a_study(consent=consent), ID)
    assert "may_train" not in asha.enter().content.decode()
    asha.consent(may_train="yes")
    assert asha.member.may_train is False


def test_the_pages_of_a_study_lead_nowhere_else(a_study: MakeStudy) -> None:
    study = a_study()
    Listing.objects.create(
        title="Lamp", category="Home", list_price=200_000, street_price=150_000, source_key="l"
    )
    asha = Participant(study, "one")
    pages = [asha.enter()]
    asha.consent()
    pages.append(asha.client.get(asha.at("questions")))
    asha.understand()
    pages.append(asha.client.get(asha.at("before")))
    asha.post("before", age="30")
    pages.append(asha.client.get(f"/rooms/{study.room.code}/"))
    pages.append(asha.client.get(f"/sell/{RoomGame.objects.get().game_id}/"))
    own = (f"/rooms/{study.room.code}/", f"/sell/{RoomGame.objects.get().game_id}/")
    for page in pages:
        body = page.content.decode()
        led = {way for way in re.findall(r'<a [^>]*href="([^"]+)"', body) if way[0] != "#"}
        assert page.status_code == 200
        assert not [way for way in led if not way.startswith(own)]
        assert 'class="masthead"' not in body
