"""The published steering, number by number."""

import math

import pytest

from agents.buyers import steering
from bazaarbatna.bargain.moves import Accept, Offer, Walk
from bazaarbatna.bargain.quantities import Paise
from bazaarbatna.bargain.tells import Tells
from negotiation.readers import Belief
from tests.support.positions import a_position

MEASURED = Tells(
    verbal_urgency=0.8,
    verbal_confidence=0.2,
    verbal_deception_cue=0.1,
    fidget_level=0.6,
    emotional_escalation=0.4,
    offer_speed="instant",
    concession_pattern="front_loaded",
)


@pytest.mark.parametrize(
    ("persona", "urgency", "flexibility"),
    [
        ("default", 0.50, 0.50),
        ("deceptive", 0.45, 0.30),
        ("impatient", 0.68, 0.65),
        ("collaborative", 0.40, 0.72),
        (None, 0.50, 0.50),
        ("unheard of", 0.50, 0.50),
    ],
)
def test_without_tells_the_prior_of_the_persona_stands(
    persona: str | None, urgency: float, flexibility: float
) -> None:
    assert steering.believe(None, persona, 0, 100) == Belief(urgency, flexibility)


def test_urgency_signal_is_the_weighted_sum_of_the_specification() -> None:
    # 0.35*0.8 + 0.25*0.6 + 0.20*0.4 + 0.10*0.1 + 0.10*0.8 + 0.15 + 0.15
    assert steering.urgency_signal(MEASURED) == pytest.approx(0.90)


def test_flexibility_signal_is_the_weighted_sum_of_the_specification() -> None:
    # 0.45*0.1 + 0.20*0.8 + 0.20*0.8 + 0.15*0.9 + 0.22
    assert steering.flexibility_signal(MEASURED, 0.1) == pytest.approx(0.72)


def test_posterior_weighs_prior_and_signal() -> None:
    belief = steering.believe(MEASURED, "impatient", 10, 100)
    assert belief.urgency == pytest.approx(0.55 * 0.68 + 0.45 * 0.90)
    assert belief.flexibility == pytest.approx(0.55 * 0.65 + 0.45 * 0.72)


@pytest.mark.parametrize(
    ("speed", "difference"), [("instant", 0.15), ("normal", 0.05), ("deliberate", -0.05)]
)
def test_speed_moves_urgency(speed: str, difference: float) -> None:
    base = steering.urgency_signal(Tells())
    signal = steering.urgency_signal(Tells(offer_speed=speed))  # type: ignore[arg-type]
    assert signal - base == pytest.approx(difference)


@pytest.mark.parametrize(
    ("pattern", "urgency", "flexibility"),
    [
        ("front_loaded", 0.15, 0.22),
        ("erratic", 0.08, 0.03),
        ("stalling", -0.10, -0.18),
        ("steady", 0.0, 0.08),
    ],
)
def test_pattern_moves_both_signals(pattern: str, urgency: float, flexibility: float) -> None:
    tells = Tells(concession_pattern=pattern)  # type: ignore[arg-type]
    assert steering.urgency_signal(tells) - 0.5 == pytest.approx(urgency)
    silent = steering.flexibility_signal(Tells(), 0.0)
    assert steering.flexibility_signal(tells, 0.0) - silent == pytest.approx(flexibility)


def test_a_seller_who_shows_nothing_is_as_urgent_as_the_hidden_prior() -> None:
    assert steering.believe(Tells(), None, 0, 100).urgency == pytest.approx(0.5)


def test_signals_are_clipped_to_the_unit_interval() -> None:
    loud = Tells(1.0, 0.0, 1.0, 1.0, 1.0, None, "instant", "front_loaded")
    calm = Tells(0.0, 1.0, 0.0, 0.0, 0.0, None, "deliberate", "stalling")
    assert steering.urgency_signal(loud) == 1.0
    assert steering.urgency_signal(calm) == 0.0
    assert steering.flexibility_signal(calm, -3.0) == 0.0


def test_estimated_cost_follows_the_formula_and_its_limits() -> None:
    belief = Belief(urgency=0.5, flexibility=0.25)
    assert steering.estimated_cost(100_000, belief) == pytest.approx(
        100_000 * (0.58 - 0.18 * 0.5 + 0.08 * 0.75)
    )
    assert steering.estimated_cost(120, belief) == 100


def test_power_is_held_within_its_range() -> None:
    assert steering.buyer_power(Belief(0.5, 0.5), 0.5) == pytest.approx(0.35 + 0.2 + 0.1 - 0.15)
    assert steering.buyer_power(Belief(1.0, 1.0), 0.0) == 0.85
    assert steering.buyer_power(Belief(0.0, 0.0), 1.0) == 0.20


def test_target_and_threshold_follow_the_specification() -> None:
    judgement = steering.judge(a_position((1800, 1600), (1000,), budget=1500))
    cost = 1600 * (0.58 - 0.09 + 0.04)
    power = 0.35 + 0.20 + 0.10 - 0.30 * 0.2
    target = (1 - power) * 1500 + power * cost
    threshold = target + (1500 - target) * (0.28 + 0.45 * 0.2 + 0.12 * 0.5)
    assert judgement.target == pytest.approx(100 * target)
    assert judgement.threshold == pytest.approx(100 * threshold)
    assert judgement.floor == pytest.approx(100 * min(0.85 * target, 0.65 * 1600, 0.85 * 1500))
    assert judgement.ceiling == pytest.approx(100 * min(threshold, 1600 * (0.90 + 0.08 * 0.2)))


def test_target_stays_below_the_ask_and_the_budget() -> None:
    rich = steering.judge(a_position((200,), budget=5000))
    assert rich.target == pytest.approx(100 * 1.02 * 200)
    assert rich.threshold <= 0.95 * 500_000


def test_the_last_two_rounds_raise_the_floor_to_most_of_the_ask() -> None:
    assert steering.judge(a_position(at=8)).floor < 0.87 * 180_000
    for number in (9, 10):
        assert steering.judge(a_position(at=number)).floor == pytest.approx(0.87 * 180_000)


def test_urgency_lowers_the_price_the_buyer_hopes_for() -> None:
    calm = steering.judge(a_position(tells=Tells(verbal_urgency=0.0)))
    pressed = steering.judge(a_position(tells=Tells(verbal_urgency=1.0)))
    assert pressed.target < calm.target
    assert pressed.threshold < calm.threshold


def test_the_switch_turns_tells_off() -> None:
    position = a_position(tells=MEASURED)
    plain = steering.judge(a_position())
    assert steering.judge(position, use_tells=False) == plain
    assert steering.judge(position) != plain


def test_the_last_round_takes_an_ask_under_the_threshold() -> None:
    position = a_position((1800, 1300), (1200,), at=10)
    assert steering.steer(position, Offer(Paise(125_000), "hm")) == Accept("hm")


def test_an_early_walk_becomes_a_calibrated_offer() -> None:
    position = a_position(at=3)
    judgement = steering.judge(position)
    assert steering.steer(position, Walk()) == Offer(steering.hold(judgement, judgement.target))
    late = a_position(at=9)
    assert steering.steer(late, Walk("bye")) == Walk("bye")


def test_an_accept_above_the_threshold_waits_for_the_last_round() -> None:
    assert isinstance(steering.steer(a_position((1490,), at=2), Accept()), Offer)
    assert steering.steer(a_position((1490,), at=10), Accept()) == Accept()


@pytest.mark.parametrize(
    "nonsense", [math.nan, math.inf, -math.inf, -5, 10**400, True, None, "1500", 0, 3.5]
)
def test_nonsense_becomes_a_bid_between_floor_and_ceiling(nonsense: object) -> None:
    position = a_position()
    judgement = steering.judge(position)
    move = steering.steer(position, Offer(nonsense))  # type: ignore[arg-type]
    assert isinstance(move, Offer)
    assert math.floor(judgement.floor) <= move.price <= math.ceil(judgement.ceiling)


def test_what_is_no_move_at_all_becomes_a_calibrated_offer() -> None:
    position = a_position()
    for nonsense in (None, "offer 50", {"price": 5}, object()):
        assert isinstance(steering.steer(position, nonsense), Offer)  # type: ignore[arg-type]
