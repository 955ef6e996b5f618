"""Every error code: an invalid action moves nothing, costs reputation and uses the turn up."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from bazaarbatna.market import (
    CODES,
    FINISH,
    WAIT,
    Malformed,
    MarketAction,
    MarketClosed,
    NotYourTurn,
    State,
    apply,
    consider,
    read_action,
)
from bazaarbatna.market.actions import MAX_MESSAGE
from bazaarbatna.market.quantities import Cents
from bazaarbatna.market.scenario import MarketScenario
from tests.support.gpu_market import a_block, a_job, a_world, an_offer, begun, do, waiting_until

Case = tuple[Callable[[], State], MarketAction | Malformed]


def at(scenario: MarketScenario | None = None, *actions: MarketAction) -> Callable[[], State]:
    return lambda: do(begun(scenario or a_world()), *actions)


def block_is(status: str, **other: Any) -> Callable[[], State]:
    changed = msgspec.structs.replace(a_block(0), status=status, **other)
    return at(a_world([changed, a_block(1), a_block(2, 1), a_block(3, 1)]))


def offered(status: str) -> Callable[[], State]:
    return at(a_world(offers=[an_offer(offered=("block_2",), status=status)]))


def send(**fields: Any) -> MarketAction:
    usual = {"target_lab_id": "lab_1", "block_ids": ("block_0",)}
    return MarketAction("send_offer", **(usual | fields))


def run(*blocks: str, job: str = "job_0_0") -> MarketAction:
    return MarketAction("allocate_to_job", job_id=job, block_ids=blocks)


ACCEPT = MarketAction("accept_offer", offer_id="offer_1_0_0")
OWN = MarketAction("accept_offer", offer_id="offer_0_1_0")
FORM = MarketAction("form_coalition", target_lab_id="lab_1")
COMMIT = MarketAction("commit_to_coalition", coalition_id="coalition_0", block_ids=("block_0",))
JOIN = MarketAction("accept_offer", coalition_id="coalition_0")

CASES: list[tuple[str, Callable[[], State], MarketAction | Malformed]] = [
    ("malformed_action", at(), Malformed("not JSON")),
    ("malformed_action", at(), MarketAction("fly")),  # type: ignore[arg-type]
    ("malformed_action", at(), MarketAction("wait", message="x" * (MAX_MESSAGE + 1))),
    ("malformed_action", at(), MarketAction("wait", payment=1.5)),  # type: ignore[arg-type]
    ("malformed_action", at(), MarketAction("wait", payment=True)),  # type: ignore[arg-type]
    ("malformed_action", at(), MarketAction("wait", block_ids=["block_0"])),  # type: ignore[arg-type]
    ("malformed_action", at(), MarketAction("wait", block_ids=("block_0",) * 33)),
    ("malformed_action", at(), MarketAction("wait", job_id=None)),  # type: ignore[arg-type]
    ("malformed_action", at(), MarketAction("wait", conditions=("be nice",))),  # type: ignore[arg-type]
    ("malformed_action", at(), MarketAction("wait", conditions=([],))),  # type: ignore[arg-type]
    ("malformed_action", at(), MarketAction("send_message", message="  ")),
    ("unknown_lab", at(), send(target_lab_id="lab_4")),
    ("unknown_lab", at(), send(target_lab_id="house", block_ids=())),
    ("unknown_lab", at(), MarketAction("send_message", target_lab_id="me", message="Hello")),
    ("unknown_lab", at(), MarketAction("counter_pitch", message="We need these hours more.")),
    ("self_trade", at(), send(target_lab_id="lab_0")),
    ("negative_payment", at(), send(payment=Cents(-1))),
    ("budget_overspend", at(), send(payment=Cents(10_001))),
    ("unknown_block", at(), send(block_ids=("block_9",))),
    ("unknown_block", at(), run("block_99")),
    ("unowned_block", at(), send(block_ids=("block_2",))),
    ("unowned_block", at(), run("block_2")),
    ("unowned_block", at(), MarketAction("release_capacity", block_ids=("block_2",))),
    ("unavailable_block", block_is("reserved"), send()),
    ("unavailable_block", block_is("available", terms=("must_not_resell",)), send()),
    ("unavailable_block", lambda: waiting_until(begun(a_world()), 2), send()),
    ("unavailable_block", lambda: waiting_until(begun(a_world()), 2), run("block_0")),
    ("unavailable_block", at(), MarketAction("release_capacity", block_ids=("block_0",))),
    ("unavailable_block", block_is("available", terms=("coalition_only",)), run("block_0")),
    ("target_does_not_own_block", at(), send(requested_block_ids=("block_1",))),
    ("target_does_not_own_block", at(a_world(offers=[an_offer(offered=("block_1",))])), ACCEPT),
    ("unknown_offer", at(), ACCEPT),
    ("unknown_offer", at(a_world(labs=3, offers=[an_offer(target=2)])), ACCEPT),
    ("inactive_offer", offered("rejected"), ACCEPT),
    ("inactive_offer", offered("countered"), MarketAction("counter_offer", offer_id="offer_1_0_0")),
    ("expired_offer", offered("expired"), ACCEPT),
    ("not_offer_recipient", at(None, send(), WAIT), OWN),
    ("coalitions_disabled", at(a_world(coalitions=False)), FORM),
    ("coalitions_disabled", at(a_world(coalitions=False)), COMMIT),
    ("coalitions_disabled", at(a_world(coalitions=False)), JOIN),
    ("invalid_coalition_target", at(), MarketAction("form_coalition", target_lab_id="lab_0")),
    (
        "invalid_coalition_target",
        at(None, FORM, WAIT),
        MarketAction("form_coalition", target_lab_id="lab_1", coalition_id="coalition_0"),
    ),
    ("unknown_coalition", at(), COMMIT),
    ("unknown_coalition", lambda: waiting_until(do(begun(a_world()), FORM), 5), COMMIT),
    ("not_coalition_member", at(None, FORM), COMMIT),
    ("not_coalition_member", at(None, FORM, WAIT), JOIN),
    ("failed_block", block_is("failed"), send()),
    ("failed_block", block_is("failed"), run("block_0")),
    ("unknown_job", at(), run("block_0", job="job_1_0")),
    ("job_completed", at(None, run("block_0"), WAIT), run("block_1")),
    ("empty_block_list", at(), send(block_ids=())),
    ("empty_block_list", at(), run()),
    ("empty_block_list", at(), MarketAction("reserve_capacity")),
    ("empty_block_list", at(), MarketAction("release_capacity")),
    (
        "empty_block_list",
        at(None, FORM, WAIT),
        MarketAction("commit_to_coalition", coalition_id="coalition_0"),
    ),
    ("duplicate_allocation", at(), run("block_0", "block_0")),
    (
        "duplicate_allocation",
        at(a_world(jobs=[[a_job(), a_job(0, 1)], []]), run("block_0"), WAIT),
        run("block_0", job="job_0_1"),
    ),
    ("low_reliability", at(a_world(jobs=[[a_job(min_reliability=0.99)], []])), run("block_0")),
    ("insufficient_capacity", at(a_world(jobs=[[a_job(hours=8)], []])), run("block_0")),
    ("insufficient_capacity", lambda: waiting_until(begun(a_world()), 1), run("block_0")),
    ("empty_pitch", at(), MarketAction("make_pitch", message="Me first!")),
    ("empty_pitch", at(), MarketAction("counter_pitch", target_lab_id="lab_1", message=" " * 40)),
]


@pytest.mark.parametrize(("code", "position", "action"), CASES)
def test_an_invalid_action_moves_nothing_but_reputation(
    code: str, position: Callable[[], State], action: MarketAction | Malformed
) -> None:
    before = position()
    lab = before.turn
    after, events = apply(before, lab, action)
    result = after.results[lab]
    assert result is not None
    assert (result.ok, result.code) == (False, code)
    assert result.message
    assert [type(event).__name__ for event in events][:2] == ["TurnTaken", "ActionRefused"]
    assert consider(before, lab, action) == result
    for name in ("blocks", "budgets", "jobs", "offers", "contracts", "coalitions", "said"):
        if after.round == before.round:
            assert getattr(after, name) == getattr(before, name)
    assert after.reputations[lab] == pytest.approx(before.reputations[lab] - 0.03)
    assert after.turn != before.turn


def test_every_code_has_a_case() -> None:
    assert {code for code, _, _ in CASES} | {"episode_done"} == set(CODES)


def test_after_the_end_nobody_acts() -> None:
    state = waiting_until(begun(a_world()), 99)
    result = consider(state, 0, WAIT)
    assert (result.ok, result.code) == (False, "episode_done")
    with pytest.raises(MarketClosed):
        apply(state, 0, WAIT)


def test_who_has_finished_is_done() -> None:
    state = do(begun(a_world()), FINISH)
    assert consider(state, 0, WAIT).code == "episode_done"


def test_only_the_lab_whose_turn_it_is_acts() -> None:
    with pytest.raises(NotYourTurn):
        apply(begun(a_world()), 1, WAIT)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"[]",
        "nonsense",
        b"\xff",
        '{"action": 5}',
        '{"action": "wait", "colour": "red"}',
        '{"action": "send_offer", "payment": "much"}',
        '{"action": "send_offer", "payment": 1e999}',
        '{"action": "send_offer", "payment": NaN}',
        '{"action": "wait", "message": "%s"}' % ("x" * 501),
        '{"action": "wait", "block_ids": [1]}',
        '{"action": "wait", "conditions": ["be_nice"]}',
        {"action": "wait", "payment": float("nan")},
        {"action": "wait", "payment": 1e300},
        {1: 2},
    ],
)
def test_what_is_no_action_is_malformed(data: Any) -> None:
    read = read_action(data)
    assert isinstance(read, Malformed)
    assert read.why


def test_an_action_is_read_from_json_with_credits() -> None:
    read = read_action(
        '{"action": "send_offer", "target_lab_id": "lab_1", "block_ids": ["block_0"],'
        ' "requested_block_ids": null, "payment": 4.5, "conditions": ["must_not_resell"]}'
    )
    assert read == MarketAction(
        "send_offer",
        target_lab_id="lab_1",
        block_ids=("block_0",),
        payment=Cents(450),
        conditions=("must_not_resell",),
    )
