"""Tells follow the published formulas, with noise, within 0..1."""

import statistics
from random import Random

import pytest

from bazaarbatna.bargain import (
    Offer,
    Paise,
    Tells,
    advance,
    make_scenario,
    observe_seller,
    play_episode,
    start,
    suite_ids,
)
from bazaarbatna.bargain.sellers import SELLERS
from bazaarbatna.bargain.tells import CONDITIONS
from bazaarbatna.bargain.tells_emission import NOISE, emit, true_urgency
from tests.support.players import RandomBuyer, a_scenario

LEVELS = (
    "verbal_urgency",
    "verbal_confidence",
    "verbal_deception_cue",
    "fidget_level",
    "emotional_escalation",
)


def mean_levels(persona: str, urgency: float, round_: int) -> list[float]:
    rng = Random(1)
    style = SELLERS[persona].persona.style
    shown = [emit(style, urgency, round_, False, "good", rng) for _ in range(4000)]
    return [statistics.mean(getattr(tells, name) for tells in shown) for name in LEVELS]


# Levels far enough from 0 and 1 that clipping does not move the mean; None: clipped.
@pytest.mark.parametrize(
    ("persona", "urgency", "round_", "expected"),
    [
        ("default", 0.8, 3, [0.48, 0.36, None, 0.32, None]),
        ("deceptive", 0.6, 3, [None, 0.6, 0.42, 0.36, None]),
        ("impatient", 0.5, 3, [0.7, 0.55, None, 0.54, 0.36]),
        ("collaborative", 0.8, 3, [0.64, 0.36, None, 0.32, None]),
    ],
)
def test_levels_follow_the_formulas(
    persona: str, urgency: float, round_: int, expected: list[float | None]
) -> None:
    for found, wanted in zip(mean_levels(persona, urgency, round_), expected, strict=True):
        if wanted is None:
            assert found < 0.2
        else:
            assert found == pytest.approx(wanted, abs=0.01)


def test_the_bluffer_hides_its_urgency() -> None:
    calm, pressed = mean_levels("deceptive", 0.0, 1)[0], mean_levels("deceptive", 1.0, 9)[0]
    assert calm == pytest.approx(pressed, abs=0.01)
    assert calm == pytest.approx(0.108, abs=0.01)  # 0.1, and what clipping at 0 adds


def test_the_noise_is_gaussian_with_a_tenth() -> None:
    assert len(NOISE) == 1024
    assert list(NOISE) == sorted(NOISE)
    assert statistics.fmean(NOISE) == pytest.approx(0.0, abs=1e-12)
    assert statistics.pstdev(NOISE) == pytest.approx(0.1, abs=0.001)
    exact = statistics.NormalDist(0, 0.1)
    for place in (3, 100, 511, 512, 900, 1023):
        assert NOISE[place] == pytest.approx(exact.inv_cdf((place + 0.5) / 1024), abs=0.0006)


def test_urgency_comes_from_stock_time_and_what_was_given() -> None:
    assert true_urgency(1.0, 0.5, 0.0) == 0.5
    assert true_urgency(0.5, 0.5, 0.5) == pytest.approx(0.4)
    assert true_urgency(1.0, 1.0, 1.0) == 1.0


def shown_by(persona: str, urgency: float, round_: int = 1, stalled: bool = False) -> Tells:
    return emit(SELLERS[persona].persona.style, urgency, round_, stalled, "good", Random(2))


def test_the_default_seller_looks_away_when_pressed() -> None:
    assert shown_by("default", 0.49).eye_contact == "steady"
    assert shown_by("default", 0.5).eye_contact == "avoidant"


def test_the_bluffer_leaks() -> None:
    tells = shown_by("deceptive", 1.0)
    seen = (tells.eye_contact, tells.posture, tells.price_rounding, tells.offer_speed)
    assert seen == ("intense", "leaning_in", "precise", "instant")
    assert (tells.concession_pattern, tells.topic_changes) == ("erratic", 3)


def test_the_impatient_seller_crosses_arms_from_round_three() -> None:
    assert [shown_by("impatient", 0.9, t).posture for t in (2, 3)] == ["neutral", "arms_crossed"]
    assert shown_by("impatient", 0.9).concession_pattern == "front_loaded"


def test_the_collaborative_seller_is_open() -> None:
    tells = shown_by("collaborative", 0.9)
    assert (tells.offer_speed, tells.posture, tells.eye_contact) == (
        "deliberate",
        "leaning_in",
        "steady",
    )


@pytest.mark.parametrize(("apart", "stalls"), [(0, True), (99, True), (100, False)])
def test_two_asks_less_than_one_apart_look_like_stalling(apart: int, stalls: bool) -> None:
    scenario = a_scenario()
    state, _ = start(scenario)
    for move in (1000, 6000 - apart, 1001):
        state, _ = advance(state, Offer(Paise(move)))
    tells = SELLERS["default"](scenario, Random(1)).tells(observe_seller(state))
    assert (tells.concession_pattern, tells.repeat_phrases) == (
        ("stalling", 1) if stalls else ("steady", 0)
    )


@pytest.mark.parametrize("label", CONDITIONS)
def test_the_goods_show_their_condition(label: str) -> None:
    style = SELLERS["default"].persona.style
    tells = emit(style, 0.5, 1, False, label, Random(1))  # type: ignore[arg-type]
    assert tells.condition_label == label
    assert (tells.condition_score, tells.depreciation_score) == CONDITIONS[label]


def test_all_levels_stay_within_0_and_1_in_every_game() -> None:
    for suite in suite_ids():
        for seed in range(25):
            log = play_episode(make_scenario(suite, seed), RandomBuyer(seed))
            for event in log.events:
                tells = getattr(event, "tells", None)
                if tells is not None:
                    assert all(0.0 <= getattr(tells, name) <= 1.0 for name in LEVELS)
                    assert None not in (tells.price_rounding, tells.posture, tells.topic_changes)
                    assert 0 <= tells.topic_changes <= 3
