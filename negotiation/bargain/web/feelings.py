"""How a game was for whoever played it: four questions after the end, and "again?".

One question for each factor of the Subjective Value Inventory, in words of our own; none has to be
answered. Answers stand beside the log and never in it, and nobody opposite is shown them.

Source: Curhan, Elfenbein and Xu (2006), What do people value when they negotiate?,
10.1037/0022-3514.91.3.493.
"""

import datetime as dt
from collections.abc import Iterator, Mapping

import msgspec
from django.utils import timezone
from django.utils.translation import gettext

from bazaarbatna.bargain.quantities import Side
from negotiation.bargain import sessions
from negotiation.bargain.terms import terms_of
from negotiation.errors import BadAnswer, NotOver, TooLate, UnknownGame
from negotiation.models import Game, GameAnswer
from negotiation.sentences import sentences

say = sentences(__file__)

POINTS = range(1, 8)
AGAIN = "again"
NO_OR_YES = {"no": 0, "yes": 1}

OPEN_FOR = dt.timedelta(days=7)
"""After the end of a game: as long may its answers be given, changed and taken back."""

TAKEN_BACK = "none"
"""Asks to forget an answer."""


class Question(msgspec.Struct, frozen=True):
    """What is asked, in English: ``{who}`` sat opposite; ``low`` and ``high`` are 1 and 7."""

    name: str
    ask: str
    low: str = ""
    high: str = ""


QUESTIONS = (
    Question(
        "instrumental", say.text("instrumental"),
        say.text("very_bad"), say.text("very_good"),
    ),
    Question(
        "self", say.text("self"),
        say.text("not_at_all"), say.text("very_much"),
    ),
    Question(
        "process", say.text("process"),
        say.text("very_unfairly"), say.text("very_fairly"),
    ),
    Question(
        "relationship", say.text("relationship"),
        say.text("very_badly"), say.text("very_well"),
    ),
    Question(AGAIN, say.text("again")),
)  # fmt: skip
"""The inventory's factors instrumental outcome, self, process and relationship; then "again?"."""


class Choice(msgspec.Struct, frozen=True):
    """One answer to tap; a second tap on the chosen one takes it back."""

    value: str
    words: str
    about: str
    is_chosen: bool

    @property
    def sent(self) -> str:
        """What its button sends."""
        return TAKEN_BACK if self.is_chosen else self.value


class Asked(msgspec.Struct, frozen=True):
    """A question as a page asks it."""

    name: str
    ask: str
    low: str
    high: str
    choices: tuple[Choice, ...]


def is_asked(game: Game) -> bool:
    """Whether a game's people are asked: in rooms only where the room's plan says so."""
    is_played_here = game.source == Game.Source.PERSON
    return is_played_here and (not game.terms or terms_of(game).feelings) and not is_too_late(game)


def is_too_late(game: Game) -> bool:
    """Whether a game ended too long ago for its answers to be given or changed."""
    return game.ended_at is not None and timezone.now() - game.ended_at > OPEN_FOR


def posted(told: Mapping[str, str]) -> tuple[str, str]:
    """Return which question a form answers, and how; "" for several or none: that is no tap."""
    found = [one.name for one in QUESTIONS if one.name in told]
    name = found[0] if len(found) == 1 else ""
    return name, told.get(name, "")


def answer(
    game_id: str, owner: str, name: str, said: str, kind: str = "", side: Side | None = None
) -> Game:
    """Keep, change or take back what the visitor's side answers; the last answer counts.

    ``said`` is "1" to "7", for "again" "yes" or "no", or "none"; ``side`` is the visitor's where
    seats have other names.

    Raises:
        UnknownGame: not a game that this visitor played here, or one that nobody is asked about.
        NotOver: the game goes on.
        TooLate: it ended more than ``OPEN_FOR`` ago.
        BadAnswer: no such question, or no answer to it.
    """
    game = sessions.owned_game(game_id, owner, kind)
    if game.status != Game.Status.ENDED:
        raise NotOver
    if is_too_late(game):
        raise TooLate
    if not is_asked(game):
        raise UnknownGame(say("not_asked"))
    value, side = _read(name, said), side or sessions.side_of(game)
    if value is None:
        GameAnswer.objects.filter(game=game, side=side, question=name).delete()
        return game
    # One statement: of two taps at once the later one counts, and neither fails.
    GameAnswer.objects.bulk_create(
        [GameAnswer(game=game, side=side, question=name, value=value)],
        update_conflicts=True,
        unique_fields=["game", "side", "question"],
        update_fields=["value", "answered_at"],
    )
    return game


def answers_of(game: Game, side: Side) -> dict[str, int]:
    """Return what was answered for a side, in the order of the questions."""
    rows = GameAnswer.objects.filter(game=game.pk, side=side)
    found = dict(rows.values_list("question", "value"))
    return {one.name: found[one.name] for one in QUESTIONS if one.name in found}


def asked_of(game: Game, rival: str, side: Side | None = None) -> tuple[Asked, ...]:
    """Return the questions to the game's person, as answered so far; none where none are asked."""
    if not is_asked(game):
        return ()
    known = answers_of(game, side or sessions.side_of(game))
    return tuple(_asked(one, known.get(one.name), rival) for one in QUESTIONS)


def _asked(one: Question, known: int | None, rival: str) -> Asked:
    low, high = (gettext(words) if words else "" for words in (one.low, one.high))
    return Asked(one.name, worded(one, rival), low, high, tuple(_choices(one, known, low, high)))


def worded(one: Question, rival: str) -> str:
    """Return a question in the language that is spoken now."""
    return gettext(one.ask).replace("{who}", rival)


def _choices(one: Question, known: int | None, low: str, high: str) -> Iterator[Choice]:
    if one.name == AGAIN:
        for value, words in (("yes", say("yes")), ("no", say("no"))):
            yield Choice(value, words, "", known == NO_OR_YES[value])
        return
    for point in POINTS:
        about = {POINTS[0]: low, POINTS[-1]: high}.get(point, "")
        yield Choice(str(point), str(point), about, known == point)


def _read(name: str, said: str) -> int | None:
    """Return the value of an answer, None to take it back, or raise BadAnswer."""
    if name not in {one.name for one in QUESTIONS}:
        raise BadAnswer(say("there_is_no_question_name", name=name[:20]))
    if said == TAKEN_BACK:
        return None
    if name == AGAIN:
        if said not in NO_OR_YES:
            raise BadAnswer(say("answer_is_yes_or_no", said=said[:20]))
        return NO_OR_YES[said]
    if said not in {str(point) for point in POINTS}:
        raise BadAnswer(say("answer_is_a_number", said=said[:20]))
    return int(said)
