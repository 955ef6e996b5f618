"""What a visitor leaves on the table: one's own mistakes as puzzles, and over time as a chart."""

import datetime as dt
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from bazaarbatna.bargain.quantities import to_rupees
from bazaarbatna.word_tables import read_table
from negotiation.bargain.sessions import side_of
from negotiation.charts.svg import element, picture
from negotiation.games.visitors import visitor
from negotiation.models import Game
from negotiation.sentences import sentences
from replays.grade.reasons import say as reasons
from replays.grade.reasons import title_of
from replays.models import Lesson
from replays.puzzles.own import SOLVED, is_due, own_lessons, puzzle_of, take
from replays.puzzles.page import answer, board
from replays.puzzles.reason import pattern_name, patterns
from replays.puzzles.views import NOTHING_HERE, AnswerForm

say = sentences(__file__)

WEEK = dt.timedelta(days=7)

SHOWN = 24
"""Games on the chart, the newest ones."""

WIDTH, HEIGHT, LEFT, TOP, BOTTOM, RIGHT = 640, 300, 76, 44, 58, 8  # of the chart, in user units
STEPS = (0.1, 0.2, 0.25, 0.5)  # between lines of the grid
LINES = 5


PATTERN_OF: dict[str, str] = {
    "seller_anchor_low": "anchor",
    "seller_anchor_high": "anchor",
    "buyer_anchor_low": "anchor",
    "buyer_anchor_high": "anchor",
    "steps_large": "hold",
    "steps_small": "step",
    "stood": "step",
    "took": "take",
    "took_last": "take",
    "walked": "walk",
    "walked_last": "last",
}
"""The pattern that each mistake is of which grades name."""
UNMEASURED = frozenset({"seller_anchor_high", "stood", "took_last"})
"""Mistakes whose very habit no seller of the lessons had: what its pattern brings is not theirs."""


class Own(msgspec.Struct, frozen=True):
    """A mistake of one's own in the list; ``due`` None: solved often enough."""

    game: Game
    is_due: bool
    due: Any
    solved: int


class Worth(msgspec.Struct, frozen=True):
    """What a lesson was measured to bring: shares of the room, 0..1, in ``games`` sales.

    ``gain`` is the mean with its 95 % interval.
    """

    before: float
    after: float
    gain: tuple[float, float, float]

    @property
    def is_gain(self) -> bool:
        """Whether the games can tell that it helps."""
        return self.gain[1] > 0


class Blind(msgspec.Struct, frozen=True):
    """The best seller who looks at no bid, in the same sales: its ``share`` of the room, 0..1."""

    share: float


class _Measured(msgspec.Struct, frozen=True):
    games: int
    blind: Blind
    lessons: dict[str, Worth]


class Taught(msgspec.Struct, frozen=True):
    """This week's lesson: the pattern that cost most, three sentences, and what they bring."""

    name: str
    sentences: tuple[str, str, str]
    worth: Worth
    games: int
    blind: float


class Missed(msgspec.Struct, frozen=True):
    """One row of the table: in how many games a mistake was made, and percent left by it.

    ``kind`` is the grades' name for it; lessons of before have the ``pattern`` alone. ``left`` is
    the mean over all games, of the room between both limits.
    """

    kind: str
    pattern: str
    name: str
    games: int
    left: float


LESSONS = read_table(Path(__file__).with_name("lessons.toml"), dict[str, dict[str, str]])
MEASURED = msgspec.json.decode(
    Path(__file__).with_name("lessons.json").read_bytes(), type=_Measured
)


@never_cache
@require_safe
def you(request: HttpRequest) -> HttpResponse:
    """Show the own mistakes that come back, and what was left on the table over time."""
    lessons = list(own_lessons(visitor(request)))
    asked = [one for one in lessons if one.puzzle is not None]
    shown = lessons[:SHOWN][::-1]
    context = {
        "due": sum(map(is_due, asked)),
        "first_due": next(filter(is_due, asked), None),
        "own": [Own(one.game, is_due(one), one.due, one.solved) for one in asked],
        "wanted": SOLVED,
        "games": len(shown),
        "missed": missed(shown),
        "taught": lesson_of(lessons),
        "all_left": _percent(sum(sum(one.lost.values()) for one in shown), len(shown)),
        "chart": chart(shown) if shown else None,
    }
    return render(request, "puzzles/you.html", context)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def own_puzzle(request: HttpRequest, game_id: str) -> HttpResponse:
    """Show a mistake of one's own while it is due, else its answer; take the answer."""
    lesson = get_object_or_404(own_lessons(visitor(request)), game=game_id)
    if lesson.puzzle is None:
        raise Http404(gettext(NOTHING_HERE))
    puzzle = puzzle_of(lesson)
    if request.method == "POST":
        form = AnswerForm(request.POST)
        if form.is_valid() and form.cleaned_data["choice"] < len(puzzle.options):
            take(lesson, form.cleaned_data["choice"])
        return redirect("puzzle-own", game_id)
    if not (is_due(lesson) or lesson.tries):
        return redirect("puzzles-you")
    shown = board(puzzle, is_own=True)
    context: dict[str, Any] = {"board": shown, "lesson": lesson, "wanted": SOLVED}
    if is_due(lesson):
        return render(request, "puzzles/puzzle.html", context)
    made = {"is_right": lesson.choice == puzzle.best, "in_time": True}
    told = {"answer": answer(puzzle, shown, lesson.choice), "made": made, "try": _try(lesson)}
    told["next_due"] = next(filter(is_due, own_lessons(visitor(request))), None)
    return render(request, "puzzles/answer.html", context | told)


def _try(lesson: Lesson) -> str:
    """Return the query that opens the replay at the turn of the puzzle."""
    puzzle = puzzle_of(lesson)
    price = puzzle.options[puzzle.best].price
    tried = "" if price is None else f"&try={to_rupees(price):.2f}".removesuffix(".00")
    return f"?seq={lesson.seq}{tried}#what-if"


def missed(lessons: Sequence[Lesson]) -> tuple[Missed, ...]:
    """Sum lessons up by mistake, the dearest first."""
    rows = [
        Missed(
            kind,
            PATTERN_OF.get(kind, kind),
            _name(kind),
            sum(kind in one.lost for one in lessons),
            _percent(sum(one.lost.get(kind, 0.0) for one in lessons), len(lessons)),
        )
        for kind in _kinds()
    ]
    return tuple(sorted((row for row in rows if row.games), key=lambda row: -row.left))


def _kinds() -> tuple[str, ...]:
    return (*reasons.texts("titles"), *patterns())


def _name(kind: str) -> str:
    return title_of(kind) if kind in reasons.texts("titles") else pattern_name(kind)


def lesson_of(lessons: Sequence[Lesson]) -> Taught | None:
    """Choose the lesson of this week's sales, of all where there were none; None without any."""
    sales = [one for one in lessons if side_of(one.game) == "seller"]
    since = timezone.now() - WEEK
    new = [one for one in sales if one.game.ended_at and one.game.ended_at >= since]
    rows = (row for row in missed(new or sales) if row.kind not in UNMEASURED)
    row = next((row for row in rows if row.pattern in LESSONS), None)
    if row is None:
        return None
    said = [gettext(LESSONS[row.pattern][number]) for number in ("one", "two", "three")]
    worth = MEASURED.lessons[row.pattern]
    return Taught(
        row.name, (said[0], said[1], said[2]), worth, MEASURED.games, MEASURED.blind.share
    )


def _percent(total: float, games: int) -> float:
    return round(100 * total / games, 1) if games else 0.0


def chart(lessons: Sequence[Lesson]) -> SafeString:
    """Draw a bar for each game, the oldest first, stacked by what was missed."""
    most = max(0.1, *(sum(one.lost.values()) for one in lessons))
    step = next((one for one in STEPS if most / one <= LINES), 1.0)
    top = step * -(-most // step)
    deep, wide = HEIGHT - TOP - BOTTOM, (WIDTH - LEFT - RIGHT) / max(len(lessons), 8)
    parts: list[SafeString] = []
    for number in range(round(top / step) + 1):
        share = number * step
        y = TOP + deep * (1 - share / top)
        end = {"x1": LEFT, "x2": WIDTH - RIGHT, "y1": y, "y2": y}
        parts.append(element("line", {"class": "you-grid", **end}))
        label: dict[str, object] = {"x": LEFT - 8, "y": y + 6, "text-anchor": "end"}
        parts.append(element("text", label, f"{100 * share:.0f} %"))
    for number, lesson in enumerate(lessons):
        y, x = float(TOP + deep), LEFT + number * wide + 3
        for name in _kinds():
            tall = deep * lesson.lost.get(name, 0.0) / top
            if tall:
                y -= tall
                box = {"x": x, "y": y, "width": min(wide - 6, 44), "height": tall}
                told = f"{_name(name)}: {100 * lesson.lost[name]:.0f} %"
                about = element("title", {}, f"{lesson.game.title}, {told}")
                parts.append(
                    element(
                        "rect",
                        {"class": f"is-{PATTERN_OF.get(name, name)} is-{name}", **box},
                        about,
                    )
                )
    ends = [(0, "start")] if len(lessons) < 2 else [(0, "start"), (len(lessons) - 1, "end")]
    for number, anchor in ends:
        ended = lessons[number].game.ended_at
        x = LEFT + number * wide + (3 if anchor == "start" else wide - 3)
        at: dict[str, object] = {"x": x, "y": HEIGHT - BOTTOM + 24, "text-anchor": anchor}
        parts.append(element("text", at, date_format(ended, "j M") if ended else ""))
    # Translators: names of the axes of a chart.
    across, up = say("finished_games_oldest_first"), say("of_the_room_left_on_the")
    parts.append(element("text", {"x": LEFT, "y": HEIGHT - 8}, across))
    parts.append(element("text", {"x": 0, "y": 22}, f"% {up}"))
    title = say("what_you_left_on_the_table")
    words = "; ".join(f"{row.name}: {row.left} %" for row in missed(lessons))
    look: dict[str, object] = {"class": "you-chart", "viewBox": f"0 0 {WIDTH} {HEIGHT}"}
    return picture(look, "you", title, words or say("nothing_was_left"), *parts)
