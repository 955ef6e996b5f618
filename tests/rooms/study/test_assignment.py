"""The drawn order of arms: balanced in every block, fixed by its seed, each place taken once."""

from collections import Counter

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rooms.models import Member
from rooms.study import flow
from rooms.study.assignment import arm_at
from tests.rooms.study.conftest import MakeStudy, Participant
from tests.support.at_once import all_at_once

NAMES = ("a", "b", "c", "d", "e")


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(
    arms=st.integers(1, 5),
    times=st.integers(1, 4),
    seed=st.integers(0, 2**62),
    places=st.integers(0, 90),
)
def test_no_two_arms_are_ever_further_apart_than_a_block_lets_them(
    arms: int, times: int, seed: int, places: int
) -> None:
    names, size = NAMES[:arms], arms * times
    drawn = [arm_at(slot, names, size, seed) for slot in range(places)]
    counts = Counter(drawn)
    filled = [counts[name] for name in names]
    assert max(filled) - min(filled) <= times
    for start in range(0, places - size + 1, size):
        assert Counter(drawn[start : start + size]) == dict.fromkeys(names, times)


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(arms=st.integers(1, 5), seed=st.integers(0, 2**62), places=st.integers(0, 60))
def test_the_usual_block_keeps_arms_within_one(arms: int, seed: int, places: int) -> None:
    names = NAMES[:arms]
    counts = Counter(arm_at(slot, names, 0, seed) for slot in range(places))
    filled = [counts[name] for name in names]
    assert max(filled) - min(filled) <= 1


def test_an_order_is_fixed_by_its_seed_and_differs_for_a_pilot() -> None:
    def order(seed: int, stream: str = "") -> list[str]:
        return [arm_at(slot, ("a", "b"), 4, seed, stream) for slot in range(80)]

    assert order(1) == order(1)
    assert order(1) != order(2)
    assert order(1) != order(1, "pilot")


@pytest.mark.django_db(transaction=True)
def test_people_who_come_at_once_each_get_a_place_of_their_own(a_study: MakeStudy) -> None:
    study = a_study()
    people = [Participant(study, f"id{number:04}") for number in range(8)]
    for one in people:
        one.enter()
    assert all_at_once(*(one.consent for one in people)) == []
    members = Member.objects.filter(room=study.room)
    assert sorted(members.values_list("slot", flat=True)) == list(range(8))
    counts = Counter(members.values_list("arm", flat=True))
    assert counts == {"chat": 4, "prices": 4}


@pytest.mark.django_db
def test_whoever_drops_out_keeps_the_place(a_study: MakeStudy) -> None:
    study = a_study()
    first = Participant(study, "one").to_the_lobby()
    first.post("withdraw")
    second = Participant(study, "two").to_the_lobby()
    assert (first.member.slot, second.member.slot) == (0, 1)
    assert first.member.arm != second.member.arm, "a block of two holds each arm once"


@pytest.mark.django_db
def test_arms_can_be_drawn_before_the_first_game(a_study: MakeStudy) -> None:
    asha = Participant(a_study(assigned="game"), "one")
    asha.consent()
    assert asha.member.slot is None
    asha.understand()
    assert asha.member.arm == ""
    asha.post("before", age="30")
    assert asha.member.slot == 0
    assert asha.member.arm


@pytest.mark.django_db
def test_an_arm_changes_the_rules_of_its_members_alone(a_study: MakeStudy) -> None:
    from rooms.hosting import plan_for

    study = a_study()
    people = [Participant(study, name).to_the_lobby().member for name in ("one", "two")]
    plans = {member.arm: plan_for(member) for member in people}
    assert plans["chat"].chat
    assert not plans["prices"].chat
    assert {plan.buyer for plan in plans.values()} == {"rules:linear"}
    assert flow.design_of(study).arms[0].plan.over(plans["prices"]).chat
