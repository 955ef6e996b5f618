"""The house's players in people's chairs, on one scale with people."""

from collections import defaultdict

import pytest

from bazaarbatna.bargain.moves import Walk
from negotiation.models import Listing
from tests.support.board import a_lamp, sells
from training.leaderboard import people, sparring
from training.leaderboard.lines import Place, stored

pytestmark = pytest.mark.django_db


@pytest.fixture
def stall() -> None:
    """One thing of the catalogue."""
    Listing.objects.filter(pk=a_lamp().pk).update(source="catalogue")


def places() -> list[Place]:
    known = stored("people")
    assert known is not None
    return list(known[0].places)


def test_every_house_player_sits_in_every_chair_once_per_good(stall: None) -> None:
    assert sparring.refresh()
    made_from, payoffs = sparring.payoffs()
    assert made_from == sparring.source()
    chairs = defaultdict(set)
    for one in payoffs:
        chairs[one.table].add(one.player)
    assert len(chairs["buy@3 buyer"]) == 17
    assert {name.split()[0] for name in chairs["sell@1 buyer"]} == {"sauda"}
    assert chairs["buy@3 seller"] == chairs["sell@1 seller"]
    assert {name.split()[0] for name in chairs["buy@3 seller"]} == {
        "seller:default", "seller:firm", "seller:flexible", "seller:deceptive", "seller:people",
    }  # fmt: skip
    assert len([one for one in payoffs if one.table == "buy@3 buyer"]) == 5 * 17
    assert all(0 <= one.share <= 1 for one in payoffs)


def test_bouts_are_played_once_until_something_changes(stall: None) -> None:
    assert sparring.is_due()
    assert sparring.refresh()
    assert not sparring.refresh()
    Listing.objects.filter(source="catalogue").update(list_price=260_000)
    assert sparring.is_due()


def test_another_rule_of_budgets_is_another_set_of_bouts(
    stall: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    sparring.refresh()
    monkeypatch.setattr(sparring, "BUDGET_RULE", sparring.BUDGET_RULE + 1)
    assert sparring.is_due()


def test_the_same_versions_play_the_same_bouts(stall: None) -> None:
    sparring.refresh()
    first = sparring.payoffs()
    sparring.Standing.objects.all().delete()
    sparring.refresh()
    assert sparring.payoffs() == first


def test_people_stand_among_the_policies_that_played_the_same_goods(stall: None) -> None:
    sparring.refresh()
    asha = people.join("asha", "Asha", "there")
    for _ in range(3):
        sells("asha", end=Walk("nahi"))
    people.refresh_people()
    selling = [one for one in places() if one.player.seat == "seller"]
    chair = {one.player.key: one for one in selling if one.player.kind != "house"}
    mine = chair.pop(f"{asha.pk} seller")
    assert {one.player.title for one in chair.values()} == {
        "Meena", "Zarina", "Bindu", "Lovely", "A stranger",
    }  # fmt: skip
    assert all(one.player.kind == "policy" and one.ranks is None for one in chair.values())
    # Walking out of every sale leaves less than anybody else took.
    assert mine.points < min(one.points for one in chair.values())
    opposite = [
        one for one in places() if one.player.kind == "house" and one.player.seat == "buyer"
    ]
    assert [one.player.title for one in opposite] == ["Sauda"]


def test_an_empty_stall_has_no_bouts() -> None:
    assert not sparring.refresh()
    assert sparring.payoffs() == ("", [])
