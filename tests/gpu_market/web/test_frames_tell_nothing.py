"""Chetan reads every byte that a spectator, or another lab, is sent while a match is live."""

import json
from collections.abc import Container, Iterator
from random import Random

import msgspec
import pytest

from arena.gpu_market.board.folding import board_of
from arena.gpu_market.web.market import Answer, answers_of
from arena.gpu_market.web.visibility import Facts, Frame, Viewer, shown
from arena.gpu_market.web.watching import Seen
from arena.gpu_market.web.wire import to_wire
from arena.models import MarketMatch
from bazaarbatna.market import (
    MarketAction,
    MarketEvent,
    MarketScenario,
    State,
    advance,
    apply,
    make_market,
    observe,
    start,
)
from bazaarbatna.market.events import (
    ActionRefused,
    Ended,
    JobRun,
    JobsChanged,
    OfferClosed,
    OfferMade,
    Opened,
    Said,
    TradeMade,
    TurnTaken,
)
from bazaarbatna.market.making import ARCHETYPES
from bazaarbatna.market.policies.plain import random_valid
from bazaarbatna.market.quantities import LAB_IDS, Cents
from bazaarbatna.market.scenario import Archetype
from tests.support.gpu_market import a_block, a_job, a_wild_action, a_world, an_offer, marked

TASKS = ("single_trade", "market_round", "coalition_market")
OPTIONS = ("sudden_supply", "deadline_acceleration", "emergency_auction")
EPISODES = range(12)


def a_market(number: int) -> MarketScenario:
    task = TASKS[number % 3]
    options = OPTIONS if task == "coalition_market" else ()
    return marked(make_market(task, number, options=options))  # type: ignore[arg-type]


def an_action(state: State, lab: int, rng: Random, turn: int) -> MarketAction:
    """Anything; a third are words for one lab, marked so that they can be searched for."""
    if rng.random() < 0.66:
        return a_wild_action(state, lab, rng)
    others = [one for one in range(len(state.budgets)) if one != lab]
    other = LAB_IDS[rng.choice(others)]
    own = [one.id for one in state.blocks if one.owner == LAB_IDS[lab] and one.is_tradeable]
    return MarketAction(
        action=rng.choice(["send_offer", "send_message"]),  # type: ignore[arg-type]
        target_lab_id=other,
        block_ids=tuple(own[-1:]),
        payment=Cents(300),
        message=f"whispered by {lab} in turn {turn}.",
    )


def positions(number: int) -> Iterator[tuple[State, tuple[MarketEvent, ...]]]:
    """Positions of an episode with the log up to each; sensible, wild and scripted labs mixed."""
    rng, sensible = Random(number), random_valid(number)
    state, log = start(a_market(number))
    turns = 0
    while state.ended is None:
        yield state, log
        lab, turns = state.turn, turns + 1
        if lab == 1:
            state, happened = advance(state)
        elif rng.random() < 0.5:
            state, happened = apply(state, lab, sensible(observe(state, lab)))
        else:
            state, happened = apply(state, lab, an_action(state, lab, rng, turns))
        log += happened
    yield state, log


def a_log(number: int) -> tuple[State, tuple[MarketEvent, ...]]:
    return list(positions(number))[-1]


def numbered(log: tuple[MarketEvent, ...]) -> list[tuple[int, MarketEvent]]:
    return list(enumerate(log, start=1))


def facts_of(scenario: MarketScenario, *, people: bool = True) -> Facts:
    first = "person" if people else "random_valid"
    return Facts(
        scenario,
        (first, "archetype", *["person" if people else "archetype"] * 3)[: len(scenario.labs)],
        "m",
    )


def texts_before_the_end(facts: Facts, log: tuple[MarketEvent, ...], viewer: Viewer) -> str:
    return json.dumps(shown(numbered(log[:-1]), facts, viewer))


def private_texts(scenario: MarketScenario, lab: int) -> set[str]:
    found = {str(scenario.sealed.budgets[lab] / 100)}
    for job in scenario.sealed.jobs[lab]:
        found |= {str(job.base_value / 100), str(job.urgency), str(job.min_reliability)}
    return found


@pytest.mark.parametrize("number", EPISODES)
def test_no_private_number_of_another_lab_is_in_any_frame(number: int) -> None:
    state, log = a_log(number)
    scenario = state.scenario
    facts = facts_of(scenario)
    for lab in range(len(scenario.labs)):
        mine = texts_before_the_end(facts, log, Viewer("lab", lab))
        assert all(text in mine for text in private_texts(scenario, lab))
        for other in set(range(len(scenario.labs))) - {lab}:
            assert not [text for text in private_texts(scenario, other) if text in mine]
    for people in (True, False):
        open_ = texts_before_the_end(facts_of(scenario, people=people), log, Viewer("open"))
        for lab in range(len(scenario.labs)):
            assert not [text for text in private_texts(scenario, lab) if text in open_]


@pytest.mark.parametrize("number", EPISODES)
def test_no_character_no_luck_and_no_future_is_in_any_frame(number: int) -> None:
    *live, (state, log) = positions(number)
    scenario = state.scenario
    viewers = [Viewer("open"), *(Viewer("lab", lab) for lab in range(len(scenario.labs)))]
    for state, log in live[number % 3 :: 3]:
        struck = {shock.shock for shock in state.shocks}
        for viewer in viewers:
            text = json.dumps(shown(numbered(log), facts_of(scenario), viewer))
            assert not [one for one in ARCHETYPES if one in text]
            assert scenario.salt not in text
            assert str(scenario.sealed.seed) not in text
            for shock in scenario.sealed.shocks:
                assert (shock.kind in text) == (shock.kind in struck)
            arrived = len(state.blocks) - len(scenario.blocks)
            for block in scenario.sealed.spare[arrived:]:
                assert f'"energy": {block.energy / 100}' not in text


@pytest.mark.parametrize("number", EPISODES)
def test_whispers_reach_their_two_sides_and_nobody_else(number: int) -> None:
    state, log = a_log(number)
    facts = facts_of(state.scenario)
    spectator = texts_before_the_end(facts, log, Viewer("open"))
    assert "whispered" not in spectator
    for lab in range(len(state.scenario.labs)):
        text = texts_before_the_end(facts, log, Viewer("lab", lab))
        others = {
            event.offer.message
            for event in log
            if isinstance(event, OfferMade)
            and LAB_IDS[lab] not in (event.offer.sender, event.offer.target)
        } | {
            event.text
            for event in log
            if isinstance(event, Said) and event.to and LAB_IDS[lab] not in (event.lab, event.to)
        }
        assert not [words for words in others if words.startswith("whispered") and words in text]


def is_secret(event: MarketEvent, me: str, mine: Container[str]) -> bool:
    """Whether ``me``, whose offers are ``mine``, may not know that this happened."""
    match event:
        case OfferMade(offer=offer):
            return offer.id not in mine
        case OfferClosed(offer=name):
            return name not in mine
        case Said(lab=lab, to=to):
            return bool(to) and me not in (lab, to)
        case JobsChanged(lab=lab):
            return lab != me
        case _:
            return False


def with_another_secret(event: MarketEvent, me: str) -> MarketEvent:
    """The same event where it differs in what ``me`` may not know."""
    match event:
        case TurnTaken(lab=lab) if lab != me:
            words = MarketAction("wait", message="other")
            return msgspec.structs.replace(event, action=words, why="another reason")
        case ActionRefused(lab=lab) if lab != me:
            return msgspec.structs.replace(event, code="failed_block", message="other")
        case JobRun(lab=lab, late=late) if lab != me:
            return msgspec.structs.replace(
                event, completion=0.123, late=not late, value=Cents(1), energy=Cents(2)
            )
        case TradeMade(contract=contract) if me not in (contract.sender, contract.target):
            return TradeMade(msgspec.structs.replace(contract, payment=Cents(99)))
        case _:
            return event


def with_other_secrets(log: tuple[MarketEvent, ...], me: str) -> tuple[MarketEvent, ...]:
    """The same log for ``me``: whatever it may not know is different, missing or more."""
    mine = {
        event.offer.id
        for event in log
        if isinstance(event, OfferMade) and me in (event.offer.sender, event.offer.target)
    }
    first, second, *_ = (number for number, name in enumerate(LAB_IDS) if name != me)
    whispered = an_offer(77, first, second)
    more: tuple[MarketEvent, ...] = (
        OfferMade(0, whispered),
        OfferClosed(0, whispered.id, "rejected"),
        Said(LAB_IDS[first], LAB_IDS[second], 0, "message", "psst"),
        JobsChanged(LAB_IDS[first], 0, (a_job(first),)),
    )
    changed: list[MarketEvent] = []
    for event in log:
        if not is_secret(event, me, mine):
            changed.append(with_another_secret(event, me))
        if isinstance(event, TurnTaken):
            changed += more
    return tuple(changed)


def with_other_sealed(scenario: MarketScenario, me: int | None) -> MarketScenario:
    sealed = scenario.sealed
    jobs = tuple(row if lab == me else (a_job(lab),) for lab, row in enumerate(sealed.jobs))
    budgets = tuple(
        money if lab == me else Cents(money + 1) for lab, money in enumerate(sealed.budgets)
    )
    changed = msgspec.structs.replace(
        sealed,
        seed=1,
        jobs=jobs,
        budgets=budgets,
        shocks=(),
        surge=(),
        spare=(),
        archetypes=("selfish",) * len(budgets),
    )
    return msgspec.structs.replace(scenario, sealed=changed, salt="other")


@pytest.mark.parametrize("number", EPISODES)
def test_what_is_hidden_changes_no_frame_and_no_number_before_the_end(number: int) -> None:
    state, log = a_log(number)
    scenario = state.scenario
    assert isinstance(log[-1], Ended)
    for lab in [None, *range(len(scenario.labs))]:
        viewer = Viewer("open") if lab is None else Viewer("lab", lab)
        other = with_other_secrets(log[:-1], "nobody" if lab is None else LAB_IDS[lab])
        assert isinstance(other[0], Opened)
        expected = shown(numbered(log[:-1]), facts_of(scenario), viewer)
        assert other != log[:-1]
        assert shown(numbered(other), facts_of(with_other_sealed(scenario, lab)), viewer) == (
            expected
        )


def kinds_of(frames: list[Frame], kind: str) -> list[Frame]:
    return [frame["event"] for frame in frames if frame["event"]["kind"] == kind]


@pytest.mark.parametrize("number", EPISODES)
def test_a_lab_is_told_whatever_its_observation_holds(number: int) -> None:
    for state, log in list(positions(number))[number % 4 : -1 : 4]:
        for lab in range(len(state.scenario.labs)):
            seen = observe(state, lab)
            frames = shown(numbered(log), facts_of(state.scenario), Viewer("lab", lab))
            offers = [one["offer"]["id"] for one in kinds_of(frames, "offer")]
            assert offers == [offer.id for offer in seen.offers]
            contracts = [one["contract"] for one in kinds_of(frames, "contract")]
            assert contracts == to_wire(seen.contracts)
            said = [one["text"] for one in kinds_of(frames, "said")]
            assert said[-20:] == [one.text for one in seen.messages]
            shocks = [one["shock"] for one in kinds_of(frames, "shock")]
            assert shocks == [one.shock for one in seen.shocks]
            jobs = {one["id"]: one for one in kinds_of(frames, "opened")[0]["jobs"]}
            for change in kinds_of(frames, "jobs"):
                jobs |= {one["id"]: one for one in change["jobs"]}
            for run in kinds_of(frames, "job"):
                if run["lab"] == LAB_IDS[lab]:
                    jobs[run["job"]] = {**jobs[run["job"]], "done": True}
            assert list(jobs.values()) == to_wire(seen.jobs)


def told(scenario: MarketScenario, log: tuple[MarketEvent, ...], lab: int) -> tuple[Answer, ...]:
    """How the page of a lab says that its offers were turned down."""
    facts, viewer = facts_of(scenario), Viewer("lab", lab)
    frames = shown(numbered(log), facts, viewer)
    return answers_of(Seen(MarketMatch(), viewer, facts, log, frames, {}), board_of(frames))


@pytest.mark.parametrize("number", EPISODES)
def test_a_reason_is_of_the_scripted_lab_that_was_asked_and_for_the_sender(number: int) -> None:
    for state, log in list(positions(number))[number % 3 : -1 : 3]:
        closed = {e.offer for e in log if isinstance(e, OfferClosed) and e.status == "rejected"}
        for lab in range(len(state.scenario.labs)):
            for answer in told(state.scenario, log, lab):
                offer = answer.offer
                assert (offer.sender, offer.target) == (LAB_IDS[lab], answer.lab)
                assert offer.id in closed
                # Of the labs of these episodes the second alone is scripted.
                assert (answer.why is not None) == (answer.lab == LAB_IDS[1])


def lost_bid(third: Archetype) -> tuple[State, tuple[MarketEvent, ...]]:
    """A round in which lab 0 bids too little to the house and to lab 1; lab 2 is scripted too."""
    blocks = [a_block(number, number // 2, start=4, duration=1) for number in range(6)]
    house = msgspec.structs.replace(a_block(6, start=2), owner="house")
    scenario = a_world(
        [*blocks, house],
        [[], [], []],
        labs=3,
        archetypes=["selfish", "selfish", third],
        offers=[an_offer(0, 0, 1, requested=("block_2",), payment=Cents(3_000))],
    )
    state, log = start(scenario)
    bid = MarketAction(
        "send_offer", target_lab_id="house", requested_block_ids=("block_6",), payment=Cents(2_000)
    )
    for action in (bid, None, None):
        state, more = advance(state) if action is None else apply(state, state.turn, action)
        log += more
    return state, log


def test_a_lost_bid_to_the_house_tells_nothing_of_the_lab_that_acted_last() -> None:
    heard = []
    thirds: tuple[Archetype, ...] = ("selfish", "cooperative")
    for third in thirds:
        state, log = lost_bid(third)
        bids = {e.offer.id for e in log if isinstance(e, OfferMade) and e.offer.target == "house"}
        closed = {e.offer for e in log if isinstance(e, OfferClosed) and e.status == "rejected"}
        assert "offer_0_house_0" in bids & closed
        heard.append([(one.lab, one.why) for one in told(state.scenario, log, 0)])
    assert heard == [[("lab_1", "far")]] * 2


def test_the_searches_above_find_something_to_hide() -> None:
    logs = [a_log(number)[1] for number in EPISODES]
    kinds = {type(event) for log in logs for event in log}
    assert {OfferMade, OfferClosed, JobsChanged, JobRun, TradeMade, ActionRefused} <= kinds
    assert any(isinstance(e, Said) and e.to for log in logs for e in log)
    assert any(
        "whispered" in e.offer.message for log in logs for e in log if isinstance(e, OfferMade)
    )
    assert any(
        told(state.scenario, log, 0) for number in EPISODES for state, log in positions(number)
    )
