"""A fork of a match: the original move gives the original match, another one another."""

from random import Random

import msgspec
import pytest

from arena.auction.web.buyers import player_of
from arena.auction.web.game import Crossroads
from arena.auction.web.what_if import before, better_move, fork, is_pinned, share_on_luck
from bazaarbatna.auction.events import ArenaEvent, ArenaMove, AskLowered, Bid, Hold, Leave
from bazaarbatna.auction.match import fold
from bazaarbatna.auction.observe import ArenaObservation, Player, play_match
from bazaarbatna.auction.scenario import ArenaScenario
from bazaarbatna.bargain.errors import IllegalMove, NotYourTurn
from bazaarbatna.bargain.quantities import Paise
from tests.support.matches import a_full_match, a_match, a_seat, end_of, envelopes, played

ENCODER = msgspec.json.Encoder()


def with_asha(scenario: ArenaScenario) -> ArenaScenario:
    seats = (a_seat("", person=True), *scenario.seats[1:])
    return msgspec.structs.replace(scenario, seats=seats)


def asha(number: int) -> Player:
    """Bids by no rule that anybody could play on by."""
    dice = Random(number)

    def act(seen: ArenaObservation) -> ArenaMove:
        most = min(seen.budget, seen.standing_ask)
        if dice.random() < 0.2:
            return Hold("Let me think.")
        price = max(int(dice.uniform(0.4, 0.9) * most), seen.own_bid or 1)
        return Bid(Paise(price), f"{price / 100:.2f}?", dice.choice(["bluff", None]))

    return act


def asha_plays(number: int) -> tuple[ArenaScenario, tuple[ArenaEvent, ...]]:
    scenario, dice = with_asha(a_match(number)), Random(number)
    own = asha(number)
    seats = list(range(len(scenario.seats)))
    dice.shuffle(seats)
    events = play_match(
        scenario, lambda seat: player_of(scenario, seat) if seat else own, order=seats
    )
    return scenario, events


def test_a_fork_with_the_original_move_is_the_original_match() -> None:
    for number in range(200):
        scenario = a_match(number)
        events = played(scenario)
        placed = envelopes(events)
        one = placed[number * 7 % len(placed)]
        again = fork(scenario, events, one.buyer, one.round, one.move)
        assert ENCODER.encode(again) == ENCODER.encode(events)


def test_a_fork_with_the_original_move_keeps_what_a_person_did_before_and_after() -> None:
    for number in range(100):
        scenario, events = asha_plays(number)
        placed = envelopes(events)
        one = placed[number * 5 % len(placed)]
        again = fork(scenario, events, one.buyer, one.round, one.move)
        assert ENCODER.encode(again) == ENCODER.encode(events)


def test_the_pinned_buyers_are_asked_again_and_say_the_same() -> None:
    # Sauda may have been served by a model, so only her moves are taken from the record.
    scenario = a_full_match(3)
    assert [is_pinned(chair) for chair in scenario.seats] == [
        chair.policy != "sauda" for chair in scenario.seats
    ]
    older = msgspec.structs.replace(scenario.seats[0], version="rules:smart@0#0")
    assert not is_pinned(older)


def test_another_move_changes_the_match_from_there_on_and_nothing_before() -> None:
    changed = 0
    for number in range(60):
        scenario = a_match(number)
        events = played(scenario)
        one = envelopes(events)[len(envelopes(events)) // 2]
        other = fork(scenario, events, one.buyer, one.round, Leave("Enough."))
        at = events.index(one)
        assert other[:at] == events[:at]
        assert other[at] != events[at]
        assert fold(scenario, other).ended == end_of(other)
        assert end_of(other).winner != one.buyer
        changed += end_of(other).price != end_of(events).price
    assert changed > 10


def test_the_other_envelopes_of_the_round_stay_as_they_were() -> None:
    scenario, events = asha_plays(8)
    one = envelopes(events)[0]
    other = fork(scenario, events, one.buyer, 1, Hold())
    first = [(e.buyer, e.move) for e in envelopes(events) if e.round == 1 and e.buyer != one.buyer]
    again = [(e.buyer, e.move) for e in envelopes(other) if e.round == 1 and e.buyer != one.buyer]
    assert again == first != []


def test_a_match_that_is_not_over_yet_can_be_played_on() -> None:
    scenario = a_full_match(5)
    events = played(scenario)
    for length in range(3, len(events), 4):
        begun = events[:length]
        one = envelopes(begun)[-1]
        other = fork(scenario, begun, one.buyer, one.round, one.move)
        assert end_of(other) == end_of(events)


def test_a_fork_needs_an_envelope_and_a_legal_move() -> None:
    scenario = a_match(2)
    events = played(scenario)
    with pytest.raises(NotYourTurn, match="Buyer 1 closed no envelope in round 99"):
        fork(scenario, events, 0, 99, Hold())
    with pytest.raises(IllegalMove, match="above your budget"):
        fork(scenario, events, 0, 1, Bid(Paise(scenario.sealed.budgets[0] + 1)))


def test_both_arms_of_a_pair_meet_the_same_luck() -> None:
    scenario = a_full_match(4)
    events = played(scenario)
    one = envelopes(events)[2]
    at = Crossroads(scenario, events, events.index(one) + 1)
    assert at.gains(one.move, 12)[0] == [0.0] * 12


def test_leaving_instead_of_winning_costs_the_winner_its_share() -> None:
    scenario = a_full_match(4)
    events = played(scenario)
    winner = end_of(events).winner
    assert winner is not None
    first = next(one for one in envelopes(events) if (one.buyer, one.round) == (winner, 1))
    at = Crossroads(scenario, events, events.index(first) + 1)
    pairs = [(at.share(Leave(), luck), at.share(at.made, luck)) for luck in range(1, 21)]
    assert all(0 <= share <= 1 for pair in pairs for share in pair)
    assert {left for left, _ in pairs} == {0.0}
    assert sum(original for _, original in pairs) > 0


def test_the_better_move_keeps_its_promise() -> None:
    """Played in the same match, it brings the price that was told, and that is a gain."""
    told = 0
    for number in range(24):
        scenario, events = asha_plays(number)
        found = better_move(scenario, events, 0)
        assert found != "unknown"
        if isinstance(found, str):
            continue
        told += 1
        asked = [event.price for event in events if isinstance(event, AskLowered)]
        assert found.at_once or found.at <= min(asked), "advice dearer than what was asked"
        before, budget = end_of(events), scenario.sealed.budgets[0]
        after = end_of(fork(scenario, events, 0, found.round, found.move))
        assert (after.winner, after.price) == (0, found.at)
        had = budget - (before.price or 0) if before.winner == 0 else 0
        assert budget - found.at - had == found.more > 0
        assert found.at_once == (after.round == found.round)
    assert told > 5


def test_what_is_advised_brings_more_on_luck_that_was_not_met() -> None:
    told = 0
    for number in range(24):
        scenario, events = asha_plays(number)
        found = better_move(scenario, events, 0)
        if isinstance(found, str):
            continue
        told += 1
        state, _ = before(scenario, events, 0, found.round)
        [made] = [
            one.move for one in envelopes(events) if (one.buyer, one.round) == (0, state.round)
        ]
        shares = [
            share_on_luck(state, events, 0, found.move, luck)
            - share_on_luck(state, events, 0, made, luck)
            for luck in range(1000, 1030)
        ]
        assert sum(shares) > 0, number
    assert told > 5


def test_nobody_knows_what_another_person_would_have_done() -> None:
    scenario, events = asha_plays(3)
    both = (scenario.seats[0], a_seat("", person=True), *scenario.seats[2:])
    assert better_move(msgspec.structs.replace(scenario, seats=both), events, 0) == "unknown"
