"""The population beside people, and what would no longer fit if a family broke."""

from pathlib import Path

import msgspec
import pytest

from bazaarbatna.bargain.match import play_episode
from bazaarbatna.bargain.people.dealing import deal
from bazaarbatna.bargain.people.dialogues import (
    TARGET_WEIGHTS,
    TARGETS,
    Dialogue,
    PersonBuyer,
    dialogue_of,
    draw_buyer,
    measure,
    play,
)
from bazaarbatna.bargain.people.families import FAMILIES, Family
from bazaarbatna.bargain.people.fit import HUMAN, compare
from bazaarbatna.bargain.people.seller import PersonSeller
from negotiation.management.commands.people_fit import tables

PAGE = (Path(__file__).parents[3] / "docs" / "people.md").read_text(encoding="utf-8")


def test_every_figure_fits_or_says_why_not() -> None:
    odd = {row.human.key for row in compare() if not row.fits}
    assert odd == {human.key for human in HUMAN if human.why}


def test_the_page_shows_the_tables_as_they_are() -> None:
    for table in tables():
        assert table in PAGE, "docs/people.md is behind: paste `manage.py people_fit`"
        assert "NO" not in table, "say in the table why a figure does not fit"


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_a_family_that_stops_dealing_is_seen_in_the_fit(family: Family) -> None:
    stone = msgspec.structs.replace(
        family, ranges=family.ranges | {"floor": (0.96, 0.96), "gap": (0.0, 0.0)}
    )
    games = list(play(2600, [stone if one is family else one for one in FAMILIES]))
    before = list(play(2600))
    broken = measure(games)["deals"]
    assert measure(before)["deals"] - broken > 0.01


def test_what_counts_in_a_dialogue() -> None:
    scenario = deal("people-fit", FAMILIES[0], 3, 10)
    log = play_episode(scenario, PersonBuyer(3), seller=PersonSeller(scenario))
    one = dialogue_of(log)
    assert one.messages == sum(event.__class__.__name__ in MOVES for event in log.events)
    assert one.asks[0] == 1.0
    assert len(one.gaps) <= len(one.bids)
    taken = Dialogue(3, 0.8, "seller", (1.0, 0.9, 0.8), (0.6, 0.8))
    assert taken.gaps == pytest.approx([0.25, 1.0])
    assert taken.wordless().asks == (1.0, 0.9)
    bought = Dialogue(3, 0.9, "buyer", (1.0, 0.9), (0.6, 0.9))
    assert bought.wordless().bids == (0.6,)


MOVES = {"OfferMade", "OfferAccepted", "WalkedAway"}


def test_buyers_aim_where_people_were_told_to() -> None:
    target = sum(
        share * weight for share, weight in zip(TARGETS, TARGET_WEIGHTS, strict=True)
    ) / sum(TARGET_WEIGHTS)
    assert target == pytest.approx(0.72, abs=0.005)


def test_a_buyer_keeps_to_its_budget_and_goes_by_its_seed() -> None:
    from random import Random

    for seed in range(300):
        family = FAMILIES[seed % len(FAMILIES)]
        scenario = deal("people-fit", family, seed)
        logs = [
            play_episode(scenario, PersonBuyer(seed), seller=PersonSeller(scenario))
            for _ in range(2)
        ]
        assert logs[0] == logs[1]
        one = dialogue_of(logs[0])
        most = scenario.sealed.budget / scenario.anchor
        assert all(bid <= most for bid in one.bids)
        assert len(one.bids) <= 1 + draw_buyer(Random(f"buyer:{seed}")).patience
