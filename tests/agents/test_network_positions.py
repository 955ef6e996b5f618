"""What the network sees and chooses among is the same in training and at the table."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import msgspec
import numpy as np
import pytest

from agents.buyers.network import CHOICES, Positions, features, position_of, positions_of, prices
from agents.buyers.network_buyer import NetworkBuyer, network_in, shipped_network
from agents.buyers.network_row import price_of, row_of
from negotiation.engine.moves import Offer
from negotiation.engine.observe import BuyerObservation
from negotiation.engine.people.families import FAMILIES
from negotiation.engine.people.held_out import HELD_OUT
from negotiation.engine.people.held_out import plug_in as with_held_out
from negotiation.engine.people.manner import price_unit
from negotiation.engine.quantities import Paise
from negotiation.engine.scenario import Item
from negotiation.engine.tells import Tells
from negotiation.environment.people.games import MOST_ROUNDS, Games, deal_many
from negotiation.environment.people.sellers import draw_sellers
from negotiation.environment.suite_game import SuiteGame

LANES = 48
ANCHORS = (99_00, 100_000_00, 7_350_000_00)
with_held_out()


def some_games(seed: int, anchor: int) -> Games:
    """Open games of every family whose budgets are whole paise of one opening ask."""
    dice = np.random.default_rng(seed)
    deals = deal_many(draw_sellers((*FAMILIES, *HELD_OUT), 400), LANES, dice, blind=0.3)
    budget = np.round(deals.budget * anchor) / anchor
    unit = np.full(LANES, price_unit(anchor) / anchor)
    return Games(replace(deals, budget=budget, unit=unit), dice)


def seen_in(games: Games, lane: int, anchor: int) -> BuyerObservation:
    """Show one lane as a table shows it: whole paise, and ``None`` where nothing was noticed."""
    number, deals = games.round, games.deals
    one, two, three, four, five = map(float, games.signals[lane])
    due = int(deals.deadline[lane])
    return BuyerObservation(
        suite="people@1",
        item=Item("Lamp"),
        round=number,
        max_rounds=int(deals.rounds[lane]),
        asks=tuple(Paise(round(one * anchor)) for one in games.asks[lane, :number]),
        bids=tuple(Paise(round(one * anchor)) for one in games.bids[lane, : number - 1]),
        budget=Paise(round(deals.budget[lane] * anchor)),
        deadline=None if due > MOST_ROUNDS else due,
        persona=None,
        tells=None if np.isnan(one) else Tells(one, two, three, four, five),
        turns=(),
        career=None,
        done=False,
        outcome=None,
    )


def rounds_of(seed: int, anchor: int) -> Iterator[tuple[Games, Positions]]:
    """Play any of the choices in every lane, until all are over."""
    games, dice = some_games(seed, anchor), np.random.default_rng(seed)
    while games.live.any():
        seen = positions_of(games)
        yield games, seen
        chosen = prices(seen)[np.arange(LANES), dice.integers(0, CHOICES, LANES)]
        games.step(np.round(chosen * anchor) / anchor)


@pytest.mark.parametrize("anchor", ANCHORS)
@pytest.mark.parametrize("seed", range(6))
def test_many_games_at_once_look_as_each_alone_at_the_table(seed: int, anchor: int) -> None:
    network = network_in(shipped_network())[0]
    compared = tied = 0
    for games, seen in rounds_of(seed, anchor):
        numbers = features(seen)
        offered = prices(seen)
        for lane in np.flatnonzero(games.live):
            alone = position_of(seen_in(games, int(lane), anchor))
            # An ask that stopped at a floor between two paise is rounded at the table.
            loose = 40 / anchor
            np.testing.assert_allclose(features(alone)[0], numbers[lane], atol=loose)
            apart = np.abs(prices(alone)[0] - offered[lane])
            # Halfway between two named prices, the last bits of a number decide.
            assert (apart <= seen.unit[lane] + loose).all()
            tied += int((apart > loose).sum())
            compared += 1
        assert np.isfinite(network.scores(numbers)).all()
    assert compared > LANES
    assert tied < 0.01 * compared * CHOICES


def in_the_engine(count: int) -> Iterator[BuyerObservation]:
    """Play seeds 0 to ``count`` of the population and the held-out families in the engine."""
    for seed in range(count):
        dice = Random(seed)
        game = SuiteGame(("people@1", "people-held-out@1")[seed % 2], seed)
        while (seen := game.observation) is not None:
            yield seen
            choice = dice.randrange(CHOICES)
            price = float(prices(position_of(seen))[0, choice]) * seen.opening_ask
            wanted = min(max(round(price), seen.own_last_bid or 1), seen.budget)
            game.step(Offer(Paise(wanted)))


def test_positions_of_the_engine_stacked_get_the_scores_they_get_alone() -> None:
    """Seeds 0 to 119: which games are looked at together changes nothing."""
    network = network_in(shipped_network())[0]
    by_round: dict[int, list[Positions]] = {}
    for seen in in_the_engine(120):
        by_round.setdefault(seen.round, []).append(position_of(seen))
    assert len(by_round) > 5
    for alone in by_round.values():
        names = ("rounds", "asks", "bids", "budget", "deadline", "unit", "signals")
        stacked = Positions(
            alone[0].round,
            **{name: np.concatenate([getattr(one, name) for one in alone]) for name in names},
        )
        numbers = features(stacked)
        np.testing.assert_array_equal(numbers, np.concatenate([features(one) for one in alone]))
        scores = network.scores(numbers)
        singly = np.concatenate([network.scores(features(one)) for one in alone])
        np.testing.assert_allclose(scores, singly, atol=1e-9)


def test_choices_are_named_in_round_prices_and_never_fall() -> None:
    """Seeds 0 to 119 of the engine, all choices of each position."""
    for seen in in_the_engine(120):
        unit, last = price_unit(seen.opening_ask), seen.own_last_bid or 0
        most = min(seen.standing_ask, seen.budget)
        named = np.round(prices(position_of(seen))[0] * seen.opening_ask).astype(int)
        assert len(named) == CHOICES
        assert (np.diff(named) >= 0).all()
        assert named[0] >= max(last, 1)
        assert named[-1] == max(most, last)
        assert all(one % unit == 0 or one in (last, most) for one in map(int, named))


def test_a_scarf_and_a_car_are_bargained_over_alike() -> None:
    """Seed 3 in prices of one size and of a hundred thousand times it."""
    cheap, dear = 100_00, 1_000_000_000
    for games, _ in rounds_of(3, cheap):
        for lane in np.flatnonzero(games.live):
            small = NetworkBuyer(1).decide(seen_in(games, int(lane), cheap))
            large = NetworkBuyer(1).decide(seen_in(games, int(lane), dear))
            assert type(small) is type(large)
            if isinstance(small, Offer) and isinstance(large, Offer):
                assert small.price / cheap == pytest.approx(large.price / dear, abs=0.011)


def test_one_position_without_arrays_is_the_same_to_the_last_bit() -> None:
    """Seeds 0 to 79, tells or none, with a deadline of the buyer's own and without."""
    for number, seen in enumerate(in_the_engine(80)):
        one = msgspec.structs.replace(
            seen,
            deadline=(None, 3, 9, 40)[number % 4],
            tells=None if number % 5 == 0 else seen.tells,
        )
        position = position_of(one)
        assert row_of(one) == features(position)[0].tolist()
        offered = prices(position)[0].tolist()
        assert [price_of(one, choice) for choice in range(CHOICES)] == offered
