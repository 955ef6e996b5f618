"""What is stored: listings, games, their events, and sealed values apart from everything else."""

import copy
import secrets
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Index, Q

from negotiation.words import fold

SEARCHED = 300
"""Characters of a game's words that are kept for search: an index row has a longest length."""

_SHELF = ("status", "share_replay")
_FACETS = ("source", "suite", "policy", "persona", "outcome")
_WORDS = ("search_text",)


def shelf_indexes() -> list[Index]:
    """List the indexes of ``Game``: one for each order, and one for a visitor's own games."""
    return [
        *(
            Index(
                fields=[*_SHELF, *columns, "ended_at", "id", *_FACETS, *_WORDS],
                name=f"games_by_{name}",
            )
            for name, columns in (
                ("end", ()),
                ("price", ("deal_price",)),
                ("buyer_share", ("buyer_share",)),
                ("seller_share", ("seller_share",)),
                ("rounds", ("rounds_used",)),
            )
        ),
        Index(fields=[*_SHELF, *_WORDS, "ended_at", "id", *_FACETS], name="games_by_title"),
        Index(fields=["owner", *_SHELF, "ended_at", "id"], name="own_games"),
    ]


DAILY = "daily@1:"
"""Begins the suite of a game of the day; the day follows, as ``2026-11-25``."""

CHALLENGE = "challenge@1:"
"""Begins the suite of a game with the cards of a friend's; the token of the link follows."""


CLOSED = "closed"
"""The suite of games whose replay would tell more than their end may: nobody opens it."""

PAIR = "pair@1"
"""The suite of games between two people; a policy may take a seat that one of them leaves."""

OTHERS_GET_THESE_CARDS = (
    Q(suite__startswith=DAILY) | Q(suite__startswith=CHALLENGE) | ~Q(terms__exact={})
)
"""Games of a day, of a friend's cards and of rooms: what comes of one counts in no figure that is
told, for somebody may have yet to play the same."""


ID_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"


def new_game_id() -> str:
    """Make an unguessable id of 12 characters (59 bits) that people can read aloud."""
    return "".join(secrets.choice(ID_ALPHABET) for _ in range(12))


def id_from(digest: bytes) -> str:
    """Spell a digest as an id: the same bytes give the same game."""
    number, letters = int.from_bytes(digest), []
    for _ in range(12):
        number, place = divmod(number, len(ID_ALPHABET))
        letters.append(ID_ALPHABET[place])
    return "".join(letters)


class Listing(models.Model):
    """An item that can be sold. Prices in the smallest unit of ``currency``."""

    title = models.CharField(max_length=200)
    category = models.CharField(max_length=80, db_index=True)
    description = models.TextField(blank=True)
    condition_label = models.CharField(max_length=20, default="good")
    city = models.CharField(max_length=60, blank=True)
    list_price = models.PositiveBigIntegerField()
    street_price = models.PositiveBigIntegerField()
    currency = models.CharField(max_length=3, default="INR")
    source = models.CharField(max_length=40, default="catalogue", db_index=True)
    source_key = models.CharField(max_length=64)
    search_text = models.TextField(editable=False, default="")

    class Meta:
        ordering = ["title", "id"]
        constraints = [
            models.UniqueConstraint(fields=["source", "source_key"], name="one_listing_per_source"),
            models.CheckConstraint(
                condition=models.Q(street_price__lt=models.F("list_price"), street_price__gt=0),
                name="street_price_below_list_price",
            ),
        ]
        indexes = [models.Index(fields=["list_price"], name="listing_by_price")]

    def __str__(self) -> str:
        return self.title

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Store the listing together with the words it is found by."""
        self.search_text = self.words_to_find()
        super().save(*args, **kwargs)

    def words_to_find(self) -> str:
        """Title, category, city and description in the form that search compares."""
        return fold(f"{self.title} {self.category} {self.city} {self.description}")


class Game(models.Model):
    """One game: what is public about it. Its truth is the list of its events.

    ``persona`` is filled only when the game has ended, for lists of finished games. A what-if is
    the child of the game it left at ``forked_at_seq``; ``difference`` holds what that changed.
    ``watch_key`` is the secret of a link to look on. ``zone_promised`` says that its person was
    told of a price that suits both sides. ``rematch_of`` had the same cards: its person knows what
    the other side holds, so the game is practice and counts nowhere; one that was played on from a
    move of that game has its log up to ``forked_at_seq``, and is no what-if. ``photo`` names a file
    of ``bargain.photos``. ``rival`` is the session key of the person in the other seat, "" where
    the house sits there; ``names`` is what people in the seats "seller" and "buyer" call
    themselves. ``terms`` are the rules of this table (``bargain.terms``); ``may_train`` is the
    consent of everybody in it that models learn from it. ``language`` is that of the page on which
    it was begun: the house speaks it first. ``words_by`` says who vouches for words that came in a
    file: ``NOBODY``, or the id of the key that signed them elsewhere; "" is this house.
    ``seller_seen_at`` and ``buyer_seen_at`` are the last signs of life of people opposite people;
    ``gone`` is the session key of the one whose seat the house keeps until this person is back.
    """

    class Seat(models.TextChoices):
        """The side that the owner plays; the house plays the other one."""

        SELLER = "seller"
        BUYER = "buyer"

    class Status(models.TextChoices):
        """Where the game is in its life."""

        LIVE = "live"
        ENDED = "ended"

    class Source(models.TextChoices):
        """Where a game comes from."""

        PERSON = "person", "Played by a person"
        ARENA = "arena", "Arena"
        SIMULATION = "simulation", "Policies only"
        WHAT_IF = "what-if", "What if"
        IMPORT = "import", "Imported"
        EXAMPLE = "example", "Example"

    id = models.CharField(primary_key=True, max_length=12, default=new_game_id, editable=False)
    kind = models.CharField(max_length=12, default="sell")
    owner = models.CharField(max_length=40, db_index=True)
    seat = models.CharField(max_length=6, choices=Seat, default=Seat.SELLER)
    client = models.CharField(max_length=50, blank=True)
    listing = models.ForeignKey(Listing, null=True, blank=True, on_delete=models.SET_NULL)
    title = models.CharField(max_length=200)
    category = models.CharField(max_length=80, blank=True)
    description = models.TextField(blank=True)
    policy = models.CharField(max_length=60)
    policy_version = models.CharField(max_length=80, blank=True)
    share_replay = models.BooleanField(default=False)
    status = models.CharField(max_length=8, choices=Status, default=Status.LIVE)
    last_seq = models.PositiveIntegerField(default=0)
    outcome = models.CharField(max_length=8, blank=True)
    deal_price = models.PositiveBigIntegerField(null=True, blank=True)
    seller_share = models.FloatField(null=True, blank=True)
    buyer_share = models.FloatField(null=True, blank=True)
    rounds_used = models.PositiveSmallIntegerField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    thinking_until = models.DateTimeField(null=True, blank=True)
    thinking_at_seq = models.PositiveIntegerField(default=0)
    certificate = models.JSONField(null=True, blank=True)
    source = models.CharField(max_length=10, choices=Source, default=Source.PERSON)
    suite = models.CharField(max_length=60, blank=True)
    persona = models.CharField(max_length=20, blank=True)
    parent = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.CASCADE, related_name="forks"
    )
    forked_at_seq = models.PositiveIntegerField(null=True, blank=True)
    difference = models.JSONField(null=True, blank=True)
    zone_promised = models.BooleanField(default=False)
    rematch_of = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.CASCADE, related_name="rematches"
    )
    watch_key = models.CharField(max_length=24, null=True, blank=True, unique=True)
    search_text = models.TextField(editable=False, default="")
    photo = models.CharField(max_length=24, blank=True, default="")
    rival = models.CharField(max_length=40, blank=True, default="", db_index=True)
    names = models.JSONField(default=dict, blank=True)
    terms = models.JSONField(default=dict, blank=True)
    may_train = models.BooleanField(default=False)
    language = models.CharField(max_length=7, blank=True, default="")
    words_by = models.CharField(max_length=16, blank=True, default="")
    seller_seen_at = models.DateTimeField(null=True, blank=True)
    buyer_seen_at = models.DateTimeField(null=True, blank=True)
    gone = models.CharField(max_length=40, blank=True, default="")

    NOBODY, TRIED = "nobody", "what-if"
    """``TRIED`` is this house too, but of a what-if that came back as a file."""

    class Meta:
        ordering = ["-created_at"]
        indexes = shelf_indexes()

    def __str__(self) -> str:
        return f"{self.title} ({self.id})"

    is_turned = False

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Store the game together with the words it is found by."""
        assert not self.is_turned, "A game as its rival has it is for reading."
        self.search_text = self.words_to_find()
        super().save(*args, **kwargs)

    def refresh_from_db(self, *args: Any, **kwargs: Any) -> None:
        """Read the game anew, as its owner has it."""
        assert not self.is_turned, "A game as its rival has it is asked for again."
        super().refresh_from_db(*args, **kwargs)

    def turned(self) -> "Game":
        """Return this game of two people as the one in the other seat has it; never to be saved."""
        theirs = copy.copy(self)
        theirs.owner, theirs.rival, theirs.is_turned = self.rival, self.owner, True
        if (seat := self.terms.get("rival_seat")) is not None:
            theirs.seat, theirs.terms = seat, {**self.terms, "rival_seat": self.seat}
            return theirs
        sells = self.seat == Game.Seat.SELLER
        theirs.seat = Game.Seat.BUYER if sells else Game.Seat.SELLER
        theirs.kind = "buy" if sells else "sell"
        return theirs

    def as_seen_by(self, visitor: str) -> "Game":
        """Return this game from the chair of a visitor; anybody else sees it as its owner does."""
        return self.turned() if visitor and visitor == self.rival else self

    @property
    def is_pair(self) -> bool:
        """Two people sat down to it; a policy may have taken a seat since."""
        return self.suite == PAIR

    @property
    def is_daily(self) -> bool:
        """It has the cards of a game of the day: somebody's one try, its rematch or its what-if.

        A rematch is no try: it has a ``rematch_of``.
        """
        return self.suite.startswith(DAILY)

    @property
    def is_challenge(self) -> bool:
        """It was dealt the cards of somebody else's game, or is a rematch of such a game."""
        return self.suite.startswith(CHALLENGE)

    def words_to_find(self) -> str:
        """Title and category in the form that search compares."""
        return fold(f"{self.title} {self.category}")[:SEARCHED]


class SealedRecord(models.Model):
    """The scenario of a game with its hidden values, apart so that no view of a game carries it."""

    game = models.OneToOneField(Game, on_delete=models.CASCADE, related_name="sealed")
    scenario = models.BinaryField()

    def __str__(self) -> str:
        return f"sealed values of {self.game_id}"


class EventRow(models.Model):
    """One event of a game's log, with who served it, how long that took, and why it was said."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="events")
    seq = models.PositiveIntegerField()
    kind = models.CharField(max_length=20)
    payload = models.BinaryField()
    backend = models.CharField(max_length=20, blank=True)
    policy_version = models.CharField(max_length=80, blank=True)
    latency_ms = models.PositiveIntegerField(null=True, blank=True)
    passed_over = models.JSONField(default=list, blank=True)
    plan = models.JSONField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["game", "seq"]
        constraints = [models.UniqueConstraint(fields=["game", "seq"], name="one_event_per_number")]

    def __str__(self) -> str:
        return f"{self.game_id}#{self.seq} {self.kind}"


class Invitation(models.Model):
    """An open chair: ``owner`` waits for a friend to sit down over a listing, or an ``own`` thing.

    ``key`` is in the link; ``seat`` is the owner's; ``clock_s`` as in ``bargain.terms``; ``game``
    is there as soon as somebody has come. A rematch has the game ``after`` which it comes, and is
    for the two of that game alone.
    """

    key = models.CharField(primary_key=True, max_length=24)
    owner = models.CharField(max_length=40, db_index=True)
    listing = models.ForeignKey(Listing, null=True, on_delete=models.CASCADE)
    own = models.JSONField(null=True)
    seat = models.CharField(max_length=6, choices=Game.Seat)
    name = models.CharField(max_length=40)
    clock_s = models.PositiveIntegerField(default=0)
    game = models.OneToOneField(Game, null=True, blank=True, on_delete=models.CASCADE)
    after = models.OneToOneField(
        Game, null=True, blank=True, on_delete=models.CASCADE, related_name="rematch"
    )
    made_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"{self.name} waits over {self.thing}"

    @property
    def thing(self) -> Listing:
        """What is haggled over; an own thing stands as a listing that is stored nowhere."""
        return self.listing or Listing(**(self.own or {}))


class LineThumb(models.Model):
    """What a person thought of one line of a game, given after its end and beside its log.

    ``rater`` is a session key, as a game's ``owner`` is.
    """

    class Thumb(models.TextChoices):
        """Which way it points."""

        UP = "up"
        DOWN = "down"

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="thumbs")
    seq = models.PositiveIntegerField()
    rater = models.CharField(max_length=40)
    thumb = models.CharField(max_length=4, choices=Thumb)
    rated_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["game", "seq"]
        constraints = [
            models.UniqueConstraint(fields=["game", "seq", "rater"], name="one_thumb_per_line"),
            models.CheckConstraint(
                condition=models.Q(thumb__in=["up", "down"]), name="thumb_up_or_down"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.game_id}#{self.seq} {self.thumb}"


class GameAnswer(models.Model):
    """What whoever played a side answered to one question after the end, beside the game's log.

    ``value`` is 1 to 7; of "again" 0 for no and 1 for yes.
    """

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="answers")
    side = models.CharField(max_length=6, choices=[("seller", "Seller"), ("buyer", "Buyer")])
    question = models.CharField(max_length=12)
    value = models.PositiveSmallIntegerField()
    answered_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["game", "side", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["game", "side", "question"], name="one_answer_per_side"
            ),
            models.CheckConstraint(condition=models.Q(value__lte=7), name="answer_at_most_seven"),
        ]

    def __str__(self) -> str:
        return f"{self.game_id} {self.side}.{self.question}"


class LimitWindow(models.Model):
    """The recent uses of one limit by one client, as seconds since 1970."""

    key = models.CharField(primary_key=True, max_length=160)
    uses = models.JSONField(default=list)
    ends_at = models.FloatField(default=0.0, db_index=True)

    def __str__(self) -> str:
        return self.key


class OwnCase(models.Model):
    """A case that somebody wrote: ``text`` is its file; games and rooms keep the case they began.

    ``title`` is the file's in its first language.
    """

    id = models.CharField(primary_key=True, max_length=12, default=new_game_id, editable=False)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="own_cases"
    )
    title = models.CharField(max_length=200)
    text = models.TextField()
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["title", "id"]

    def __str__(self) -> str:
        return self.title
