"""The socket of the bots, ``/env/bots/ws``: its messages, and the game each connection plays.

Games are not chosen: a reset in the middle of one gives the same game back, and a connection
that breaks is gone on with where it was. The newest connection of a bot plays, older ones do not.
"""

import asyncio
import logging
import secrets
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import msgspec
from autobahn.exception import Disconnected
from django.conf import settings
from django.db import transaction
from django.utils import timezone

from bazaarbatna.envs.bargain.actions import Action
from bazaarbatna.envs.openenv.bazaar import BAZAAR
from bazaarbatna.envs.openenv.errors import (
    Full,
    InvalidJson,
    ProtocolError,
    TooFast,
    UnknownType,
    Unplayable,
    to_protocol,
)
from bazaarbatna.envs.openenv.frames import CloseFrame, StateFrame, StepFrame, decoded, write_error
from negotiation.errors import RateLimited
from negotiation.hanging_up import (
    CLOSE_FULL,
    CLOSE_IDLE,
    CLOSE_STRANGER,
    Receive,
    Send,
    hang_up,
    turn_away,
)
from negotiation.limits import scope_key, spend
from negotiation.openenv.pace import LONGEST_WAIT_S, pace
from negotiation.openenv.serving import room_of
from negotiation.threads import in_thread
from training.bots import plays, tasks, verification
from training.bots.games import Deal, kept
from training.bots.models import Bot, Play, Table
from training.bots.owners import UnknownBot, bot_with_token, token_in
from training.models import Run

log = logging.getLogger(__name__)

IDLE_MESSAGES = 20
"""Messages in a row without a move, after which each of them is answered a little later."""

IDLE_PAUSE_S = 0.2
MINUTE_S = 60.0

_pool = ThreadPoolExecutor(2, thread_name_prefix="bot")
"""Threads of their own: however fast bots play, live games of people have theirs."""

CHOSEN_HERE = ("seed", "task", "variant", "seller")
"""What a reset of the open environment may choose, and a bot may not."""

SUMMED_UP = "All games are played, and their result is being summed up. Reset again in a moment."
START = "Start the next play on the bot's page, or by POST /api/bots/{bot}/plays/."


class TakenOver(ProtocolError):
    """Another connection of this bot has taken over; this one plays no more."""

    code = "SESSION_ERROR"


class NoToken(ProtocolError):
    """The first reset names the bot's token: {"type": "reset", "data": {"token": "..."}}."""

    code = "SESSION_ERROR"
    status = 401


class NotYours(ProtocolError):
    """Which game comes next is the site's choice; leave that out."""

    code = "VALIDATION_ERROR"
    status = 422


class Seat:
    """One connection's place; ``session`` is its name."""

    def __init__(self, bot: Bot, session: str) -> None:
        self._bot = bot
        self._session = session
        self._play: Play | None = None
        self._table: Table | None = None
        self._deal: Deal | None = None
        self._left = 0

    def next_game(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the first look at the game to play now, and notes; Unplayable says what to do."""
        with transaction.atomic():
            play = self._current_play()
            is_changed = not plays.has_same_suites(play)
            if not is_changed:
                Play.objects.filter(pk=play.pk).update(holder=self._session)
        if is_changed:
            # Not within the transaction: the refusal would undo it.
            verification.end_changed(play)
            raise Unplayable(f"{plays.CHANGED} {START.format(bot=self._bot.pk)}")
        if play.run.status == Run.Status.QUEUED:
            now = timezone.now()
            Run.objects.filter(pk=play.pk).update(status=Run.Status.RUNNING, started_at=now)
        waiting = plays.waiting_tables(play)
        table = waiting.first()
        if table is None:
            tasks.remind(play)
            raise Unplayable(SUMMED_UP)
        if table.repeats_id is not None and self._has_rated(play):
            raise Unplayable(
                f"All rated games are done. Connect anew for the check: {waiting.count()} games "
                "are dealt a second time."
            )
        self._left = waiting.count()
        self._play, self._table, self._deal = play, table, plays.deal_at(play, table)
        return self._deal.shown(), self._notes()

    def step(self, action: Action) -> tuple[dict[str, Any], dict[str, Any], bool]:
        """Make a move; return what the bot sees then, notes, and whether it is over.

        Raises:
            Unplayable: there is no game on the table.
            TakenOver: another connection plays now.
            UnreadableAction: an offer has no price.
        """
        play, table, deal = self._play, self._table, self._deal
        if play is None or table is None or deal is None or deal.done:
            raise Unplayable("Reset first: it deals the next game.")
        move = kept(action)
        with transaction.atomic():
            holder = Play.objects.select_for_update().values_list("holder", flat=True)
            if holder.get(pk=play.pk) != self._session:
                self._deal = None
                raise TakenOver
            deal.make(move)
            plays.keep(play, deal)
            if deal.done:
                Table.objects.filter(pk=table.pk).update(session=self._session)
                self._left = plays.waiting_tables(play).count()
        if deal.done and not self._left:
            tasks.enqueue(play.pk)
        return deal.shown(), self._notes(), deal.done

    def state(self) -> dict[str, Any]:
        """Return where the play stands; nothing in it is hidden from the bot."""
        play = plays.latest_play(self._bot)
        return {
            "episode_id": self._deal.name if self._deal else None,
            "step_count": len(self._deal.moves) if self._deal else 0,
            "play": play.pk if play else None,
            "status": play.run.status if play else None,
            "bargains_done": play.run.done if play else 0,
            "bargains": play.run.total if play else 0,
            "games_left": plays.waiting_tables(play).count() if play else 0,
        }

    def _current_play(self) -> Play:
        play = plays.latest_play(self._bot)
        if play is None:
            return plays.begin_play(self._bot, settings.BOT_EPISODES)
        if plays.is_under_way(play):
            return play
        raise Unplayable(f"No play is under way. {START.format(bot=self._bot.pk)}")

    def _has_rated(self, play: Play) -> bool:
        return bool(play.tables.filter(session=self._session, repeats=None).exists())

    def _notes(self) -> dict[str, Any]:
        assert self._play is not None
        assert self._table is not None
        return {
            "episode_id": self._deal.name if self._deal else None,
            "suite": self._table.suite,
            "rated": self._table.repeats_id is None,
            "games_left": self._left,
            "commitment": self._play.commitment,
        }


class BotReset(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Ask for the next game. The first one names the token, unless a header has."""

    token: str | None = None
    episode_id: str | None = None
    seed: int | None = None
    task: str | None = None
    variant: str | None = None
    seller: str | None = None

    def __repr__(self) -> str:
        return "BotReset()"

    @property
    def chosen(self) -> list[str]:
        """What the bot tries to choose."""
        return [name for name in CHOSEN_HERE if getattr(self, name) is not None]


class ResetFrame(
    msgspec.Struct, frozen=True, tag_field="type", tag="reset", forbid_unknown_fields=True
):
    """Ask for the next game."""

    data: BotReset = BotReset()


Frame = ResetFrame | StepFrame[Action] | StateFrame | CloseFrame
_decoder: msgspec.json.Decoder[Frame] = msgspec.json.Decoder(Frame)
_encoder = msgspec.json.Encoder()
_TYPES = ("reset", "step", "state", "close")


def read_frame(text: str | None) -> Frame:
    """Read one message; a ProtocolError says where it cannot be read, and quotes nothing."""
    if text is None:
        raise InvalidJson
    try:
        return decoded(text, _decoder, _TYPES)
    except UnknownType:
        raise UnknownType("Message types are reset, step, state and close.") from None


def write_observation(shown: dict[str, Any], *, done: bool, notes: dict[str, Any]) -> str:
    """Write the answer to reset and step; a rated game tells no rewards."""
    data = {"observation": shown, "reward": None, "done": done, "metadata": notes}
    return _encoder.encode({"type": "observation", "data": data}).decode()


def _write_state(state: dict[str, Any]) -> str:
    return _encoder.encode({"type": "state", "data": state}).decode()


async def bot_socket(scope: dict[str, Any], receive: Receive, send: Send) -> None:
    """Serve one connection of a bot."""
    await receive()
    client = scope_key(scope)
    try:
        await send({"type": "websocket.accept"})
        try:
            await in_thread(spend)("sockets", client)
            room_of(BAZAAR).enter(client)
        except (Full, RateLimited) as full:
            told = full if isinstance(full, Full) else TooFast(full.detail, full.retry_after_s)
            await turn_away(receive, send, write_error(told), CLOSE_FULL)
            return
        try:
            await _serve(_Connection(_header_token(scope)), receive, send, client)
        finally:
            room_of(BAZAAR).leave(client)
    except Disconnected:
        log.debug("the bot had hung up")


async def _serve(connection: "_Connection", receive: Receive, send: Send, client: str) -> None:
    while True:
        try:
            async with asyncio.timeout(settings.ENV_IDLE_MINUTES * MINUTE_S):
                message = await receive()
        except TimeoutError:
            idle = Unplayable("Nothing was said for too long; connect again to go on.")
            await hang_up(send, write_error(idle), CLOSE_IDLE)
            return
        if message["type"] == "websocket.disconnect":
            return
        told = await in_thread(connection.answer, _pool)(message.get("text"))
        if told is None:
            await send({"type": "websocket.close", "code": 1000})
            return
        rest_s = pace().took(client, 1)
        if rest_s:
            await asyncio.sleep(min(rest_s, LONGEST_WAIT_S))
        if connection.idle > IDLE_MESSAGES:
            # The next message is read after this answer: no flood gets past it.
            await asyncio.sleep(IDLE_PAUSE_S)
        if connection.is_stranger:
            await hang_up(send, told, CLOSE_STRANGER)
            return
        await send({"type": "websocket.send", "text": told})


class _Connection:
    """Answers each message, in a thread that has a database."""

    def __init__(self, token: str) -> None:
        self._token = token
        self._session = secrets.token_hex(8)
        self._seat: Seat | None = None
        self.idle = 0  # messages since the last move
        self.is_stranger = False  # no bot has the token

    def answer(self, text: str | None) -> str | None:
        """Answer one message; None for a goodbye."""
        self.idle += 1
        try:
            return self._answer(text)
        except UnknownBot as unknown:
            self.is_stranger = True
            return write_error(NoToken(unknown.detail))
        # The outermost loop of a socket: a fault of ours must not hang up on the bot.
        except Exception as wrong:  # noqa: BLE001  to_protocol logs what is our fault
            return write_error(to_protocol(wrong))

    def _answer(self, text: str | None) -> str | None:
        match read_frame(text):
            case ResetFrame(data=wanted):
                shown, notes = self._seated(wanted).next_game()
                return write_observation(shown, done=False, notes=notes)
            case StepFrame(data=action):
                if self._seat is None:
                    raise NoToken
                shown, notes, done = self._seat.step(action)
                self.idle = 0
                return write_observation(shown, done=done, notes=notes)
            case StateFrame():
                if self._seat is None:
                    raise NoToken
                return _write_state(self._seat.state())
            case CloseFrame():
                return None

    def _seated(self, wanted: BotReset) -> Seat:
        if wanted.chosen:
            raise NotYours(f"Which game comes next is ours to say: no {', '.join(wanted.chosen)}.")
        token = wanted.token or self._token
        if not token:
            raise NoToken
        # Asked again at every reset: a token may have been replaced meanwhile.
        self._token = token
        bot = bot_with_token(token)
        if self._seat is None:
            self._seat = Seat(bot, self._session)
        return self._seat


def _header_token(scope: dict[str, Any]) -> str:
    for name, value in scope["headers"]:
        if name == b"authorization":
            return token_in(value.decode("latin-1"))
    return ""
