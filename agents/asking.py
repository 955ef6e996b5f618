"""The one way from the rest of the room to a model: this process's router, as the settings say."""

import contextlib
import functools
import time
from collections.abc import Iterator
from contextvars import ContextVar

from django.conf import settings

from agents.backends.base import Backend, Chat, Message, OnText, unheard
from agents.gates.keeper import gatekeeper
from agents.gates.switches import switches
from agents.router import Answer, Ask, Router


def chat_of(messages: tuple[Message, ...]) -> Chat:
    """Make a question of messages with the site's sampling settings."""
    return Chat(messages, **settings.SAUDA_CHAT)


def turn_deadline() -> float:
    """Give the moment (``time.monotonic``) until which a turn that starts now may wait."""
    return time.monotonic() + float(settings.SAUDA_TURN_BUDGET_S)


async def ask(
    chat: Chat,
    client: str,
    *,
    deadline: float | None = None,
    on_text: OnText = unheard,
    only: tuple[str, ...] = (),
) -> Answer:
    """Ask the first model that can answer, behind all gates.

    Args:
        chat: the question.
        client: ``client_key`` of whoever causes the call.
        deadline: moment of ``time.monotonic`` by which an answer is useful; a turn from now.
        on_text: hears the pieces of the answer.
        only: backends that may answer; empty: all.
    """
    until = turn_deadline() if deadline is None else deadline
    return await _in_charge().ask(Ask(chat, client, until, only), on_text)


async def ask_text(chat: Chat) -> str | None:
    """Ask on the site's own behalf (judges, scores); None when nobody answered."""
    answer = await ask(chat, "local")
    return answer.text if answer.backend else None


@functools.cache
def router() -> Router:
    """Give this process's router; its backends are made once."""
    return Router(backends(), gatekeeper(), _forced)


def warm_up() -> None:
    """Begin to load what takes long to load; called once when a server starts."""
    for backend in router().backends:
        start = getattr(backend, "start", None)
        if start is not None and backend.configured():
            start()


@contextlib.contextmanager
def through(instead: Router) -> Iterator[None]:
    """Ask another router within the block, in this task alone: for reports and measurements."""
    token = _instead.set(instead)
    try:
        yield
    finally:
        _instead.reset(token)


def awake(only: tuple[str, ...] = ()) -> bool:
    """Tell whether any model is configured."""
    return _in_charge().awake(only)


def backends() -> list[Backend]:
    """Make the configured backends in the operator's order; rules are no backend."""
    made = []
    for name in settings.SAUDA_BACKENDS:
        maker = _MAKERS.get(name)
        if maker is not None:
            made.append(maker())
    return made


_instead: ContextVar[Router | None] = ContextVar("instead", default=None)


def _in_charge() -> Router:
    return _instead.get() or router()


def _hf() -> Backend:
    from agents.backends.hf import HfBackend

    return HfBackend.from_settings()


def _ollama() -> Backend:
    from agents.backends.ollama import OllamaBackend

    return OllamaBackend.from_settings()


def _local() -> Backend:
    from agents.backends.local.backend import LocalBackend

    return LocalBackend.from_settings()


_MAKERS = {"hf": _hf, "ollama": _ollama, "local": _local}


def _forced() -> str:
    return str(switches().forced_backend)
