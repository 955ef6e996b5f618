"""What is stored of bots: who they are, each time they play, and every game of it."""

from django.db import models
from django.urls import reverse

from bazaarbatna.bargain.sealed_seeds import commitment
from negotiation.models import new_game_id
from training.models import Run

RUN_KIND = "bot"


class Bot(models.Model):
    """An agent from elsewhere, which comes with a token that is kept as a hash only.

    A withdrawn bot keeps its row, so that nobody else's results move, but not its name.
    """

    id = models.CharField(primary_key=True, max_length=12, default=new_game_id, editable=False)
    name = models.CharField(max_length=40)
    name_key = models.CharField(max_length=120, unique=True)
    owner = models.CharField(max_length=40, db_index=True)
    token_hash = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField(auto_now_add=True)
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return f"{self.name} ({self.id})"

    def get_absolute_url(self) -> str:
        """Address of the bot's page."""
        return reverse("bot", args=[self.pk])

    @property
    def policy(self) -> str:
        """Name of the bot in rows and tables; no policy of the site has such a one."""
        return f"bot:{self.pk}"


class Play(models.Model):
    """One time through all suites: what belongs to a run of kind "bot".

    ``key`` is the secret that all seeds follow from; it is told when ``opened_at`` is set.
    ``rows`` packs all bargains, the bot's and those of the site's players on the same seeds.
    ``card`` is the bot's mean over suites and ``counts`` are its answers, all and failed: what
    lists show of the run's long summary. ``agreement`` says how much the bot played alike when it
    was asked again. ``holder`` is the process or connection that plays now.
    """

    run = models.OneToOneField(Run, primary_key=True, on_delete=models.CASCADE)
    bot = models.ForeignKey(Bot, on_delete=models.CASCADE, related_name="plays")
    key = models.CharField(max_length=64)
    held_until = models.DateTimeField(null=True, blank=True)
    holder = models.CharField(max_length=32, blank=True)
    rows = models.BinaryField(default=bytes)
    card = models.JSONField(null=True, blank=True)
    counts = models.JSONField(default=dict, blank=True)
    agreement = models.JSONField(null=True, blank=True)
    verified_at = models.DateTimeField(null=True, blank=True)
    opened_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-run__created_at"]

    def __str__(self) -> str:
        # Never the key.
        return f"play of {self.bot_id}"

    @property
    def commitment(self) -> str:
        """SHA-256 of the key, shown from the start."""
        return commitment(self.key)

    @property
    def is_verified(self) -> bool:
        """Its games were played again, and the bot plays as it did."""
        return self.verified_at is not None


class Table(models.Model):
    """One game of a suite within a play, with the bot's answers so far.

    Numbers count from 1; a table that ``repeats`` another one is dealt to check the bot, and is
    in no result. ``session`` is the connection over which the bot played it to its end.
    """

    play = models.ForeignKey(Play, on_delete=models.CASCADE, related_name="tables")
    number = models.PositiveIntegerField()
    suite = models.CharField(max_length=60)
    place = models.PositiveIntegerField()
    repeats = models.ForeignKey("self", null=True, blank=True, on_delete=models.CASCADE)
    session = models.CharField(max_length=32, blank=True)
    moves = models.TextField(default="[]")
    bargains = models.PositiveSmallIntegerField(default=0)
    done = models.BooleanField(default=False)
    digests = models.JSONField(default=list)

    class Meta:
        ordering = ["play", "number"]
        constraints = [
            models.UniqueConstraint(fields=["play", "number"], name="one_table_a_number")
        ]

    def __str__(self) -> str:
        return f"table {self.number} of {self.play_id}"
