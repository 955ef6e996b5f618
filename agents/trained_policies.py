"""Trained models as policies: whatever checkpoint lies on the disk can be played, without restart.

The plain form plays many games in step (``TrainedPlayer``); the live form speaks through the local
backend, and the rules stand in while its model is being loaded.
"""

import functools
from collections.abc import Callable

from agents.buyers.trained_player import TrainedPlayer
from agents.checkpoints import Checkpoint
from agents.known_checkpoints import Known, known
from agents.sauda_live import LiveSauda
from negotiation.policies import Entry

BACKEND = "local"

UNTAUGHT = "base"
"""Stage of a model that only learned to write; no company for a seller."""


class TrainedPolicies:
    """The source of these policies.

    Args:
        stand_in: gives the rule policy that plays where the model does not answer.
    """

    def __init__(self, stand_in: Callable[[], Entry]) -> None:
        self._stand_in = stand_in
        self._made: dict[tuple[Checkpoint, str], Entry] = {}

    def entries(self) -> tuple[Entry, ...]:
        """List a policy for every checkpoint that is here."""
        here = known()
        self._forget_all_but(here)
        return tuple(self._entry(one, one.name) for one in here.checkpoints)

    def find(self, name: str) -> Entry | None:
        """Look a policy up; the name of a family, as ``sauda-mini``, is its shipped voice."""
        found = known().find(name)
        return None if found is None else self._entry(found, name)

    def _entry(self, checkpoint: Checkpoint, name: str) -> Entry:
        key = (checkpoint, name)
        if key not in self._made:
            self._made[key] = Entry(
                name=name,
                version=checkpoint.version.replace(checkpoint.name, name, 1),
                kind="model",
                title=checkpoint.card.title,
                backend=BACKEND,
                make=functools.partial(TrainedPlayer, checkpoint),
                live=LiveSauda(self._stand_in, (BACKEND,), name),
                voice=checkpoint.card.stage != UNTAUGHT,
            )
        return self._made[key]

    def _forget_all_but(self, here: Known) -> None:
        for key in list(self._made):
            if key[0] not in here.checkpoints:
                self._made.pop(key, None)
