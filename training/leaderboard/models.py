"""What the board keeps: names that people chose, their games that count, and the ready tables."""

from django.db import models
from django.utils import timezone

from negotiation.models import Game
from negotiation.names import LONGEST

LONGEST_KEY = 6 * LONGEST


class BoardName(models.Model):
    """A visitor who plays under a name: the session ``owner``, whose games from ``since`` on count.

    A withdrawn name is empty; its row stays, so that the visitor can come back to the games.
    """

    owner = models.CharField(max_length=40, unique=True)
    name = models.CharField(max_length=LONGEST, blank=True)
    key = models.CharField(max_length=LONGEST_KEY, blank=True)
    since = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["name"]
        constraints = [
            models.UniqueConstraint(
                fields=["key"], condition=~models.Q(key=""), name="one_visitor_per_name"
            )
        ]

    def __str__(self) -> str:
        return self.name or "(withdrawn)"


class PersonalGame(models.Model):
    """A finished game of somebody on the board, and whether it counts.

    ``why_not`` is the code of the reason why not, or ""; ``table`` names the task and the seat;
    ``rivals`` lists name and weight of whoever sat opposite; shares are 0..1.
    """

    person = models.ForeignKey(BoardName, on_delete=models.CASCADE, related_name="games")
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="+")
    why_not = models.CharField(max_length=20, blank=True)
    table = models.CharField(max_length=80, blank=True)
    rivals = models.JSONField(default=list, blank=True)
    share = models.FloatField(null=True, blank=True)
    rival_share = models.FloatField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["person", "game"], name="one_row_per_game_and_person"),
            models.CheckConstraint(
                condition=~models.Q(why_not="")
                | models.Q(share__gte=0, share__lte=1, rival_share__gte=0, rival_share__lte=1),
                name="games_that_count_have_shares",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.game_id} of {self.person}"


class Standing(models.Model):
    """A table of ratings, ready to be shown; ``made_from`` says from what it was computed."""

    name = models.CharField(primary_key=True, max_length=20)
    made_from = models.CharField(max_length=300)
    made_at = models.DateTimeField(default=timezone.now)
    body = models.JSONField()

    def __str__(self) -> str:
        return self.name
