"""What models learn from: made the same each time, never what they are tested on, all readable."""

import json
from collections import Counter
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agents.buyers.network_buyer import NetworkBuyer
from agents.dialects.compact import DIALECTS, to_share
from bazaarbatna.bargain.moves import Offer
from bazaarbatna.bargain.sellers import VERSIONS
from bazaarbatna.envs.bargain.suite_game import SuiteGame
from training.data.corpus import Corpus, Recipe, corpus
from training.data.seeds import HELD_OUT_FROM, TRAIN_FROM, first_seed
from training.data.teaching import (
    PEOPLE,
    SUITE_IDS,
    TEMPERS,
    WAITER,
    Chatter,
    Source,
    Teachers,
    people_games,
    teach,
)

RECIPE = Recipe("compact", 4, 0)
WITH_PEOPLE = Recipe("compact", 4, 0, people=0.5, waiting=0.5, network="shipped")
FILES = ("train.jsonl", "held-out.jsonl", "prose.jsonl", "card.json")


def made_in(folder: Path, recipe: Recipe = RECIPE) -> Corpus:
    """Make a corpus where none is yet."""
    from django.conf import settings as django_settings

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(django_settings, "CORPORA_DIR", folder)
        return corpus(recipe)


@pytest.fixture(scope="module")
def books(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    return made_in(tmp_path_factory.mktemp("books"))


@pytest.fixture(scope="module")
def others(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    """The same recipe, somewhere else."""
    return made_in(tmp_path_factory.mktemp("others"))


def test_a_recipe_gives_the_same_bytes_each_time(books: Corpus, others: Corpus) -> None:
    assert books.folder != others.folder
    for name in FILES:
        assert (books.folder / name).read_bytes() == (others.folder / name).read_bytes(), name


def test_a_corpus_is_made_once(books: Corpus) -> None:
    before = {name: (books.folder / name).stat().st_mtime_ns for name in FILES}
    assert made_in(books.folder.parent).folder == books.folder
    assert before == {name: (books.folder / name).stat().st_mtime_ns for name in FILES}


def test_recipes_that_differ_lie_apart() -> None:
    others = (Recipe("chat", 4, 0), Recipe("compact", 5, 0), Recipe("compact", 4, 1))
    of_people = (WITH_PEOPLE, msgspec.structs.replace(WITH_PEOPLE, network="another"))
    assert len({recipe.key for recipe in (RECIPE, *others, *of_people)}) == 6


def test_a_corpus_that_was_not_finished_is_made_anew(tmp_path: Path, books: Corpus) -> None:
    folder = tmp_path / RECIPE.key
    folder.mkdir()
    (folder / "train.jsonl").write_text('{"prompt": [')
    assert len(made_in(tmp_path).lessons("train")) == len(books.lessons("train"))


def test_no_lesson_comes_twice_and_none_is_learned_and_held_out(books: Corpus) -> None:
    lessons = [*books.lessons("train"), *books.lessons("held-out")]
    assert books.lessons("held-out")
    assert max(Counter(lessons).values()) == 1


def test_the_card_counts_what_is_there(books: Corpus) -> None:
    card = books.card
    for part in ("train", "held-out"):
        assert card["lessons"][part] == len(books.lessons(part))
    assert card["bargains"] == len(books.prose())
    assert card["bargains"] >= 4 * len(SUITE_IDS)
    assert set(card["games by teacher"]) <= set(TEMPERS)
    assert sum(card["games by teacher"].values()) <= card["bargains"]
    assert card["suites"] == list(SUITE_IDS)
    assert card["sellers"] == VERSIONS
    assert (card["recipe"]["seed"], card["prompt"]) == (0, DIALECTS["compact"].version)


def test_lessons_hold_moves_of_every_kind_and_talk(books: Corpus) -> None:
    actions = Counter(json.loads(one.answer)["action"] for one in books.lessons("train"))
    assert {"offer", "accept", "say"} <= set(actions) <= {"offer", "accept", "say", "walk"}
    assert any(one.last for one in books.lessons("train"))
    assert not all(one.last for one in books.lessons("train"))


@settings(max_examples=25, deadline=None)
@given(suite=st.sampled_from(SUITE_IDS), seed=st.integers(TRAIN_FROM, HELD_OUT_FROM + 10_000))
def test_every_deed_of_every_teacher_reads_back_as_itself(suite: str, seed: int) -> None:
    game, teacher, chatter = SuiteGame(suite, seed), Teachers(seed), Chatter(seed)
    while (real := game.observation) is not None:
        seen = chatter.over(real)
        move = teacher.act(seen)
        for way in DIALECTS.values():
            found = way.read(seen, way.answer(seen, move))
            assert found is not None
            assert found.strict
            again = found.to_move()
            assert type(again) is type(move)
            if isinstance(move, Offer) and isinstance(again, Offer):
                assert to_share(seen, again.price) == to_share(seen, move.price)
                assert again.price <= seen.budget
        game.step(move)


def test_games_with_people_are_the_part_that_was_asked_and_the_network_plays_them(
    tmp_path: Path,
) -> None:
    card = made_in(tmp_path, WITH_PEOPLE).card
    assert card["games by teacher"][NetworkBuyer.name] == people_games(4, 0.5) == 16
    assert card["suites"] == [*SUITE_IDS, PEOPLE]
    assert set(card["games by teacher"]) <= {*TEMPERS, WAITER, NetworkBuyer.name}


def test_the_waiter_plays_as_many_pinned_games_as_was_asked() -> None:
    way = DIALECTS["compact"]
    tempers = Counter(game.temper for game in teach(way, TRAIN_FROM, 3, Source(waiting=1.0)))
    assert set(tempers) == {WAITER}


def test_what_is_taught_with_people_is_the_network_s_word_in_every_position() -> None:
    """Also in those that it would never have come to: now and then something else is done."""
    way, first = DIALECTS["compact"], first_seed("people", 0)
    source = Source(people=1.0)
    games = list(teach(way, TRAIN_FROM, 4, source, first))
    assert [game.seed for game in games] == list(range(first, first + 32))
    assert {game.suite for game in games} == {PEOPLE}
    horizons = {_horizon(game.lessons[0].prompt[-1].content) for game in games}
    assert len(horizons) > 5
    straight = [_plain(seed) for seed in range(first, first + 32)]
    wandered = [
        [one.answer for one in game.lessons if one.prompt[-1].content.endswith("move")]
        for game in games
    ]
    same = [a == b for a, b in zip(straight, wandered, strict=True)]
    assert 0 < sum(same) < 32


def _horizon(prompt: str) -> int:
    return int(prompt.split()[3])


def _plain(seed: int) -> list[str]:
    """Answer as the network does when nothing else is ever done, and everything is seen."""
    game, buyer, said = SuiteGame(PEOPLE, seed), NetworkBuyer(seed), []
    while (seen := game.observation) is not None:
        move = buyer.act(seen)
        said.append(DIALECTS["compact"].answer(seen, move))
        game.step(move)
    return said
