"""Who would serve Sauda's next turn, and how the gates stand: what anybody may know of it.

The page shows what is known already and waits for nobody; a fragment that it asks for later
(``look``) also knocks at every backend. What everybody may know is decided by ``agents.health``.
"""

from collections.abc import Callable
from typing import Any

import msgspec

from agents import health
from negotiation import ttl_cache

GLANCE_EVERY_S = 5.0
TRUSTED_S = 30.0
"""How long what a knock found is shown without knocking again."""

KNOCKED = "serving-knocked"

RULES = "rules"
METERED = ("switched-off", "concurrency", "daily-calls", "daily-spend")

WHAT: dict[str, str] = {
    "hf": "a large model at an inference endpoint",
    "ollama": "an open model through Ollama",
    "local": "a small model in the site’s own process",
    RULES: "the rule-made Sauda, who needs nobody",
}
GATES: dict[str, str] = {
    "prompt-size": "prompt size",
    "switched-off": "operator’s switch",
    "minute": "one visitor’s minute",
    "hour": "one visitor’s hour",
    "day": "one visitor’s day",
    "concurrency": "calls at once",
    "daily-calls": "calls today",
    "daily-spend": "money today",
    "breaker": "circuit breaker",
}


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
    found = _found_within(TRUSTED_S)
    return found or ttl_cache.cached("serving", GLANCE_EVERY_S, lambda: serving_of(health.glance()))


async def look() -> Serving:
    """Knock at the backends, unless somebody has just done it."""
    found = _found_within(GLANCE_EVERY_S)
    if found is None:
        found = serving_of(await health.report())
        ttl_cache.put(KNOCKED, found)
    return found


def _found_within(seconds: float) -> Serving | None:
    found: Serving | None = ttl_cache.get(KNOCKED)
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
    state = "speaks now" if rules_now else "always ready"
    lines.append(_Line(RULES, WHAT[RULES], "now" if rules_now else "ready", state, "", ""))
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
        tone, state = "now", "speaks now"
    elif may_serve(backend):
        tone, state = "ready", "ready"
    return _Line(
        name=name,
        what=WHAT.get(name, name),
        tone=tone,
        state=state,
        breaker=f"breaker {breaker}" if backend["configured"] and breaker else "",
        latency=f"half its answers within {p50} ms" if p50 is not None else "",
    )


def _why_away(backend: dict[str, Any], breaker: str) -> str:
    if not backend["configured"]:
        return "not set up here"
    if backend["error"] == "unseen":
        return "not asked yet"
    if backend["error"]:
        return "does not answer"
    return "left alone after failures" if breaker == "open" else "held back by a gate"


def _gate(told: dict[str, Any]) -> _Gate:
    return _Gate(GATES.get(told["name"], told["name"]), told["open"])
