"""Who answers a turn: order, gates, budgets, and a reason for everybody passed over."""

import asyncio
import time
from typing import NoReturn

import pytest

from agents.backends.base import BackendError, Chat, Message, Refused, TooSlow, Unreachable
from agents.gates.contract import Call, Settlement, Ticket
from agents.router import Answer, Ask, Router
from tests.support.scripted import OpenGates, ScriptedBackend

CHAT = Chat((Message("system", "be brief"), Message("user", "your move")), max_new_tokens=10)


def wanted(seconds: float = 5.0, only: tuple[str, ...] = ()) -> Ask:
    return Ask(CHAT, "203.0.113.7", time.monotonic() + seconds, only)


def passed(answer: Answer) -> list[tuple[str, str]]:
    return [(one.backend, one.why) for one in answer.passed_over]


async def test_the_first_of_the_order_answers() -> None:
    hf, local = ScriptedBackend("hf").enqueue("far"), ScriptedBackend("local").enqueue("near")
    answer = await Router([hf, local], OpenGates()).ask(wanted())
    assert (answer.text, answer.backend, answer.model) == ("far", "hf", "scripted")
    assert not answer.passed_over
    assert not local.asked


@pytest.mark.parametrize(
    "wrong", [Unreachable(), Refused(500), Refused(429, 3.0), TooSlow(), BackendError("cut-off")]
)
async def test_whoever_fails_is_passed_over_with_the_reason(wrong: BackendError) -> None:
    gates = OpenGates()
    hf, local = ScriptedBackend("hf").enqueue(wrong), ScriptedBackend("local").enqueue("near")
    answer = await Router([hf, local], gates).ask(wanted())
    assert (answer.text, answer.backend) == ("near", "local")
    assert passed(answer) == [("hf", wrong.code)]
    assert [(name, one.code, one.broken) for name, one in gates.settled] == [
        ("hf", wrong.code, True),
        ("local", "ok", False),
    ]


async def test_what_no_model_has_read_costs_nothing() -> None:
    gates = OpenGates()
    wrongs = (Unreachable(), Refused(429), Refused(404), Refused(500), TooSlow())
    hf = ScriptedBackend("hf", metered=True).enqueue(*wrongs)
    router = Router([hf], gates)
    for _ in wrongs:
        await router.ask(wanted())
    assert [one.cost_microusd for _, one in gates.settled] == [0, 0, 0, None, None]


async def test_tokens_of_a_backend_that_is_not_metered_cost_nothing(settings: object) -> None:
    settings.SAUDA_PRICES = {"in_usd": 1.0, "out_usd": 3.0}  # type: ignore[attr-defined]
    gates = OpenGates()
    await Router([ScriptedBackend("ollama").enqueue("near")], gates).ask(wanted())
    assert [one.cost_microusd for _, one in gates.settled] == [0]


async def test_a_closed_gate_means_the_next_backend_silently() -> None:
    gates = OpenGates().shut("hf", "daily-spend")
    hf, local = ScriptedBackend("hf", metered=True), ScriptedBackend("local").enqueue("near")
    answer = await Router([hf, local], gates).ask(wanted())
    assert answer.backend == "local"
    assert passed(answer) == [("hf", "gate-daily-spend")]
    assert not hf.asked


async def test_a_metered_call_reserves_what_it_can_cost_at_most(settings: object) -> None:
    settings.SAUDA_PRICES = {"in_usd": 1.0, "out_usd": 3.0}  # type: ignore[attr-defined]
    gates = OpenGates()
    hf = ScriptedBackend("hf", metered=True).enqueue("x" * 10)
    await Router([hf], gates).ask(wanted())
    (call,) = gates.admitted
    assert call.client == "203.0.113.7"
    assert call.prompt_chars == 17
    assert call.reserve_microusd >= 17 + 30
    ((_, settlement),) = gates.settled
    assert settlement.cost_microusd == 2 + 30
    assert settlement.cost_microusd <= call.reserve_microusd


async def test_what_the_first_leaves_is_all_that_the_next_may_use() -> None:
    gates = OpenGates()
    hf = ScriptedBackend("hf", pause_s=60, timeout_s=0.6).enqueue("too late")
    ollama = ScriptedBackend("ollama", pause_s=60, timeout_s=60).enqueue("too late")
    local = ScriptedBackend("local").enqueue("never asked")
    started = time.monotonic()
    answer = await Router([hf, ollama, local], gates).ask(wanted(1.0))
    assert time.monotonic() - started < 2.0
    assert answer.backend == ""
    assert passed(answer) == [("hf", "too-slow"), ("ollama", "too-slow"), ("local", "no-time-left")]
    assert not local.asked


async def test_a_backend_that_got_no_fair_share_of_time_is_not_blamed() -> None:
    gates = OpenGates()
    ollama = ScriptedBackend("ollama", pause_s=60, timeout_s=60).enqueue("too late")
    await Router([ollama], gates).ask(wanted(0.4))
    ((_, settlement),) = gates.settled
    assert (settlement.code, settlement.broken) == ("too-slow", False)


async def test_an_operator_can_force_one_backend() -> None:
    hf, local = ScriptedBackend("hf").enqueue("far"), ScriptedBackend("local").enqueue("near")
    answer = await Router([hf, local], OpenGates(), lambda: "local").ask(wanted())
    assert answer.backend == "local"
    assert passed(answer) == [("hf", "switched-off")]
    nobody = await Router([hf, local], OpenGates(), lambda: "rules").ask(wanted())
    assert nobody.backend == ""


async def test_a_visitor_hears_only_the_chosen_backend() -> None:
    hf, local = ScriptedBackend("hf").enqueue("far"), ScriptedBackend("local").enqueue("near")
    router = Router([hf, local], OpenGates())
    assert (await router.ask(wanted(only=("local",)))).backend == "local"
    assert router.awake(("hf",))
    assert not router.awake(("ollama",))


class BrokenGates:
    """Counters whose store is gone."""

    def admit(self, call: Call, now: float) -> NoReturn:
        raise ConnectionError("no counters")

    def settle(self, ticket: Ticket, settlement: Settlement, now: float) -> NoReturn:
        raise ConnectionError("no counters")


async def test_without_counters_nothing_that_costs_money_is_asked() -> None:
    hf = ScriptedBackend("hf", metered=True).enqueue("far")
    local = ScriptedBackend("local").enqueue("near")
    answer = await Router([hf, local], BrokenGates()).ask(wanted())
    assert answer.backend == "local"
    assert passed(answer) == [("hf", "gates-out-of-order")]
    assert not hf.asked


async def test_a_cancelled_turn_still_settles_its_call() -> None:
    gates = OpenGates()
    hf = ScriptedBackend("hf", metered=True, pause_s=60).enqueue("too late")
    task = asyncio.create_task(Router([hf], gates).ask(wanted(30)))
    await hf.was_asked.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert [(name, one.code, one.cost_microusd) for name, one in gates.settled] == [
        ("hf", "cancelled", None)
    ]


async def test_pieces_are_heard_and_begin_anew_with_the_next_backend() -> None:
    heard: list[str] = []

    def half(chat: Chat) -> str:
        raise BackendError("cut-off")

    hf = ScriptedBackend("hf").enqueue(half)
    local = ScriptedBackend("local", piece=2).enqueue("near")
    await Router([hf, local], OpenGates()).ask(wanted(), heard.append)
    assert heard == ["", "ne", "ar"]


async def test_closing_the_router_closes_its_backends() -> None:
    hf, local = ScriptedBackend("hf"), ScriptedBackend("local")
    await Router([hf, local], OpenGates()).close()
    assert hf.closed
    assert local.closed


async def test_a_choice_that_is_followed_is_not_read_again() -> None:
    hf, local = ScriptedBackend("hf"), ScriptedBackend("local").enqueue("near", "again")

    def read() -> NoReturn:
        raise AssertionError("It is known.")

    answer = await Router([hf, local], OpenGates(), read, lambda: "local").ask(wanted())
    assert passed(answer) == [("hf", "switched-off")]
    known: list[str | None] = [None]
    router = Router([hf, local], OpenGates(), lambda: "local", lambda: known[0])
    assert (await router.ask(wanted())).text == "again"
