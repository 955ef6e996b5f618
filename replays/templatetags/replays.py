"""Parts of replays in templates, as ``{{ questions|question_at:step.seq }}``."""

from django import template

from negotiation.bargain.terms import terms_of
from negotiation.models import Game
from replays.featured import featured
from replays.finished import replay_frames, scenario_of
from replays.fork.forms import Question
from replays.grade.page import Grades, Mark
from replays.ledger.page import ledger_of
from replays.vouching import vouched

register = template.Library()
register.simple_tag(featured)
register.filter("vouched", vouched)


@register.filter
def question_at(questions: dict[int, Question], seq: int) -> Question | None:
    """Return what can be asked at a move; None at every other step."""
    return questions.get(seq)


@register.simple_tag
def untrue_lines(game: Game) -> list[tuple[str, str]]:
    """List what the house's seller said that was untrue, and why; none where a limit is sealed."""
    is_open = game.status == Game.Status.ENDED and terms_of(game).tells_all
    if game.kind != "buy" or game.is_pair or not is_open:
        return []
    turns = ledger_of(frames := replay_frames(game), scenario_of(frames), sauda_buys=False)
    said = [(one.words, one.verdict) for turn in turns for one in turn.entries]
    return [(words, found.why) for words, found in said if found and found.word == "bluff"]


@register.filter
def is_same(one: object, other: object) -> bool:
    """Whether two values are equal, where an ``if`` cannot stand."""
    return one == other


@register.filter
def mark_at(grades: Grades | None, seq: int) -> Mark | None:
    """Return the grade of the move with this number, if it is a move and has one."""
    return grades.marks.get(seq) if grades else None
