"""A trained lab at many tables at once, and its name in the registry of policies.

``TrainedLab`` is light to make, the model comes with its first turn. A process loads a model once,
and all its tables ask that one.
"""

import logging
from collections.abc import Sequence

import msgspec

from agents.backends.local.model import Model, kept_model
from agents.backends.local.source import Source
from agents.prompts.chats import Chat, Message
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

log = logging.getLogger(__name__)


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
        self._turn += 1
        texts = seated(self.checkpoint).write(
            [self._chat(place, one) for place, one in enumerate(seen)]
        )
        said = [dialect.read(one, text) for one, text in zip(seen, texts, strict=True)]
        self.answers += len(said)
        self.invalid += sum(not isinstance(one, MarketAction) for one in said)
        return said

    def _chat(self, place: int, seen: Observation) -> Chat:
        card = self.checkpoint.card
        return Chat(
            (Message("user", dialect.render(seen)),),
            max_new_tokens=card.max_new_tokens,
            temperature=card.temperature,
            top_p=card.top_p,
            # Same tables, same turns, same draws: whatever else this process has drawn.
            seed=self._seed * 1_000_003 + self._turn * 1_009 + place,
        )


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


def seated(checkpoint: LabCheckpoint) -> Model:
    """Return a lab's model; the first time it is loaded, or not: ``CannotPlay``."""
    try:
        return kept_model(Source(str(checkpoint.folder), version=checkpoint.version))
    # Foreign code raises whatever it likes for files that are missing or broken.
    except Exception as wrong:
        log.exception("a lab cannot be loaded", extra={"lab": checkpoint.version})
        raise CannotPlay(
            f"{checkpoint.card.title} cannot play here: its files cannot be loaded."
        ) from wrong


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
