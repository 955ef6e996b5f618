"""What is drawn is what stands on the board, also for those who cannot see it."""

from typing import Any
from xml.etree import ElementTree

import msgspec
import pytest

from arena.gpu_market.board.cards import coalition_cards, offer_cards
from arena.gpu_market.board.folding import board_of
from arena.gpu_market.board.moments import runs_of
from arena.gpu_market.board.parts import Board
from arena.gpu_market.board.timeline import (
    lab_strip,
    legend_key,
    rounds_axis,
    state_word,
    strip_words,
)
from arena.gpu_market.board.titles import TITLES
from arena.gpu_market.board.wants import course_of, gains, planned_runs, wanted
from arena.gpu_market.web.visibility import Facts, Frame, Viewer, shown
from bazaarbatna.market import (
    WAIT,
    MarketAction,
    make_market,
    play_market,
    start,
    step,
    without_shocks,
)
from bazaarbatna.market.errors import Refused
from bazaarbatna.market.policies.registry import make_policy
from bazaarbatna.market.quantities import Cents
from bazaarbatna.market.scenario import MarketScenario, Shock
from bazaarbatna.market.state import thaw
from bazaarbatna.market.trading import check_deliverable
from tests.support.gpu_market import a_block, a_job, a_world, an_offer


def frames_at(seed: int, until: int | None = None) -> list[Frame]:
    scenario = make_market("coalition_market", seed)
    _, events = play_market(scenario, {0: make_policy("rule_expert", seed)})
    seats = ("rule_expert", *["archetype"] * (len(scenario.labs) - 1))
    log = list(enumerate(events, 1))[:until]
    return shown(log, Facts(scenario, seats), Viewer("open"))


@pytest.mark.parametrize("until", [5, 30, 45, None])
def test_every_block_is_one_bar_of_its_owner(until: int | None) -> None:
    board = board_of(frames_at(11, until))
    for lab in board.labs:
        drawn = ElementTree.fromstring(lab_strip(board, lab.id))
        bars = [one for one in drawn.iter("g") if "bar" in (one.get("class") or "").split()]
        assert len(bars) == len(board.blocks_of(lab.id))
        words = drawn.findtext("desc") or ""
        for block in board.blocks_of(lab.id):
            assert state_word(board, block) in words


def test_a_bar_starts_and_ends_with_its_block() -> None:
    scenario = a_world([a_block(0, 0, start=2, duration=3, gpus=4), a_block(1, 1)], rounds=10)
    board = board_of(
        shown([(1, start(scenario)[1][0])], Facts(scenario, ("a", "b")), Viewer("open"))
    )
    drawn = ElementTree.fromstring(lab_strip(board, "lab_0"))
    face = next(one for one in drawn.iter("rect") if one.get("class") == "bar-face")
    assert (face.get("x"), face.get("width")) == ("20.00%", "30.00%")
    assert "4 GPUs in rounds 3–5" in strip_words(board, "lab_0")


def test_thicker_bars_have_more_gpus() -> None:
    heights = []
    for gpus in (1, 2, 4):
        scenario = a_world([a_block(0, 0, gpus=gpus), a_block(1, 1)])
        first = start(scenario)[1][0]
        board = board_of(shown([(1, first)], Facts(scenario, ("a", "b")), Viewer("open")))
        drawn = ElementTree.fromstring(lab_strip(board, "lab_0"))
        face = next(one for one in drawn.iter("rect") if one.get("class") == "bar-face")
        heights.append(int(face.get("height") or 0))
    assert heights == sorted(set(heights))


def test_shocks_stand_on_the_axis_where_they_struck() -> None:
    board = board_of(frames_at(11))
    drawn = rounds_axis(board)
    for strike in board.shocks:
        assert f"Round {strike.round + 1}:" in drawn
    assert len(board.shocks) == 3


def test_what_people_wrote_is_escaped() -> None:
    scenario = a_world(labs=2)
    evil = scenario.labs[0].__class__("lab_0", "<script>alert(1)</script>", 0.5)
    scenario = scenario.__class__(
        scenario.task,
        scenario.rounds,
        (evil, scenario.labs[1]),
        scenario.blocks,
        scenario.offers,
        scenario.coalitions,
        scenario.sealed,
        scenario.salt,
    )
    first = start(scenario)[1][0]
    board = board_of(shown([(1, first)], Facts(scenario, ("a", "b")), Viewer("open")))
    assert "<script>" not in lab_strip(board, "lab_0")


def test_an_offer_reads_as_a_sentence() -> None:
    scenario = a_world(
        [a_block(3, 1, start=2), a_block(7, 0, start=0, duration=1, gpus=1)],
        offers=[an_offer(0, 1, 0, offered=("block_3",), requested=("block_7",), payment=400)],
    )
    _, events = start(scenario)
    viewer = Viewer("lab", 0)
    frames = shown(list(enumerate(events, 1)), Facts(scenario, ("person", "archetype")), viewer)
    (card,) = offer_cards(board_of(frames))
    assert card.words == (
        "Lab 1 gives 2 GPUs in rounds 3–4 and 4 credits for your 1 GPU in round 1."
    )
    assert card.answerable
    assert card.until == "round 3"


def test_an_offer_that_one_side_cannot_keep_is_gone_and_counts_no_more() -> None:
    scenario = a_world(
        [a_block(3, 1, start=2), a_block(7, 0, start=0, duration=1, gpus=1)],
        offers=[an_offer(0, 1, 0, offered=("block_3",), requested=("block_7",), payment=400)],
    )
    _, events = start(scenario)
    viewer = Viewer("lab", 0)
    frames = shown(list(enumerate(events, 1)), Facts(scenario, ("person", "archetype")), viewer)
    board = board_of(frames)
    assert len(offer_cards(board)) == 1
    for name, change in (
        ("block_7", {"status": "used"}),
        ("block_7", {"owner": "lab_1"}),
        ("block_7", {"terms": ("must_not_resell",)}),
        ("block_3", {"owner": "lab_0"}),
    ):
        blocks = tuple(
            msgspec.structs.replace(one, **change) if one.id == name else one
            for one in board.blocks
        )
        after = msgspec.structs.replace(board, blocks=blocks)
        assert offer_cards(after) == ()


@pytest.mark.parametrize("asked", [True, False])
def test_an_offer_of_gpus_whose_rounds_are_over_is_gone_where_the_engine_refuses_it(
    asked: bool,
) -> None:
    sides = {"requested" if asked else "offered": ("block_0",), "payment": 2400, "expires": 5}
    scenario = a_world([a_block(0, 0 if asked else 1, duration=1)], offers=[an_offer(**sides)])
    board = board_at_first(scenario)
    assert (len(offer_cards(board)), len(gains(board))) == (1, 1)
    later = msgspec.structs.replace(board, round=1)
    assert (offer_cards(later), gains(later)) == ((), {})
    draft = thaw(start(scenario)[0])
    check_deliverable(draft, draft.offers[0])
    draft.round = 1
    with pytest.raises(Refused, match="has closed"):
        check_deliverable(draft, draft.offers[0])


def board_at_first(scenario: MarketScenario) -> Board:
    """What lab 0 sees before it acts."""
    _, log = start(scenario)
    numbered = list(enumerate(log, start=1))
    return board_of(shown(numbered, Facts(scenario, ("person", "archetype")), Viewer("lab", 0)))


def test_an_offer_that_brings_less_than_a_credit_changes_nothing() -> None:
    paid = (1, 99, 100, 150)
    offers = [an_offer(number, payment=Cents(one)) for number, one in enumerate(paid)]
    assert list(gains(board_at_first(a_world(offers=offers))).values()) == [0, 0, 100, 150]


@pytest.mark.parametrize(("value", "worth"), [(499, []), (500, [500])])
def test_a_block_that_brings_a_few_credits_is_not_worth_buying(
    value: int, worth: list[int]
) -> None:
    blocks = [a_block(0, 1, start=2, energy=Cents(0))]
    scenario = a_world(blocks, [[a_job(base_value=Cents(value))], []])
    assert [one.worth for one in wanted(board_at_first(scenario))] == worth


def test_a_coalition_shows_consent_and_pool() -> None:
    board = board_of(frames_at(11, 32))
    (card,) = coalition_cards(board)
    consent = {member.lab.name: (member.consent, member.pooled) for member in card.members}
    assert consent["Aravalli Lab"] == ("founder", "4 GPUs in round 3")
    assert consent["Chenab Research"][0] in ("joined", "asked")


def test_every_state_of_a_block_has_its_own_key() -> None:
    drawn = {legend_key(state) for state in TITLES.block_states}
    assert len(drawn) == len(TITLES.block_states)


def test_a_shock_that_touches_nothing_is_drawn_too() -> None:
    scenario = a_world(shocks=[Shock(1, "demand_surge", 0.5)], surge=())
    _, events = play_market(scenario, {})
    frames = shown(list(enumerate(events, 1)), Facts(scenario, ("a", "b")), Viewer("open"))
    assert [strike.kind for strike in board_of(frames).shocks] == ["demand_surge"]


def test_a_run_that_would_be_late_says_when_it_ends_and_what_that_costs() -> None:
    scenario = a_world(
        [a_block(3, 0, start=2, duration=3, gpus=1)], jobs=[[a_job(0, hours=2, deadline=4)], []]
    )
    board = board_at_first(scenario)
    (run,) = runs_of(board)
    assert run.earned is not None
    assert run.earned.late
    assert run.finishes == 5
    assert run.in_time == pytest.approx(run.earned.value / 0.35, abs=2)


@pytest.mark.parametrize("trades", [False, True])
@pytest.mark.parametrize(
    ("task", "seed"),
    [*(("market_round", seed) for seed in range(12)), ("coalition_market", 3)],
)
def test_what_the_page_says_can_be_made_is_made_by_the_plan_it_names(
    task: str, seed: int, trades: bool
) -> None:
    scenario = without_shocks(make_market(task, seed))
    facts = Facts(scenario, ("person", *["archetype"] * (len(scenario.labs) - 1)))
    state, log = start(scenario)
    made = 0
    if trades:
        state, more = step(state, 0, MarketAction("accept_offer", offer_id=state.offers[0].id))
        log += more
    while state.ended is None:
        board = board_of(shown(list(enumerate(log, 1)), facts, Viewer("lab", 0)))
        course = course_of(board)
        assert course is not None
        assert course.sure >= made
        made = course.sure
        named = [one for one in course.steps if one.round == state.round]
        for run in planned_runs(board):
            if run.earned and named and run.job.id == named[0].job.id:
                assert run.blocks == named[0].blocks
                assert run.costs == 0
        action = WAIT
        if named:
            blocks = tuple(one.id for one in named[0].blocks)
            action = MarketAction("allocate_to_job", job_id=named[0].job.id, block_ids=blocks)
        state, more = step(state, 0, action)
        log += more
    assert state.ended.results[0].utility >= made


@pytest.mark.parametrize(
    ("block", "lack"),
    [
        ({"gpus": 1}, "few"),
        ({"reliability": 0.799}, "unfit"),
        ({"start": 3}, "late"),
        ({}, "taken"),
    ],
)
def test_a_job_says_what_it_lacks(block: dict[str, Any], lack: str) -> None:
    dearer = a_job(0, 1, base_value=Cents(9000), min_reliability=0.5, deadline=9)
    jobs = [a_job(), dearer] if lack == "taken" else [a_job()]
    board = board_at_first(a_world([a_block(0, 0, **block)], [jobs, []], rounds=6))
    course = course_of(board)
    assert course is not None
    assert course.missing == {"job_0_0": lack}


def test_a_run_says_what_it_takes_from_a_better_job() -> None:
    jobs = [a_job(), a_job(0, 1, base_value=Cents(9000))]
    runs = planned_runs(board_at_first(a_world([a_block(0, 0)], [jobs, []])))
    assert [run.costs for run in runs] == [3000, 0]
