"""A study in its room: who is ready is seated, within an arm, and nobody waits for ever."""

from typing import Any

import msgspec
import pytest
from django.test import Client

from negotiation.models import Game, Listing
from rooms import hosting
from rooms.debrief.progress import progress_of
from rooms.desk import desk_of
from rooms.models import Member, Room, RoomGame, Study
from rooms.seating import pairing
from rooms.study.faults import missing
from rooms.study.flow import design_of
from tests.rooms.study import games
from tests.rooms.study.conftest import MakeStudy, Participant
from tests.support.rooms import waited

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def goods() -> None:
    Listing.objects.create(
        title="Lamp", category="Home", list_price=200_000, street_price=150_000, source_key="l"
    )


def in_pairs(a_study: MakeStudy, **changes: Any) -> Study:
    study = a_study(**changes)
    plan = {**study.room.plan, "meeting": "people", "roles": "random"}
    Room.objects.update(plan=plan)
    return Study.objects.get()


def test_a_copy_asks_for_the_codes_anew(a_study: MakeStudy) -> None:
    site = "https://app.prolific.com/submissions/complete?cc="
    exits = {
        "finished": {"code": "C1SECRET", "url": f"{site}{{code}}"},
        "waited": {"url": f"{site}C2SECRET"},
        "full": {"text": "No place."},
    }
    study = a_study(exits=exits)
    assert missing(design_of(study)) == []
    again = hosting.copy(study.room, study.room.host)
    design = design_of(Study.objects.get(room=again))
    assert [one.path for one in missing(design)] == ["exits.finished.code", "exits.waited.code"]
    assert "C1SECRET" not in msgspec.json.encode(design).decode()
    assert design_of(Study.objects.get(room=study.room)).exits.finished.code == "C1SECRET"


def test_people_of_a_study_read_its_title_not_the_hosts_name_of_the_room(
    a_study: MakeStudy,
) -> None:
    study = a_study(title="Talk & price")
    Room.objects.update(name="Arm B, anchoring, third pilot")
    member = Participant(study, "one").to_the_lobby()
    stranger = Client()
    pages = [look(member), stranger.get(f"/rooms/{study.room.code}/")]
    pages.append(stranger.get(f"/rooms/seat/{member.member.key}/"))
    for page in pages:
        text = page.content.decode()
        assert "Talk &amp; price" in text
        assert "anchoring" not in text


def test_the_desk_of_a_study_leads_to_its_rules_and_tells_none_of_the_rooms(
    a_study: MakeStudy,
) -> None:
    study = a_study(title="Talk & price", plan={"games": 3})
    desk = Client()
    desk.force_login(study.room.host)
    page = desk.get(f"/rooms/{study.room.code}/desk/").content.decode()
    assert f'<a href="/rooms/{study.room.code}/study/">Talk &amp; price</a>' in page
    assert "1 game," not in page
    assert "Make it a study" not in page


def look(who: Participant) -> Any:
    return who.client.get(f"/rooms/{who.room.code}/")


def seated() -> list[set[str]]:
    return [
        {one.external_id for one in (row.seller, row.buyer) if one}
        for row in RoomGame.objects.select_related("seller", "buyer")
    ]


def test_nobody_is_seated_who_has_something_to_fill_in(a_study: MakeStudy) -> None:
    study = a_study()
    asha = Participant(study, "one")
    asha.consent()
    assert look(asha)["Location"] == asha.at("questions")
    asha.understand()
    assert look(asha)["Location"] == asha.at("before")
    assert not RoomGame.objects.exists()
    asha.post("before", age="30")
    look(asha)
    assert seated() == [{"one"}]
    assert Game.objects.get().owner == asha.member.session
    assert Game.objects.get().may_train is False


def test_a_room_that_starts_itself_begins_with_the_first_who_is_ready(
    a_study: MakeStudy,
) -> None:
    study = a_study()
    Room.objects.update(state=Room.State.GATHERING)
    asha = Participant(study, "one").to_the_lobby()
    look(asha)
    assert Room.objects.get().state == Room.State.PLAYING
    assert seated() == [{"one"}]


def test_people_play_others_of_their_arm_alone(a_study: MakeStudy) -> None:
    study = in_pairs(a_study)
    people = [Participant(study, f"p{number}").to_the_lobby() for number in range(4)]
    tester = Participant(study, "test-1").to_the_lobby()
    for one in (*people, tester):
        look(one)
    arms: dict[str, set[str]] = {}
    for member in Member.objects.filter(is_pilot=False):
        arms.setdefault(member.arm, set()).add(member.external_id)
    assert sorted(map(sorted, seated())) == sorted(map(sorted, arms.values()))
    assert all(row.seller and row.buyer for row in RoomGame.objects.all())
    chat = {
        row.seller.arm: row.game.terms.get("chat", True)
        for row in RoomGame.objects.all()
        if row.seller
    }
    assert chat == {"chat": True, "prices": False}


def test_who_waits_too_long_plays_the_policy(a_study: MakeStudy) -> None:
    study = in_pairs(a_study, waiting={"most_s": 60, "then": "policy"})
    asha = Participant(study, "one").to_the_lobby()
    look(asha)
    assert not RoomGame.objects.exists()
    waited(61)
    pairing.advance(study.room)
    assert seated() == [{"one"}]


def test_a_lobby_that_asks_is_led_to_the_paid_end(a_study: MakeStudy) -> None:
    study = in_pairs(a_study, waiting={"most_s": 60, "then": "end"})
    asha = Participant(study, "one").to_the_lobby()
    html = look(asha).content.decode()
    poll = f"/rooms/{asha.room.code}/lobby/?mark={Room.objects.get().version}.&game="
    assert "HX-Redirect" not in asha.client.get(poll).headers
    waited(61)
    assert asha.client.get(poll)["HX-Redirect"] == asha.at("done")
    assert asha.member.end == "waited"
    assert "Leave the study" in html
    assert "you are paid" not in html, "the last page says what is paid; this study pays nothing"
    assert not RoomGame.objects.exists()


def test_after_the_game_the_room_leads_on(a_study: MakeStudy) -> None:
    asha = Participant(a_study(), "one").to_the_lobby()
    look(asha)
    games.end(RoomGame.objects.get())
    assert look(asha)["Location"] == asha.at("after")


def test_who_gave_the_seat_to_the_house_is_not_kept_by_the_game(a_study: MakeStudy) -> None:
    asha = Participant(a_study(), "one").to_the_lobby()
    look(asha)
    Game.objects.update(owner="somebody-else")
    assert look(asha)["Location"] == asha.at("after")


def test_who_is_not_told_who_sits_opposite_is_not_told_in_the_lobby_either(
    a_study: MakeStudy,
) -> None:
    arms = [
        {"name": "told", "plan": {"persona_told": True}},
        {"name": "untold", "plan": {"persona_told": False}},
    ]
    study = a_study(arms=arms)
    said = {}
    for name in ("one", "two"):
        who = Participant(study, name).to_the_lobby()
        pairing.advance(study.room)
        said[who.member.arm] = look(who).content.decode()
    assert "the house" in said["told"]
    assert "Sit down" in said["untold"]
    for word in ("the house", "Sauda never", "program", "policy", "linear"):
        main = said["untold"].split("<main")[1].split("</main>")[0]
        assert word not in main, word


def test_desk_and_progress_go_by_the_games_of_each_arm(a_study: MakeStudy) -> None:
    arms = [{"name": "one", "plan": {"games": 1}}, {"name": "two", "plan": {"games": 2}}]
    study = a_study(arms=arms, block=2)
    for name in ("a", "b"):
        look(Participant(study, name).to_the_lobby())
    pairing.advance(study.room)
    for row in RoomGame.objects.all():
        games.end(row)
    room = Room.objects.get()
    where = {place.member.arm: place.where for place in desk_of(room).places}
    assert where == {"one": "done", "two": "reading"}
    rounds = progress_of(room).rounds
    assert [(one.done, one.waiting) for one in rounds] == [(2, 0), (0, 1)]


def test_wrong_codes_are_not_tried_at_a_studys_door(a_study: MakeStudy, settings: Any) -> None:
    study = a_study()
    mallory = Client()
    for number in range(200):
        letters = "".join(chr(65 + (number * 7 + place * 3) % 26) for place in range(6))
        mallory.get(f"/rooms/{letters}/enter/")
    late = mallory.get(f"/rooms/{study.room.code}/enter/", {"PROLIFIC_PID": "x"})
    assert late.status_code == 404, "who has tried so many learns of no room any more"
    from rooms.doors import key_of_door

    link = {"PROLIFIC_PID": "x", "door": key_of_door(study.room)}
    assert mallory.get(f"/rooms/{study.room.code}/enter/", link).status_code == 200


@pytest.mark.parametrize("is_asked", [True, False])
def test_people_are_asked_after_a_game_where_the_design_says_so(
    a_study: MakeStudy, is_asked: bool
) -> None:
    study = a_study(arms=[{"name": "all", "plan": {"feelings": is_asked}}])
    asha = Participant(study, "one").to_the_lobby()
    look(asha)
    game = Game.objects.get()
    html = asha.client.get(f"/{game.kind}/{game.pk}/").content.decode()
    assert ('id="feelings"' in html) is is_asked
    assert "Answer what you like.</p>" in html or not is_asked
