"""The table of what each audience sees of a market, cell by cell."""

from typing import Any, get_args

import pytest

from arena.gpu_market.web.visibility import (
    AUDIENCES,
    VISIBLE,
    Facts,
    Frame,
    Viewer,
    shown,
)
from arena.gpu_market.web.wire import MONEY, to_wire
from bazaarbatna.market import MarketAction, MarketEvent
from bazaarbatna.market.blocks import Block, Contract
from bazaarbatna.market.events import (
    ActionRefused,
    Answered,
    BlocksReleased,
    BlocksReserved,
    CoalitionEnded,
    Committed,
    Ended,
    Invited,
    JobRun,
    JobsChanged,
    LabFinished,
    OfferClosed,
    OfferMade,
    Opened,
    PromiseBroken,
    RoundBegan,
    Said,
    Settled,
    ShockStruck,
    TradeMade,
    TurnTaken,
)
from bazaarbatna.market.quantities import Cents
from negotiation.games.event_log import kind_of
from tests.support.gpu_market import a_block, a_job, a_world, an_offer

WORLD = a_world(labs=3, budgets=[10_050, 7_000, 8_000])
PEOPLE = Facts(WORLD, ("person", "archetype", "person"), "m1")
DEMO = Facts(WORLD, ("rule_expert", "archetype", "archetype"), "m1")

CAST: dict[str, tuple[Facts, Viewer]] = {
    "demo": (DEMO, Viewer("open")),
    "spectator": (PEOPLE, Viewer("open")),
    "own": (PEOPLE, Viewer("lab", 0)),
    "other": (PEOPLE, Viewer("lab", 2)),
    "replay": (PEOPLE, Viewer("replay")),
}
"""Who looks: a demo's spectator, one of a match with people, lab_0 that did it, lab_2, a reader."""

OPENED = Opened("coalition_market", 6, WORLD.labs, WORLD.blocks, True, "promise")
OFFER = an_offer(0, sender=1, target=0, payment=Cents(1234), message="between us")
CONTRACT = Contract("offer_1_0_0", 0, "lab_1", "lab_0", ("block_2",), (), (), Cents(1234))
RESULTS = (Settled("lab_0", 5_025, 1, 1, Cents(9_999), 0),)

EVENTS: tuple[MarketEvent, ...] = (
    OPENED,
    TurnTaken("lab_0", 0, MarketAction("wait", payment=Cents(250)), why=""),
    ActionRefused("lab_0", 0, "budget_overspend", "You have 100.5 credits."),
    OfferMade(0, OFFER),
    OfferClosed(1, "offer_1_0_0", "rejected"),
    TradeMade(CONTRACT),
    BlocksReserved("lab_0", 1, ("block_0",)),
    BlocksReleased("lab_0", 1, ("block_0",)),
    Invited(1, "coalition_0", "lab_0", "lab_1", "a pool"),
    Answered(1, "coalition_0", "lab_1", consents=True),
    Committed(1, "coalition_0", "lab_0", ("block_0",)),
    CoalitionEnded(5, "coalition_0", "none"),
    PromiseBroken("lab_0", 1, ("block_0",), "coalition_0"),
    JobRun("lab_0", 1, "job_0_0", ("block_1",), 4, 0.5, True, Cents(2_100), Cents(800)),
    Said("lab_0", "lab_1", 1, "message", "for you alone"),
    ShockStruck(1, "energy_spike", (a_block(0),)),
    JobsChanged("lab_0", 1, (a_job(0),)),
    RoundBegan(2, (0.65, 0.5, 0.7)),
    LabFinished("lab_0", 2),
    Ended(6, RESULTS, WORLD.sealed, "salt"),
)

FREE = ("demo", "spectator", "own", "other", "replay")
SIDES = ("demo", "own", "replay")
OWN = ("own", "replay")

CARD = {"round", "offer"}
SEEN: dict[str, dict[frozenset[str], tuple[str, ...]]] = {
    "opened": {
        frozenset({"task", "rounds", "labs", "blocks", "coalitions", "commitment", "reward"}): (
            "demo",
            "spectator",
        ),
        frozenset(
            {"task", "rounds", "labs", "blocks", "coalitions", "commitment", "reward"}
            | {"lab", "budget", "jobs"}
        ): ("own", "other"),
        frozenset(
            {"task", "rounds", "labs", "blocks", "coalitions", "commitment", "reward", "opened"}
        ): ("replay",),
    },
    "turn": {
        frozenset({"lab", "round", "scripted"}): ("demo", "spectator", "other"),
        frozenset({"lab", "round", "scripted", "action", "why"}): OWN,
    },
    "refused": {
        frozenset({"lab", "round"}): ("demo", "spectator", "other"),
        frozenset({"lab", "round", "code", "message"}): OWN,
    },
    "offer": {frozenset(CARD): SIDES},
    "offer_closed": {frozenset({"round", "offer", "status"}): SIDES},
    "contract": {frozenset({"contract"}): FREE},
    "reserved": {frozenset({"lab", "round", "blocks"}): FREE},
    "released": {frozenset({"lab", "round", "blocks"}): FREE},
    "invited": {frozenset({"round", "coalition", "by", "lab", "purpose"}): FREE},
    "answered": {frozenset({"round", "coalition", "lab", "consents"}): FREE},
    "committed": {frozenset({"round", "coalition", "lab", "blocks"}): FREE},
    "coalition_ended": {frozenset({"round", "coalition", "breach"}): FREE},
    "breach": {frozenset({"lab", "round", "blocks", "coalition", "excused"}): FREE},
    "job": {
        frozenset({"lab", "round", "job", "blocks", "hours"}): ("demo", "spectator", "other"),
        frozenset(
            {"lab", "round", "job", "blocks", "hours", "completion", "late", "value", "energy"}
        ): OWN,
    },
    "said": {frozenset({"lab", "to", "round", "speech", "text"}): OWN},
    "shock": {frozenset({"round", "shock", "blocks"}): FREE},
    "jobs": {frozenset({"lab", "round", "jobs"}): OWN},
    "round": {frozenset({"round", "reputations"}): FREE},
    "finished": {frozenset({"lab", "round"}): FREE},
    "ended": {
        frozenset(
            {"round", "results", "opened", "salt", "commitment", "committed_text", "replay"}
        ): FREE
    },
}
"""Kind -> which fields, by whom of the cast; who is named nowhere is sent no such frame."""


def look(who: str, *events: MarketEvent) -> list[Frame]:
    facts, viewer = CAST[who]
    return shown(list(enumerate(events, start=1)), facts, viewer)


def events_of(who: str, kind: str) -> list[dict[str, Any]]:
    return [frame["event"] for frame in look(who, *EVENTS) if frame["event"]["kind"] == kind]


def test_the_table_has_a_cell_for_every_kind_and_audience() -> None:
    kinds = {kind.__struct_config__.tag for kind in get_args(MarketEvent)}
    assert set(VISIBLE) == kinds == set(SEEN) == {kind_of(event) for event in EVENTS}
    assert all(set(row) == set(AUDIENCES) for row in VISIBLE.values())


@pytest.mark.parametrize("who", CAST)
@pytest.mark.parametrize("kind", SEEN)
def test_each_cell_shows_the_fields_it_should(kind: str, who: str) -> None:
    expected = [fields for fields, cast in SEEN[kind].items() if who in cast]
    assert [set(event) - {"kind"} for event in events_of(who, kind)] == expected


def test_the_opening_names_who_plays_and_opens_ones_own_affairs_alone() -> None:
    mine, theirs = events_of("own", "opened")[0], events_of("other", "opened")[0]
    assert (mine["lab"], mine["budget"]) == ("lab_0", 100.5)
    assert [job["id"] for job in mine["jobs"]] == ["job_0_0"]
    assert (theirs["lab"], theirs["budget"]) == ("lab_2", 80.0)
    assert [lab["plays"] for lab in mine["labs"]] == ["person", "archetype", "person"]
    assert [lab.get("you", False) for lab in mine["labs"]] == [True, False, False]
    assert not any("you" in lab for lab in events_of("demo", "opened")[0]["labs"])


@pytest.mark.parametrize(("who", "is_told"), [(w, w in SIDES) for w in FREE])
def test_a_contract_tells_the_payment_to_its_sides(who: str, is_told: bool) -> None:
    contract = events_of(who, "contract")[0]["contract"]
    assert contract["payment"] == (12.34 if is_told else None)
    assert contract["given"] == ["block_2"]


@pytest.mark.parametrize("who", CAST)
def test_words_to_all_are_heard_by_all(who: str) -> None:
    pitch = Said("lab_1", "", 1, "pitch", "our paper is due in round 4")
    assert look(who, OPENED, pitch)[1]["event"]["text"] == pitch.text


def test_an_offer_and_its_end_are_known_to_both_sides() -> None:
    for number in (0, 1):
        viewer = Viewer("lab", number)
        frames = shown(
            [(1, OfferMade(0, OFFER)), (2, OfferClosed(1, "offer_1_0_0", "expired"))],
            PEOPLE,
            viewer,
        )
        assert [frame["event"]["kind"] for frame in frames] == ["offer", "offer_closed"]
        assert frames[0]["event"]["offer"]["payment"] == 12.34


def test_a_live_viewer_counts_its_own_frames_and_a_reader_those_of_the_log() -> None:
    for who in FREE:
        numbers = [frame["seq"] for frame in look(who, *EVENTS)]
        assert numbers == list(range(1, len(numbers) + 1))
    assert len(look("replay", *EVENTS)) == len(EVENTS)
    assert len(look("spectator", *EVENTS)) == len(EVENTS) - 4
    later = shown([(40, BlocksReserved("lab_0", 1, ()))], PEOPLE, Viewer("replay"))
    assert later[0]["seq"] == 40


def test_a_spectator_who_claims_a_lab_stays_a_spectator() -> None:
    claimed = shown(list(enumerate(EVENTS, start=1)), PEOPLE, Viewer("open", 0))
    assert claimed == look("spectator", *EVENTS)


def test_the_end_opens_everything_and_can_be_checked() -> None:
    for who in FREE:
        ended = events_of(who, "ended")[0]
        assert ended["opened"]["budgets"] == [100.5, 70.0, 80.0]
        assert ended["results"][0]["utility"] == 50.25
        assert ended["commitment"] == "promise"
        assert ended["committed_text"].startswith("salt:{")
        assert ended["replay"] == "/market/m1/"


def test_every_amount_of_money_leaves_in_credits() -> None:
    hints = {"energy", "base_value", "payment", "value", "utility", "budget", "budgets"}
    for event in (*EVENTS, OFFER, CONTRACT, a_job(), WORLD.sealed):
        named = set(event.__struct_fields__) & hints
        assert named == set(MONEY.get(type(event), ())), type(event)
    assert to_wire(a_block(0, energy=Cents(199)))["energy"] == 1.99
    assert MONEY[Block] == {"energy"}
