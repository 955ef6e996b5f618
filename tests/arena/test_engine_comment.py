"""What is said about a finished match, against matches whose story is known."""

import re
from collections.abc import Sequence

import msgspec
import pytest

from arena.auction.web.buyers import player_of
from arena.auction.web.what_if import commentary, without_rival
from bazaarbatna.auction.comment import Remark, comment, strongest_rival
from bazaarbatna.auction.events import ArenaEvent, ArenaMove, Bid, Ended, Leave, Signal, Take
from bazaarbatna.auction.observe import ArenaObservation, Player, play_match
from bazaarbatna.auction.scenario import ArenaScenario
from bazaarbatna.bargain.errors import BrokenLog
from bazaarbatna.bargain.quantities import Paise
from tests.support.matches import a_match, a_seat, a_table, end_of, played, scripted


def bid(rupees: float, **rest: object) -> Bid:
    return Bid(Paise(round(rupees * 100)), **rest)  # type: ignore[arg-type]


def said(scenario: ArenaScenario, events: Sequence[ArenaEvent]) -> dict[str, str]:
    return {remark.kind: remark.text for remark in comment(scenario, events)}


def remark_of(kind: str, scenario: ArenaScenario, events: Sequence[ArenaEvent]) -> Remark:
    return next(one for one in comment(scenario, events) if one.kind == kind)


def test_asha_takes_the_ask_and_the_comment_says_what_she_kept() -> None:
    scenario = a_table((180_000, 150_000))
    _, events = scripted(scenario, {3: Take()}, {1: bid(1200)})
    price = end_of(events).price
    assert price == 170_000
    texts = said(scenario, events)
    assert texts["sold"] == (
        "Asha bought it in round 3 for ₹1,700 and kept 12 % of the room between the seller's "
        "₹1,000 and a budget of ₹1,800."
    )
    assert texts["efficient"] == "The largest budget at the table got it: Asha."
    assert texts["theory"] == (
        "A second-price auction among the same two buyers would have brought ₹200 less."
    )
    assert remark_of("sold", scenario, events).numbers == {"price": 170_000, "share": 0.125}


def test_a_buyer_who_left_with_more_than_the_price_would_have_won_by_waiting() -> None:
    scenario = a_table((180_000, 190_000))
    _, events = scripted(scenario, {5: Take()}, {1: bid(1200), 2: Leave("Enough.")})
    texts = said(scenario, events)
    assert texts["left-early"] == (
        "Bilal left in round 2 with ₹1,900 to spend; it went for ₹1,400 three rounds later."
    )
    assert texts["inefficient"] == (
        "It did not go to the largest budget: Bilal had ₹100 more to spend than the winner."
    )


def test_nobody_is_told_to_have_left_early_who_could_not_pay_the_price() -> None:
    scenario = a_table((180_000, 130_000))
    _, events = scripted(scenario, {5: Take()}, {1: bid(1200), 2: Leave()})
    assert "left-early" not in said(scenario, events)


def test_above_85_percent_of_the_opening_ask_is_a_capitulation() -> None:
    scenario = a_table((200_000, 150_000))
    _, events = scripted(scenario, {2: Take()}, {1: bid(1200)})
    assert end_of(events).price == 185_000
    assert said(scenario, events)["capitulated"] == (
        "Asha paid 92 % of the opening ask: a capitulation."
    )
    _, later = scripted(scenario, {3: Take()}, {})
    assert end_of(later).price == 170_000
    assert "capitulated" not in said(scenario, later)


def test_taking_too_early_is_shown_by_the_next_ask() -> None:
    scenario = a_table((180_000, 150_000))
    _, events = scripted(scenario, {3: Take()}, {})
    assert said(scenario, events)["hasty"] == (
        "Patience would have paid: had Asha held in round 3, the next ask would have been ₹1,550, "
        "₹150 less."
    )


@pytest.mark.parametrize(("budget", "is_told"), [(154_900, True), (155_000, False)])
def test_patience_is_not_praised_where_a_rival_could_pay_the_next_ask(
    budget: int, *, is_told: bool
) -> None:
    scenario = a_table((180_000, budget))
    _, events = scripted(scenario, {3: Take()}, {})
    assert ("hasty" in said(scenario, events)) is is_told
    _, events = scripted(scenario, {3: Take()}, {1: Leave()})
    assert "hasty" in said(scenario, events), "who has left buys nothing"


def test_taking_just_before_a_rival_is_said_to_be_in_time() -> None:
    scenario = a_table((180_000, 175_000))
    _, events = scripted(scenario, {3: Take()}, {1: bid(1200), 3: bid(1690)})
    assert said(scenario, events)["in-time"] == (
        "Just in time: had Asha held in round 3 instead of paying ₹1,700, Bilal would have had it "
        "for ₹1,690."
    )


def test_a_match_without_a_sale_that_should_have_been_one_is_a_mutual_loss() -> None:
    scenario = a_table((180_000, 120_000), rounds=2)
    _, events = scripted(scenario, {1: bid(1050)}, {1: bid(1010), 2: Leave()})
    texts = said(scenario, events)
    assert end_of(events).outcome == "expired"
    assert texts["mutual-loss"] == (
        "Nobody bought it, and both sides lost: Asha could have paid ₹800 more than the ₹1,000 "
        "the seller needed."
    )
    assert texts["refused"] == (
        "In the last round the seller turned down ₹1,050 from Asha, ₹50 above what it needed."
    )
    assert texts["left-early"] == (
        "Bilal left in round 2 with ₹1,200 to spend, and ₹1,000 would have bought it."
    )
    assert "sold" not in texts


def test_walking_is_right_where_nobody_can_pay() -> None:
    scenario = a_table((90_000, 95_000))
    _, events = scripted(scenario, {1: Leave()}, {1: bid(900), 2: Leave()})
    assert end_of(events).outcome == "walk"
    assert said(scenario, events) == {
        "rational-walk": "Nobody could pay: the seller would not go below ₹1,000, and the largest "
        "budget was ₹950."
    }


def test_a_budget_that_just_reaches_the_reservation_price_was_still_a_chance() -> None:
    scenario = a_table((100_000, 95_000))
    _, events = scripted(scenario, {1: Leave()}, {1: Leave()})
    assert said(scenario, events)["mutual-loss"].endswith(
        "Asha could have paid just what the seller needed."
    )


def test_bluffs_and_changes_of_the_lead_are_counted() -> None:
    scenario = a_table((180_000, 170_000, 150_000))
    _, events = scripted(
        scenario,
        {1: bid(1100), 3: bid(1300), 5: Take()},
        {2: bid(1200, signal="bluff"), 4: bid(1210, signal="bluff")},
        {1: bid(1000, signal="compete")},
    )
    texts = said(scenario, events)
    assert texts["bluffed"] == "Bilal bluffed in rounds 2 and 4 and did not get it."
    assert texts["lead"] == "The lead changed hands twice in five rounds."


def test_two_buyers_of_one_name_are_told_apart_and_a_person_is_no_it() -> None:
    scenario = a_table((180_000, 190_000), names=("Sauda", "Sauda"), person=True)
    _, events = scripted(scenario, {5: Take()}, {2: Leave()})
    texts = said(scenario, events)
    assert texts["sold"].startswith("Sauda (seat 1) bought it")
    assert "and a budget of ₹1,800" in texts["sold"]
    assert texts["left-early"].startswith("Sauda (seat 2) left")


def test_what_rivalry_cost_is_the_price_without_the_strongest_rival() -> None:
    kinds = set()
    for number in range(60):
        scenario = a_match(number)
        events = played(scenario)
        ended, other = end_of(events), without_rival(scenario, events)
        if other is None:
            continue
        rival, end = other
        assert ended.winner is not None
        assert rival == strongest_rival(scenario, ended.winner) != ended.winner
        assert end.winner != rival
        text = {one.kind: one for one in commentary(scenario, events)}["rivalry"]
        if end.winner == ended.winner and end.price is not None and ended.price is not None:
            assert text.numbers["cost"] == ended.price - end.price
            kinds.add(ended.price > end.price)
    assert kinds == {True, False}


def ended_as(scenario: ArenaScenario, *scripts: dict[int, ArenaMove]) -> Ended:
    return end_of(scripted(scenario, *scripts)[1])


def test_every_way_in_which_a_rival_can_have_mattered_has_its_sentence() -> None:
    scenario = a_table((190_000, 180_000, 170_000))
    _, events = scripted(scenario, {3: Take()}, {1: bid(1200)})
    ways: dict[str, dict[int, ArenaMove]] = {
        "Rivalry cost Asha ₹150: with Bilal gone": {4: Take()},
        "Bilal changed nothing": {3: Take()},
        "Bilal did Asha a favour": {2: Take()},
    }
    for text, script in ways.items():
        without = ended_as(scenario, script, {1: Leave()})
        remarks = comment(scenario, events, without=(1, without))
        assert next(one for one in remarks if one.kind == "rivalry").text.startswith(text)
    other = ended_as(scenario, {1: Leave()}, {1: Leave()}, {4: Take()})
    nobody = ended_as(scenario, {1: Leave()}, {1: Leave()}, {1: Leave()})
    texts = [
        one.text
        for end in (other, nobody)
        for one in comment(scenario, events, without=(1, end))
        if one.kind == "rivalry"
    ]
    assert texts == [
        "Without Bilal it would have gone to Chetan for ₹1,550.",
        "Without Bilal nobody would have bought it.",
    ]
    _, unsold = scripted(scenario, {1: Leave()}, {1: Leave()}, {1: Leave()})
    assert "rivalry" not in {one.kind for one in comment(scenario, unsold, without=(1, nobody))}


def with_asha(number: int) -> tuple[ArenaScenario, tuple[ArenaEvent, ...]]:
    """Match ``number`` with Asha in the first seat, who bids what no policy would."""
    scenario = a_match(number)
    scenario = msgspec.structs.replace(
        scenario, seats=(a_seat("", person=True), *scenario.seats[1:])
    )

    def asha(seen: ArenaObservation) -> ArenaMove:
        price = min(seen.budget, int(seen.standing_ask * (0.7 + 0.03 * seen.round)))
        return Bid(Paise(max(price, seen.own_bid or 0)))

    def make(seat: int) -> Player:
        return player_of(scenario, seat) if seat else asha

    return scenario, play_match(scenario, make)


def test_nobody_says_what_a_person_would_have_done_but_all_know_a_match_without_her() -> None:
    told = 0
    for number in range(60):
        scenario, events = with_asha(number)
        winner, other = end_of(events).winner, without_rival(scenario, events)
        if winner is None or strongest_rival(scenario, winner) != 0:
            assert other is None
        else:
            assert other is not None
            told += 1
    assert told > 5


def test_a_buyer_that_did_not_play_as_its_policy_does_is_not_played_again() -> None:
    scenario, events = next(
        (match, log)
        for match in map(a_match, range(50))
        for log in [played(match)]
        if end_of(log).winner is not None and without_rival(match, log) is not None
    )
    winner = end_of(events).winner
    assert winner is not None
    as_a_model = msgspec.structs.replace(scenario.seats[winner], policy="rules:boulware")
    seats = (*scenario.seats[:winner], as_a_model, *scenario.seats[winner + 1 :])
    assert without_rival(msgspec.structs.replace(scenario, seats=seats), events) is None


def test_the_same_log_gets_the_same_words_and_plain_numbers() -> None:
    seen = set()
    for number in range(80):
        scenario = a_match(number)
        events = played(scenario)
        remarks = commentary(scenario, events)
        assert remarks == commentary(scenario, events)
        assert remarks[0].kind in ("sold", "mutual-loss", "rational-walk")
        for remark in remarks:
            assert re.fullmatch(r"[A-Z][^\n{}]+[.]", remark.text)
            assert not re.search(r"\d{4,}|\.\d\D|None|nan|-\d", remark.text)
            seen.add(remark.kind)
    assert {"sold", "rivalry", "theory", "efficient", "bluffed", "left-early"} <= seen


def test_a_match_that_is_not_over_has_no_comment() -> None:
    scenario = a_table((180_000, 150_000))
    _, events = scripted(scenario, {3: Take()}, {})
    with pytest.raises(BrokenLog, match="Only a finished match"):
        comment(scenario, events[:-1])
    assert without_rival(scenario, events[:-1]) is None


@pytest.mark.parametrize("call", ["compete", None])
def test_who_takes_it_in_the_same_round_reads_what_decided(call: Signal | None) -> None:
    scenario = a_table((180_000, 190_000))
    _, events = scripted(scenario, {3: Take(signal=call)}, {3: Take()})
    winner = end_of(events).winner
    tied = remark_of("tied", scenario, events)
    assert tied.buyer != winner
    assert ("louder call" in tied.text) == bool(call)
    if call:
        assert tied.text == (
            "Bilal offered ₹1,700 too: of equal bids the seller takes the one with the louder "
            "call, that of Asha."
        )
