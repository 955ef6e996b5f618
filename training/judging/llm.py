"""A language model as judge: asked in both orders, believed where it agrees with itself.

Where it gives no answer, the heuristic decides this pair, and the record says so.
"""

import asyncio
import json
import logging
import re
from collections.abc import Awaitable, Callable, Generator
from pathlib import Path
from typing import Any, Literal, Protocol

import httpx
import msgspec
from django.conf import settings

from agents.backends.base import BackendError, BadAnswer, Chat, Message, unheard
from agents.backends.http_client import Address, HttpClient
from agents.backends.openai_answer import ChatAnswer
from agents.backends.shapes import AnswerText, read_json, wire_messages
from agents.output_guard.coherence import tidy
from agents.prompts.quoting import quote
from bazaarbatna.bargain.events import MessageSent, OfferAccepted, OfferMade, WalkedAway
from bazaarbatna.word_tables import read_table
from negotiation.retry import doubled_s, retry
from training.judging import heuristic
from training.judging.transcript import (
    DecidedBy,
    Judge,
    Spoken,
    Transcript,
    Verdict,
    Winner,
    check_comparable,
)

ANTHROPIC_URL = "https://api.anthropic.com"
ANTHROPIC_VERSION = "2023-06-01"
CLAUDE = "claude-sonnet-4-5"  # Judges where no other model is named
MESSAGES_ROUTE = "/v1/messages"
CHAT_ROUTE = "/v1/chat/completions"
MOST_TOKENS = 300  # Of an answer: a verdict and a line
TIMEOUT_S = 60.0  # Seconds that one question may take in all


class Wire(Protocol):
    """A model that answers a question; ``model`` is its name as records say it."""

    model: str

    async def ask(self, messages: tuple[Message, ...]) -> str:
        """Put a question; a BackendError never shows a key."""
        ...


class OpenAiWire:
    """Any server with an OpenAI-style chat route."""

    def __init__(
        self, url: str, key: str = "", model: str = "", timeout_s: float = TIMEOUT_S
    ) -> None:
        self.model = model or "model"
        self._named = {"model": model} if model else {}
        self._timeout_s = timeout_s
        self._http = HttpClient(Address(url, key, (CHAT_ROUTE, "/v1")))

    def __repr__(self) -> str:
        return f"OpenAiWire({self._http.address!r}, model={self.model!r})"

    async def ask(self, messages: tuple[Message, ...]) -> str:
        """Put a question to the chat route."""
        payload: dict[str, Any] = {
            "messages": wire_messages(Chat(messages)),
            "max_tokens": MOST_TOKENS,
            "temperature": 0,
            **self._named,
        }
        async with (
            self._http.exchange(self._timeout_s) as exchange,
            exchange.reply("POST", CHAT_ROUTE, payload) as reply,
        ):
            if reply.status != 200:
                raise reply.refusal()
            answer = ChatAnswer(unheard, self.model, streamed=reply.is_stream)
            await reply.read(answer.feed)
            return answer.completion().text


class Block(msgspec.Struct):
    """One piece of a Claude's answer; others than text say nothing here."""

    type: str
    text: str = ""


class Blocks(msgspec.Struct):
    """A Claude's answer."""

    content: list[Block]


class AnthropicWire:
    """Claude, or any server that speaks Anthropic's Messages."""

    def __init__(
        self, key: str, model: str = "", url: str = ANTHROPIC_URL, timeout_s: float = TIMEOUT_S
    ) -> None:
        self.model = model or CLAUDE
        self._timeout_s = timeout_s
        address = Address(url, key, (MESSAGES_ROUTE, "/v1"))
        # The address has looked whether a header can carry the key; here it is another header.
        address.auth = _ApiKey(key.strip())
        self._http = HttpClient(address)

    def __repr__(self) -> str:
        return f"AnthropicWire({self._http.address!r}, model={self.model!r})"

    async def ask(self, messages: tuple[Message, ...]) -> str:
        """Put a question to the Messages route."""
        told = wire_messages(Chat(messages))
        payload = {
            "model": self.model,
            "max_tokens": MOST_TOKENS,
            "system": "\n".join(one["content"] for one in told if one["role"] == "system"),
            "messages": [one for one in told if one["role"] != "system"],
        }
        async with (
            self._http.exchange(self._timeout_s) as exchange,
            exchange.reply("POST", MESSAGES_ROUTE, payload) as reply,
        ):
            if reply.status != 200:
                raise reply.refusal()
            return _text(await reply.whole())


class _ApiKey(httpx.Auth):
    def __init__(self, key: str) -> None:
        self._key = key

    def auth_flow(self, request: httpx.Request) -> Generator[httpx.Request, httpx.Response]:
        request.headers["x-api-key"] = self._key
        request.headers["anthropic-version"] = ANTHROPIC_VERSION
        yield request


def _text(body: bytes) -> str:
    text = AnswerText(unheard)
    for block in read_json(body, Blocks).content:
        if block.type == "text":
            text.add(block.text)
    return text.joined()


LONGEST_LINE = 240  # Characters of a message that are shown
LONGEST_TITLE = 80

_TOLD = read_table(Path(__file__).with_suffix(".toml"), dict[str, str])
SYSTEM = _TOLD["system"]

Choice = Literal["A", "B", "tie"]
LONGEST_ANSWER = 4000  # Characters that are read
LONGEST_REASON = 200  # Characters of a reason that are kept
_THOUGHT = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL | re.IGNORECASE)
_NAMED = re.compile(
    r"\bwinner\b[\"'*\s]*(?:[:=]|\bis\b)[\"'*\s]*(?:game\s+)?(a|b|tie|draw|neither)\b",
    re.IGNORECASE,
)

_ALONE = re.compile(r"\W*(?:game\s+)?(a|b|tie|draw|neither)\W*", re.IGNORECASE)
_REASON = re.compile(r"[\"']?reason[\"']?\s*[:=]\s*[\"']?((?:[^\"\\\n]|\\.)*)", re.IGNORECASE)

_CHOICES: dict[str, Choice] = {
    "a": "A",
    "b": "B",
    "tie": "tie",
    "draw": "tie",
    "neither": "tie",
}

log = logging.getLogger(__name__)

TRIES = 3  # How often one question is put before the heuristic decides

BACKOFF_S = 1.0
"""Seconds before the second try, doubled before the third, where the server names no time."""

LONGEST_WAIT_S = 60.0
"""A server that asks for more patience than that is not asked again for this pair."""

OUT_OF_CALLS = "out-of-calls"
GIVE_UP_AFTER = 5  # Pairs in a row without an answer after which a model is not asked any more
MOST_CALLS = 4000  # Questions that one judge may put, tries included
TICK_S = 1.0  # Seconds between signs of life while a model is waited for
Pause = Callable[[float], Awaitable[None]]
Tick = Callable[[], None]
_FIRST: dict[Choice, Winner] = {"A": "a", "B": "b", "tie": "tie"}

_SECOND: dict[Choice, Winner] = {"A": "b", "B": "a", "tie": "tie"}
"""Who is meant where the games changed places."""


def question(first: Transcript, second: Transcript) -> tuple[Message, ...]:
    """Write the question."""
    parts = [*_start(first), "", "Game A", *_game(first), "", "Game B", *_game(second), ""]
    parts.append("Which game did the buyer play better?")
    return (Message("system", SYSTEM), Message("user", "\n".join(parts)))


def _start(game: Transcript) -> list[str]:
    scenario = game.scenario
    sealed = scenario.sealed
    return [
        f"item: {quote(scenario.item.title, LONGEST_TITLE)}",
        f"opening ask {game.money(scenario.anchor)}, {scenario.max_rounds} rounds at most",
        f"the seller's lowest price {game.money(sealed.reservation)}, "
        f"the buyer's budget {game.money(sealed.budget)}",
    ]


def _game(game: Transcript) -> list[str]:
    return [*(_line(game, event) for event in game.spoken), f"end: {_end(game)}"]


def _line(game: Transcript, event: Spoken) -> str:
    match event:
        case OfferMade(actor, _, price):
            action = f"{'bids' if actor == 'buyer' else 'asks'} {game.money(price)}"
        case OfferAccepted(_, _, price):
            action = f"accepts {game.money(price)}"
        case WalkedAway():
            action = "leaves"
        case MessageSent():
            action = "says"
    words = f": {quote(event.text, LONGEST_LINE)}" if event.text.strip() else ""
    return f"round {event.round}: {event.actor} {action}{words}"


def _end(game: Transcript) -> str:
    ended = game.ended
    if ended.price is not None:
        how = (
            f"deal at {game.money(ended.price)} in round {ended.round}, the {ended.by} accepted; "
            f"the buyer kept {game.surplus:.0%} of the zone"
        )
    elif ended.outcome == "walk":
        how = f"no deal, the {ended.by} left in round {ended.round}"
    else:
        how = "no deal, the rounds ran out"
    return f"{how}; unreadable answers of the buyer: {game.invalid}"


class Answer(msgspec.Struct, frozen=True):
    """What a model decided; ``strict``: it was exactly the JSON that was asked for."""

    winner: Choice
    reason: str = ""
    strict: bool = False


def read_answer(text: str) -> Answer | None:
    r"""Read an answer; None where it names no winner, or more than one.

    >>> read_answer('{"winner": "B", "reason": "It paid less."}')
    Answer(winner='B', reason='It paid less.', strict=True)
    >>> read_answer("Sure!\n```json\n{'winner': 'Game A'}\n```").winner
    'A'
    >>> read_answer("Both have their charm.") is None
    True
    """
    whole = text[:LONGEST_ANSWER].strip()
    return _strictly(whole) or _leniently(_THOUGHT.sub(" ", whole))


def _strictly(text: str) -> Answer | None:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(found, dict) or found.get("winner") not in ("A", "B", "tie"):
        return None
    reason = found.get("reason")
    return Answer(found["winner"], _short(reason if isinstance(reason, str) else ""), strict=True)


def _leniently(text: str) -> Answer | None:
    alone = _ALONE.fullmatch(text)
    named = {_CHOICES[name.lower()] for name in ([alone[1]] if alone else _NAMED.findall(text))}
    if len(named) != 1:
        return None
    reason = _REASON.search(text)
    return Answer(named.pop(), _short(reason[1] if reason else ""))


def _short(reason: str) -> str:
    line = tidy(reason)
    return line if len(line) <= LONGEST_REASON else f"{line[: LONGEST_REASON - 1]}…"


class LlmJudge:
    """Compares two games by asking a model twice, once in each order.

    After ``most_calls`` questions the heuristic judges. ``tick`` hears of every pair, and every
    second while one is waited for, in the thread of who wants the verdict; what it raises ends the
    waiting.
    """

    def __init__(
        self,
        wire: Wire,
        *,
        most_calls: int = MOST_CALLS,
        pause: Pause = asyncio.sleep,
        tick: Tick = lambda: None,
    ) -> None:
        self.calls = 0
        self._wire = wire
        self._most_calls = most_calls
        self._pause = pause
        self._tick = tick
        self._failures = 0

    def __repr__(self) -> str:
        return f"LlmJudge({self._wire!r}, calls={self.calls})"

    def __call__(self, a: Transcript, b: Transcript) -> Verdict:
        """Judge two games; never raises for the model's sake."""
        check_comparable(a, b)
        if self._failures >= GIVE_UP_AFTER:
            return self._by_rule(a, b, "given-up")
        try:
            first, second = self._answers(a, b)
        except BackendError as error:
            self._failures += error.code != OUT_OF_CALLS
            return self._by_rule(a, b, error.code)
        self._failures = 0
        return self._agreed(first, second)

    def _answers(self, a: Transcript, b: Transcript) -> tuple[Answer, Answer]:
        # The loop stands still while a sign of life is given.
        with asyncio.Runner() as runner:
            asking = runner.get_loop().create_task(self._both_orders(a, b))
            while not asking.done():
                self._tick()
                runner.run(asyncio.wait([asking], timeout=TICK_S))
            return asking.result()

    async def _both_orders(self, a: Transcript, b: Transcript) -> tuple[Answer, Answer]:
        answers = await asyncio.gather(
            self._answer(a, b), self._answer(b, a), return_exceptions=True
        )
        first, second = (_or_raise(answer) for answer in answers)
        return first, second

    async def _answer(self, first: Transcript, second: Transcript) -> Answer:
        messages = question(first, second)
        return await retry(
            lambda: self._asked_once(messages),
            [doubled_s(BACKOFF_S, failures) for failures in range(1, TRIES)],
            BackendError,
            pause=_pause_after,
            sleep=self._pause,
        )

    async def _asked_once(self, messages: tuple[Message, ...]) -> Answer:
        if self.calls >= self._most_calls:
            raise BackendError(OUT_OF_CALLS, retryable=False, asked=False)
        self.calls += 1
        answer = read_answer(await self._wire.ask(messages))
        if answer is None:
            raise BadAnswer("no-verdict")
        return answer

    def _agreed(self, first: Answer, second: Answer) -> Verdict:
        # A verdict that hangs on the order of the games is a tie.
        winner, again = _FIRST[first.winner], _SECOND[second.winner]
        if winner != again:
            said = f"It preferred {first.winner} in one order and {second.winner} in the other."
            return Verdict("tie", said, "nothing", judge=self._wire.model)
        by: DecidedBy = "nothing" if winner == "tie" else "model"
        return Verdict(winner, first.reason or "It gave no reason.", by, judge=self._wire.model)

    def _by_rule(self, a: Transcript, b: Transcript, why: str) -> Verdict:
        log.warning("No verdict of %s (%s); rules judge this pair.", self._wire.model, why)
        return msgspec.structs.replace(heuristic.judge(a, b), fallback=f"{self._wire.model}: {why}")


def judge_from_settings(tick: Tick = lambda: None) -> Judge:
    """Return the judge that the settings name: a server, else Claude, else the heuristic."""
    found = settings.JUDGE
    wire: Wire
    if found["url"]:
        wire = OpenAiWire(found["url"], found["key"], found["model"])
    elif found["anthropic_key"]:
        wire = AnthropicWire(found["anthropic_key"], found["model"])
    else:
        return heuristic.judge
    return LlmJudge(wire, most_calls=found["calls"], tick=tick)


def _pause_after(error: BackendError, planned_s: float) -> float | None:
    wait_s = planned_s if error.retry_after_s is None else error.retry_after_s
    return wait_s if error.retryable and wait_s <= LONGEST_WAIT_S else None


def _or_raise(answer: Answer | BaseException) -> Answer:
    if isinstance(answer, BaseException):
        raise answer
    return answer
