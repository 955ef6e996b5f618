"""What people think of the other side: asked in its rounds, kept from it, scored in the export."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from bazaarbatna.bargain.moves import Offer, Walk
from bazaarbatna.bargain.quantities import Paise
from negotiation.bargain import sessions
from negotiation.errors import AnswerFirst
from negotiation.models import EventRow, Game, Listing
from rooms.export.checking import check
from rooms.export.writing import export_to
from rooms.models import Answer, Member, Room, RoomGame, Study
from rooms.study import flow, forgetting
from rooms.study.files import BadDesign, from_file, from_values, to_toml
from rooms.study.preregistration import preregistration
from tests.rooms.study.conftest import DESIGN, MakeStudy, Participant

pytestmark = pytest.mark.django_db(transaction=True)

LIMIT = {"name": "their_limit", "rounds": [1, 3]}
CHANCE = {"name": "odds", "about": "deal", "ask": "How sure are you of a deal?", "rounds": [1]}

Sit = Callable[..., list[Participant]]


@pytest.fixture
def sits(a_study: MakeStudy) -> Sit:
    """Seat two people opposite each other, or one opposite a rule."""

    def sit(count: int = 1, **changes: Any) -> list[Participant]:
        Listing.objects.create(
            title="Lamp", category="Home", list_price=200_000, street_price=150_000, source_key="l"
        )
        study = a_study(**{"arms": [{"name": "all"}], "beliefs": [LIMIT, CHANCE], **changes})
        if count == 2:
            Room.objects.update(plan={**study.room.plan, "meeting": "people", "roles": "random"})
        study = Study.objects.get()
        people = [Participant(study, f"p{number}").to_the_lobby() for number in range(count)]
        for one in people:
            one.client.get(f"/rooms/{study.room.code}/")
        return people

    return sit


def asked(who: Participant) -> str:
    answer = who.client.get(who.at("belief"))
    assert answer.status_code == 200
    return answer.content.decode()


def move(who: Participant, price: int) -> None:
    sessions.play(RoomGame.objects.get().game_id, who.member.session, Offer(Paise(price), ""))


def sides(people: list[Participant]) -> tuple[Participant, Participant]:
    row = RoomGame.objects.get()
    seller = next(one for one in people if one.member.pk == row.seller_id)
    return seller, next(one for one in people if one is not seller)


def finish(who: Participant) -> Game:
    game = Game.objects.get()
    while Game.objects.get(pk=game.pk).status == Game.Status.LIVE:
        if sessions.opponent_turn(game.pk):
            continue
        sessions.play(game.pk, who.member.session, Walk(""))
    return Game.objects.get(pk=game.pk)


def test_each_is_asked_on_the_own_turn_and_told_nothing_of_the_other(sits: Sit) -> None:
    seller, buyer = sides(sits(2))
    assert 'name="form"' not in asked(seller), "the buyer begins"
    text = asked(buyer)
    assert "the least that the seller would take" in text
    assert "How sure are you of a deal?" in text
    assert 'value="belief-1-1"' in text
    told = buyer.post("belief", form="belief-1-1", their_limit="1,234.50", odds="66.6")
    assert told["Location"] == f"/buy/{Game.objects.get().pk}/"
    assert 'name="form"' not in asked(buyer), "once in a round"
    move(buyer, 90_000)
    text = asked(seller)
    assert "the most that the buyer would pay" in text
    page = seller.client.get(f"/sell/{Game.objects.get().pk}/").content.decode()
    frames = b"".join(bytes(row.payload) for row in EventRow.objects.all()).decode()
    for place in (text, page, frames, json.dumps(list(Game.objects.values()), default=str)):
        assert "66.6" not in place
        assert "1234.5" not in place
    given = {one.question: one.value for one in Answer.objects.filter(form="belief-1-1")}
    assert given == {"their_limit": 1234.5, "odds": 66.6}


def test_what_is_passed_over_holds_nobody_up(sits: Sit) -> None:
    seller, buyer = sides(sits(2))
    move(buyer, 90_000)
    assert 'value="belief-1-1"' in asked(seller)
    seller.post("belief", form="belief-1-1", skip="1", their_limit="7")
    assert 'name="form"' not in asked(seller)
    assert set(Answer.objects.filter(form="belief-1-1").values_list("value", flat=True)) == {""}
    move(seller, 190_000)
    assert 'name="form"' not in asked(buyer), "not in round 2"


def test_no_move_is_taken_before_an_answer_that_is_required(sits: Sit) -> None:
    people = sits(2, beliefs=[{**LIMIT, "required": True}])
    seller, buyer = sides(people)
    with pytest.raises(AnswerFirst):
        move(buyer, 90_000)
    assert "is-required" in asked(buyer)
    assert ">Skip<" not in asked(buyer)
    for wrong in ("", "cheap", "-3", "1e99"):
        answer = buyer.post("belief", form="belief-1-1", their_limit=wrong)
        assert answer.status_code == 422, wrong
        assert 'class="problem"' in answer.content.decode()
    assert buyer.post("belief", form="belief-1-1", skip="1").status_code == 422
    buyer.post("belief", form="belief-1-1", their_limit="800")
    buyer.post("belief", form="belief-1-1", their_limit="900")
    assert Answer.objects.get(question="their_limit").value == 800, "what was handed in stands"
    move(buyer, 90_000)
    with pytest.raises(AnswerFirst):
        move(seller, 190_000)
    assert Client().get(seller.at("belief")).status_code == 404, "a stranger is asked nothing"


def test_an_answer_to_an_old_round_is_no_answer_to_this_one(sits: Sit) -> None:
    [asha] = sits(1)
    while Game.objects.get().last_seq < 2:
        sessions.opponent_turn(Game.objects.get().pk)
    asha.post("belief", form="belief-1-9", their_limit="500", odds="50")
    assert not Answer.objects.filter(question="their_limit").exists()
    finish(asha)
    assert asha.client.get(asha.at("belief")).content == b""


def test_the_export_has_the_truth_beside_each_answer(sits: Sit, tmp_path: Path) -> None:
    [asha] = sits(1, beliefs=[LIMIT, CHANCE, {"name": "close", "about": "price", "rounds": [1]}])
    game_id = Game.objects.get().pk
    while sessions.current(game_id)[1].state.to_move == "buyer":
        sessions.opponent_turn(game_id)
    asha.post("belief", form="belief-1-1", their_limit="1500", odds="80")
    finish(asha)
    asha.post("after", fair="3")
    told = export_to(asha.room, tmp_path)
    assert check(tmp_path).faults == []
    assert told["rows"]["beliefs"] == 3

    def rows(name: str) -> list[dict[str, Any]]:
        text = (tmp_path / f"{name}.jsonl").read_text()
        return [json.loads(line) for line in text.split("\n") if line]

    [game] = rows("games")
    found = {one["question"]: one for one in rows("beliefs")}
    assert (found["their_limit"]["value"], found["their_limit"]["truth"]) == (1500, game["budget"])
    assert (found["odds"]["value"], found["odds"]["truth"]) == (80, 0)
    assert (found["close"]["value"], found["close"]["truth"]) == (None, None)
    one = found["odds"]
    assert (one["game"], one["round"], one["side"], one["about"]) == (
        game["game"], 1, "seller", "deal",
    )  # fmt: skip
    assert one["given_at"]
    assert not [row for row in rows("answers") if row["question"] == "odds"]
    assert "value where question = odds" in (tmp_path / "codebook.csv").read_text()
    forgetting.withdraw(Member.objects.get())
    assert export_to(asha.room, tmp_path / "after")["rows"]["beliefs"] == 0


def test_it_stands_in_the_preregistration_and_in_the_file(a_study: MakeStudy) -> None:
    study = a_study(beliefs=[LIMIT, CHANCE])
    design = flow.design_of(study)
    text = preregistration(study.room, design)
    assert "- `their_limit` (the other's limit; round 1, 3)" in text
    assert "- `odds` (the chance of a deal, in percent; round 1): How sure" in text
    assert from_file(to_toml(design)) == design


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ([LIMIT, LIMIT], "beliefs[1].name"),
        ([{**LIMIT, "rounds": [0]}], "beliefs[0].rounds"),
        ([{**LIMIT, "rounds": [41]}], "beliefs[0].rounds"),
        ([{**LIMIT, "about": "mood"}], "beliefs[0].about"),
        ([{**LIMIT, "arms": ["nobody"]}], "beliefs[0].arms"),
        ([{**LIMIT, "rounds": "first"}], "beliefs[0].rounds"),
    ],
)
def test_what_does_not_fit_is_told_at_its_place(change: list[Any], path: str) -> None:
    with pytest.raises(BadDesign) as bad:
        from_values({**DESIGN, "beliefs": change})
    assert path in [one.path for one in bad.value.faults]
