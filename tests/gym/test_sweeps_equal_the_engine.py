"""A sweep's games are the engine's games: same end, same price, same round, same side."""

import math
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from agents.plug import BUYERS
from agents.sweeps import SWEEP_BUYERS, NotInSweeps, play, play_suite, timed
from bazaarbatna.bargain import (
    VERSIONS,
    Accept,
    BuyerObservation,
    Item,
    Move,
    Offer,
    Paise,
    Walk,
    make_scenario,
    play_episode,
    play_suite_game,
    report_card,
    score,
    suite_ids,
)
from bazaarbatna.bargain.goods import GOODS, SAMPLE_LISTINGS
from bazaarbatna.bargain.sellers import SELLERS
from bazaarbatna.fast import (
    OUTCOMES,
    SIDES,
    Bargains,
    Play,
    SweepResult,
    Wish,
    bargains,
    draw,
    sweep,
    sweep_suite,
)
from bazaarbatna.fast.play import ASKS
from bazaarbatna.players.simple import Timed

RULE_BUYERS = {buyer.name: buyer for buyer in BUYERS}
PERSONAS = ("default", "deceptive", "impatient", "collaborative")


def odd_bargains(persona: str, n: int, seed: int) -> Bargains:
    """Games of all kinds: hopeless ones, short ones, sellers who soon leave."""
    rng = np.random.default_rng(seed)
    cost = rng.integers(2000, 4500, n).astype(float)
    return bargains(
        persona,
        cost=cost,
        budget=cost + rng.integers(-1500, 6000, n),
        anchor=cost * rng.uniform(1.0, 2.5, n),
        rounds=rng.integers(1, 13, n).astype(float),
        concession_rate=rng.uniform(0.0, 0.2, n),
        batna_walk_p=rng.uniform(0.0, 0.3, n),
        inventory=3,
        inventory_start=rng.integers(1, 6, n).astype(float),
        seeds=rng.integers(0, 2**53, n, dtype=np.uint64),
    )


def ends(result: SweepResult) -> list[tuple[str, str | None, int, int]]:
    """Read a result as the engine would tell it."""
    return [
        (OUTCOMES[outcome], SIDES[by], int(price), int(rounds))
        for outcome, by, price, rounds in zip(
            result.outcome, result.by, result.price, result.rounds, strict=True
        )
    ]


@pytest.mark.parametrize("persona", PERSONAS)
@pytest.mark.parametrize("name", SWEEP_BUYERS)
def test_a_sweep_ends_every_game_as_the_engine_does(name: str, persona: str) -> None:
    games = odd_bargains(persona, 60, seed=11)
    buyer = SWEEP_BUYERS[name]
    swept = sweep(games, buyer.make(np.arange(60, dtype=np.uint64)), remembers=buyer.remembers)
    for game, got in enumerate(ends(swept)):
        ended = play_episode(games.scenario(game), RULE_BUYERS[name](game)).ended
        assert ended is not None
        assert got == (ended.outcome, ended.by, ended.price or 0, ended.round)
        assert swept.buyer_share[game] == ended.buyer_share
    assert games.seller == VERSIONS[persona]


@pytest.mark.parametrize("seller", [None, "impatient"])
@pytest.mark.parametrize("suite_id", suite_ids())
def test_drawn_bargains_are_the_scenarios_of_the_suite(suite_id: str, seller: str | None) -> None:
    seeds = np.array([*range(20), 2**31, 2**40 + 1, 2**53], np.uint64)
    for bargain in (0, 7):
        drawn, goods = draw(suite_id, seeds, bargain, seller=seller)
        for game, seed in enumerate(seeds.tolist()):
            scenario = make_scenario(suite_id, seed, bargain, seller=seller)
            assert drawn.scenario(game) == replace(
                scenario,
                suite="sweep",
                item=Item("A thing"),
                salt="",
                persona_visible=False,
                sealed=replace(scenario.sealed, deadline=None),
            )
            titles = [one.title for one in (SAMPLE_LISTINGS if "amazon" in suite_id else GOODS)]
            assert titles[goods[game]] == scenario.item.title


@pytest.mark.parametrize("suite_id", ["career_10@sampled-1", "read_the_tells@fixed-1"])
@pytest.mark.parametrize("name", ["rules:agreeable", "rules:random", "rules:micro"])
def test_a_career_goes_the_way_it_goes_in_the_engine(suite_id: str, name: str) -> None:
    seeds, buyer = np.arange(30, dtype=np.uint64), SWEEP_BUYERS[name]
    swept = [*map(ends, sweep_suite(suite_id, seeds, buyer.make, remembers=buyer.remembers))]
    for game in range(30):
        ended = [log.ended for log in play_suite_game(suite_id, game, RULE_BUYERS[name])]
        want = [(one.outcome, one.by, one.price or 0, one.round) for one in ended if one]
        assert [bargain[game] for bargain in swept] == want


@pytest.mark.parametrize(
    "seeds", [-1, [3, -1], np.array([-1]), [1.5], "7", [None], [True], 2**64, []], ids=str
)
def test_what_is_no_seed_is_refused_and_wraps_around_to_no_other_game(seeds: Any) -> None:
    for begin in (
        lambda: play_suite("rules:linear", "single_deal@sampled-1", seeds),
        lambda: bargains("default", cost=3000, budget=6000, seeds=seeds),
        lambda: play("rules:random", bargains("default", cost=3000, budget=6000), seeds),
    ):
        with pytest.raises(ValueError, match="whole numbers from 0 up"):
            begin()


def test_seeds_may_be_a_number_or_a_list() -> None:
    games = [
        play_suite("rules:linear", "single_deal@sampled-1", seeds)[0]
        for seeds in (3, [3], np.array([3], np.uint8), np.array([3], np.uint64))
    ]
    assert len({float(one.price[0]) for one in games}) == 1
    assert bargains("default", cost=[3000, 4000], budget=6000, seeds=3).seeds.tolist() == [3, 3]


def test_a_buyer_is_sent_into_games_by_its_name() -> None:
    games = odd_bargains("default", 30, seed=3)
    sent = play("rules:smart", games)
    assert ends(sent) == ends(sweep(games, SWEEP_BUYERS["rules:smart"].make(games.seeds)))
    assert repr(sent) == f"SweepResult(games=30, deals={int(sent.is_deal.sum())})"
    assert "budget" not in repr(games)
    whole = play_suite("rules:tit-for-tat", "read_the_tells@fixed-1", games.seeds % 100)
    assert len(whole) == 5


def test_what_plays_no_sweep_is_refused_by_name() -> None:
    games = odd_bargains("default", 2, seed=3)
    with pytest.raises(NotInSweeps, match="'sauda' plays no sweeps"):
        play("sauda", games)
    with pytest.raises(ValueError, match="persona 'shy'"):
        bargains("shy", cost=100, budget=200)
    with pytest.raises(ValueError, match="Every budget must be at least 1"):
        bargains("default", cost=100, budget=np.array([200.0, 0.0]))
    with pytest.raises(ValueError, match="at least one game"):
        bargains("default", cost=np.array([]), budget=100)
    with pytest.raises(ValueError, match="Seeds of a sweep"):
        draw("single_deal@fixed-1", np.array([2**54], np.uint64))
    with pytest.raises(ValueError, match="Seeds of random buyers"):
        play("rules:random", games, np.array([2**43, 0], np.uint64))
    with pytest.raises(ValueError, match="above 0"):
        timed(0.0)


def test_report_numbers_are_those_of_the_report_card() -> None:
    seeds, name = np.arange(60, dtype=np.uint64), "rules:aggressive"
    (swept,) = play_suite(name, "single_deal@sampled-1", seeds)
    logs = [
        play_suite_game("single_deal@sampled-1", seed, RULE_BUYERS[name])[0] for seed in range(60)
    ]
    card = report_card([score(log) for log in logs])
    assert card.share_of_winnable is not None
    assert swept.share_of_winnable == pytest.approx(card.share_of_winnable.mean)
    assert (swept.deal_rate, swept.win_rate) == (card.deal_rate, card.win_rate)


@pytest.mark.parametrize("exponent", [0.13, 0.9, 3.7])
def test_a_bidder_may_have_an_exponent_of_its_own_in_every_game(exponent: float) -> None:
    games = odd_bargains("impatient", 40, seed=9)
    mixed = np.where(np.arange(40) % 2, exponent, 2.0)

    class Own(Timed):
        name = "own"
        title = "Own"

    for game, got in enumerate(ends(sweep(games, timed(mixed)))):
        buyer = type("One", (Own,), {"exponent": float(mixed[game])})(game)
        ended = play_episode(games.scenario(game), buyer).ended
        assert ended is not None
        assert got == (ended.outcome, ended.by, ended.price or 0, ended.round)


def test_foreign_buyers_may_propose_nonsense() -> None:
    """Unguarded proposals are repaired as the engine repairs them."""
    games = odd_bargains("default", 200, seed=2)

    def wild(play: Play) -> Wish:
        share = (play.games * 7 + int(play.round) * 3) % 11 / 8 - 0.2
        accept = (play.games + int(play.round)) % 5 == 0
        walk = ~accept & ((play.games + int(play.round)) % 23 == 0)
        return Wish(np.floor(share * play.budget), accept, walk)

    class Wild:
        def __init__(self, game: int) -> None:
            self.game = game

        def act(self, seen: BuyerObservation) -> Move:
            if (self.game + seen.round) % 5 == 0:
                return Accept()
            if (self.game + seen.round) % 23 == 0:
                return Walk()
            share = (self.game * 7 + seen.round * 3) % 11 / 8 - 0.2
            return Offer(Paise(math.floor(share * seen.budget)))

    for game, got in enumerate(ends(sweep(games, wild))):
        ended = play_episode(games.scenario(game), Wild(game)).ended
        assert ended is not None
        assert got == (ended.outcome, ended.by, ended.price or 0, ended.round)


def test_a_bluffer_without_a_range_neither_breaks_nor_differs() -> None:
    """Its opening ask is its reservation price; after a fake drop it pulls back up above it."""
    games = bargains(
        "deceptive",
        cost=5000,
        budget=5000 * 1.05,
        anchor=100,
        seeds=np.arange(300, dtype=np.uint64),
    )
    assert set((games.anchor - games.reservation).tolist()) == {0.0}

    def meets_the_limit(play: Play) -> Wish:
        return Wish(np.where(np.greater(play.round, 6), play.reservation, 1.0))

    class MeetsTheLimit:
        def act(self, seen: BuyerObservation) -> Move:
            return Offer(Paise(5250 if seen.round > 6 else 1))

    for game, got in enumerate(ends(sweep(games, meets_the_limit))):
        ended = play_episode(games.scenario(game), MeetsTheLimit()).ended
        assert ended is not None
        assert got == (ended.outcome, ended.by, ended.price or 0, ended.round)


def test_every_pinned_seller_has_its_form_for_sweeps() -> None:
    assert sorted(ASKS) == sorted(SELLERS) == sorted(PERSONAS)


def test_every_buyer_that_reads_no_tells_and_no_suite_has_its_form_for_sweeps() -> None:
    missing = set(RULE_BUYERS) - set(SWEEP_BUYERS)
    assert all("sauda" in name for name in missing - {"rules:waiter"}), missing
