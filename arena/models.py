"""What is stored of an auction's or a market's match beside its game: seats, pace, who runs it."""

from django.db import models

from negotiation.games.lease import Held
from negotiation.models import Game


class Match(Held):
    """A game of the arena: its life before the first event, and the process that runs it.

    ``turn_ends_at`` is when the envelopes of people are due in the present round. ``pause_s``
    seconds lie between two rounds.
    """

    class Phase(models.TextChoices):
        """Where the match is in its life."""

        WAITING = "waiting", "Waiting for its start"
        LIVE = "live", "Live"
        ENDED = "ended", "Ended"

    game = models.OneToOneField(
        Game, primary_key=True, on_delete=models.CASCADE, related_name="match"
    )
    phase = models.CharField(max_length=8, choices=Phase, default=Phase.WAITING)
    persona = models.CharField(max_length=20)
    persona_visible = models.BooleanField(default=False)
    seed = models.PositiveBigIntegerField()
    exhibition = models.BooleanField(default=False)
    line_up = models.JSONField(default=list)
    starts_at = models.DateTimeField(null=True, blank=True)
    turn_ends_at = models.DateTimeField(null=True, blank=True)
    pause_s = models.FloatField(default=0.0)

    class Meta:
        indexes = [models.Index(fields=["phase", "held_until"], name="matches_to_run")]
        constraints = [
            models.CheckConstraint(condition=models.Q(pause_s__gte=0), name="pause_is_no_debt")
        ]

    def __str__(self) -> str:
        return f"match {self.pk} ({self.phase})"


class MatchSeat(models.Model):
    """One buyer's chair. ``owner`` is the session of the person in it, "" while a policy plays.

    ``is_open``: a person may still sit down. ``missed`` counts the rounds in a row in which that
    person sent nothing.
    """

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="seats")
    index = models.PositiveSmallIntegerField()
    policy = models.CharField(max_length=60)
    version = models.CharField(max_length=80, blank=True)
    owner = models.CharField(max_length=40, blank=True)
    is_open = models.BooleanField(default=False)
    missed = models.PositiveSmallIntegerField(default=0)

    class Meta:
        ordering = ["match", "index"]
        constraints = [
            models.UniqueConstraint(fields=["match", "index"], name="one_chair_per_number"),
            models.UniqueConstraint(
                fields=["match", "owner"],
                condition=~models.Q(owner=""),
                name="one_chair_per_visitor",
            ),
        ]

    def __str__(self) -> str:
        return f"seat {self.index + 1} of {self.match_id}"


class Stage(models.Model):
    """The one row that says which exhibition match is on and which is next.

    Whoever changes it first moves ``turn`` on, so two processes never start two matches.
    """

    turn = models.PositiveIntegerField(default=0)
    current = models.ForeignKey(
        Match, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    following = models.ForeignKey(
        Match, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )

    def __str__(self) -> str:
        return f"stage after {self.turn} changes"


GOES_ON = models.Q(is_demo=True, is_paused=False)
"""Matches that need nobody: as long as they are not over, some process plays them."""


class MarketMatch(Held):
    """A game of the GPU market.

    ``seats`` names who plays each lab, as in ``visibility.Facts``. ``owner`` is the session that
    started the match: it plays the lab of the person, or holds the controls of a demo. The game
    itself has no owner, so that the shelf of bargaining games does not take it for one. ``pace_s``
    seconds lie between two turns of a demo; ``is_paused`` stops it.
    ``is_abandoned``: nobody came back, and the site ended it (``web.leaving``).
    ``bids`` are those of the person to which a lab named a price: no turn, so not in the log.
    ``judge`` is one of ``judge_rulings.JudgeName``; ``hearings`` keeps those that a model had a
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
    bids = models.JSONField(default=list)
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
