"""Sellers of ``/buy/`` answer the size of a buyer's step, and who says a fixed price keeps it."""

from itertools import pairwise

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.sellers.people import LivePerson, PeoplePolicies
from agents.sellers.persona import PERSONAS, earned
from agents.sellers.quality.scripted import FAIR, SCRIPTS, best_of, measure, sellers_on_site
from agents.sellers.rule_seller import RuleSeller
from agents.sellers.speaking import faults
from agents.speech.plan import plan_of
from bazaarbatna.bargain.episode import Turn
from bazaarbatna.bargain.moves import Accept, Offer
from bazaarbatna.bargain.observe import SellerObservation
from bazaarbatna.bargain.people.families import family_of
from bazaarbatna.bargain.people.paths import fit_paths, path_family
from negotiation.bargain.purchases import SUITE
from negotiation.policies import policy
from tests.support.selling import a_stall

SELLERS = sellers_on_site()
ANSWER = {
    "seller:default": 1.0,
    "seller:firm": 0.0,
    "seller:flexible": 1.2,
    "seller:deceptive": 1.0,
}


def position(
    asks: tuple[float, ...], bids: tuple[float, ...], reservation: float = 8000, said: str = ""
) -> SellerObservation:
    seen = msgspec.structs.replace(a_stall(asks, bids, reservation=reservation), suite=SUITE)
    turn = Turn("buyer", len(bids), "offer", seen.bids[-1], said)
    return msgspec.structs.replace(seen, turns=(turn,))


def after(
    seller: str, seed: int, bids: tuple[float, ...], reservation: float = 8000
) -> list[float]:
    """Play bids in rupees against an opening ask of 14,500; gives the asks until the end."""
    asks: list[float] = [14_500]
    for count in range(1, len(bids) + 1):
        player = policy(seller).make(seed)
        move = player.decide(position(tuple(asks), bids[:count], reservation))  # type: ignore[union-attr]
        if not isinstance(move, Offer):
            break
        asks.append(move.price / 100)
    return asks


@pytest.mark.parametrize("seller", SELLERS)
@pytest.mark.parametrize("crumb", [0, 1, 2, 5])
@pytest.mark.parametrize("first", [7_251, 7_900])
def test_crumbs_and_equal_bids_bring_nothing(seller: str, crumb: int, first: int) -> None:
    for seed in range(4):
        asks = after(seller, seed, tuple(first + crumb * count for count in range(9)), 9_000)
        assert len(set(asks[1:])) <= 1, asks


@pytest.mark.parametrize("seller", SELLERS)
def test_no_step_is_longer_than_what_the_buyer_gave(seller: str) -> None:
    most = ANSWER.get(seller, 1.2)
    for seed in range(12):
        bids = tuple(7_250 + 14_500 * share for share in (0.03, 0.05, 0.06, 0.1, 0.13, 0.15, 0.2))
        asks = after(seller, seed, bids)
        given_up = asks[0] - asks[-1]
        assert given_up <= most * (bids[len(asks) - 2] - 7_250) + 1


@pytest.mark.parametrize("seller", ["seller:default", "seller:flexible"])
def test_a_larger_step_earns_a_larger_one(seller: str) -> None:
    steps = [
        asks[1] - asks[2]
        for step in (300, 600, 1_200)
        for asks in [after(seller, 1, (8_000, 8_000 + step), 7_000)]
    ]
    assert all(small < large for small, large in pairwise(steps))


def test_small_steps_add_up_to_one() -> None:
    """Each is no step by itself; the second and the fourth together are."""
    asks = after("seller:default", 1, (8_000, 8_120, 8_240, 8_360, 8_480))
    assert asks[1] == asks[2] > asks[3] == asks[4] > asks[5]


@given(st.lists(st.integers(1, 14_000), min_size=1, max_size=10).map(sorted))
def test_a_fixed_price_is_fixed(bids: list[int]) -> None:
    asks = after("seller:firm", 3, tuple(bids), 9_000)
    assert set(asks) == {14_500}


def test_a_fixed_price_is_sold_to_whoever_comes_near() -> None:
    asks = after("seller:firm", 3, (8_000, 9_000, 10_000, 11_000, 12_000), 9_000)
    assert len(asks) == 4
    firm = RuleSeller(3, "firm")
    assert isinstance(firm.decide(position((14_500,), (10_650,), 9_000)), Accept)
    assert isinstance(firm.decide(position((14_500,), (10_640,), 9_000)), Offer)


def test_a_first_bid_below_half_earns_nothing_and_one_above_it_does() -> None:
    for share, what in ((0.2, 0), (0.5, 0), (0.505, 0), (0.6, 1_450_00)):
        assert earned(position((14_500,), (14_500 * share,))) == what


@pytest.mark.parametrize(
    ("bids", "said"),
    [
        ((8_000, 8_001), "english"), ((8_000, 8_000), "english"), ((9_000, 9_300), "english"),
        ((8_000, 8_001), "hinglish"), ((8_000, 8_000), "hinglish"), ((9_000, 9_300), "hinglish"),
        ((8_000, 8_001), "hindi"), ((8_000, 8_000), "hindi"), ((9_000, 9_300), "hindi"),
    ],
)  # fmt: skip
def test_who_does_not_move_says_so_in_the_buyers_language(
    bids: tuple[float, ...], said: str
) -> None:
    words = {
        "english": "please come down a little",
        "hinglish": "thoda kam karo na bhai",
        "hindi": "थोड़ा कम कीजिए ना",
    }[said]
    told = set()
    for seed in range(12):
        seen = position((14_500, 13_000), bids, said=words)
        move = RuleSeller(seed, "firm").act(seen)
        assert isinstance(move, Offer)
        assert move.price == seen.standing_ask
        assert move.text
        assert not [*faults(move.text, plan_of(seen, move), seen, move, language=said)]  # type: ignore[arg-type]
        told.add(move.text)
    own = PERSONAS["firm"].holds[said]  # type: ignore[index]
    assert any(line.split("{")[0] in text for line in own for text in told)
    assert {line.isascii() for line in own} == {said != "hindi"}


@pytest.mark.parametrize(("second", "kind"), [(8_001, "small"), (8_000, "none")])
def test_words_about_a_small_step_are_said_of_small_steps_alone(second: int, kind: str) -> None:
    from agents.sellers.speaking import corpus

    kinds = {
        one.step for one in corpus() for seed in range(20)
        if one.step and one.line.partition("<")[0].strip() in RuleSeller(seed).act(
            position((14_500, 13_000), (8_000, second), said="please")
        ).text
    }  # fmt: skip
    assert kinds == {kind}


def test_who_sells_along_a_path_of_people_reads_no_row_of_the_validation() -> None:
    entry = PeoplePolicies().find("seller:people-recorded")
    assert entry is not None
    assert not any(name.startswith("seller:people-paths") for name in sellers_on_site())
    family = path_family(fit_paths(), name="recorded")
    for seed in range(200):
        person = entry.make(seed)
        assert isinstance(person, LivePerson)
        assert person.manners[0].path
        assert person.manners == family.draw(seed)


@pytest.mark.parametrize("seller", SELLERS)
def test_no_script_takes_more_than_three_quarters_and_fair_buyers_get_their_part(
    seller: str,
) -> None:
    """The report's seed is another one than what the sellers were tuned on (1 and 3)."""
    taken = measure([seller], 40, 11)
    assert len(taken) == len(SCRIPTS)
    assert best_of(taken, seller).share.mean <= 0.75
    fair = [one for one in taken if one.script in FAIR]
    assert max(one.share.mean for one in fair) >= 0.4
    assert max(one.deals for one in fair) >= 0.8
    crumbs = next(one for one in taken if one.script == "50 %, +1 rupee")
    assert crumbs.share.mean <= 0.1


def test_a_middle_that_was_cut_short_is_not_called_the_middle() -> None:
    """A step of 500 earns 600; the middle of 13,000 and 8,500 is further down."""
    moods = set()
    for seed in range(60):
        person = LivePerson.drawn(family_of("splitter"), seed)
        seen = position((14_500, 13_000), (8_000, 8_500), 5_000)
        move, mood = person._chosen(seen)
        assert mood != "split"
        assert not isinstance(move, Offer) or move.price >= 1_240_000
        moods.add(person.choose(seen)[1])
    assert "split" in moods
