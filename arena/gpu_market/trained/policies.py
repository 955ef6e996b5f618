"""Trained labs by name, for whoever asks the registry of policies."""

from arena.gpu_market.engine.playing import Player
from arena.gpu_market.policies import registry
from arena.gpu_market.policies.expert import rule_expert
from arena.gpu_market.policies.views import Policy
from arena.gpu_market.trained.cards import LabCheckpoint, labs
from arena.gpu_market.trained.seat import LiveLab, TrainedLab, seated


class TrainedLabs:
    """The source of these policies: whatever lab lies on the disk can be seated at once."""

    def names(self) -> tuple[str, ...]:
        """List the labs that are here."""
        return tuple(dict.fromkeys(one.card.name for one in labs()))

    def find(self, name: str) -> LabCheckpoint | None:
        """Look a lab up by its name (one that was shipped keeps it), or by its version's label."""
        return next((one for one in labs() if name in (one.card.name, one.version)), None)

    def label(self, name: str) -> str | None:
        """Give the label of the version that is here."""
        found = self.find(name)
        return None if found is None else found.version

    def prepare(self, name: str) -> None:
        """Load the model.

        Raises:
            CannotPlay: it is not here, or cannot be loaded.
        """
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
