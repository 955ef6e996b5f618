"""Transformers models in this process, as a backend.

Importing this module is cheap; torch comes with the first ``start``, in the worker's thread.
"""

import asyncio
from typing import Self

import msgspec
from django.conf import settings

from agents.backends.base import Chat, Completion, OnText, unheard
from agents.backends.errors import BackendError, TooSlow
from agents.backends.local.chosen import chosen, how
from agents.backends.local.question import Question
from agents.backends.local.resident import Resident
from agents.backends.local.residents import Residents
from agents.backends.local.source import Device, Precision, Source
from agents.backends.local.worker import State
from agents.chats import PLAIN, Manner
from agents.known_checkpoints import find_checkpoint


class LocalBackend:
    """Answers with models that this process loads itself: one for the site, others by name.

    Args:
        model: folder or hub name of a checkpoint of ``AutoModelForCausalLM``; "" for none.
        adapter: folder or hub name of a PEFT adapter for it; "" for none.
        device: where it runs; auto takes CUDA where there is any.
        precision: its numbers; auto is bfloat16 on CUDA and float32 on a CPU.
        batch: answers made at once; four times as many may wait.
        threads: CPU threads; 0 takes half of the cores.
        timeout_s: seconds that one answer may take, waiting included.
        stop_at_object: an answer is complete once its first JSON object is closed.
    """

    name = "local"
    metered = False
    sign_lasts_s = 1.0
    """A look at it costs nothing, and the operator may have chosen another model."""

    def __init__(
        self,
        model: str,
        adapter: str = "",
        *,
        device: Device = "auto",
        precision: Precision = "auto",
        batch: int = 32,
        threads: int = 0,
        timeout_s: float = 6.0,
        stop_at_object: bool = True,
    ) -> None:
        self.timeout_s = timeout_s
        self._batch = batch
        self._stop_at_object = stop_at_object
        run = Source("", "", device, precision, threads)
        home = msgspec.structs.replace(run, model=model, adapter=adapter).with_card()
        self._residents = Residents(home if model else None, run, find_checkpoint, self._settle)

    @classmethod
    def from_settings(cls) -> Self:
        """Make the backend that ``SAUDA_LOCAL_*`` describe."""
        given = settings.SAUDA_LOCAL
        backend = cls("", batch=given["batch"], timeout_s=given["timeout_s"])
        backend._residents = Residents(chosen(), how(), find_checkpoint, backend._settle)
        return backend

    @property
    def state(self) -> State:
        """How far the model is: not-started, loading, ready, load-failed or closed."""
        main = self._residents.main
        return main.worker.state if main is not None else "not-started"

    def configured(self) -> bool:
        """Tell whether the settings, or the operator, name a model."""
        return self._residents.main is not None

    def takes(self, *, bargains: bool, checkpoint: str = "") -> bool:
        """Tell whether it can be asked such a thing at all.

        Args:
            bargains: there is a position of Sauda's behind the chat.
            checkpoint: the trained model that is meant; "" for the one that speaks.
        """
        if checkpoint:
            return bargains and self._residents.knows(checkpoint)
        main = self._residents.main
        return main is not None and main.understands(bargains=bargains)

    def manner(self, chat: Chat) -> Manner:
        """Tell how the answer to a chat is to be taken, as far as that is known before."""
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
        """Answer, together with whoever else asks at this time. The first call starts loading.

        Raises:
            BackendError: ``not-configured``, ``no-such-model``, ``only-bargains``, ``loading``,
                ``load-failed``, ``closed``, ``busy``, ``prompt-too-long``, ``bad-template``,
                ``generation-failed`` or ``too-slow``.
        """
        resident = self._residents.named(chat.checkpoint)
        phrased = resident.phrase(chat)
        interpreter = resident.interpreter(phrased, on_text)
        hears = on_text if interpreter is None else interpreter.hear
        question = Question(phrased, hears, self.timeout_s)
        resident.worker.start()
        resident.worker.put(question)
        try:
            async with asyncio.timeout(self.timeout_s):
                completion = await question.answered
        except TimeoutError:
            raise TooSlow(asked=question.begun) from None
        finally:
            question.drop()
        text = completion.text if interpreter is None else interpreter.whole()
        return msgspec.structs.replace(completion, text=text, manner=resident.manner)

    async def probe(self) -> str:
        """Give the model's name once it is loaded; starts nothing.

        Raises:
            BackendError: ``not-configured``, ``not-started``, ``loading``, ``load-failed`` or
                ``closed``.
        """
        resident = self._residents.named("")
        resident.worker.check()
        return resident.source.label

    async def close(self) -> None:
        """Answer nobody any more; the models go with their workers."""
        await asyncio.to_thread(self._residents.stop)

    def _settle(self, source: Source) -> Resident:
        return Resident(source, self._batch, stop_at_object=self._stop_at_object)
