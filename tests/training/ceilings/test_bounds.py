"""Bounds on the engine's own suites: nobody passes them, and they expect what they get."""

import pytest

from bazaarbatna.bargain import Paise, make_scenario, suite, suite_ids
from bazaarbatna.bargain.moves import Move, Offer
from bazaarbatna.bargain.observe import BuyerObservation
from bazaarbatna.bargain.suites import SUITES
from negotiation.policies import Entry, UnknownPolicy, policies, policy
from training.evaluation import BadPlan
from training.evaluation.ceilings import pinned_game, players
from training.evaluation.ceilings.pinned_game import (
    BestResponse,
    Clairvoyant,
    Opening,
    PinnedGame,
    Position,
    Solver,
    expected,
    opening_of,
    reaches,
    waiting_bid,
)
from training.evaluation.ceilings.players import (
    APART,
    BEST_RESPONSE,
    CLAIRVOYANT,
    CLAIRVOYANT_GRADE,
    is_known_in,
    player,
)
from training.evaluation.plan import make_plan
from training.evaluation.playing import Aim, Recording, play
from training.evaluation.rows import EpisodeRow

SAMPLED = [one for one in suite_ids() if "@sampled" in one]
LINES = ("rules:waiter", "rules:boulware", "rules:climber", "rules:zeuthen", "sauda")


def rows_of(entry: Entry, suite_id: str, games: range) -> list[EpisodeRow]:
    return [row for game in play(entry, suite_id, games) for row in game.rows]


def kept(rows: list[EpisodeRow]) -> float:
    return sum(row.surplus or 0.0 for row in rows)


@pytest.mark.parametrize("suite_id", suite_ids())
def test_no_buyer_keeps_more_of_a_game_than_the_clairvoyant(suite_id: str) -> None:
    for seed in range(40, 46 if suite(suite_id).episodes == 1 else 42):
        best = kept(rows_of(player(CLAIRVOYANT), suite_id, range(seed, seed + 1)))
        for name in (*LINES, BEST_RESPONSE):
            assert kept(rows_of(player(name), suite_id, range(seed, seed + 1))) <= best + 1e-5


@pytest.mark.parametrize("suite_id", SAMPLED)
def test_a_round_has_no_cheaper_deal_than_the_clairvoyant_says(suite_id: str) -> None:
    seed = next(
        seed for seed in range(13, 40)
        if any(isinstance(one.move, Offer) for one in reaches(make_scenario(suite_id, seed)))
    )  # fmt: skip
    scenario = make_scenario(suite_id, seed)
    waiting, limit = waiting_bid(scenario), scenario.sealed.reservation

    class At:
        """Waits, and bids once."""

        def __init__(self, round_: int, price: int) -> None:
            self.round, self.price = round_, price

        def act(self, seen: BuyerObservation) -> Move:
            return Offer(Paise(self.price if seen.round == self.round else waiting))

    def is_deal(round_: int, price: int) -> bool:
        table, buyer = Recording(suite_id, seed), At(round_, price)
        for _ in range(round_):
            seen = table.game.observation
            assert seen is not None
            log = table.move(buyer.act(seen)).log
            if log is not None:
                assert log.ended is not None
                return log.ended.price is not None and log.ended.round == round_
        return False

    for one in reaches(scenario):
        if not isinstance(one.move, Offer):
            continue
        assert is_deal(one.round, one.price)
        for price in {one.price - 1, (one.price + limit) // 2, limit} - {one.price}:
            if price < one.price:
                assert not is_deal(one.round, price)


@pytest.mark.parametrize(
    "suite_id", ["deceptive_seller@sampled-1", "asymmetric_pressure@sampled-1"]
)
@pytest.mark.parametrize("aim", ["share", "grade"])
def test_the_best_response_earns_what_it_expects(suite_id: str, aim: Aim) -> None:
    entry = player(BEST_RESPONSE if aim == "share" else f"{BEST_RESPONSE}-grade")
    gaps = []
    for seed in range(900, 950):
        table = Recording(suite_id, seed)
        seen = table.game.observation
        assert seen is not None
        hoped = expected(opening_of(seen), aim)
        buyer = entry.make(seed)
        while (seen := table.game.observation) is not None:
            table.move(buyer.act(seen))
        [row] = table.rows("", "")
        got = kept([row]) if aim == "share" else pinned_game.worth(aim, suite_id, closing_of(table))
        gaps.append(got - hoped)
    mean = sum(gaps) / len(gaps)
    spread = (sum((gap - mean) ** 2 for gap in gaps) / len(gaps)) ** 0.5 / len(gaps) ** 0.5
    assert abs(mean) <= 1.96 * spread + 1e-6


def closing_of(table: Recording) -> pinned_game.Closing:
    [log] = table.game.logs
    sealed, ended = log.scenario.sealed, log.ended
    assert ended is not None
    return pinned_game.Closing(
        ended.price, ended.round, log.scenario.max_rounds, sealed.budget, sealed.cost,
        sealed.reservation, sealed.deadline,
    )  # fmt: skip


class EveryBid(PinnedGame):
    """The same bargain with every bid there is."""

    def bids(self, at: Position) -> list[int]:
        return list(range(1, min(at.ask, self.budget + 1)))


@pytest.mark.parametrize(
    ("suite_id", "ask"),
    [
        ("single_deal@sampled-1", 100),
        ("asymmetric_pressure@sampled-1", 100),
        ("impatient_seller@sampled-1", 100),
        ("collaborative_seller@sampled-1", 90),
        ("deceptive_seller@sampled-1", 115),
        ("read_the_tells@sampled-1", 126),
    ],
)
@pytest.mark.parametrize("aim", ["share", "grade"])
def test_no_bid_outside_the_grid_is_worth_more(suite_id: str, ask: int, aim: Aim) -> None:
    opening = Opening(suite_id, Paise(ask), "", Paise(75), 0, 0)
    game, every = PinnedGame(opening, aim), EveryBid(opening, aim)
    value = Solver(game).solve(game.start())[0]
    assert 0 < value <= 1
    assert Solver(every).solve(every.start())[0] == pytest.approx(value, abs=1e-9)


def test_the_best_response_knows_only_what_a_buyer_sees() -> None:
    # Same opening, other luck: until the seller answers otherwise, it plays alike.
    seen = Recording("deceptive_seller@sampled-1", 5).game.observation
    assert seen is not None
    assert BestResponse("share").act(seen) == BestResponse("share").act(seen)
    assert player(BEST_RESPONSE).make(1).act(seen) == player(BEST_RESPONSE).make(2).act(seen)


def test_a_career_is_seen_to_its_end() -> None:
    # A deal leaves fewer units in stock: the clairvoyant's whole game is no worse than bargain by
    # bargain, for which the best response stands in here.
    for seed in range(3):
        whole = kept(
            rows_of(player(CLAIRVOYANT), "read_the_tells@sampled-1", range(seed, seed + 1))
        )
        assert whole >= kept(
            rows_of(player(BEST_RESPONSE), "read_the_tells@sampled-1", range(seed, seed + 1))
        )


def test_playing_for_the_grade_beats_playing_for_the_share_by_the_grade() -> None:
    suite_id = "asymmetric_pressure@sampled-1"
    for_share, for_grade = (
        sum(pinned_game.worth("grade", suite_id, closing_of(_played(suite_id, seed, aim)))
            for seed in range(20))
        for aim in ("share", "grade")
    )  # fmt: skip
    assert for_grade > 1.5 * for_share


def _played(suite_id: str, seed: int, aim: Aim) -> Recording:
    table, buyer = Recording(suite_id, seed), Clairvoyant(seed, aim)
    while (seen := table.game.observation) is not None:
        table.move(buyer.act(seen))
    return table


def test_bounds_can_be_seated_in_evaluations_only() -> None:
    assert not set(APART) & {entry.name for entry in policies("buyer")}
    for name in APART:
        with pytest.raises(UnknownPolicy):
            policy(name)
    plan = make_plan([*APART, "rules:waiter"], ["single_deal"], episodes=1)
    assert [one.name for one in plan.policies] == [*APART, "rules:waiter"]


def test_a_bound_that_nobody_knows_is_no_player() -> None:
    assert is_known_in(CLAIRVOYANT_GRADE, "single_deal@fixed-1")
    assert not is_known_in(BEST_RESPONSE, "firm@strangers-1")
    assert is_known_in("rules:waiter", "firm@strangers-1")
    with pytest.raises(BadPlan, match="Nobody knows a ceiling:best-response in firm@strangers-1"):
        make_plan([BEST_RESPONSE], ["firm@strangers-1"], episodes=1)


def test_a_line_is_chosen_on_games_of_its_own() -> None:
    first, last = players.chosen("single_deal@sampled-1")
    assert first in players.FIRSTS
    assert last in players.LASTS
    assert first <= last
    best = players.kept("single_deal@sampled-1", (first, last), players.BARGAINS)
    for line in ((0.3, 0.5), (0.5, 0.7), (0.6, 0.9)):
        assert players.kept("single_deal@sampled-1", line, players.BARGAINS) < best
    assert players.FIRST_SEED >= 700_000


def test_every_suite_of_the_engine_has_its_bounds() -> None:
    for row in SUITES:
        assert is_known_in(CLAIRVOYANT, f"{row.name}@sampled-1")
        assert is_known_in(BEST_RESPONSE, f"{row.name}@fixed-1")
