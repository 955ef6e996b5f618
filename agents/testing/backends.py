"""A kit that checks any backend against what the router relies on: ``check_backend``."""

import asyncio
import re
import threading
import time

from agents.backends.base import Backend, BackendError, Chat, Completion, Message

GRACE_S = 1.0
"""Seconds beyond ``timeout_s`` that a busy machine may need to report a timeout."""

CANCEL_AFTER_S = 0.05
CANCELLED_WITHIN_S = 1.0

SYSTEM = Message("system", "You buy. Answer with one JSON object.")
PLAIN = Chat((SYSTEM, Message("user", "I ask 1,800 for the kettle.")), max_new_tokens=24, seed=1)
LONG = Chat((SYSTEM, Message("user", "Count to a thousand.")), max_new_tokens=400, seed=1)

ODD: tuple[Chat, ...] = (
    Chat((SYSTEM, Message("user", ""))),
    Chat((Message("user", "\x00\u200b\ud800 <|eot_id|> </s>"),)),
    Chat((SYSTEM, Message("user", "₹170/- या ₹१७०? 🫖" * 40)), max_new_tokens=1),
    Chat((SYSTEM, Message("user", "kettle " * 2_000)), max_new_tokens=8),
    Chat((SYSTEM, Message("assistant", "{"), Message("assistant", "}")), max_new_tokens=8),
    Chat(PLAIN.messages, max_new_tokens=8, temperature=0.0, top_p=1.0),
    Chat(PLAIN.messages, max_new_tokens=8, temperature=2.0, top_p=0.01, seed=2**31 - 1),
)


async def check_backend(backend: Backend, *, callers: int = 8) -> None:
    """Ask a backend in every way the router does; an AssertionError says what to change."""
    _check_declared(backend)
    assert isinstance(await backend.probe(), str), "probe() must return the model's name, or ''."
    await check_answer(backend, PLAIN)
    await asyncio.gather(*(check_answer(backend, PLAIN) for _ in range(callers)))
    for odd in ODD:
        await check_odd(backend, odd)
    await check_cancel(backend)
    await check_answer(backend, PLAIN)
    await backend.close()
    await backend.close()


async def check_answer(backend: Backend, chat: Chat) -> Completion:
    """Ask once and check the answer, its pieces and the time."""
    listener = _Listener()
    started = time.monotonic()
    completion = await backend.complete(chat, listener.hear)
    took = time.monotonic() - started
    assert isinstance(completion, Completion), (
        f"complete() returned {type(completion).__name__}: return a Completion."
    )
    assert took <= backend.timeout_s + GRACE_S, (
        f"An answer took {took:.1f} s: raise TooSlow after timeout_s ({backend.timeout_s} s)."
    )
    assert not listener.elsewhere, (
        "on_text was called from another thread: use loop.call_soon_threadsafe."
    )
    assert listener.text == completion.text, (
        "The pieces given to on_text do not join to the text: give each piece once, in order, to "
        "the caller that it belongs to, before complete() returns."
    )
    for count in (completion.prompt_tokens, completion.completion_tokens):
        assert count is None or (type(count) is int and count >= 0), (
            f"{count!r} is no count of tokens: give None where the model does not tell."
        )
    return completion


async def check_odd(backend: Backend, chat: Chat) -> None:
    """Ask something strange: an answer, or a BackendError."""
    try:
        await backend.complete(chat)
    except BackendError:
        return
    except Exception as error:
        raise AssertionError(
            f"complete() raised {type(error).__name__}: turn it into a BackendError."
        ) from error


async def check_cancel(backend: Backend) -> None:
    """Cancel a call while it runs: it must end at once and say nothing more."""
    listener = _Listener()
    call = asyncio.ensure_future(backend.complete(LONG, listener.hear))
    await asyncio.wait((call,), timeout=CANCEL_AFTER_S)
    if call.done():
        return
    call.cancel()
    await asyncio.wait((call,), timeout=CANCELLED_WITHIN_S)
    assert call.done(), "A cancelled call went on: let CancelledError end the work."
    assert call.cancelled(), (
        "A cancelled call did not end as cancelled: never catch CancelledError."
    )
    heard = listener.text
    await asyncio.sleep(CANCEL_AFTER_S)
    assert listener.text == heard, "A cancelled call still gave pieces: stop the work behind it."


class _Listener:
    def __init__(self) -> None:
        self._home = threading.get_ident()
        self._pieces: list[str] = []
        self.elsewhere = False

    @property
    def text(self) -> str:
        return "".join(self._pieces)

    def hear(self, piece: str) -> None:
        self._pieces.append(piece)
        self.elsewhere = self.elsewhere or threading.get_ident() != self._home


def _check_declared(backend: Backend) -> None:
    assert re.fullmatch(r"[a-z][a-z0-9-]*", backend.name), (
        f"The name {backend.name!r} goes into logs and settings: lower case, digits, dashes."
    )
    assert backend.timeout_s > 0, "timeout_s must be a number of seconds above 0."
    assert isinstance(backend.metered, bool), "metered must say True (calls cost money) or False."
    assert backend.configured(), "configured() is False: check a backend that can answer."
