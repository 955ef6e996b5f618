"""What is stored of a GPU market's match beside its game: its world, who plays, its pace."""

from django.db import models

from negotiation.games.lease import Held
from negotiation.models import Game

GOES_ON = models.Q(is_demo=True, is_paused=False)
"""Matches that need nobody: as long as they are not over, some process plays them."""


class MarketMatch(Held):
    """A game of the GPU market.

    ``seats`` names who plays each lab, as in ``room.facts.Facts``. ``owner`` is the session that
    started the match: it plays the lab of the person, or holds the controls of a demo. The game
    itself has no owner, so that the shelf of bargaining games does not take it for one. ``pace_s``
    seconds lie between two turns of a demo; ``is_paused`` stops it.
    ``is_abandoned``: nobody came back, and the site ended it (``room.leaving``).
    ``judge`` is one of ``judge_rulings.JUDGE_NAMES``; ``hearings`` keeps those that a model had a
    say in.
    """

    game = models.OneToOneField(
        Game, primary_key=True, on_delete=models.CASCADE, related_name="market"
    )
    task = models.CharField(max_length=20)
    seed = models.PositiveBigIntegerField()
    options = models.JSONField(default=list)
    judge = models.CharField(max_length=10, default="off")
    hearings = models.JSONField(default=list)
    seats = models.JSONField(default=list)
    owner = models.CharField(max_length=40, blank=True, db_index=True)
    is_public = models.BooleanField(default=True)
    is_demo = models.BooleanField(default=True)
    is_over = models.BooleanField(default=False)
    is_paused = models.BooleanField(default=False)
    is_abandoned = models.BooleanField(default=False)
    pace_s = models.FloatField(default=0.0)

    class Meta:
        indexes = [models.Index(fields=["is_over", "is_demo", "held_until"], name="markets_to_run")]
        constraints = [
            models.CheckConstraint(condition=models.Q(pace_s__gte=0), name="pace_is_no_debt")
        ]

    def __str__(self) -> str:
        return f"market {self.pk} ({self.task})"

    @property
    def goes_on(self) -> bool:
        """It is one of those of ``GOES_ON``."""
        return self.is_demo and not self.is_paused
