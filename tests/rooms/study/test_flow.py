"""A participant on the way through a study: no jumping ahead, nothing lost, nothing doubled."""

import pytest

from bazaar_site.rooms.models import Answer, Member
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
