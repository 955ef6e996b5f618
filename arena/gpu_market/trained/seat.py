"""A trained lab at many tables at once, and its name in the registry of policies.

``Seat`` needs torch and is what training, evaluation and live play share; ``TrainedLab`` is the
policy: light to make, the model comes with its first turn. A process loads a model once, and all
its tables ask that one in turn.
"""

import logging
import multiprocessing
import threading
from collections import OrderedDict
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from agents.backends.local.source import import_libraries
from agents.prompts.chats import Message
from arena.gpu_market import dialect
from arena.gpu_market.dialect.text import WORDS
from arena.gpu_market.trained.cards import LabCheckpoint, labs
from bazaarbatna.market.actions import Malformed, MarketAction
from bazaarbatna.market.observe import Observation
from bazaarbatna.market.playing import Player
from bazaarbatna.market.policies import registry
from bazaarbatna.market.policies.expert import rule_expert
from bazaarbatna.market.policies.registry import CannotPlay
from bazaarbatna.market.policies.views import Policy

if TYPE_CHECKING:
    from agents.backends.local.player import Sampling

log = logging.getLogger(__name__)

SEEDS = 2**63
"""Torch takes seeds below this; those of live turns times a factor are larger."""

KEPT = 4
"""Models of labs that a process holds; the one that was asked longest ago makes room."""

_loading = threading.Lock()
_answering = threading.Lock()
"""Torch has one state of chance and one pool of threads for a process: tables wait for each other
some hundredths of a second."""

_seats: "OrderedDict[LabCheckpoint, Seat]" = OrderedDict()


class LabSpoken(msgspec.Struct, frozen=True):
    """One answer: tokens of prompt and answer, the model's own text, and what is played."""

    prompt: list[int]
    answer: list[int]
    text: str
    action: MarketAction | Malformed

    @property
    def valid(self) -> bool:
        """Whether it is an action, exactly as the protocol writes it."""
        return isinstance(self.action, MarketAction)


class Seat:
    """Asks one model (of ``AutoModelForCausalLM``) what a lab does."""

    def __init__(self, model: Any, tokenizer: Any, sampling: "Sampling") -> None:
        from agents.backends.local.player import Writer

        self.sampling = sampling
        self._writer = Writer(model, tokenizer)

    def answers(
        self, seen: Sequence[Observation], sampling: "Sampling | None" = None
    ) -> list[LabSpoken]:
        """Answer every position, in order."""
        chats = [(Message("user", dialect.render(one)),) for one in seen]
        made = self._writer.write(chats, sampling or self.sampling)
        return [
            LabSpoken(said.prompt, said.answer, said.text, dialect.read(one, said.text))
            for one, said in zip(seen, made, strict=True)
        ]


class TrainedLab:
    """Plays what a checkpoint says; of ``answers`` so far, ``invalid`` were no action."""

    def __init__(self, checkpoint: LabCheckpoint, seed: int = 0) -> None:
        self.checkpoint = checkpoint
        self.answers = self.invalid = 0
        self._seed = seed
        self._turn = 0

    def __call__(self, seen: Observation) -> MarketAction | Malformed:
        """Answer one position."""
        return self.act_many([seen])[0]

    def act_many(self, seen: Sequence[Observation]) -> list[MarketAction | Malformed]:
        """Answer many positions in one batch; what cannot be read stays malformed."""
        import torch

        self._turn += 1
        seat = seated(self.checkpoint)
        # Same tables, same turns, same draws: whatever else this process has drawn.
        with _answering, torch.random.fork_rng():
            torch.manual_seed((self._seed * 1_000_003 + self._turn) % SEEDS)
            said = seat.answers(seen)
        self.answers += len(said)
        self.invalid += sum(not one.valid for one in said)
        return [one.action for one in said]


SENTENCES = frozenset(WORDS.values())
SPEECH = ("send_message", "make_pitch", "counter_pitch")


class LiveLab:
    """The same for a table that has to go on: a stand-in plays what the model gets wrong.

    People look on here, so it speaks in the sentences of its dialect alone: what it might make up
    could be anything, its own jobs too. ``backend`` is who gave the last answer: "local", the
    model, or "rules", the stand-in.
    """

    def __init__(self, lab: TrainedLab, stand_in: Policy) -> None:
        self.lab = lab
        self.backend = "local"
        self._stand_in = stand_in

    def __call__(self, seen: Observation) -> MarketAction:
        """Answer one position."""
        said = self.lab(seen)
        action = _presentable(said) if isinstance(said, MarketAction) else None
        self.backend = "local" if action is not None else "rules"
        return action or self._stand_in(seen)


def _presentable(action: MarketAction) -> MarketAction | None:
    if not action.message or action.message in SENTENCES:
        return action
    return None if action.action in SPEECH else msgspec.structs.replace(action, message="")


def seat_of(model: Any, tokenizer: Any, card: Any) -> Seat:
    """Seat a model as its card says."""
    from agents.backends.local.player import Sampling

    return Seat(model, tokenizer, Sampling(card.temperature, card.top_p, card.max_new_tokens))


def seated(checkpoint: LabCheckpoint) -> Seat:
    """Return a lab's seat; the first time its model is loaded, in seconds or to ``CannotPlay``."""
    with _loading:
        seat = _seats.get(checkpoint)
        if seat is None:
            seat = _seats[checkpoint] = _load(checkpoint)
        _seats.move_to_end(checkpoint)
        while len(_seats) > KEPT:
            _seats.popitem(last=False)
    return seat


def _load(checkpoint: LabCheckpoint) -> Seat:
    import_libraries()
    from agents.backends.local.loading import load
    from agents.backends.local.source import Source

    # Torch's threads wait for each other busily: processes side by side have one each.
    threads = 1 if multiprocessing.parent_process() else 0
    try:
        loaded = load(Source(str(checkpoint.folder), threads=threads))
    # Transformers raises whatever it likes for files that are missing or broken.
    except Exception as wrong:
        log.exception("a lab cannot be loaded", extra={"lab": checkpoint.version})
        raise CannotPlay(
            f"{checkpoint.card.title} cannot play here: its files cannot be loaded."
        ) from wrong
    return seat_of(loaded.model, loaded.tokenizer, checkpoint.card)


class TrainedLabs:
    """Trained labs by name: whatever lab lies on the disk can be seated at once."""

    def names(self) -> tuple[str, ...]:
        """List the labs that are here."""
        return tuple(dict.fromkeys(one.card.name for one in labs()))

    def find(self, name: str) -> LabCheckpoint | None:
        """Look a lab up by its name (one that was shipped keeps it), or by its version's label."""
        return next((one for one in labs() if name in (one.card.name, one.version)), None)

    def label(self, name: str) -> str | None:
        """Return the label of the version that is here."""
        found = self.find(name)
        return None if found is None else found.version

    def prepare(self, name: str) -> None:
        """Load the model, or raise ``CannotPlay``."""
        found = self.find(name)
        if found is None:
            raise registry.CannotPlay(f"There is no lab {name[:40]!r} on this site any more.")
        seated(found)

    def make(self, name: str, seed: int) -> Player | None:
        """Make the player of a name; what it says is what is played."""
        found = self.find(name)
        return None if found is None else TrainedLab(found, seed)

    def make_live(self, name: str, seed: int) -> Policy | None:
        """Make the player of a name, with the expert behind it."""
        found = self.find(name)
        return None if found is None else LiveLab(TrainedLab(found, seed), rule_expert)


TRAINED_LABS = TrainedLabs()


def plug_in() -> None:
    """Register the trained labs; safe to call twice."""
    registry.install(TRAINED_LABS)
