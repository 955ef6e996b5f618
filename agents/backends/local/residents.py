"""The models that live in this process: the one that speaks for the site, and others beside it."""

import functools
import logging
import threading
from collections.abc import Callable

import msgspec

from agents.backends.base import BackendError
from agents.backends.local.remote import RemoteWorker
from agents.backends.local.source import Source
from agents.backends.local.worker import Worker
from agents.checkpoints import WEIGHTS, Checkpoint
from agents.dialects.base import Dialect
from agents.dialects.compact import dialect
from agents.prompts.chats import PLAIN, Chat, Manner, OnText
from agents.text.rounding import as_people_say


class Resident:
    """A model, and whoever makes its answers: a thread of this process, or another process."""

    def __init__(self, source: Source, worker: Worker | RemoteWorker) -> None:
        self.source = source
        self.worker = worker
        self.manner = _manner(source)
        self._dialect = dialect(source.card.dialect) if source.card is not None else None

    def understands(self, *, bargains: bool) -> bool:
        """Whether it can be asked: the small models read positions and nothing else."""
        return bargains or self._dialect is None or self._dialect.name == "chat"

    def phrase(self, chat: Chat) -> Chat:
        """Put a chat into this model's own words and sampling, or raise BackendError."""
        card = self.source.card
        if not self.understands(bargains=chat.seen is not None):
            raise BackendError("only-bargains", retryable=False, asked=False)
        if self._dialect is None or card is None or chat.seen is None:
            return chat
        seen = chat.seen if card.tells else msgspec.structs.replace(chat.seen, tells=None)
        return msgspec.structs.replace(
            chat,
            messages=self._dialect.messages(seen, speak_only=chat.speak_only),
            seen=seen,
            temperature=card.temperature,
            top_p=card.top_p,
            max_new_tokens=card.max_new_tokens,
        )

    def interpreter(self, chat: Chat, on_text: OnText) -> "Interpreter | None":
        """Stand between model and listener; None where the model speaks the protocol itself."""
        if self._dialect is None or chat.seen is None:
            return None
        return Interpreter(self._dialect, chat, on_text)


class Interpreter:
    """Turns what a model says in its dialect into the JSON of the protocol while it is made."""

    def __init__(self, spoken: Dialect, chat: Chat, on_text: OnText) -> None:
        assert chat.seen is not None
        self._on_text = on_text
        self._passed_on = False
        said = functools.partial(as_people_say, chat.seen)
        self._speaker = spoken.speaker(chat.seen, self._pass_on, said)
        self.hear = self._speaker.hear

    def whole(self) -> str:
        """Return the whole answer; what could not be told while it was made is told now."""
        text = self._speaker.text
        if text and not self._passed_on:
            self._pass_on(text)
        return text

    def _pass_on(self, piece: str) -> None:
        self._passed_on = self._passed_on or bool(piece)
        self._on_text(piece)


def _manner(source: Source) -> Manner:
    card = source.card
    if card is None:
        return PLAIN
    return Manner(steer=card.steer, tells=card.tells, prompt=card.prompt_version)


log = logging.getLogger(__name__)

BESIDE = 4
"""Models that are kept beside the one that speaks; the one asked longest ago leaves first."""

LARGEST_BESIDE = 256 * 2**20
"""Bytes of weights: a larger model is loaded only to speak for the site."""

Find = Callable[[str], Checkpoint | None]

Settle = Callable[[Source], Resident]


class Residents:
    """Who lives here. Any thread may ask, and nobody waits for a model that is being loaded."""

    def __init__(self, home: Source | None, how: Source, find: Find, settle: Settle) -> None:
        self._home = home
        self._how = how
        self._find = find
        self._settle = settle
        self._lock = threading.RLock()
        self._main = settle(home) if home is not None else None
        self._next: Resident | None = None
        self._beside: dict[str, Resident] = {}
        self._failed: set[str] = set()

    @property
    def main(self) -> Resident | None:
        """The one that speaks for the site."""
        with self._lock:
            self._move_up()
            return self._main

    def knows(self, name: str) -> bool:
        """Whether a checkpoint could be asked for beside the one that speaks."""
        found = self._find(name)
        return found is not None and (_bytes_of(found) <= LARGEST_BESIDE or self._is_main(found))

    def named(self, name: str) -> Resident:
        """Load a checkpoint unless it is here ("": the one that speaks), or raise BackendError."""
        with self._lock:
            self._move_up()
            if name:
                return self._named(name)
            if self._main is None:
                raise BackendError("not-configured", retryable=False, asked=False)
            return self._main

    def take_up(self, name: str) -> None:
        """Let a checkpoint speak for the site, once it has been loaded; "": the settings' model."""
        with self._lock:
            self._move_up()
            found = self._find(name) if name else None
            if name and found is None:
                return
            wanted = self._home if found is None else self._how.of(found)
            if _same(self._next or self._main, wanted):
                return
            if self._next is not None:
                self._next.worker.retire()
                self._next = None
            if wanted is None or not _same(self._main, wanted):
                self._replace(wanted)

    def stop(self) -> None:
        """Send everybody away; waits for the steps under way."""
        with self._lock:
            everybody = [self._main, self._next, *self._beside.values()]
        for one in everybody:
            if one is not None:
                one.worker.stop()

    def _replace(self, wanted: Source | None) -> None:
        if wanted is None:
            if self._main is not None:
                self._main.worker.retire()
            self._main = None
        elif wanted.label not in self._failed:
            self._next = self._at_hand(wanted) or self._settle(wanted)
            self._next.worker.start()
            self._move_up()

    def _move_up(self) -> None:
        coming, here = self._next, self._main
        if coming is None:
            return
        if here is not None and here.worker.state == "ready":
            if coming.worker.state == "load-failed":
                log.error("The chosen model stays away", extra={"model": coming.source.label})
                self._failed.add(coming.source.label)
                self._next = None
            if coming.worker.state != "ready":
                return
        if here is not None:
            here.worker.retire()
        self._main, self._next = coming, None

    def _named(self, name: str) -> Resident:
        found = self._find(name)
        if found is None or not self.knows(name):
            raise BackendError("no-such-model", retryable=False, asked=False)
        source = self._how.of(found)
        for one in (self._main, self._next):
            if one is not None and _same(one, source):
                return one
        resident = self._at_hand(source) or self._settle(source)
        self._beside[source.label] = resident
        if len(self._beside) > BESIDE:
            self._beside.pop(next(iter(self._beside))).worker.retire()
        return resident

    def _at_hand(self, source: Source) -> Resident | None:
        return self._beside.pop(source.label, None)

    def _is_main(self, found: Checkpoint) -> bool:
        with self._lock:
            return _same(self._main, self._how.of(found))


def _same(one: Resident | None, source: Source | None) -> bool:
    if one is None or source is None:
        return one is None and source is None
    return one.source == source or bool(source.version and one.source.version == source.version)


def _bytes_of(checkpoint: Checkpoint) -> int:
    if checkpoint.is_adapter:
        return LARGEST_BESIDE + 1  # the model it belongs to is elsewhere, and as large as it is
    try:
        return (checkpoint.folder / WEIGHTS[0]).stat().st_size
    except OSError:  # its folder has just gone; the list of those that are here lags by seconds
        return LARGEST_BESIDE + 1
