"""Which model answers: a list of candidates, each behind its gates, inside one time budget.

The order is the operator's. Whoever is closed, slow or broken is passed over silently, with the
reason kept for the log; when nobody is left the caller's rules play.
"""

import asyncio
import logging
import time
from collections.abc import Callable, Sequence

import msgspec
from django.dispatch import Signal

from agents.backends.base import (
    Backend,
    BackendError,
    Chat,
    Completion,
    OnText,
    Refused,
    TooSlow,
    unheard,
)
from agents.gates.contract import Call, GateClosed, Gatekeeper, Settlement, Ticket
from agents.gates.ledger import cost_microusd, reserve_microusd
from agents.prompts.chats import PLAIN, Manner
from negotiation.policies import PassedOver
from negotiation.threads import in_thread

log = logging.getLogger(__name__)

call_settled = Signal()
"""A backend was asked, and how it went is known. Sent with its name, ``backend``, and the
``settlement``, on the event loop: a receiver must be quick."""

gate_refused = Signal()
"""A gate turned a call away. Sent with the names ``backend`` and ``gate``, as above."""

LEAST_S = 0.25

FAIR_SHARE = 0.5
"""A backend that got less than this part of its own time limit is not blamed for being slow."""

BLAMELESS = frozenset(
    {"busy", "loading", "not-started", "load-failed", "closed", "prompt-too-long"}
    | {"not-configured", "pool-timeout", "only-bargains", "no-such-model"}
    | {"shed", "away"}
)
"""Codes that say nothing about a backend's health on the next call."""


class Answer(msgspec.Struct, frozen=True):
    """What a model said ("" ``backend``: nobody did), and who was passed over before it."""

    text: str = ""
    backend: str = ""
    model: str = ""
    waited_ms: int = 0
    passed_over: tuple[PassedOver, ...] = ()
    manner: Manner = PLAIN


def unnoticed(manner: Manner) -> None:
    """Mind nothing."""


class Ask(msgspec.Struct, frozen=True):
    """A question on behalf of a client (its ``client_key``), useful until ``deadline`` (monotonic).

    ``only`` names the backends that may answer (empty: all); ``notice`` hears, before each is
    asked, how its answer is going to be taken.
    """

    chat: Chat
    client: str
    deadline: float
    only: tuple[str, ...] = ()
    notice: Callable[[Manner], None] = unnoticed


class Router:
    """Asks backends in order; ``forced``, which may block, names one that is wanted alone.

    ``followed`` knows that without blocking, or gives None.
    """

    def __init__(
        self,
        backends: Sequence[Backend],
        keeper: Gatekeeper,
        forced: Callable[[], str] = lambda: "",
        followed: Callable[[], str | None] = lambda: None,
    ) -> None:
        self.backends = tuple(backends)
        self._keeper = keeper
        self._forced = forced
        self._followed = followed

    def awake(
        self, only: tuple[str, ...] = (), *, bargains: bool = False, checkpoint: str = ""
    ) -> bool:
        """Whether anybody could be asked; ``bargains``: Sauda's turn, which small models know."""
        return any(
            takes(one, bargains=bargains, checkpoint=checkpoint) and (not only or one.name in only)
            for one in self.backends
        )

    async def ask(self, wanted: Ask, on_text: OnText = unheard) -> Answer:
        """Ask until somebody answers; never raises for a model's sake."""
        passed: list[PassedOver] = []
        forced = await self._forced_backend()
        chat = wanted.chat
        for backend in self.backends:
            if wanted.only and backend.name not in wanted.only:
                continue
            if not takes(backend, bargains=chat.seen is not None, checkpoint=chat.checkpoint):
                continue
            if forced and backend.name != forced:
                passed.append(PassedOver(backend.name, "switched-off"))
                continue
            started = time.monotonic()
            wanted.notice(_manner(backend, chat))
            try:
                completion = await self._try(backend, wanted, on_text)
            except (BackendError, GateClosed) as wrong:
                waited = round((time.monotonic() - started) * 1000)
                passed.append(PassedOver(backend.name, wrong.code, waited))
                on_text("")
                continue
            waited = round((time.monotonic() - started) * 1000)
            return Answer(
                completion.text,
                backend.name,
                completion.model,
                waited,
                tuple(passed),
                completion.manner,
            )
        return Answer(passed_over=tuple(passed))

    async def close(self) -> None:
        """Close all backends."""
        await asyncio.gather(*(backend.close() for backend in self.backends))

    async def _forced_backend(self) -> str:
        followed = self._followed()
        if followed is not None:
            return followed
        try:
            return await in_thread(self._forced)()
        # Without its switches the site goes on: the keeper itself refuses what costs money.
        except Exception:
            log.exception("the operator's switches cannot be read")
            return ""

    async def _try(self, backend: Backend, wanted: Ask, on_text: OnText) -> Completion:
        left = wanted.deadline - time.monotonic()
        if left < LEAST_S:
            raise TooSlow("no-time-left", asked=False)
        ticket = await self._admit(backend, wanted)
        started = time.monotonic()
        limit = min(left, backend.timeout_s)
        settlement = Settlement("cancelled", broken=False, latency_ms=0)
        try:
            async with asyncio.timeout(limit):
                completion = await backend.complete(wanted.chat, on_text)
            settlement = _success(completion, backend, started)
        except TimeoutError:
            settlement = _failure(TooSlow(), limit, backend, started)
            raise TooSlow from None
        except BackendError as wrong:
            settlement = _failure(wrong, limit, backend, started)
            raise
        finally:
            call_settled.send_robust(sender=None, backend=backend.name, settlement=settlement)
            await self._settle(ticket, settlement)
        return completion

    async def _admit(self, backend: Backend, wanted: Ask) -> Ticket | None:
        chat = wanted.chat
        call = Call(
            backend=backend.name,
            client=wanted.client,
            prompt_chars=chat.characters,
            metered=backend.metered,
            reserve_microusd=reserve_microusd(chat) if backend.metered else 0,
        )
        try:
            return await in_thread(self._keeper.admit)(call, time.time())
        except GateClosed as closed:
            gate_refused.send_robust(sender=None, backend=backend.name, gate=closed.gate)
            raise
        # Whatever is wrong with the counters: what costs money needs them, the rest does not.
        except Exception:
            log.exception("the gates are out of order")
            if backend.metered:
                raise BackendError("gates-out-of-order", asked=False) from None
            return None

    async def _settle(self, ticket: Ticket | None, settlement: Settlement) -> None:
        if ticket is None:
            return
        settling = asyncio.ensure_future(
            in_thread(self._keeper.settle)(ticket, settlement, time.time())
        )
        try:
            # A cancelled turn still pays for what it used.
            await asyncio.shield(settling)
        except Exception:
            log.exception("a call was not settled", extra={"call": ticket.number})


def takes(backend: Backend, *, bargains: bool, checkpoint: str = "") -> bool:
    """Whether a backend can be asked such a thing; one that does not say takes all chats."""
    own = getattr(backend, "takes", None)
    if own is not None:
        return bool(own(bargains=bargains, checkpoint=checkpoint))
    return backend.configured() and not checkpoint


def _manner(backend: Backend, chat: Chat) -> Manner:
    own: Callable[[Chat], Manner] | None = getattr(backend, "manner", None)
    return PLAIN if own is None else own(chat)


def _success(completion: Completion, backend: Backend, started: float) -> Settlement:
    return Settlement(
        "ok",
        broken=False,
        latency_ms=_ms_since(started),
        cost_microusd=cost_microusd(completion) if backend.metered else 0,
        prompt_tokens=completion.prompt_tokens,
        completion_tokens=completion.completion_tokens,
    )


def _failure(wrong: BackendError, limit: float, backend: Backend, started: float) -> Settlement:
    hurried = isinstance(wrong, TooSlow) and limit < FAIR_SHARE * backend.timeout_s
    return Settlement(
        wrong.code,
        broken=wrong.code not in BLAMELESS and not hurried,
        latency_ms=_ms_since(started),
        cost_microusd=None if _may_have_cost(wrong) else 0,
    )


def _may_have_cost(wrong: BackendError) -> bool:
    turned_away = isinstance(wrong, Refused) and wrong.status < 500
    return wrong.asked and not turned_away


def _ms_since(started: float) -> int:
    return round((time.monotonic() - started) * 1000)
