"""Payments: rule by rule, and as a table of ids and amounts."""

import csv
from decimal import Decimal
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from negotiation.models import Game
from rooms.models import Member
from rooms.study.design import Bonus
from rooms.study.paying import Pay, Result, amounts, result, table, to_csv
from tests.rooms.study import games
from tests.rooms.study.conftest import MakeStudy, Participant

GAMES = [Result(0.4, 120.0), Result(0.8, 60.0)]


@pytest.mark.parametrize(
    ("rule", "why", "base", "extra"),
    [
        ({"base": 2}, "finished", "2.00", "0.00"),
        ({"base": 2, "rule": "share", "rate": 0.01}, "finished", "2.00", "0.60"),
        ({"base": 2, "rule": "share", "rate": 0.01, "over": "sum"}, "finished", "2.00", "1.20"),
        ({"rule": "surplus", "rate": 0.005}, "finished", "0.00", "0.45"),
        ({"base": 2, "rule": "share", "rate": 1, "cap": 3.5}, "finished", "2.00", "1.50"),
        ({"base": 2, "waited": 1.25, "rule": "share", "rate": 0.01}, "waited", "1.25", "0.60"),
        ({"base": 2, "screened": 0.3, "rule": "share", "rate": 1}, "screened", "0.30", "0.00"),
        ({"base": 2, "withdrawn": 2, "rule": "share", "rate": 1}, "withdrawn", "2.00", "0.00"),
        ({"base": 2, "rule": "share", "rate": 1}, "unfinished", "0.00", "0.00"),
    ],
)
def test_rules(rule: dict[str, Any], why: str, base: str, extra: str) -> None:
    assert amounts(Bonus(**rule), why, GAMES) == (Decimal(base), Decimal(extra))


def test_without_a_game_there_is_no_bonus() -> None:
    rule = Bonus(base=1, rule="share", rate=1)
    assert amounts(rule, "finished", []) == (Decimal("1.00"), Decimal("0.00"))


@pytest.mark.django_db
def test_a_share_and_a_surplus_are_those_of_the_game(a_study: MakeStudy) -> None:
    from negotiation.bargain.scenarios import stored_scenario

    asha = Participant(a_study(), "one").to_the_lobby()
    row = games.begin(asha.member)
    games.end(row)
    assert result(asha.member, row) == Result()
    floor = stored_scenario(row.game).sealed.reservation
    Game.objects.update(deal_price=floor + 12_300, seller_share=0.37, buyer_share=0.63)
    row.game.refresh_from_db()
    assert result(asha.member, row) == Result(0.37, 123.0)


@pytest.mark.django_db
def test_the_table_has_everybody_once_and_the_file_who_is_to_be_paid(
    a_study: MakeStudy, host: User
) -> None:
    study = a_study()
    done = Participant(study, "done").to_the_lobby()
    games.end(games.begin(done.member))
    Game.objects.update(deal_price=150_000, seller_share=0.5, buyer_share=0.5)
    done.post("after", fair="3")
    Participant(study, "going").to_the_lobby()
    Participant(study, "test-1").to_the_lobby()
    left = Participant(study, "left").to_the_lobby()
    left.post("withdraw")
    formula = Participant(study, "=1+1").to_the_lobby()
    Member.objects.filter(pk=formula.member.pk).update(end="finished", finished_at=timezone.now())
    lines = table(study.room, pilot=False)
    assert [(one.external_id, one.why, str(one.amount)) for one in lines] == [
        ("done", "finished", "2.50"),
        ("going", "unfinished", "0.00"),
        ("left", "withdrawn", "0.00"),
        ("=1+1", "finished", "2.00"),
    ]
    rows = list(csv.reader(to_csv(lines).splitlines()))
    assert rows == [["external_id", "amount"], ["done", "2.50"], ["'=1+1", "2.00"]]
    assert [one.external_id for one in table(study.room, pilot=True)] == ["test-1"]
    priya = Client()
    priya.force_login(host)
    page = priya.get(f"/rooms/{study.room.code}/study/pay/").content.decode()
    assert "4 participants, 4.50 GBP in all." in page
    file = priya.get(f"/rooms/{study.room.code}/study/pay.csv")
    assert file.content.decode().splitlines()[1] == "done,2.50"


@pytest.mark.parametrize("own", ["=1+1", "＝1+1", " =1+1", "@sum", "\t=1", "'=1"])
def test_no_id_is_a_formula_in_the_file_of_payments(own: str) -> None:
    paid = Decimal("2.00")
    line = Pay(1, own, "", "finished", paid, Decimal("0.00"), "GBP", is_pilot=False)
    assert list(csv.reader(to_csv([line]).splitlines()))[1] == [f"'{own}", "2.00"]
