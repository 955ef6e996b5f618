"""What is kept of finished games beside their logs: the grades of their moves."""

from django.db import models

from negotiation.models import Game, new_game_id


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


class DailyGame(models.Model):
    """The sealed game of one day, made ahead: its secret, and everything that follows from it.

    ``commitment`` is published ahead, ``secret`` when the day is over. ``scenario`` holds sealed
    values; ``source_key`` names the thing in the catalogue whose digest is ``goods``, ``twist``
    what is special about the day, "" for nothing. ``house`` and ``best_line`` keep what was
    computed of the game, once it is wanted. A worker claims the search for that line until
    ``line_until``.
    """

    day = models.DateField(primary_key=True)
    secret = models.CharField(max_length=64)
    commitment = models.CharField(max_length=64)
    scenario = models.BinaryField()
    source_key = models.CharField(max_length=64)
    goods = models.CharField(max_length=64)
    twist = models.CharField(max_length=16, blank=True)
    made_at = models.DateTimeField()
    house = models.JSONField(null=True, blank=True)
    best_line = models.JSONField(null=True, blank=True)
    line_attempts = models.PositiveSmallIntegerField(default=0)
    line_until = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-day"]

    def __str__(self) -> str:
        return f"the game of {self.day}"


class DailyTry(models.Model):
    """A visitor's one try at the game of a day. ``token`` is the address of its card.

    ``line`` is the number of a line of Sauda's that its player put on that card.
    """

    day = models.ForeignKey(DailyGame, on_delete=models.CASCADE, related_name="tries")
    visitor = models.CharField(max_length=40)
    game = models.OneToOneField(Game, on_delete=models.CASCADE, related_name="daily_try")
    token = models.CharField(max_length=12, unique=True, default=new_game_id)
    line = models.PositiveIntegerField(null=True)

    class Meta:
        ordering = ["-day"]
        constraints = [
            models.UniqueConstraint(fields=["day", "visitor"], name="one_try_a_day"),
        ]
        indexes = [models.Index(fields=["visitor", "day"], name="tries_of_a_visitor")]

    def __str__(self) -> str:
        return f"a try at {self.day_id}"


class Challenge(models.Model):
    """A finished game whose cards its player deals to friends; ``token`` is the link's address."""

    token = models.CharField(primary_key=True, max_length=12, default=new_game_id)
    game = models.OneToOneField(Game, on_delete=models.CASCADE, related_name="challenge")
    made_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"challenge of {self.game_id}"


class ChallengeTry(models.Model):
    """A friend's one game with the cards of a challenge."""

    challenge = models.ForeignKey(Challenge, on_delete=models.CASCADE, related_name="tries")
    visitor = models.CharField(max_length=40)
    game = models.OneToOneField(Game, on_delete=models.CASCADE, related_name="challenge_try")

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["challenge", "visitor"], name="one_try_a_friend"),
        ]

    def __str__(self) -> str:
        return f"a try at {self.challenge_id}"


class Rated(models.Model):
    """A Glicko-2 standing, and how often it was tested; what solvers and puzzles share."""

    rating = models.FloatField(default=1500.0)
    deviation = models.FloatField(default=350.0)
    volatility = models.FloatField(default=0.06)
    tried = models.PositiveIntegerField(default=0)
    solved = models.PositiveIntegerField(default=0)

    class Meta:
        abstract = True


class PuzzleSolver(Rated):
    """How a visitor stands in the puzzles; ``owner`` is a session key, as of games."""

    owner = models.CharField(max_length=40, unique=True)
    streak = models.PositiveIntegerField(default=0)
    best_streak = models.PositiveIntegerField(default=0)

    def __str__(self) -> str:
        return f"solver at {self.rating:.0f}"


class PuzzleStanding(Rated):
    """How hard a puzzle has proved; ``puzzle`` is its id in the file that is shipped."""

    puzzle = models.CharField(max_length=12, unique=True)

    def __str__(self) -> str:
        return f"puzzle {self.puzzle} at {self.rating:.0f}"


class PuzzleTry(models.Model):
    """A visitor's one answer to a puzzle that counts, and when the puzzle was opened.

    ``choice`` is the place of the move among the options, from 0; ``rating_change`` in points.
    """

    owner = models.CharField(max_length=40)
    puzzle = models.CharField(max_length=12)
    opened_at = models.DateTimeField()
    answered_at = models.DateTimeField(null=True, blank=True)
    choice = models.PositiveSmallIntegerField(null=True, blank=True)
    is_right = models.BooleanField(default=False)
    in_time = models.BooleanField(default=False)
    rating_change = models.FloatField(default=0.0)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["owner", "puzzle"], name="one_try_per_puzzle")
        ]

    def __str__(self) -> str:
        return f"a try at {self.puzzle}"


class Lesson(models.Model):
    """What one finished game teaches its player, once it has grades.

    ``lost`` is what the costly moves left on the table, by the pattern that was missed, in shares
    of the room between both limits. ``puzzle`` is the costliest of them, event ``seq``, as a
    puzzle, None without one; it is asked again at ``due``, None once it is ``solved`` often
    enough. ``choice`` is the last answer.
    """

    game = models.OneToOneField(Game, on_delete=models.CASCADE, related_name="lesson")
    lost = models.JSONField(default=dict)
    puzzle = models.BinaryField(null=True)
    seq = models.PositiveIntegerField(null=True)
    due = models.DateTimeField(null=True)
    tries = models.PositiveSmallIntegerField(default=0)
    solved = models.PositiveSmallIntegerField(default=0)
    choice = models.PositiveSmallIntegerField(null=True)

    def __str__(self) -> str:
        return f"lesson of {self.game_id}"
