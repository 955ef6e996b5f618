"""Conditions that each person plays in an order that is drawn, and what is asked between games."""

import itertools
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from negotiation.bargain import pairs
from negotiation.models import Game, Listing
from rooms.export.checking import check
from rooms.export.writing import export_to
from rooms.hosting import plan_for
from rooms.models import Member, Room, RoomGame, Study
from rooms.seating import pairing
from rooms.study import flow, hosts
from rooms.study.assignment import arm_at, orders, place_in_arm
from rooms.study.files import BadDesign, from_file, from_values, to_toml
from rooms.study.preregistration import preregistration
from tests.rooms.study import games
from tests.rooms.study.conftest import DESIGN, MakeStudy, Participant

CONDITIONS = [
    {"name": "calm", "plan": {"chat": True}, "instructions": "Now you may **talk**."},
    {"name": "mute", "plan": {"chat": False, "games": 2}, "instructions": "Now prices alone."},
]
BETWEEN = [
    {"type": "likert", "name": "felt", "ask": "How was it?", "points": 5},
    {"type": "short", "name": "first", "ask": "And the first?", "required": False,
     "after_games": [1]},
]  # fmt: skip
ORDERED: dict[str, Any] = {
    "arms": [{"name": "all"}, {"name": "told", "plan": {"persona_told": False}}],
    "conditions": CONDITIONS,
    "between": BETWEEN,
}


@pytest.mark.parametrize("count", [2, 3, 4, 5, 6])
def test_a_latin_square_balances_places_and_what_follows_what(count: int) -> None:
    names = "abcdef"[:count]
    rows = orders(names, "latin")
    for place in range(count):
        assert set(Counter(row[place] for row in rows).values()) == {len(rows) // count}
    follows = Counter(pair for row in rows for pair in itertools.pairwise(row))
    assert len(follows) == count * (count - 1)
    assert len(set(follows.values())) == 1, "each follows each other one equally often"


def test_all_orders_are_all_and_a_listed_one_is_one() -> None:
    assert len(set(orders("abcd", "all"))) == 24
    assert orders("cab", "listed") == [("c", "a", "b")]


@pytest.mark.parametrize("stated", [0, 6])
def test_a_place_in_an_arm_counts_the_places_before_it(stated: int) -> None:
    arms = ("a", "b", "c")
    drawn = [arm_at(slot, arms, stated, seed=9) for slot in range(30)]
    for slot, arm in enumerate(drawn):
        assert place_in_arm(slot, arms, stated, 9) == drawn[:slot].count(arm)


@pytest.fixture
def goods(db: None) -> None:
    Listing.objects.create(
        title="Lamp", category="Home", list_price=200_000, street_price=150_000, source_key="l"
    )


def look(who: Participant) -> Any:
    return who.client.get(f"/rooms/{who.room.code}/")


def sit_down_and_leave(who: Participant) -> RoomGame:
    """Open the next game by looking at the lobby, and walk away from it."""
    look(who)
    pairing.advance(who.room, now=True)  # a lobby does so every few seconds only
    row = RoomGame.objects.select_related("game").get(seller=who.member, round=who.member.dealt)
    games.end(row)
    return row


@pytest.mark.django_db
def test_orders_are_drawn_evenly_within_arms_and_by_the_seed(a_study: MakeStudy) -> None:
    study = a_study(**ORDERED)
    people = [Participant(study, f"p{n}").to_the_lobby().member for n in range(8)]
    drawn = Counter((one.arm, one.order) for one in people)
    assert drawn == {
        (arm, order): 2 for arm in ("all", "told") for order in (("calm", "mute"), ("mute", "calm"))
    }
    first = next(one for one in people if one.order == ("calm", "mute"))
    assert first.conditions == ["calm", "mute", "mute"]
    again = a_study(**ORDERED, study={"seed": study.seed})
    twins = [Participant(again, f"p{n}").to_the_lobby().member for n in range(8)]
    assert [(one.arm, one.conditions) for one in twins] == [
        (one.arm, one.conditions) for one in people
    ]


def play_through(study: Study, name: str) -> Participant:
    """Let somebody go the whole way: three games, what is read before and asked after them."""
    asha = Participant(study, name).to_the_lobby()
    for number in range(1, 4):
        page = asha.client.get(asha.at("between"))
        while page.status_code == 200:
            text = page.content.decode()
            part = text.split('name="form" value="')[1].partition('"')[0]
            asha.post("between", form=part, felt="4", first="=SUM(1)")
            page = asha.client.get(asha.at("between"))
        assert asha.member.dealt == number - 1
        sit_down_and_leave(asha)
    asha.post("between", form="between-3", felt="2")
    asha.post("after", fair="3")
    return asha


@pytest.mark.django_db(transaction=True)
def test_each_game_has_its_conditions_rules_and_what_is_between(
    a_study: MakeStudy, goods: None, tmp_path: Path
) -> None:
    study = a_study(**ORDERED)
    asha = Participant(study, "one").to_the_lobby()
    order = asha.member.order
    words = {"calm": "Now you may <strong>talk</strong>.", "mute": "Now prices alone."}
    assert look(asha)["Location"] == asha.at("between")
    assert words[order[0]] in asha.client.get(asha.at("between")).content.decode()
    assert not RoomGame.objects.exists(), "nobody is seated who has something to read"
    pairing.advance(study.room, now=True)
    assert not RoomGame.objects.exists()
    assert asha.post("between", form="between-0-read")["Location"] == f"/rooms/{study.room.code}/"
    row = sit_down_and_leave(asha)
    assert row.game.terms.get("chat", True) is (order[0] == "calm")
    assert plan_for(asha.member, 1).chat is (order[0] == "calm")
    assert plan_for(asha.member).games == 3
    page = asha.client.get(asha.at("between")).content.decode()
    assert "How was it?" in page
    assert "And the first?" in page
    assert asha.post("between", form="between-1").status_code == 422, "it must be answered"
    assert asha.post("between", form="between-0-read", felt="3").status_code == 302, "an old page"
    assert not asha.member.answers.filter(question="felt").exists()
    asha.post("between", form="between-1", felt="3", first="")
    is_new = order[0] == "calm"  # mute has two games, and nothing is told before its second
    page = asha.client.get(asha.at("between"))
    assert page.status_code == (200 if is_new else 302)
    if is_new:
        assert words["mute"] in page.content.decode()
    # The next one goes all the way; then everybody's data is taken home.
    other = play_through(study, "two")
    assert other.member.end == Member.End.FINISHED
    export_to(study.room, tmp_path)
    assert check(tmp_path).faults == []

    def rows(name: str) -> list[dict[str, Any]]:
        text = (tmp_path / f"{name}.jsonl").read_text()
        return [json.loads(line) for line in text.split("\n") if line]

    two = other.member
    assert [one["order"] for one in rows("participants")][1] == " ".join(two.order)
    mine = [one for one in rows("person_games") if one["participant"] == two.number]
    assert [(one["condition"], one["order"]) for one in mine] == [
        (name, " ".join(two.order)) for name in two.conditions
    ]
    named = {one["game"]: one for one in rows("games")}
    given = [one for one in rows("answers") if one["form"] == "between"]
    assert all(named[one["game"]]["condition"] for one in given)
    felt = [one for one in given if one["participant"] == two.number]
    assert [one["question"] for one in felt] == ["felt", "first", "felt", "felt"]
    assert [named[one["game"]]["round"] for one in felt] == [1, 1, 2, 3]
    chats = {(one["condition"], one["chat"]) for one in named.values()}
    assert chats == {("calm", True), ("mute", False)}
    [drawn] = [
        one
        for one in hosts.orders_drawn(study, pilot=False)
        if one.order == two.order and one.arm == two.arm
    ]
    assert drawn.finished == 1


@pytest.mark.django_db(transaction=True)
def test_people_who_come_one_after_the_other_can_meet(a_study: MakeStudy, goods: None) -> None:
    study = a_study(arms=[{"name": "all"}], conditions=[
        {"name": "calm"}, {"name": "mute", "plan": {"chat": False}}
    ])  # fmt: skip
    Room.objects.update(plan={**study.room.plan, "meeting": "people", "roles": "random"})
    study = Study.objects.get()
    people = [Participant(study, f"p{number}").to_the_lobby() for number in range(4)]
    assert [one.member.order for one in people[::2]] == [one.member.order for one in people[1::2]]
    assert people[0].member.order != people[2].member.order
    for one in people:
        look(one)
    for row in RoomGame.objects.select_related("seller", "buyer"):
        assert row.seller is not None
        assert row.buyer is not None
        assert row.seller.conditions == row.buyer.conditions
    assert Game.objects.count() == 2


@pytest.mark.django_db(transaction=True)
def test_a_seat_that_the_house_keeps_comes_back_before_any_question(
    a_study: MakeStudy, goods: None
) -> None:
    study = a_study(arms=[{"name": "all"}], between=BETWEEN, plan={"games": 2})
    Room.objects.update(plan={**study.room.plan, "meeting": "people", "games": 2})
    people = [Participant(Study.objects.get(), f"p{number}").to_the_lobby() for number in range(2)]
    for one in people:
        look(one)
    row = RoomGame.objects.get()
    asha = next(one for one in people if one.member.pk == row.seller_id)
    pairs.replace(row.game_id, "seller")
    assert not RoomGame.objects.get().is_played_by(asha.member)
    assert flow.where_is(asha.member) == "play"
    look(asha)
    assert RoomGame.objects.get().is_played_by(asha.member)


@pytest.mark.django_db
def test_who_came_before_there_were_conditions_plays_as_the_arm_says(a_study: MakeStudy) -> None:
    study = a_study(arms=[{"name": "all"}])
    asha = Participant(study, "one").to_the_lobby()
    Study.objects.update(design={**study.design, "conditions": CONDITIONS})
    assert asha.member.conditions == []
    assert plan_for(asha.member).games == 1
    assert flow.where_is(asha.member) == "play"


@pytest.mark.django_db
def test_the_host_sees_the_orders_and_writes_them_down_before(
    a_study: MakeStudy, host: Any
) -> None:
    study = a_study(**ORDERED)
    Participant(study, "one").to_the_lobby()
    client = Client()
    client.force_login(host)
    page = client.get(f"/rooms/{study.room.code}/study/").content.decode()
    assert "calm → mute" in page or "mute → calm" in page
    text = preregistration(study.room, flow.design_of(study))
    for words in ("- calm, mute\n", "- mute, calm\n", "`mute`, 2 games", "`felt` (between, likert"):
        assert words in text
    form = client.get(f"/rooms/{study.room.code}/study/arms/").content.decode()
    assert 'name="conditions.1.plan.games"' in form
    during = client.get(f"/rooms/{study.room.code}/study/during/").content.decode()
    assert 'name="between.1.after_games" value="1"' in during
    before = client.get(f"/rooms/{study.room.code}/study/before/").content.decode()
    assert "after_games" not in before


def test_conditions_come_back_whole_from_a_file() -> None:
    design = from_values({**DESIGN, **ORDERED})
    assert from_file(to_toml(design)) == design


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"conditions": CONDITIONS[:1]}, "conditions"),
        ({"conditions": [*CONDITIONS, CONDITIONS[0]]}, "conditions[2].name"),
        ({"order": "all", "conditions": [{"name": f"c{n}"} for n in range(5)]}, "order"),
        ({"order": "backwards"}, "order"),
        ({"conditions": [{"name": "all"}, {"name": "b"}]}, "conditions[0].name"),
        ({"conditions": [{"name": "a", "plan": {"persona_told": True}}, {"name": "b"}]},
         "conditions[0].plan.persona_told"),
        ({"conditions": [{"name": "a", "plan": {"buyer": "nobody"}}, {"name": "b"}]},
         "conditions[0].plan.buyer"),
        ({"between": [{**BETWEEN[0], "after_games": [0]}]}, "between[0].after_games"),
        ({"between": [BETWEEN[0], BETWEEN[0]]}, "between[1].name"),
        ({"between": [{**BETWEEN[0], "arms": ["nobody"]}]}, "between[0].arms"),
        ({"after": [{**BETWEEN[0], "after_games": [1]}]}, "after[0].after_games"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_told_at_its_place(change: dict[str, Any], path: str) -> None:
    with pytest.raises(BadDesign) as bad:
        from_values({**DESIGN, **ORDERED, **change})
    assert path in [one.path for one in bad.value.faults]


@pytest.mark.django_db
def test_a_preview_shows_what_is_between(a_study: MakeStudy, host: Any) -> None:
    study = a_study(**ORDERED)
    client = Client()
    client.force_login(host)
    at = f"/rooms/{study.room.code}/study/preview/all"
    assert "calm, mute" in client.get(f"{at}/play/").content.decode()
    assert client.post(f"{at}/play/")["Location"] == f"{at}/between/"
    page = client.get(f"{at}/between/").content.decode()
    for words in ("Now you may <strong>talk</strong>.", "Now prices alone.", "How was it?"):
        assert words in page
    assert "Please answer this." in client.post(f"{at}/between/").content.decode()
    assert client.post(f"{at}/between/", {"felt": "2"})["Location"] == f"{at}/after/"
