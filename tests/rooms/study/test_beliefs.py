"""What people think of the other side: asked in its rounds, kept from it, scored in the export."""

import json
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Any

import msgspec
import pytest
from django.contrib.auth.models import User
from django.test import Client

from bazaarbatna.bargain.moves import Offer, Walk
from bazaarbatna.bargain.quantities import Paise, to_rupees
from negotiation.bargain import sessions
from negotiation.errors import AnswerFirst
from negotiation.models import EventRow, Game, Listing
from rooms.export.checking import check
from rooms.export.writing import export_to
from rooms.models import Answer, Member, Room, RoomGame, Study
from rooms.study import flow, forgetting, paying
from rooms.study.beliefs import earned, worth_of
from rooms.study.design import Belief
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
        ([{**LIMIT, "pays": 1}], "beliefs[0].required"),
        ([{**LIMIT, "pays": -1}], "beliefs[0].pays"),
        ([{**LIMIT, "scoring": "log"}], "beliefs[0].scoring"),
    ],
)
def test_what_does_not_fit_is_told_at_its_place(change: list[Any], path: str) -> None:
    with pytest.raises(BadDesign) as bad:
        from_values({**DESIGN, "beliefs": change})
    assert path in [one.path for one in bad.value.faults]


def best_answer(scoring: str, chance: float) -> float:
    """Return the percent whose mean pay is the most for who expects a deal with a chance."""
    one = Belief(name="odds", about="deal", pays=1, scoring=scoring, required=True)  # type: ignore[arg-type]

    def mean(answer: int) -> float:
        dice = Random(1)
        lost = [((answer - true) / 100) ** 2 for true in (100.0, 0.0)]
        paid = [fmean(worth_of(one, loss, dice) for _ in range(4000)) for loss in lost]
        return chance * paid[0] + (1 - chance) * paid[1]

    return max(range(0, 101, 10), key=mean)


@pytest.mark.parametrize("scoring", ["binarised", "quadratic"])
@pytest.mark.parametrize("chance", [0.1, 0.3, 0.5, 0.8])
def test_nothing_pays_better_than_what_one_expects(scoring: str, chance: float) -> None:
    assert best_answer(scoring, chance) == chance * 100


PAID = [
    {**LIMIT, "required": True, "pays": 1, "scoring": "quadratic", "rounds": [1]},
    {**CHANCE, "required": True, "pays": 4, "scoring": "quadratic"},
    {"name": "close", "about": "price", "rounds": [1], "required": True, "pays": 8},
]


def test_an_answer_that_pays_is_paid_once_and_on_top_of_all(sits: Sit, host: User) -> None:
    [asha] = sits(1, beliefs=PAID, bonus={"base": 2, "cap": 2})
    assert (
        "up to 4.00 GBP more"
        in Client().get(asha.at("enter"), {"PROLIFIC_PID": "x"}).content.decode()
    )
    game_id = Game.objects.get().pk
    while sessions.current(game_id)[1].state.to_move == "buyer":
        sessions.opponent_turn(game_id)
    text = asked(asha)
    assert "brings 1.00 GBP, less the further it is from the truth" in text
    assert "can bring 8.00 GBP: the nearer" in text
    scenario = sessions.current(game_id)[1].state.scenario
    asks, budget = to_rupees(scenario.anchor), to_rupees(scenario.sealed.budget)
    high = f"{asks * 2 + 1:.0f}"
    too_high = asha.post("belief", form="belief-1-1", their_limit=high, odds="70", close="9")
    assert too_high.status_code == 422
    guess = round(budget + asks / 5, 2)
    asha.post("belief", form="belief-1-1", their_limit=f"{guess}", odds="30", close="9")
    finish(asha)
    assert paying.table(asha.room, pilot=False)[0].guesses == 0, "not before the end"
    asha.post("after", fair="3")
    [line] = paying.table(asha.room, pilot=False)
    # No deal: the chance of one was stated at 30 %, and a price is drawn for nobody.
    owed = 1 - ((guess - budget) / (2 * asks)) ** 2 + 4 * (1 - 0.3**2)
    assert (line.base, line.extra) == (Decimal("2.00"), Decimal("0.00"))
    assert line.guesses == Decimal(str(owed)).quantize(Decimal("0.01"))
    assert line.guesses > 4, "no cap makes an answer untrue"
    done = asha.client.get(asha.at("done")).content.decode()
    assert f"<dt>For your guesses</dt><dd>{line.guesses} GBP</dd>" in done
    desk = Client()
    desk.force_login(host)
    told = desk.get(f"/rooms/{asha.room.code}/study/pay.csv").content.decode()
    assert f"p0,{line.amount}" in told
    Member.objects.update(promise={**asha.member.promise, "beliefs": []})
    assert paying.table(asha.room, pilot=False)[0].guesses == 0, "what was promised holds"


def test_one_answer_of_each_question_is_drawn_and_the_draw_comes_out_again(sits: Sit) -> None:
    [asha] = sits(1, beliefs=[{**CHANCE, "required": True, "pays": 2, "rounds": []}])
    finish_with(asha, ["0", "50", "100"])
    asha.post("after", fair="3")
    games = flow.games_of(asha.member)
    paid = flow.design_of(Study.objects.get()).paid_beliefs
    told = "2.00" if earned(asha.member, paid, games, asha.study.seed) else "0.00"
    done = asha.client.get(asha.at("done")).content.decode()
    assert f"<dt>For your guesses</dt><dd>{told} GBP</dd>" in done, "also where it was nothing"
    seen = {earned(asha.member, paid, games, seed) for seed in range(60)}
    assert seen <= {0.0, 2.0}
    assert len(seen) == 2
    quadratic = (msgspec.structs.replace(paid[0], scoring="quadratic"),)
    drawn = [earned(asha.member, quadratic, games, seed) for seed in range(60)]
    assert set(drawn) == {0.0, 1.5, 2.0}
    assert drawn == [earned(asha.member, quadratic, games, seed) for seed in range(60)]


def finish_with(who: Participant, odds: list[str]) -> None:
    """Answer so in the first rounds, then leave."""
    game = Game.objects.get()
    for said in odds:
        while sessions.current(game.pk)[1].state.to_move == "buyer":
            sessions.opponent_turn(game.pk)
        state = sessions.current(game.pk)[1].state
        who.post("belief", form=f"belief-1-{state.round}", odds=said)
        if said != odds[-1]:
            move(who, state.standing_ask - 100)
    sessions.play(game.pk, who.member.session, Walk(""))
