"""The climb: what each stage keeps, drawn to scale, in words for who does not see it."""

import re
from xml.etree import ElementTree as ET

import pytest
from django.test import Client

from tests.support.evaluating import a_plan
from tests.support.school import enrol, played_run
from training.evaluation.published import newest
from training.pages.public.board import Board, board_of
from training.pages.public.games import FOOT, TOP, climb_chart

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("runs_here")]


def board(buyers: list[str]) -> Board:
    played_run(a_plan(buyers, ["single_deal"]), "evaluate", "ladder")
    found = board_of(newest())
    assert found is not None
    return found


def share_at(y: float) -> float:
    return (FOOT - y) / (FOOT - TOP)


def test_every_stage_has_a_bar_as_high_as_its_share(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = board([*enrol(monkeypatch), "rules:smart", "rules:split"])
    drawn = ET.fromstring(climb_chart(found) or "")
    bars = [
        (float(one.get("x", "")), share_at(float(one.get("y", ""))))
        for one in drawn.findall("rect[@class='climb-bar']")
    ]
    shares = {row.policy.partition(":")[2]: row.share for row in found.trained}
    assert [round(share, 2) for _, share in bars] == [
        round(shares[kind], 2) for kind in ("base", "sft", "grpo", "dpo")
    ]
    assert bars == sorted(bars)
    assert not drawn.findall("path[@class='thread']"), "nothing lies between two stages"
    told = drawn.findtext("desc") or ""
    for row in found.trained:
        assert row.lead is not None
        assert f"{row.lead.text}, {row.lead.low} to {row.lead.high}." in told
    assert found.best_rule is not None
    assert f"The best by rule, {found.best_rule.title}" in told


def test_one_stage_climbs_nothing(monkeypatch: pytest.MonkeyPatch, client: Client) -> None:
    names = enrol(monkeypatch, {"sauda-mini:sft": "rules:linear"})
    assert climb_chart(board([*names, "rules:split"])) is None
    assert 'class="climb' not in client.get("/training/").content.decode()


def test_without_a_buyer_by_rule_there_is_no_line_to_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = climb_chart(board(enrol(monkeypatch)))
    assert drawn is not None
    assert "best by rule" not in drawn
    assert not re.search(r'class="climb-rule"', drawn)
