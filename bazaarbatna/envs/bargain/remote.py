"""The one module that uses the network: a bargain at a server, over OpenEnv's socket."""

import secrets
import time
from collections.abc import Callable
from contextlib import ExitStack
from typing import Annotated, Any

import msgspec

from bazaarbatna.bargain.errors import GameError
from bazaarbatna.envs.bargain.actions import Action
from bazaarbatna.envs.bargain.resets import HIGHEST_SEED, Reset
from bazaarbatna.envs.bargain.seat import Answer

PATIENCE_S = 60.0
"""An answer that takes longer will not come."""

WAITS_S = (0.0, 0.5, 2.0, 8.0)
"""Seconds before each attempt to take up a bargain whose line was cut."""

MOST_REST_S = 300.0
"""A server that asks for more rest than this before it answers will not answer."""


class LineLost(ConnectionError):
    """The server is out of reach, and stayed so."""


class _Wrong(msgspec.Struct, frozen=True):
    message: str
    code: str
    retry_after_s: Annotated[float, msgspec.Meta(gt=0)] | None = None


class _Error(msgspec.Struct, frozen=True, tag_field="type", tag="error"):
    data: _Wrong


class _Observation(msgspec.Struct, frozen=True, tag_field="type", tag="observation"):
    data: Answer


_answers = msgspec.json.Decoder(_Observation | _Error)


class RemotePlayer:
    """Plays at a server, over a socket that is taken up again where it was cut.

    The same seed and the same moves are the same game, so that a new connection catches up by
    making the moves once more. Without a seed in the reset one is drawn here.
    """

    def __init__(self, url: str, sleep: Callable[[float], None] = time.sleep) -> None:
        """Play at ``url``, such as ``ws://127.0.0.1:8000/env/bazaar/ws``; ValueError."""
        if not url.startswith(("ws://", "wss://")):
            # Before a training begins: of an address that never answers it would learn nothing.
            raise ValueError(f"{url[:80]!r} is no socket's address: that is ws://host/.../ws.")
        self._url = url
        self._sleep = sleep
        self._line = ExitStack()
        self._socket: Any = None
        self._asked: list[tuple[str, dict[str, Any], Answer]] = []

    def reset(self, wanted: Reset) -> Answer:
        """Start a game; raises ``LineLost``, ``GameError``."""
        self.close()
        if wanted.seed is None:
            wanted = msgspec.structs.replace(wanted, seed=secrets.randbelow(HIGHEST_SEED))
        told = {
            name: value
            for name, value in msgspec.structs.asdict(wanted).items()
            if value is not None
        }
        return self._play("reset", told)

    def step(self, action: Action) -> Answer:
        """Move in it; raises ``LineLost``, ``GameError``."""
        told = {"action": action.action, "price": action.price, "message": action.message}
        return self._play("step", told)

    def close(self) -> None:
        """Hang up."""
        self._asked.clear()
        self._drop()

    def _play(self, kind: str, data: dict[str, Any]) -> Answer:
        wrong: Exception | None = None
        for wait_s in WAITS_S:
            try:
                if self._socket is None:
                    self._sleep(wait_s)
                    self._catch_up()
                answer = self._ask(kind, data)
            except _cuts() as cut:
                wrong = cut
                self._drop()
            else:
                self._asked.append((kind, data, answer))
                return answer
        raise LineLost(f"{self._url} is out of reach: {wrong}") from wrong

    def _catch_up(self) -> None:
        from websockets.sync.client import connect

        self._socket = self._line.enter_context(connect(self._url, open_timeout=PATIENCE_S))
        for kind, data, was in self._asked:
            try:
                is_same = self._ask(kind, data).observation == was.observation
            except GameError:
                is_same = False
            if not is_same:
                raise ConnectionError("the server plays another game by now")

    def _ask(self, kind: str, data: dict[str, Any]) -> Answer:
        answer, rested_s = self._heard(kind, data), 0.0
        while isinstance(answer, _Wrong) and answer.retry_after_s:
            # Too fast: the game is kept, and moves made anew over another line would cost more.
            rested_s += answer.retry_after_s
            if rested_s > MOST_REST_S:
                break
            self._sleep(answer.retry_after_s)
            answer = self._heard(kind, data)
        if isinstance(answer, Answer):
            return answer
        # What else is wrong is no fault of the move: asking again later may help.
        refusal = GameError if answer.code == REFUSED else ConnectionError
        raise refusal(answer.message)

    def _heard(self, kind: str, data: dict[str, Any]) -> Answer | _Wrong:
        self._socket.send(msgspec.json.encode({"type": kind, "data": data}).decode())
        try:
            heard: _Observation | _Error = _answers.decode(self._socket.recv(timeout=PATIENCE_S))
        except msgspec.MsgspecError as wrong:
            raise ConnectionError(f"it answers what cannot be read: {wrong}") from wrong
        return heard.data

    def _drop(self) -> None:
        self._socket = None
        self._line.close()


REFUSED = "VALIDATION_ERROR"
"""What a server calls a move or a reset that is wrong."""


def _cuts() -> tuple[type[Exception], ...]:
    # Who plays in process needs no sockets.
    from websockets.exceptions import WebSocketException

    return (OSError, EOFError, WebSocketException)
