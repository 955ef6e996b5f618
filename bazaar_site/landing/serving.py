"""Who would serve Sauda's next turn, and how the gates stand: what anybody may know of it.

The page shows what is known already and waits for nobody; a fragment that it asks for later
(``look``) also knocks at every backend. What everybody may know is decided by ``agents.health``.
"""

from collections.abc import Callable
from typing import Any

import msgspec
from django.utils.translation import gettext

from agents import health
from negotiation import ttl_cache
from negotiation.sentences import sentences

say = sentences(__file__)

GLANCE_EVERY_S = 5.0
TRUSTED_S = 30.0
"""How long what a knock found is shown without knocking again."""

KNOCKED = "serving-knocked"

RULES = "rules"
METERED = ("switched-off", "concurrency", "daily-calls", "daily-spend")

WHAT: dict[str, str] = {
    "hf": say.text("a_large_model_at_an_endpoint"),
    "ollama": say.text("an_open_model_through_ollama"),
    "local": say.text("a_small_model_inside_this_site"),
    RULES: say.text("sauda_by_plain_rules"),
}
GATES: dict[str, str] = say.texts("gates")


class _Line(msgspec.Struct, frozen=True):
    name: str
    what: str
    tone: str
    state: str
    breaker: str
    latency: str


class _Gate(msgspec.Struct, frozen=True):
    name: str
    is_open: bool


class Serving(msgspec.Struct, frozen=True):
    """The whole of it. ``speaking`` is who would serve a turn that begins now."""

    speaking: str
    lines: tuple[_Line, ...]
    gates: tuple[_Gate, ...]
    turn_budget_s: float

    @property
    def all_open(self) -> bool:
        """No gate is closed."""
        return all(gate.is_open for gate in self.gates)


def known() -> Serving:
    """Return what is known without asking anybody."""
    told = _found_within(TRUSTED_S)
    return serving_of(told or ttl_cache.cached("serving", GLANCE_EVERY_S, health.glance))


async def look() -> Serving:
    """Knock at the backends, unless somebody has just done it."""
    told = _found_within(GLANCE_EVERY_S)
    if told is None:
        told = await health.report()
        ttl_cache.put(KNOCKED, told)
    return serving_of(told)


def _found_within(seconds: float) -> dict[str, Any] | None:
    # Reports are kept and not their words: visitors may read different languages.
    found: dict[str, Any] | None = ttl_cache.get(KNOCKED)
    return found if ttl_cache.is_fresh(KNOCKED, seconds) else None


def serving_of(told: dict[str, Any]) -> Serving:
    """Make it of a health report as everybody gets it."""
    gates = {gate["name"]: gate for gate in told["gates"]}
    metered_open = all(gates[name]["open"] for name in METERED if name in gates)
    forced = told["forced_backend"]

    def may_serve(backend: dict[str, Any]) -> bool:
        return bool(
            backend["ready"]
            and forced in ("", backend["name"])
            and (metered_open or not backend["metered"])
        )

    able = [one["name"] for one in told["backends"] if may_serve(one)]
    speaking = (able or [RULES])[0]
    lines = [_line(one, speaking, may_serve) for one in told["backends"]]
    rules_now = speaking == RULES
    state = say("speaks_now") if rules_now else say("always_ready")
    lines.append(_Line(RULES, gettext(WHAT[RULES]), "now" if rules_now else "ready", state, "", ""))
    return Serving(
        speaking=speaking,
        lines=tuple(lines),
        gates=tuple(_gate(gate) for gate in told["gates"]),
        turn_budget_s=told["turn_budget_s"],
    )


def _line(
    backend: dict[str, Any], speaking: str, may_serve: Callable[[dict[str, Any]], bool]
) -> _Line:
    name = backend["name"]
    breaker = backend.get("breaker", {}).get("state", "")
    p50 = backend.get("latency_ms", {}).get("p50")
    tone, state = "away", _why_away(backend, breaker)
    if name == speaking:
        tone, state = "now", say("speaks_now")
    elif may_serve(backend):
        tone, state = "ready", say("ready")
    return _Line(
        name=name,
        what=gettext(WHAT[name]) if name in WHAT else name,
        tone=tone,
        state=state,
        breaker=_breaker_words(breaker) if backend["configured"] else "",
        latency=say("usually_within_ms_ms", ms=p50) if p50 is not None else "",
    )


def _breaker_words(state: str) -> str:
    return {"half-open": say("on_trial"), "open": say("at_rest")}.get(state, "")


def _why_away(backend: dict[str, Any], breaker: str) -> str:
    if not backend["configured"]:
        return say("not_set_up_here")
    if backend["error"] == "unseen":
        return say("not_asked_yet")
    if backend["error"]:
        return say("does_not_answer")
    return say("left_alone_after_failures") if breaker == "open" else say("held_back_by_a_gate")


def _gate(told: dict[str, Any]) -> _Gate:
    name = told["name"]
    return _Gate(say.of("gates", name) if name in GATES else name, told["open"])
