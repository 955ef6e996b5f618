"""The preregistration says what the design, the deal and the power page say."""

import re

import pytest
from django.test import Client

from rooms.export.tables import GAMES, PERSON_GAMES
from rooms.power.simulating import Question, answer
from rooms.seating import dealing
from rooms.study import hosts
from rooms.study.files import from_values, ready_studies
from rooms.study.preregistration import preregistration
from tests.support.class_rooms import a_room

pytestmark = pytest.mark.django_db


def test_each_ready_study_is_told_whole() -> None:
    for design in ready_studies().values():
        text = preregistration(a_room(design.title), design)
        for arm in design.cells:
            assert f"- `{arm.name}`" in text
        for one in (*design.before, *design.after):
            assert f"`{one.name}`" in text
        named = set(re.findall(r"^- `(\w+)`(?: of a| ?:) ", text.split("## Outcomes")[1], re.M))
        assert named - {one.name for one in (*design.before, *design.after)} <= set(
            PERSON_GAMES.header
        )
        for column in ("closed", "has_zone", "is_pilot", "first_bid", "met_before"):
            assert f"`{column}`" in text
            assert column in GAMES.header
        assert "{{" not in text
        assert "{%" not in text


def test_its_numbers_are_those_of_the_page_and_of_the_deal() -> None:
    design = from_values(
        {
            "title": "Wide | or\nnarrow",
            "arms": [{"name": "wide", "plan": {"zone": "wide"}}, {"name": "usual"},
                     {"name": "narrow", "plan": {"zone": "narrow"}}],
        }
    )  # fmt: skip
    text = preregistration(a_room("A room"), design)
    assert text.startswith("# Preregistration: Wide | or narrow\n")
    found = answer(Question(arms=3))
    assert f"{found.units} pairs" in text
    assert f"{found.invite} who begin" in text
    assert "divided by 2" in text
    low, high = dealing.FLOORS["wide"]
    assert f"In wide: {dealing.goods_of(dealing.Plan()).count()} goods" in text
    assert f"evenly from {low} to {high} of the asking price" in text
    assert "`closed = absent`" not in text
    assert "a program takes the seat" in text
    assert "`zone = wide`" in text


@pytest.mark.parametrize(
    "prompt", [{}, {"words": "Never hurry.", "opening": 0.4, "temperature": 0.4}]
)
def test_crossed_factors_and_prompts_are_told(prompt: dict[str, object]) -> None:
    levels = [{"name": "warm", "plan": {"zone": "wide"}}, {"name": "cold"}]
    factors = [
        {"name": "tone", "levels": levels},
        {"name": "anchor", "levels": [{"name": "low"}, {"name": "high"}]},
    ]
    arms = [{"name": "all", **({"prompt": prompt} if prompt else {})}]
    text = preregistration(
        a_room("A room"), from_values({"title": "Two by two", "arms": arms, "factors": factors})
    )
    assert "the levels of each factor over all levels of the others" in text
    assert "3 comparisons of arms, and those of levels" in text
    assert "divided by 3" in text, "power is of the arms"
    assert text.count("`words = Never hurry.`, `temperature = 0.4`") == (4 if prompt else 0)
    assert ("`fallback_turns` above 0" in text) is bool(prompt)
    assert "{'" not in text


def test_where_power_knows_no_games_a_gap_stays() -> None:
    for design in (
        {"arms": [{"name": "all"}]},
        {"arms": [{"name": "a", "plan": {"zone": "none"}}, {"name": "b"}]},
        {"plan": {"meeting": "policy", "roles": "buyer"}, "arms": [{"name": "a"}, {"name": "b"}]},
    ):
        text = preregistration(a_room("A room"), from_values({"title": "x", **design}))
        assert "[Power: the site's table" in text
        assert "study_power" not in text


def test_its_host_takes_it_from_the_page_of_the_study() -> None:
    room = a_room("A room")
    hosts.save(room, ready_studies()["chat"])
    client = Client()
    client.force_login(room.host)
    address = f"/rooms/{room.code}/study/preregistration.md"
    assert address in client.get(f"/rooms/{room.code}/study/").content.decode()
    answered = client.get(address)
    assert answered["Content-Type"].startswith("text/markdown")
    assert "attachment" in answered["Content-Disposition"]
    assert answered.content.decode().startswith("# Preregistration: ")
