"""The one way from the rest of the room to a model: this process's router, as the settings say."""

import atexit
import contextlib
import functools
import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextvars import ContextVar

from django.conf import settings
from django.db import connections
from django.utils.module_loading import import_string

from agents.backends.base import Backend, Chat, Message, OnText, unheard
from agents.gates.keeper import gatekeeper
from agents.gates.switches import switches
from agents.prompts.chats import Manner
from agents.router import Answer, Ask, Router, unnoticed
from bazaarbatna.bargain.moves import Move
from bazaarbatna.bargain.observe import BuyerObservation
from bazaarbatna.lazily import make_all
from negotiation.policies import Entry, PassedOver, Played, Request

log = logging.getLogger(__name__)

EVERY_S = 2.0


class _Follower:
    """Reads the operator's choice every ``EVERY_S`` seconds on a thread of its own."""

    def __init__(self, look: Callable[[], str]) -> None:
        self._look = look
        self._seen: tuple[float, str] | None = None
        self._ended = threading.Event()
        self._troubled = False
        self._thread = threading.Thread(target=self._live, name="sauda-follows", daemon=True)

    def start(self) -> None:
        atexit.register(self.stop)
        self._thread.start()

    def stop(self) -> None:
        self._ended.set()
        self._thread.join(EVERY_S)

    def latest(self) -> str | None:
        """Return what was read last, unless that is long ago."""
        seen = self._seen
        is_fresh = seen is not None and time.monotonic() - seen[0] < 2 * EVERY_S
        return seen[1] if seen is not None and is_fresh else None

    def _live(self) -> None:
        while not self._ended.wait(EVERY_S):
            try:
                self._seen = time.monotonic(), self._look()
                self._troubled = False
            # A site without its database stays up and says so elsewhere; once is enough here.
            except Exception:
                if not self._troubled:
                    log.exception("the operator's switches cannot be read")
                self._troubled = True
                connections.close_all()
        connections.close_all()


def chat_of(
    messages: tuple[Message, ...],
    seen: BuyerObservation | None = None,
    *,
    speak_only: bool = False,
    checkpoint: str = "",
    since: float = 0.0,
) -> Chat:
    """Make a question of messages, or of the position ``seen`` where it is Sauda's turn."""
    return Chat(
        messages,
        **settings.SAUDA_CHAT,
        seen=seen,
        speak_only=speak_only,
        checkpoint=checkpoint,
        since=since,
    )


def turn_deadline() -> float:
    """Return the moment (``time.monotonic``) until which a turn that starts now may wait."""
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

    ``client`` is the ``client_key`` of whoever causes the call; ``deadline`` a moment of
    ``time.monotonic``; ``only`` names backends (empty: all); ``notice`` hears, before each is
    asked, how its answer is going to be taken.
    """
    until = turn_deadline() if deadline is None else deadline
    return await _in_charge().ask(Ask(chat, client, until, only, notice), on_text)


async def ask_text(chat: Chat) -> str | None:
    """Ask on the site's own behalf (judges, scores); None when nobody answered."""
    answer = await ask(chat, "local")
    return answer.text if answer.backend else None


@functools.cache
def router() -> Router:
    """Return this process's router; its backends are made once."""
    return Router(backends(), gatekeeper(), _forced, _followed)


def warm_up() -> None:
    """Begin to load what speaking needs, and to follow the operator; once, when a server starts."""
    # No daemon: a process that ends at once waits, instead of ending in the middle of C code.
    threading.Thread(target=make_all, name="tables of words").start()
    for backend in router().backends:
        start = getattr(backend, "start", None)
        if start is not None and backend.configured():
            start()
    if any(hasattr(backend, "take_up") for backend in router().backends):
        _followers[:] = [_Follower(_forced)]
        _followers[0].start()


@contextlib.contextmanager
def through(instead: Router) -> Iterator[None]:
    """Ask another router within the block, in this task alone: for reports and measurements."""
    token = _instead.set(instead)
    try:
        yield
    finally:
        _instead.reset(token)


def awake(only: tuple[str, ...] = (), *, bargains: bool = False, checkpoint: str = "") -> bool:
    """Whether any model could be asked; see ``Router.awake``."""
    return _in_charge().awake(only, bargains=bargains, checkpoint=checkpoint)


BACKENDS = {
    "hf": "hf.HfBackend",
    "ollama": "ollama.OllamaBackend",
    "local": "local.backend.LocalBackend",
}
"""Where each backend lives: what it needs is imported where it is wanted."""


def backends() -> list[Backend]:
    """Make the configured backends in the operator's order; rules are no backend."""
    wanted = [BACKENDS[name] for name in settings.SAUDA_BACKENDS if name in BACKENDS]
    return [import_string(f"agents.backends.{one}").from_settings() for one in wanted]


_instead: ContextVar[Router | None] = ContextVar("instead", default=None)


def _in_charge() -> Router:
    return _instead.get() or router()


def _forced() -> str:
    hand = switches()
    take_up(hand.checkpoint)
    return str(hand.forced_backend)


_followers: list[_Follower] = []


def _followed() -> str | None:
    return _followers[0].latest() if _followers else None


def take_up(checkpoint: str) -> None:
    """Let a trained model speak in this process; "" gives the word back to the settings' model."""
    for backend in router().backends:
        taking = getattr(backend, "take_up", None)
        if taking is not None:
            taking(checkpoint)


def by_rules(entry: Entry, request: Request, answer: Answer) -> Played:
    """Play a turn by the plain form of a policy."""
    player, seen = entry.make(request.seed), request.observation
    made: Move | str = player.reply(seen) if request.speak_only else player.act(seen)
    passed = answer.passed_over
    if answer.backend:
        passed += (PassedOver(answer.backend, "unreadable", answer.waited_ms),)
    return Played(made, entry.backend, entry.version, passed)
