"""What the network sees and chooses among is the same in training and at the table."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from random import Random
from types import ModuleType

import msgspec
import numpy as np
import pytest

from agents.buyers import bound, unbound
from agents.buyers.network import STYLES
from agents.buyers.network_buyer import NetworkBuyer, Row, network_in, shipped_network
from agents.buyers.positions import Positions, position_of, positions_of
from bazaarbatna.bargain.moves import Offer
from bazaarbatna.bargain.observe import BuyerObservation
from bazaarbatna.bargain.people.families import FAMILIES
from bazaarbatna.bargain.people.held_out import HELD_OUT
from bazaarbatna.bargain.people.held_out import plug_in as with_held_out
from bazaarbatna.bargain.people.manner import price_unit
from bazaarbatna.bargain.quantities import Paise
from bazaarbatna.bargain.scenario import Item
from bazaarbatna.bargain.tells import Tells
from bazaarbatna.envs.bargain.people.games import MOST_ROUNDS, Games, deal_many
from bazaarbatna.envs.bargain.people.sellers import draw_sellers
from bazaarbatna.envs.bargain.suite_game import SuiteGame

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


@pytest.fixture(params=STYLES)
def style(request: pytest.FixtureRequest) -> ModuleType:
    return STYLES[request.param]


def rounds_of(style: ModuleType, seed: int, anchor: int) -> Iterator[tuple[Games, Positions]]:
    """Play any of the choices that there are in every lane, until all are over."""
    games, dice = some_games(seed, anchor), np.random.default_rng(seed)
    while games.live.any():
        seen = positions_of(games)
        yield games, seen
        allowed = style.allowed(seen)
        chosen = (allowed * dice.random(allowed.shape)).argmax(axis=1)
        games.step(np.round(style.prices(seen)[np.arange(LANES), chosen] * anchor) / anchor)


@pytest.mark.parametrize("anchor", ANCHORS)
@pytest.mark.parametrize("seed", range(6))
def test_many_games_at_once_look_as_each_alone_at_the_table(
    style: ModuleType, seed: int, anchor: int
) -> None:
    compared = tied = 0
    for games, seen in rounds_of(style, seed, anchor):
        numbers, offered, allowed = style.features(seen), style.prices(seen), style.allowed(seen)
        for lane in np.flatnonzero(games.live):
            alone = replace(
                position_of(seen_in(games, int(lane), anchor), 0), luck=seen.luck[[lane]]
            )
            # An ask that stopped at a floor between two paise is rounded at the table.
            loose = 40 / anchor
            np.testing.assert_allclose(style.features(alone)[0], numbers[lane], atol=loose)
            apart = np.abs(style.prices(alone)[0] - offered[lane])
            # Halfway between two named prices, or at a ceiling, the last bits of a number decide.
            assert style is bound or (apart <= seen.unit[lane] + loose).all()
            tied += int((apart > loose).sum())
            tied += int((style.allowed(alone)[0] != allowed[lane]).sum())
            compared += 1
        assert np.isfinite(numbers).all()
        assert allowed.any(axis=1).all()
    assert compared > LANES
    assert tied < 0.01 * compared * style.CHOICES


def in_the_engine(style: ModuleType, count: int) -> Iterator[BuyerObservation]:
    """Play seeds 0 to ``count`` of the population and the held-out families in the engine."""
    for seed in range(count):
        dice = Random(seed)
        game = SuiteGame(("people@1", "people-held-out@1")[seed % 2], seed)
        while (seen := game.observation) is not None:
            yield seen
            position = position_of(seen, seed)
            choice = dice.choice(np.flatnonzero(style.allowed(position)[0]))
            price = float(style.prices(position)[0, choice]) * seen.opening_ask
            wanted = min(max(round(price), seen.own_last_bid or 1), seen.budget)
            game.step(Offer(Paise(wanted)))


def test_positions_of_the_engine_stacked_get_the_scores_they_get_alone() -> None:
    """Seeds 0 to 119: which games are looked at together changes nothing."""
    network = network_in(shipped_network())[0]
    features = network.style.features
    by_round: dict[int, list[Positions]] = {}
    for seen in in_the_engine(network.style, 120):
        by_round.setdefault(seen.round, []).append(position_of(seen, 7))
    assert len(by_round) > 5
    for alone in by_round.values():
        names = ("rounds", "asks", "bids", "budget", "deadline", "unit", "signals", "luck")
        stacked = Positions(
            alone[0].round,
            **{name: np.concatenate([getattr(one, name) for one in alone]) for name in names},
        )
        numbers = features(stacked)
        np.testing.assert_array_equal(numbers, np.concatenate([features(one) for one in alone]))
        scores = network.scores(numbers)
        singly = np.concatenate([network.scores(features(one)) for one in alone])
        np.testing.assert_allclose(scores, singly, atol=1e-9)
        stacked_bids = network.bids(stacked)[0]
        np.testing.assert_array_equal(
            stacked_bids, np.concatenate([network.bids(one)[0] for one in alone])
        )


def test_choices_are_named_in_round_prices() -> None:
    """Seeds 0 to 119 of the engine, all choices of each position."""
    for seen in in_the_engine(unbound, 120):
        unit, last = price_unit(seen.opening_ask), seen.own_last_bid or 0
        most = min(seen.standing_ask, seen.budget)
        offered = unbound.prices(position_of(seen, 1))[0]
        named = np.round(offered * seen.opening_ask).astype(int)
        assert len(named) == unbound.CHOICES
        assert (np.diff(named) >= 0).all()
        assert named[0] >= max(last, 1)
        assert named[-1] == max(most, last)
        assert all(one % unit == 0 or one in (last, most) for one in map(int, named))


def raised_in_silence(seen: BuyerObservation) -> int:
    """Count the bids that were raised since the seller first repeated the standing ask."""
    if len(seen.asks) < 2 or seen.asks[-1] != seen.asks[-2]:
        return 0
    first = seen.asks.index(seen.asks[-1])
    since = seen.bids[first:]
    return sum(after > before for before, after in pairwise(since))


def test_manners_hold_in_every_choice() -> None:
    """Seeds 0 to 299 of the engine: whatever is chosen among what there is."""
    opened, rounded = [], []
    for seen in in_the_engine(bound, 300):
        position = position_of(seen, seen.budget)
        unit, last = price_unit(seen.opening_ask), seen.own_last_bid or 0
        which = np.flatnonzero(bound.allowed(position)[0])
        named = np.round(bound.prices(position)[0][which] * seen.opening_ask).astype(int)
        takes = which == bound.TAKE
        assert (named >= max(last, 1)).all()
        assert (named[~takes] <= seen.budget).all()
        assert (named[takes] <= seen.budget).all()
        rounded += [one % unit == 0 or one == last for one in map(int, named[~takes])]
        if not seen.bids:
            assert len({*named.tolist()}) == 1
            opened.append((named[0] / seen.opening_ask, seen.budget / seen.opening_ask))
            continue
        steps = [after - before for before, after in pairwise(seen.bids) if after > before]
        leap = seen.asks[-2] - seen.asks[-1]
        if steps and leap <= steps[-1]:
            longest = bound.GROWTH * steps[-1] + unit
            assert (named[~takes] - last <= longest).all()
        if seen.round == seen.max_rounds:
            assert (named - last <= bound.LAST_JUMP * last + unit).all()
        if raised_in_silence(seen) >= bound.RAISES_IN_SILENCE:
            assert (named[~takes] == last).all()
    low, high = bound.OPENING
    could = [share for share, budget in opened if budget > high / bound.FITS]
    assert len(could) > 100
    assert all(low - 0.03 <= share <= high + 0.03 for share in could)
    assert np.mean(rounded) > 0.9


def test_an_opening_does_not_tell_the_budget() -> None:
    """Where budgets allow any opening, the same luck opens the same."""
    seen = next(iter(in_the_engine(bound, 1)))
    ask = seen.opening_ask
    for luck in range(20):
        with_budgets = [
            msgspec.structs.replace(seen, budget=Paise(budget))
            for budget in (int(0.8 * ask), ask, 3 * ask)
        ]
        opened = [bound.prices(position_of(one, luck))[0, 0] for one in with_budgets]
        assert len({*opened}) == 1


@pytest.mark.parametrize("round_", [2, 3, 4])
def test_early_bids_stop_now_and_then_without_a_reason(round_: int) -> None:
    """The same luck stops every budget that could pay the whole ask, in rounds two and three."""
    seen = max(
        (one for one in in_the_engine(bound, 40) if one.round == round_),
        key=lambda one: (one.standing_ask - one.bids[-1]) / one.opening_ask,
    )
    ask, stopped = seen.opening_ask, 0
    assert seen.standing_ask > 0.9 * ask
    for luck in range(2000):
        offered = [
            bound.prices(position_of(msgspec.structs.replace(seen, budget=Paise(budget)), luck))[0]
            for budget in (ask, 2 * ask)
        ]
        assert offered[0].tolist() == offered[1].tolist()
        stopped += bool(offered[0][bound.TAKE - 1] <= bound.FEINT_BUDGET[1])
    least, most = (0.0, 0.0) if round_ == 4 else (0.05, 1.3 * bound.FEINT)
    assert least <= stopped / 2000 <= most


def test_what_is_bid_is_blind_to_the_budget() -> None:
    """No number that the tower of choices sees changes with the budget."""
    for seen in in_the_engine(bound, 40):
        other = msgspec.structs.replace(seen, budget=Paise(3 * seen.budget))
        alike, others = (bound.features(position_of(one, 1)) for one in (seen, other))
        np.testing.assert_array_equal(alike, others)


def test_a_scarf_and_a_car_are_bargained_over_alike(style: ModuleType) -> None:
    """Seed 3 in prices of one size and of a hundred thousand times it."""
    cheap, dear = 100_00, 1_000_000_000
    for games, _ in rounds_of(style, 3, cheap):
        for lane in np.flatnonzero(games.live):
            small = NetworkBuyer(1).decide(seen_in(games, int(lane), cheap))
            large = NetworkBuyer(1).decide(seen_in(games, int(lane), dear))
            assert type(small) is type(large)
            if isinstance(small, Offer) and isinstance(large, Offer):
                assert small.price / cheap == pytest.approx(large.price / dear, abs=0.011)


def test_one_position_without_arrays_is_the_same_to_the_last_bit() -> None:
    """Seeds 0 to 79, tells or none, with a deadline of the buyer's own and without."""
    for number, seen in enumerate(in_the_engine(bound, 80)):
        one = msgspec.structs.replace(
            seen,
            deadline=(None, 3, 9, 40)[number % 4],
            tells=None if number % 5 == 0 else seen.tells,
        )
        position, row = position_of(one, number), Row.of(one)
        assert row.features() == bound.features(position)[0].tolist()
        assert row.worth_features() == bound.worth_features(position)[0].tolist()
        offered = bound.prices(position)[0].tolist()
        assert row.prices(number) == offered
        assert [bool(may) for may in row.allowed(offered)] == bound.allowed(position)[0].tolist()
