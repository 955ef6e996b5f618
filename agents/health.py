"""What the site says of its models: is anybody there, how fast, and which voices can be chosen."""

import asyncio
import time
from typing import Any

import msgspec
from asgiref.sync import sync_to_async
from django.conf import settings
from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from agents import asking
from agents.backends.base import Backend, BackendError
from agents.gates.report import BackendState, GatesState, GateState, state
from agents.plug import ANY_VOICE, VOICES, trained_voices
from negotiation.games.visitors import is_staff_with


class Sign(msgspec.Struct, frozen=True):
    """What a probe found: ``error`` is "" or a backend's error code."""

    model: str
    error: str
    at: float


_signs: dict[str, Sign] = {}
_probing: dict[str, "asyncio.Task[Sign]"] = {}


@require_safe
@never_cache
async def health(request: HttpRequest) -> JsonResponse:
    """Return the state of every backend and gate, to operators also how much was used."""
    staff = await sync_to_async(is_staff_with)(await request.auser(), "agents.view_switches")
    return JsonResponse(await report(staff=staff))


async def report(*, staff: bool = False) -> dict[str, Any]:
    """Return what ``/sauda/health`` tells; asks every backend for a sign of life."""
    seen, signs = await asyncio.gather(sync_to_async(state)(time.time()), _all_signs())
    return tell(seen, signs, staff=staff)


def glance() -> dict[str, Any]:
    """Return the same from what is known already, asking nobody; a dozen queries, it blocks."""
    backends = asking.router().backends
    signs = {one.name: _signs.get(one.name) or _unseen(one) for one in backends}
    return tell(state(time.time()), signs, staff=False)


def tell(seen: GatesState, signs: dict[str, Sign], *, staff: bool) -> dict[str, Any]:
    """Put what gates and backends say into the words of ``/sauda/health``."""
    known = {backend.name: backend for backend in seen.backends}
    told = [
        _backend(backend, signs[backend.name], known.get(backend.name), staff=staff)
        for backend in asking.router().backends
    ]
    ready = [one["name"] for one in told if one["ready"]]
    return {
        "speaking": (ready or ["rules"])[0],
        "order": list(settings.SAUDA_BACKENDS),
        "turn_budget_s": settings.SAUDA_TURN_BUDGET_S,
        "forced_backend": seen.forced_backend,
        "backends": told,
        "gates": [_gate(gate, seen, staff=staff) for gate in seen.gates],
    }


@require_safe
@never_cache
async def choices(request: HttpRequest) -> JsonResponse:
    """List the voices a visitor may choose, as names of policies."""
    seen, signs = await asyncio.gather(sync_to_async(state)(time.time()), _all_signs())
    known = {backend.name: backend for backend in seen.backends}
    free = {
        backend.name: _is_ready(backend, signs[backend.name], known.get(backend.name))
        for backend in asking.router().backends
    }
    told = [{"name": "any", "policy": ANY_VOICE, "title": "Sauda", "available": True}]
    told += [
        {
            "name": name,
            "policy": f"{ANY_VOICE}:{name}",
            "title": title,
            "available": name == "rules"
            or (free.get(name, False) and seen.forced_backend in ("", name)),
        }
        for name, title in VOICES.items()
    ]
    told += [
        {
            "name": entry.name,
            "policy": entry.name,
            "title": entry.title,
            "available": seen.forced_backend in ("", entry.backend),
        }
        for entry in await sync_to_async(trained_voices)()
    ]
    return JsonResponse({"results": told})


async def _all_signs() -> dict[str, Sign]:
    backends = asking.router().backends
    signs = await asyncio.gather(*(_sign(backend) for backend in backends))
    return dict(zip((backend.name for backend in backends), signs, strict=True))


async def _sign(backend: Backend) -> Sign:
    known = _signs.get(backend.name)
    # Kept for a while: looking at this page must not become a load on the models, nor wake one
    # that sleeps when nobody plays.
    lasts_s = getattr(backend, "sign_lasts_s", settings.SAUDA_PROBE_EVERY_S)
    if known is not None and time.monotonic() - known.at < lasts_s:
        return known
    probing = _probing.get(backend.name)
    if probing is None or probing.get_loop() is not asyncio.get_running_loop():
        probing = asyncio.create_task(_probe(backend))
        _probing[backend.name] = probing
        probing.add_done_callback(lambda _: _probing.pop(backend.name, None))
    # Whoever leaves must not take the sign from the others who wait for it.
    return await asyncio.shield(probing)


async def _probe(backend: Backend) -> Sign:
    if not backend.configured():
        return Sign("", "not-configured", time.monotonic())
    try:
        sign = Sign(await backend.probe(), "", time.monotonic())
    except BackendError as wrong:
        sign = Sign("", wrong.code, time.monotonic())
    _signs[backend.name] = sign
    return sign


def _unseen(backend: Backend) -> Sign:
    return Sign("", "unseen" if backend.configured() else "not-configured", 0.0)


def _is_ready(backend: Backend, sign: Sign, seen: BackendState | None) -> bool:
    return backend.configured() and not sign.error and (seen is None or seen.breaker != "open")


def _backend(
    backend: Backend, sign: Sign, seen: BackendState | None, *, staff: bool
) -> dict[str, Any]:
    told: dict[str, Any] = {
        "name": backend.name,
        "configured": backend.configured(),
        "reachable": not sign.error,
        "error": sign.error or None,
        "ready": _is_ready(backend, sign, seen),
        "metered": backend.metered,
        "timeout_s": backend.timeout_s,
    }
    if seen is not None:
        told["breaker"] = {
            "state": seen.breaker,
            "failures": seen.failures,
            "seconds_left": seen.seconds_left,
        }
        told["latency_ms"] = {"p50": seen.latency_p50_ms, "p95": seen.latency_p95_ms}
        told["last_error"] = seen.last_error
        told["last_error_at"] = seen.last_error_at
    if staff:
        told["model"] = sign.model
        told["calls_today"] = seen.calls_today if seen else 0
        told["microusd_today"] = seen.microusd_today if seen else 0
    return told


def _gate(gate: GateState, seen: GatesState, *, staff: bool) -> dict[str, Any]:
    told: dict[str, Any] = {"name": gate.name, "open": _is_open(gate, seen)}
    if staff:
        told |= {"limit": gate.limit, "used": gate.used, "trips": gate.trips}
        told["last_trip"] = gate.last_trip
    return told


def _is_open(gate: GateState, seen: GatesState) -> bool:
    if gate.name == "switched-off":
        return not seen.metered_closed
    if gate.name == "breaker":
        return not any(backend.breaker == "open" for backend in seen.backends)
    if gate.name in ("concurrency", "daily-calls", "daily-spend"):
        return gate.used is None or gate.limit is None or gate.used < gate.limit
    return True
