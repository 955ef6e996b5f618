"""The voice in the box: a small language model of this machine that puts a planned turn into words.

Several lines are drawn at once and checked as they end; the first that may be said is said. Where
none may, or none is there in time, the bank speaks. Numbers are never the model's: code fills them.
"""

import asyncio
import contextlib
import hashlib
import logging
import re
import threading
import time
import zlib
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any, Literal

import msgspec
from django.conf import settings

from agents.backends.local.model import Model, has_program
from agents.backends.local.remote import Door, doors
from agents.backends.shapes import Events
from agents.checkpoints import NoCheckpoint
from agents.output_guard.coherence import tidy
from agents.speech.bank import ASK, BID, LAST, SLOTS
from agents.speech.box import ADAPTER, PACKAGE, VoiceCard, box, read_voice, shipped_voice_folder
from agents.speech.checks import faults
from agents.speech.cues import Planned, planned, prompt_of
from agents.speech.nouns import thing_of
from agents.speech.speaker import filled
from agents.text.languages import Register
from bazaarbatna.bargain.moves import Move
from bazaarbatna.bargain.observe import BuyerObservation
from bazaarbatna.bargain.scenario import Item
from negotiation.catalogue.stock import read_stock

_WORD = re.compile(r"[a-z]+")
LEAST = 4
"""Letters of a thing's name; shorter ones are too often something else."""


COMPLETIONS = "/v1/completions"
VOICE = "voice-in-the-box"
"""What the model process calls it."""
BUSY = 503
"""All seats are taken, by other processes perhaps; or it has just begun anew."""
SILENT_S = 5.0
"""No piece for so long: the model process hangs, and the bank spoke long ago."""


class FarProgram:
    """Goes on with a text as ``Model`` does."""

    def __init__(self, door: Door) -> None:
        self._door = door
        door.want(VOICE)

    @property
    def is_ready(self) -> bool:
        """Whether asking is worth it: a server that is no model process has no such voice."""
        return self._door.knows_states and self._door.state(VOICE) == "ready"

    def complete(self, asked: dict[str, Any], hear: Callable[[Any], bool]) -> None:
        """Pass on what is said until ``hear`` has enough; blocks."""
        address = self._door.http.address.at(COMPLETIONS)
        with (
            self._door.client(SILENT_S) as client,
            client.stream("POST", address, json=asked) as answer,
        ):
            if answer.status_code == BUSY:
                return
            answer.raise_for_status()
            events = Events()
            for data in answer.iter_raw():
                for event in events.feed(data):
                    if hear(msgspec.json.decode(event)):
                        return


def _names_other_goods(text: str, item: Item, said: str) -> bool:
    known = f"{item.title} {said}".lower()
    named = _things().intersection(_WORD.findall(text.lower()))
    return any(thing not in known and thing.removesuffix("s") not in known for thing in named)


@cache
def _things() -> frozenset[str]:
    names = (thing_of(one.title).lower() for shelf in read_stock() for one in shelf.listing)
    return frozenset(name for name in names if name.isalpha() and len(name) >= LEAST)


log = logging.getLogger(__name__)

SEATS = 8
DRAWN = 4
CONTEXT = 384

State = Literal["not-started", "loading", "ready", "failed"]
Passes = Callable[[str], bool]

_SLOT = re.compile(r"<[^<>]*>")
_DIGITS = re.compile(r"\d+")
_ENDS = tuple(".?!।…\"')")


class Engine:
    """llama.cpp with the model of the box and an adapter; the program's threads are its own.

    With ``places`` the program runs in the first of these model processes, not in this one.
    """

    def __init__(
        self,
        weights: Path,
        adapter: Path | None,
        card: VoiceCard,
        places: tuple[str, ...] = (),
    ) -> None:
        self._weights, self._adapter, self.card = weights, adapter, card
        self._places = places
        self._lock = threading.Lock()
        self._program: Model | FarProgram | None = None
        self._asked = 0
        self.state: State = "not-started"
        given = adapter.read_bytes() if adapter is not None else b""
        self.digest = hashlib.sha256(given).hexdigest()[:8]

    def start(self) -> None:
        """Load in the background; does nothing the second time."""
        with self._lock:
            if self.state != "not-started":
                return
            self.state = "loading"
        threading.Thread(target=self.load, name="voice in the box", daemon=True).start()

    def load(self) -> None:
        """Load here and now; whatever goes wrong, the bank speaks."""
        try:
            self._program = self._loaded()
            self.state = "ready"
        except Exception:  # foreign code: a file it cannot read must not end the site
            log.exception("The voice in the box cannot be loaded")
            self.state = "failed"

    def draw(self, prompt: str, count: int, passes: Passes, until: float, seed: int) -> str | None:
        """Draw lines until one passes, None where none does in time; blocks."""
        found: list[str] = []

        def hear(index: int, line: str) -> bool:
            if not found and passes(line):
                found.append(line)
            return bool(found)

        self.draw_all(prompt, count, hear, until, seed)
        return found[0] if found else None

    def draw_all(
        self,
        prompt: str,
        count: int,
        on_line: Callable[[int, str], bool],
        until: float,
        seed: int,
    ) -> None:
        """Draw lines and tell each as it ends; blocks."""
        texts = [""] * count

        def hear(chunk: Any) -> bool:
            """Return true to end it all; the program calls this from a thread of its own."""
            enough = time.monotonic() > until
            for choice in _choices(chunk):
                texts[choice["index"]] += choice.get("text") or ""
                if choice.get("finish_reason") == "stop":
                    enough = on_line(choice["index"], texts[choice["index"]].strip()) or enough
            return enough

        asked = {
            "prompt": prompt,
            "n": count,
            "n_predict": self.card.max_new_tokens,
            "temperature": self.card.temperature,
            "top_p": self.card.top_p,
            "top_k": 0,
            "min_p": 0.0,
            "seed": seed % 2**31,
            "cache_prompt": True,
            "stream": True,
        }
        self.answer(asked, hear)

    @property
    def free(self) -> int:
        """Seats that nobody's line is being made on; none while its process is away."""
        if isinstance(self._program, FarProgram) and not self._program.is_ready:
            return 0
        return SEATS - self._asked

    def answer(self, asked: dict[str, Any], hear: Callable[[Any], bool]) -> None:
        """Let the program answer a question in its own form, which may be another process's."""
        with self._seats(int(asked.get("n", 1))):
            assert self._program is not None
            self._program.complete(asked, hear)

    @contextlib.contextmanager
    def _seats(self, count: int) -> Iterator[None]:
        with self._lock:
            self._asked += count
        try:
            yield
        finally:
            with self._lock:
                self._asked -= count

    def _loaded(self) -> Model | FarProgram:
        if self._places:
            return FarProgram(doors(self._places)[0])
        return Model(self._weights, self._adapter, seats=SEATS, context=CONTEXT)


def _is_wanted() -> bool:
    return settings.SAUDA_VOICE_S > 0 and has_program() and box() is not None


@cache
def engine() -> Engine | None:
    """Return the one engine of this process, loading or loaded; None where it cannot be."""
    return engine_at(settings.SAUDA_MODEL_SERVERS)


def engine_at(places: tuple[str, ...]) -> Engine | None:
    """Make an engine whose program runs elsewhere, or here for no places."""
    if not _is_wanted():
        return None
    folder, weights = shipped_voice_folder(), box()
    try:
        card = read_voice(folder)
    except NoCheckpoint as wrong:
        log.warning("The voice in the box stays silent: %s", wrong)
        return None
    if weights is None or card.base != PACKAGE:
        return None
    return Engine(weights, folder / ADAPTER, card, places)


def is_given_a_language() -> bool:
    """Whether it may speak at all; loads nothing."""
    found = engine_at(())
    return found is not None and bool(found.card.languages)


def is_awake() -> bool:
    """Whether it is loaded and speaks any language; begins to load it."""
    found = engine()
    return found is not None and any(map(speaks, found.card.languages))


def version() -> str:
    """Write the label that lines of it carry."""
    found = engine()
    return f"{found.card.name}#{found.digest}" if found is not None else ""


def speaks(language: Register) -> bool:
    """Whether it is loaded and measured to be as good as the bank; begins to load it."""
    found = engine()
    if found is None or language not in found.card.languages:
        return False
    found.start()
    return found.state == "ready"


async def words(seen: BuyerObservation, move: Move | None, seed: int) -> str:
    """Find words for a turn; "" where the bank has to."""
    turn, found = planned(seen, move, seed), engine()
    if found is None or not speaks(turn.language):
        return ""
    return await chosen(found, turn, seed)


async def chosen(voice: Engine, turn: Planned, seed: int) -> str:
    """Draw lines for a turn off the loop's thread and give one that may be said in time, or ""."""
    patience: float = settings.SAUDA_VOICE_S
    if voice.free < 1:
        return ""
    drawn = asyncio.get_running_loop().run_in_executor(
        _threads(), _draw, voice, turn, time.monotonic() + patience, seed
    )
    try:
        raw = await asyncio.wait_for(asyncio.shield(drawn), patience)
    except TimeoutError:
        return ""
    return said_of(raw, turn) if raw else ""


def said_of(raw: str, turn: Planned) -> str:
    """Make of a line of the model what would be said: her one price is the move's."""
    theirs, hers = (LAST, BID) if BID in turn.slots else (BID, LAST)
    return tidy(filled(raw.replace(theirs, hers), turn.slots))


def _draw(voice: Engine, turn: Planned, until: float, seed: int) -> str | None:
    prompt = prompt_of(turn.cue)
    try:
        return voice.draw(
            prompt,
            max(1, min(DRAWN, voice.free // 2)),
            lambda raw: not any(wrongs(raw, turn)),
            until,
            zlib.crc32(prompt.encode()) + seed,
        )
    except Exception:  # foreign code: the bank has the words
        log.exception("The voice in the box broke off")
        return None


def wrongs(raw: str, turn: Planned) -> Iterator[str]:
    """Name what is wrong with a line of the model, before and after its slots are filled."""
    used = _SLOT.findall(raw)
    hers = sum(slot in (BID, LAST) for slot in used)
    is_price = turn.plan.move in ("open", "concede")
    twice = hers > 1 or used.count(ASK) > 1
    if twice or not set(used) <= set(SLOTS) or (is_price and not hers):
        yield "slots"
    if set(_DIGITS.findall(raw)) - set(_DIGITS.findall(turn.cue.said)):
        yield "number"
    if not raw.endswith((*_ENDS, *SLOTS)):
        yield "unended"
    if _names_other_goods(raw, turn.seen.item, turn.cue.said):
        yield "other goods"
    text = said_of(raw, turn)
    yield from faults(text, turn.plan, turn.seen, turn.move, said=turn.said, language=turn.language)


@cache
def _threads() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(SEATS, "voice in the box")


def _choices(chunk: Any) -> Iterator[Any]:
    for one in chunk if isinstance(chunk, list) else [chunk]:
        yield from one.get("choices") or ()
