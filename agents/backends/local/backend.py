"""A transformers model in this process, as a backend.

Importing this module is cheap; torch comes with the first ``start``, in the worker's thread.
"""

import asyncio
from typing import Any, Self

from django.conf import settings

from agents.backends.base import Chat, Completion, OnText, unheard
from agents.backends.errors import BackendError, TooSlow
from agents.backends.local.question import Question
from agents.backends.local.source import Device, Precision, Source
from agents.backends.local.worker import State, Worker


class LocalBackend:
    """Answers with a model that this process loads itself.

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
        self._source = Source(model, adapter, device, precision, threads)
        self._worker = Worker(self._source, batch, stop_at_object=stop_at_object)

    @classmethod
    def from_settings(cls) -> Self:
        """Make the backend that ``SAUDA_LOCAL_*`` describe."""
        given: dict[str, Any] = settings.SAUDA_LOCAL
        return cls(**given)

    @property
    def state(self) -> State:
        """How far the model is: not-started, loading, ready, load-failed or closed."""
        return self._worker.state

    def configured(self) -> bool:
        """Tell whether the settings name a model."""
        return bool(self._source.model)

    def start(self) -> None:
        """Load the model in the background; does nothing the second time, or without a model."""
        if self.configured():
            self._worker.start()

    async def complete(self, chat: Chat, on_text: OnText = unheard) -> Completion:
        """Answer, together with whoever else asks at this time. The first call starts loading.

        Raises:
            BackendError: ``not-configured``, ``loading``, ``load-failed``, ``closed``, ``busy``,
                ``prompt-too-long``, ``bad-template``, ``generation-failed`` or ``too-slow``.
        """
        self._check_configured()
        self.start()
        question = Question(chat, on_text, self.timeout_s)
        self._worker.put(question)
        try:
            async with asyncio.timeout(self.timeout_s):
                return await question.answered
        except TimeoutError:
            raise TooSlow(asked=question.begun) from None
        finally:
            question.drop()

    async def probe(self) -> str:
        """Give the model's name once it is loaded; starts nothing.

        Raises:
            BackendError: ``not-configured``, ``not-started``, ``loading``, ``load-failed`` or
                ``closed``.
        """
        self._check_configured()
        self._worker.check()
        return self._source.label

    async def close(self) -> None:
        """Answer nobody any more; the model goes with the worker."""
        await asyncio.to_thread(self._worker.stop)

    def _check_configured(self) -> None:
        if not self.configured():
            raise BackendError("not-configured", retryable=False, asked=False)
