"""The one way from the rest of the room to a model: this process's router, as the settings say."""

import contextlib
import functools
import time
from collections.abc import Callable, Iterator
from contextvars import ContextVar

from django.conf import settings

from agents.backends.base import Backend, Chat, Message, OnText, unheard
from agents.chats import Manner
from agents.following import Follower
from agents.gates.keeper import gatekeeper
from agents.gates.switches import switches
from agents.router import Answer, Ask, Router, unnoticed
from negotiation.engine.observe import BuyerObservation


def chat_of(
    messages: tuple[Message, ...],
    seen: BuyerObservation | None = None,
    *,
    speak_only: bool = False,
    checkpoint: str = "",
) -> Chat:
    """Make a question of messages with the site's sampling settings.

    Args:
        messages: for models that read a chat.
        seen: the position behind them, where it is Sauda's turn: for models trained on another
            prompt.
        speak_only: words are wanted, no move.
        checkpoint: the trained model that is meant; "" for whichever speaks.
    """
    return Chat(
        messages, **settings.SAUDA_CHAT, seen=seen, speak_only=speak_only, checkpoint=checkpoint
    )


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
    notice: Callable[[Manner], None] = unnoticed,
) -> Answer:
    """Ask the first model that can answer, behind all gates.

    Args:
        chat: the question.
        client: ``client_key`` of whoever causes the call.
        deadline: moment of ``time.monotonic`` by which an answer is useful; a turn from now.
        on_text: hears the pieces of the answer.
        only: backends that may answer; empty: all.
        notice: hears, before each backend is asked, how its answer is going to be taken.
    """
    until = turn_deadline() if deadline is None else deadline
    return await _in_charge().ask(Ask(chat, client, until, only, notice), on_text)


async def ask_text(chat: Chat) -> str | None:
    """Ask on the site's own behalf (judges, scores); None when nobody answered."""
    answer = await ask(chat, "local")
    return answer.text if answer.backend else None


@functools.cache
def router() -> Router:
    """Give this process's router; its backends are made once."""
    return Router(backends(), gatekeeper(), _forced)


def warm_up() -> None:
    """Begin to load what takes long to load; called once when a server starts.

    From then on this process looks every few seconds which model the operator has chosen.
    """
    for backend in router().backends:
        start = getattr(backend, "start", None)
        if start is not None and backend.configured():
            start()
    if any(hasattr(backend, "take_up") for backend in router().backends):
        Follower(_forced).start()


@contextlib.contextmanager
def through(instead: Router) -> Iterator[None]:
    """Ask another router within the block, in this task alone: for reports and measurements."""
    token = _instead.set(instead)
    try:
        yield
    finally:
        _instead.reset(token)


def awake(only: tuple[str, ...] = (), *, bargains: bool = False, checkpoint: str = "") -> bool:
    """Tell whether any model could be asked; see ``Router.awake``."""
    return _in_charge().awake(only, bargains=bargains, checkpoint=checkpoint)


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
    hand = switches()
    take_up(hand.checkpoint)
    return str(hand.forced_backend)


def take_up(checkpoint: str) -> None:
    """Let a trained model speak in this process; "" gives the word back to the settings' model."""
    for backend in router().backends:
        taking = getattr(backend, "take_up", None)
        if taking is not None:
            taking(checkpoint)
