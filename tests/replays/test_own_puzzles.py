"""One's own mistakes as puzzles: made of finished games alone, and back until solved twice."""

import datetime as dt
import html
import time
from collections.abc import Iterator

import pytest
import time_machine
from django.test import Client
from django.utils import timezone

from bazaarbatna.bargain.moves import Accept, Offer, Walk
from bazaarbatna.bargain.quantities import Paise, to_rupees
from bazaarbatna.money import rupees_text
from negotiation.bargain.continuation import Crossroads
from negotiation.bargain.recorded import record_of
from negotiation.models import Game
from replays.grade import jobs
from replays.grade.reasons import say as reasons
from replays.models import Grading, Lesson
from replays.puzzles.own import own_lessons, puzzle_of
from replays.puzzles.puzzle import Puzzle
from replays.puzzles.reason import patterns, reason, why
from replays.puzzles.you import LESSONS, MEASURED, PATTERN_OF, chart, lesson_of, missed
from tests.support.finished import Playing, a_scenario, store
from tests.support.visitors import key_of

pytestmark = pytest.mark.django_db

DAY = dt.timedelta(days=1)


def too_early() -> Playing:
    """She would have paid 1,700: the seller takes her second price."""
    return (
        Playing(a_scenario())
        .move("buyer", Offer(Paise(110_000), "1100 for me, bhaiya."))
        .move("seller", Offer(Paise(190_000), "1900."))
        .move("buyer", Offer(Paise(125_000), "1250."))
        .move("seller", Accept("Take it."))
    )


@pytest.fixture
def game(asha: Client) -> Game:
    """Asha's finished game with a costly move, graded."""
    return graded(too_early(), asha)


def graded(played: Playing, person: Client) -> Game:
    """Store a game of yesterday: what it teaches is due."""
    game = store(played, owner=key_of(person), shared=False)
    Game.objects.filter(pk=game.pk).update(ended_at=timezone.now() - DAY)
    game.refresh_from_db()
    assert jobs.run(game.pk)
    return game


@pytest.fixture
def clock() -> Iterator[time_machine.Traveller]:
    with time_machine.travel(timezone.now(), tick=False) as clock:
        yield clock


def address(game: Game) -> str:
    return f"/puzzles/you/{game.pk}/"


def page(person: Client, where: str) -> str:
    return html.unescape(person.get(where).content.decode())


def its_puzzle(game: Game) -> Puzzle:
    return puzzle_of(Lesson.objects.get(game=game))


def answers(person: Client, game: Game, *, right: bool) -> Lesson:
    puzzle = its_puzzle(game)
    choice = puzzle.best if right else (puzzle.best + 1) % len(puzzle.options)
    assert person.post(address(game), {"choice": choice}).status_code == 302
    return Lesson.objects.get(game=game)


def test_a_graded_game_with_a_costly_move_yields_one_puzzle(asha: Client, game: Game) -> None:
    before = time.process_time()
    assert "1 to solve now" in page(asha, "/puzzles/you/")
    assert time.process_time() - before < 5  # seconds of this process, however busy the machine
    asha.get("/puzzles/")
    assert Lesson.objects.count() == 1
    assert "Your move" in page(asha, address(game))


def test_start_gives_a_new_puzzle_and_own_mistakes_have_a_button_of_their_own(
    asha: Client, game: Game
) -> None:
    for place in ("/puzzles/", "/puzzles/you/"):
        assert f'href="{address(game)}"' in page(asha, place)
    assert "1 waits" in page(asha, "/puzzles/")
    new = asha.get("/puzzles/next/")["Location"]
    assert new.startswith("/puzzles/")
    assert "/you/" not in new
    again = graded(too_early(), asha)
    asha.get("/puzzles/")
    assert f'href="{address(again)}"' in answered(asha, game), "the next one that waits"
    assert 'href="/puzzles/next/"' in answered(asha, again), "none waits"
    assert "puzzle-waiting" not in page(asha, "/puzzles/")


def answered(asha: Client, game: Game) -> str:
    """Answer, and read the way on."""
    asha.post(address(game), {"choice": 0})
    return page(asha, address(game)).split('class="puzzle-on"')[1].split("</p>")[0]


def test_the_puzzle_is_the_position_before_the_costliest_move(asha: Client, game: Game) -> None:
    row = Grading.objects.get(game=game)
    result = jobs.result_of_row(row)
    assert result is not None
    worst = result.worst_of("seller")
    assert worst is not None
    lesson = own_lessons(key_of(asha)).get()
    puzzle = puzzle_of(lesson)
    assert lesson.seq == worst.seq
    stood, shown = Crossroads(record_of(game), worst.seq).state, puzzle.position()
    assert (shown.asks, shown.bids, shown.round) == (stood.asks, stood.bids, stood.round)
    assert puzzle.options[0].kind == "accept"
    assert puzzle.options[puzzle.best].keeps > puzzle.options[0].keeps
    assert lesson.lost["took"] >= round(worst.loss, 4)


def test_it_comes_back_after_a_day_and_three_until_it_is_solved_twice(
    asha: Client, game: Game, clock: time_machine.Traveller
) -> None:
    asha.get("/puzzles/you/")
    lesson = Lesson.objects.get(game=game)
    Lesson.objects.update(due=timezone.now() + DAY)  # as if the game had just ended
    assert lesson.due is not None
    assert game.ended_at is not None
    assert lesson.due == game.ended_at + DAY, "the end has just told it"
    assert answers(asha, game, right=True).tries == 0, "not due: nothing is counted"
    assert asha.get(address(game))["Location"] == "/puzzles/you/"
    clock.shift(DAY - dt.timedelta(minutes=1))
    assert "to solve now" not in page(asha, "/puzzles/you/")
    clock.shift(dt.timedelta(minutes=1))
    assert "1 to solve now" in page(asha, "/puzzles/you/")
    second = answers(asha, game, right=True)
    assert (second.solved, second.due) == (1, timezone.now() + 3 * DAY)
    clock.shift(2 * DAY)
    assert "to solve now" not in page(asha, "/puzzles/you/")
    clock.shift(DAY)
    third = answers(asha, game, right=True)
    assert (third.solved, third.due) == (2, None)
    clock.shift(30 * DAY)
    assert "Solved 2 times" in page(asha, "/puzzles/you/")
    assert asha.get("/puzzles/next/")["Location"] != address(game)
    assert "Solved 2 times" in page(asha, address(game))


def test_a_wrong_answer_begins_anew(
    asha: Client, game: Game, clock: time_machine.Traveller
) -> None:
    asha.get("/puzzles/you/")
    assert answers(asha, game, right=True).solved == 1
    clock.shift(3 * DAY)
    missed = answers(asha, game, right=False)
    assert (missed.solved, missed.due) == (0, timezone.now() + DAY)


def test_the_answer_is_told_after_it_and_not_before(asha: Client, game: Game) -> None:
    asha.get("/puzzles/you/")
    puzzle = its_puzzle(game)
    before = page(asha, address(game))
    assert why(puzzle, 0) not in before
    assert "puzzle-worth" not in before
    assert rupees_text(to_rupees(puzzle.scenario.sealed.budget), "INR") not in before
    asha.post(address(game), {"choice": 0})
    after = page(asha, address(game))
    assert why(puzzle, 0) in after
    assert "Not that one." in after
    lesson = Lesson.objects.get(game=game)
    assert f"/replays/{game.pk}/?seq={lesson.seq}" in after
    assert asha.get(f"/replays/{game.pk}/?seq={lesson.seq}").status_code == 200


@pytest.mark.parametrize("choice", ["", "x", "-1", "7"])
def test_what_is_no_move_changes_nothing(asha: Client, game: Game, choice: str) -> None:
    asha.get("/puzzles/you/")
    asha.post(address(game), {"choice": choice})
    assert Lesson.objects.get().tries == 0


def test_an_unfinished_game_has_no_lesson_and_shows_nothing(asha: Client) -> None:
    live = store(
        Playing(a_scenario()).move("buyer", Offer(Paise(110_000))), owner=key_of(asha), shared=False
    )
    Grading.objects.create(
        game=live,
        status=Grading.Status.DONE,
        method=jobs.method(),
        result={"moves": [], "standings": []},
    )
    shown = page(asha, "/puzzles/you/") + page(asha, "/puzzles/")
    assert asha.get(address(live)).status_code == 404
    assert asha.post(address(live), {"choice": 0}).status_code == 404
    assert live.title not in shown
    assert "1,700" not in shown
    assert not Lesson.objects.exists()


def test_nobody_elses_mistakes_are_seen(asha: Client, chetan: Client, game: Game) -> None:
    asha.get("/puzzles/you/")
    assert chetan.get(address(game)).status_code == 404
    assert chetan.post(address(game), {"choice": 0}).status_code == 404
    assert game.title not in page(chetan, "/puzzles/you/")
    assert Client().get(address(game)).status_code == 404
    assert Lesson.objects.get().tries == 0


def test_the_same_cards_once_more_teach_nothing(asha: Client, game: Game) -> None:
    Game.objects.filter(pk=graded(too_early(), asha).pk).update(rematch_of=game)
    asha.get("/puzzles/you/")
    assert Lesson.objects.get().game_id == game.pk


@pytest.mark.parametrize(
    "change",
    [{"rival": "chetan"}, {"terms": {"back": "/rooms/x/"}}, {"source": Game.Source.WHAT_IF}],
    ids=["two people", "a room's game", "a what-if"],
)
def test_only_games_against_the_house_teach(
    asha: Client, game: Game, change: dict[str, object]
) -> None:
    Game.objects.filter(pk=game.pk).update(**change)
    asha.get("/puzzles/you/")
    assert not Lesson.objects.exists()


def test_a_well_played_game_is_counted_and_asks_nothing(asha: Client) -> None:
    played = Playing(a_scenario()).move("buyer", Offer(Paise(169_900))).move("seller", Accept())
    graded(played, asha)
    shown = page(asha, "/puzzles/you/")
    assert "None of your moves cost much so far." in shown
    assert "to solve now" not in shown
    assert Lesson.objects.get().lost == {}


def test_leaving_early_is_a_mistake_of_its_own(asha: Client) -> None:
    played = (
        Playing(a_scenario())
        .move("buyer", Offer(Paise(140_000)))
        .move("seller", Walk("No, thank you."))
    )
    game = graded(played, asha)
    asha.get("/puzzles/you/")
    puzzle = its_puzzle(game)
    place = [one.kind for one in puzzle.options].index("walk")
    assert reason(puzzle, place) == ("walk", "early")
    asha.post(address(game), {"choice": place})
    assert why(puzzle, place) in page(asha, address(game))


def test_the_chart_has_axes_with_units_and_the_table_their_sums(asha: Client, game: Game) -> None:
    lesson = own_lessons(key_of(asha)).get()
    assert not {"walk", "rival"} & lesson.lost.keys(), "only lessons of before have these"
    other = Lesson(game=game, lost={"walk": 0.3, "rival": 0.1})
    rows = {row.kind: row for row in missed([lesson, other])}
    assert rows["walk"].games == 1
    assert rows["rival"].left == 5.0
    drawn = chart([lesson, other])
    assert drawn.count("<rect") == len(lesson.lost) + 2
    assert "% of the room" in drawn
    assert "oldest first" in drawn
    for name in lesson.lost:
        assert name in PATTERN_OF
    assert f"{rows['walk'].left} %" in drawn


def test_the_lesson_of_the_week_is_what_cost_most(asha: Client, game: Game) -> None:
    lessons = list(own_lessons(key_of(asha)))
    taught = lesson_of(lessons)
    assert taught is not None
    assert taught.name == missed(lessons)[0].name
    shown = page(asha, "/puzzles/you/")
    assert all(sentence in shown for sentence in taught.sentences)
    assert f"{MEASURED.games} sales" in shown


def test_an_old_mistake_is_taught_where_the_week_has_none(asha: Client, game: Game) -> None:
    Game.objects.update(ended_at=timezone.now() - 30 * DAY)
    assert lesson_of(list(own_lessons(key_of(asha)))) is not None
    assert lesson_of([]) is None


def test_every_lesson_was_measured_and_is_of_a_pattern() -> None:
    assert set(MEASURED.lessons) == set(LESSONS) <= set(patterns())
    assert MEASURED.games >= 400
    for name, worth in MEASURED.lessons.items():
        low, high = worth.gain[1:]
        assert low <= worth.after - worth.before <= high, name


def test_the_end_of_a_game_and_its_lesson_call_a_mistake_the_same(asha: Client, game: Game) -> None:
    names = {row.name for row in missed(list(own_lessons(key_of(asha))))}
    assert "You took it too early" in names
    told = page(asha, f"/replays/{game.pk}/")
    assert [name for name in names if name in told], "the end names another mistake"
    assert all(name in page(asha, "/puzzles/you/") for name in names)


def test_every_mistake_of_a_price_has_a_title_and_a_lesson() -> None:
    titles = reasons.texts("titles")
    assert set(PATTERN_OF) == set(titles) - {"need", "words"}
    assert set(PATTERN_OF.values()) <= set(LESSONS)
    assert not [text for text in titles.values() if "{" in text or text.endswith(".")]
