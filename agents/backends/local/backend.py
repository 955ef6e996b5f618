"""Small models of this machine as a backend: llama.cpp, here or in a process of its own."""

import asyncio
import logging
import time
from pathlib import Path
from typing import Self

import msgspec
from django.conf import settings

from agents.backends.base import BackendError, Chat, Completion, OnText, unheard
from agents.backends.local.model import SEATS
from agents.backends.local.pace import Patience
from agents.backends.local.remote import RemoteWorker, doors
from agents.backends.local.residents import Resident, Residents
from agents.backends.local.source import CannotLoad, Source
from agents.backends.local.worker import State, Worker
from agents.checkpoints import (
    NONE,
    Checkpoint,
    NoCheckpoint,
    find_checkpoint,
    known,
    read_checkpoint,
)
from agents.prompts.chats import PLAIN, Manner

log = logging.getLogger(__name__)


def how() -> Source:
    """Say on how many threads models are run."""
    return Source("", settings.SAUDA_LOCAL["threads"])


def chosen() -> Source | None:
    """Return the model the settings name, else the one that was shipped; None for none."""
    model = str(settings.SAUDA_LOCAL["model"]).strip()
    if model.lower() == NONE:
        return None
    try:
        named = _named(model) if model else known().voice
        if named is not None:
            return how().of(named)
        return msgspec.structs.replace(how(), model=model).with_card() if model else None
    except (CannotLoad, NoCheckpoint):
        log.exception("The local model cannot be used")
        return None


def _named(model: str) -> Checkpoint | None:
    if "/" in model:
        return None
    folder = Path(settings.SHIPPED_MODELS_DIR) / model
    return read_checkpoint(folder) if folder.is_dir() else known().find(model)


def patience() -> Patience:
    """Say how long an answer may take, alone and among others."""
    given = settings.SAUDA_LOCAL
    return Patience(given["timeout_s"], min(given["timeout_s"], given["patience_s"]))


WAYS = 5
"""A turn waits for a busy process on its way to the model, which tells of some five waits more: the
person's move before it, the gates twice, the bid on its way to the log and to the page."""

TRIES = 3
"""How often a small model is asked that drew a token after which nothing in its dialect follows."""


def _late_s(chat: Chat) -> float:
    return WAYS * (time.monotonic() - chat.since) if chat.since else 0.0


class LocalBackend:
    """Answers with models of this machine; settings as ``SAUDA_LOCAL_*``.

    They live in this process, or in the model servers at ``places``.
    """

    name = "local"
    metered = False
    sign_lasts_s = 1.0

    def __init__(
        self,
        model: str,
        *,
        batch: int = SEATS,
        threads: int = 1,
        timeout_s: float = 6.0,
        patience_s: float | None = None,
        stop_at_object: bool = True,
        places: tuple[str, ...] = (),
    ) -> None:
        self.timeout_s = timeout_s
        self._patience = Patience(timeout_s, timeout_s if patience_s is None else patience_s)
        self._places = places
        self._batch = batch
        self._stop_at_object = stop_at_object
        run = Source("", threads)
        home = msgspec.structs.replace(run, model=model).with_card()
        self._residents = Residents(home if model else None, run, find_checkpoint, self._settle)

    @classmethod
    def from_settings(cls) -> Self:
        """Make the backend that ``SAUDA_LOCAL_*`` describe."""
        given = settings.SAUDA_LOCAL
        backend = cls(
            "",
            batch=given["batch"],
            timeout_s=given["timeout_s"],
            patience_s=patience().among_others_s,
            places=settings.SAUDA_MODEL_SERVERS,
        )
        backend._residents = Residents(chosen(), how(), find_checkpoint, backend._settle)
        return backend

    @property
    def state(self) -> State:
        """How far the model is: not-started, loading, ready, load-failed or closed."""
        main = self._residents.main
        return main.worker.state if main is not None else "not-started"

    def configured(self) -> bool:
        """Whether the settings, or the operator, name a model."""
        return self._residents.main is not None

    def takes(self, *, bargains: bool, checkpoint: str = "") -> bool:
        """Whether it can be asked such a thing at all."""
        if checkpoint:
            return bargains and self._residents.knows(checkpoint)
        main = self._residents.main
        return main is not None and main.understands(bargains=bargains)

    def manner(self, chat: Chat) -> Manner:
        """Return how the answer to a chat is to be taken, as far as that is known before."""
        try:
            return self._residents.named(chat.checkpoint).manner
        except BackendError:
            return PLAIN

    def take_up(self, checkpoint: str) -> None:
        """Let a checkpoint speak; "" gives the word back to the model of the settings."""
        self._residents.take_up(checkpoint)

    def start(self) -> None:
        """Load the model in the background; does nothing the second time, or without a model."""
        main = self._residents.main
        if main is not None:
            main.worker.start()

    async def complete(self, chat: Chat, on_text: OnText = unheard) -> Completion:
        """Answer, together with whoever else asks at this time. The first call starts loading."""
        resident = self._residents.named(chat.checkpoint)
        phrased = resident.phrase(chat)
        completion, text = await self._say(resident, phrased, on_text)
        for other in range(1, TRIES if phrased.temperature > 0 else 1):
            if text:
                break
            on_text("")
            seed = None if phrased.seed is None else phrased.seed + other
            again = msgspec.structs.replace(phrased, seed=seed)
            completion, text = await self._say(resident, again, on_text)
        return msgspec.structs.replace(completion, text=text, manner=resident.manner)

    async def _say(
        self, resident: Resident, phrased: Chat, on_text: OnText
    ) -> tuple[Completion, str]:
        interpreter = resident.interpreter(phrased, on_text)
        hears = on_text if interpreter is None else interpreter.hear
        left = msgspec.structs.replace(self._patience, late_s=_late_s(phrased))
        completion = await resident.worker.answer(phrased, hears, left)
        return completion, completion.text if interpreter is None else interpreter.whole()

    async def probe(self) -> str:
        """Return the model's name once it is loaded; starts nothing."""
        resident = self._residents.named("")
        resident.worker.check()
        return resident.source.label

    async def close(self) -> None:
        """Answer nobody any more; the models go with their workers."""
        await asyncio.to_thread(self._residents.stop)

    def _settle(self, source: Source) -> Resident:
        if self._places:
            return Resident(source, RemoteWorker(source, doors(self._places)))
        return Resident(source, Worker(source, self._batch, stop_at_object=self._stop_at_object))
