"""What stages share that learn from games of their own, played in rounds."""

from typing import TYPE_CHECKING, Annotated, ClassVar

from pydantic import Field

from training.stages.settings import BadConfig, StageConfig

Steps = Annotated[int, Field(ge=1, le=10_000, description="Steps of the optimizer.")]
Different = Annotated[int, Field(ge=1, le=512)]
Group = Annotated[int, Field(ge=2, le=64)]
Updates = Annotated[int, Field(ge=1, le=64)]
Parts = Annotated[int, Field(ge=1, le=512, description="Parts of a round in memory, one by one.")]
Weight = Annotated[float, Field(ge=0, le=10)]
KlWeight = Annotated[Weight, Field(description="Weight of the KL term to the SFT model.")]
FormatWeight = Annotated[Weight, Field(description="Cost of unreadable answers.")]
Temperature = Annotated[float, Field(gt=0, le=2)]
TopP = Annotated[float, Field(gt=0, le=1)]
Every = Annotated[int, Field(ge=1)]


class RoundsConfig(StageConfig):
    """Settings of a round: ``different`` games, each played by a whole group.

    Attributes:
        different: the setting that counts the different games of a round.
    """

    different: ClassVar[str]

    if TYPE_CHECKING:
        # Every stage declares them itself, where its table has them: forms, pages and receipts
        # keep the order of the fields, and those of a base class would all come first.
        steps: int
        group: int
        updates: int
        parts: int
        beta: float
        temperature: float
        top_p: float
        format_weight: float
        select_every: int

    @property
    def rounds(self) -> int:
        """How often games are played."""
        return -(-self.steps // self.updates)

    @property
    def seeds(self) -> int:
        """One for each different game; where all are of one kind, each has another seed."""
        return self.rounds * self._different

    @property
    def games(self) -> int:
        """Games of a round."""
        return self._different * self.group

    def check_round(self) -> None:
        """Check that a round can be cut into the steps that are made of it.

        Raises:
            BadConfig: with what is allowed.
        """
        if self.parts % self.updates:
            raise BadConfig(
                f"parts ({self.parts}) has to be a multiple of updates ({self.updates})."
            )
        if self.games % self.parts:
            raise BadConfig(
                f"{self.different} x group ({self.games}) has to be a multiple of parts "
                f"({self.parts})."
            )

    @property
    def _different(self) -> int:
        return int(getattr(self, self.different))
