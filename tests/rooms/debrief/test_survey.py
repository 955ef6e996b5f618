"""A class's own questions: asked after the last game, read by the host alone."""

import pytest
from django.test import Client

from rooms.debrief.survey import results_of
from rooms.models import Answer, Room
from tests.rooms.debrief.test_access import address, as_host, as_member
from tests.rooms.debrief.test_feedback import table
from tests.support.class_rooms import a_member

ASKED = {"ask": ["Was it fair?", " ", "=What did you learn?"], "kind": ["scale", "text", "text"]}


def answer(client: Client, room: Room, **said: str) -> int:
    page = client.get(address(room, "survey/"))
    if page.status_code != 200:
        return page.status_code
    seen = page.content.decode().partition('name="seen" value="')[2].partition('"')[0]
    return client.post(address(room, "survey/"), {"seen": seen, **said}).status_code


@pytest.fixture
def asked(four: Room) -> Room:
    """The four, of whom only Meena and Omar have played all of their games."""
    Room.objects.filter(pk=four.pk).update(plan={**four.plan, "games": 1})
    four.members.filter(nickname__in=("Meena", "Omar")).update(dealt=1)
    assert as_host(four).post(address(four, "survey/"), ASKED).status_code == 302
    four.refresh_from_db()
    return four


def test_answers_stand_in_the_gradebook_and_means_at_the_desk(asked: Room) -> None:
    meena, omar, host = as_member(asked, "Meena"), as_member(asked, "Omar"), as_host(asked)
    link = f'href="{address(asked, "survey/")}"'
    assert link in meena.get(address(asked, "")).content.decode()
    assert answer(meena, asked, q1="8") == 422
    assert answer(meena, asked, q1="6", q2="=To wait") == 302
    assert answer(omar, asked, q1="3") == 302
    assert link not in meena.get(address(asked, "")).content.decode()
    # Once is enough, and nobody reads another's.
    assert answer(meena, asked, q1="1") == 302
    for page in ("", "survey/"):
        assert "To wait" not in omar.get(address(asked, page), follow=True).content.decode()
    assert omar.get(address(asked, "gradebook.csv")).status_code == 404
    assert [(one.count, one.mean) for one in results_of(asked)] == [(2, 4.5), (1, None)]
    desk = host.get(address(asked, "desk/")).content.decode()
    assert "4.5 of 7 on average" in desk
    rows = table(host, asked)
    assert (rows["Meena"]["Was it fair?"], rows["Omar"]["Was it fair?"]) == ("6", "3")
    assert rows["Meena"]["'=What did you learn?"] == "'=To wait"
    assert rows["Asha"]["Was it fair?"] == ""
    host.post(address(asked, "copy/"))
    again = Room.objects.exclude(pk=asked.pk).get()
    assert (again.survey, results_of(again)[0].count) == (asked.survey, 0)
    late = host.post(address(asked, "survey/"), {"ask": "Other?", "kind": "text"})
    assert late.status_code == 409
    assert "Somebody has answered already" in late.content.decode()


def test_only_who_is_through_is_asked(asked: Room) -> None:
    a_member(asked, "Sita")
    sita, omar = as_member(asked, "Sita"), as_member(asked, "Omar")
    assert answer(sita, asked, q1="1") == 302  # back to the room
    assert Client().get(address(asked, "survey/")).status_code == 404
    # Who answers questions that were changed meanwhile is asked the new ones.
    old = omar.get(address(asked, "survey/")).content.decode()
    seen = old.partition('name="seen" value="')[2].partition('"')[0]
    as_host(asked).post(address(asked, "survey/"), {"ask": "Why?", "kind": "text"})
    again = omar.post(address(asked, "survey/"), {"seen": seen, "q1": "7"})
    assert "Why?" in again.content.decode()
    assert not Answer.objects.exists()
