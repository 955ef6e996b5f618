"""What is kept of finished games beside their logs: the grades of their moves."""

from django.db import models

from negotiation.models import Game


class Grading(models.Model):
    """The grades of one game, and who is making them.

    Without a result somebody has asked. ``method`` labels what ``result`` was made with;
    ``claimed_until`` is when a silent grader counts as dead; ``took_ms`` milliseconds.
    """

    class Status(models.TextChoices):
        """Where the work is."""

        QUEUED = "queued"
        RUNNING = "running"
        DONE = "done"
        FAILED = "failed"

    game = models.OneToOneField(Game, on_delete=models.CASCADE, related_name="grading")
    status = models.CharField(max_length=8, choices=Status, default=Status.QUEUED)
    method = models.CharField(max_length=60, blank=True)
    result = models.JSONField(null=True, blank=True)
    asked_at = models.DateTimeField(auto_now_add=True)
    claimed_until = models.DateTimeField(null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    took_ms = models.PositiveIntegerField(null=True, blank=True)

    def __str__(self) -> str:
        return f"grades of {self.game_id}: {self.status}"
