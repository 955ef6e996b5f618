"""Grades on the replay page and as JSON, and who may see them."""

import json
import re
from typing import Any

import pytest
from django.test import Client

from bazaarbatna.bargain.moves import Offer, Walk
from bazaarbatna.bargain.quantities import Paise
from negotiation import limits
from negotiation.bargain.terms import PERSON
from negotiation.models import PAIR, Game
from replays.grade import jobs
from replays.grade.moves import WORDS, loss_allowed, word_for
from replays.models import Grading
from replays.simulating import simulate
from replays.simulating import store as store_simulated
from tests.support.finished import Playing, a_cheap_sale, a_haggle, a_scenario, store
from tests.support.visitors import key_of

HTMX = {"HTTP_HX_REQUEST": "true"}


@pytest.fixture
def graded(asha: Client) -> Game:
    """Asha's shared game with its grades."""
    game = store(a_cheap_sale(), owner=key_of(asha))
    assert jobs.run(game.pk)
    return game


def page(visitor: Client, address: str, **headers: str) -> str:
    response = visitor.get(address, **headers)
    assert response.status_code in (200, 286), response.status_code
    return response.content.decode()


def test_a_fresh_replay_asks_for_its_grades_and_can_be_read_meanwhile(asha: Client) -> None:
    game = store(a_haggle(), owner=key_of(asha))
    shown = page(asha, f"/replays/{game.pk}/")
    assert f'hx-get="/replays/{game.pk}/grades/"' in shown
    assert not Grading.objects.exists(), "a crawler that only opens pages costs no rollouts"
    first = asha.get(f"/replays/{game.pk}/grades/", **HTMX)
    assert first.status_code == 200
    assert Grading.objects.get(game=game).status == "queued"
    assert "hx-get" in first.content.decode()


def test_no_move_of_a_game_that_came_to_nothing_is_called_best(asha: Client) -> None:
    game = store(
        Playing(a_scenario()).move("buyer", Offer(Paise(100_000))).move("seller", Walk()),
        owner=key_of(asha),
    )
    assert jobs.run(game.pk)
    shown = page(asha, f"/replays/{game.pk}/")
    assert 'class="mark mark-' in shown
    assert "mark-best" not in shown
    assert "grade grade-best" not in shown


def test_grades_that_came_later_stop_the_asking_and_reach_every_step(
    asha: Client, graded: Game
) -> None:
    response = asha.get(f"/replays/{graded.pk}/grades/", **HTMX)
    assert response.status_code == 286
    shown = response.content.decode()
    assert "hx-get" not in shown
    for seq in (2, 3, 5, 9, 10, 11):
        assert f'id="grade-{seq}" class="step-grade" hx-swap-oob="true"' in shown
        assert f'data-to-seq="{seq}"' in shown


def test_the_player_is_told_what_was_left_and_where(
    asha: Client, chetan: Client, graded: Game
) -> None:
    result = jobs.result_of_row(graded.grading)
    assert result is not None
    worst = result.worst_of("seller")
    assert worst is not None
    left = round(result.left_by(worst) / 100)
    own = page(asha, f"/replays/{graded.pk}/")
    assert "You took it too early" in own
    over = round(worst.over * result.of("seller").width / 100)
    assert f"It is taken at once, and leaves you ₹{over} more than you got." in own
    assert "A typical way that it goes on" not in own
    assert re.search(rf'href="/replays/{graded.pk}/\?seq={worst.seq}"[^>]*>Round \d</a>', own)
    theirs = page(chetan, f"/replays/{graded.pk}/")
    assert f"The seller left ₹{left} on the table" in theirs
    assert f'<a href="?seq={worst.seq}" data-to-seq="{worst.seq}">here</a>' in theirs
    assert "kept by the seller" in theirs
    assert "Play on from there" in own
    assert "Play on from there" not in theirs


def test_of_two_policies_the_buyer_is_talked_about(chetan: Client) -> None:
    (game,) = store_simulated([next(simulate("single_deal@sampled-1", "sauda", 0))])
    assert jobs.run(game.pk)
    assert "Sauda left ₹" in page(chetan, f"/replays/{game.pk}/")


def test_the_better_move_leads_to_the_what_if_form(asha: Client, graded: Game) -> None:
    result = jobs.result_of_row(graded.grading)
    assert result is not None
    offers = [move for move in result.moves if move.best and move.best.kind == "offer"]
    told = [move for move in offers if word_for(move.loss).noted]
    assert told
    assert len(told) < len(offers), "one is too little to be advice"
    shown = page(asha, f"/replays/{graded.pk}/")
    for move in offers:
        assert move.best is not None
        assert move.best.price is not None
        link = f'href="?seq={move.seq}&amp;try={move.best.price // 100}#what-if"'
        assert (link in shown) is (move in told)


def test_the_json_says_the_same(asha: Client, graded: Game) -> None:
    response = asha.get(f"/replays/{graded.pk}/grades.json")
    told = response.json()
    assert (told["status"], told["currency"]) == ("done", "INR")
    assert told["zone"] == {"seller": 1300.0, "buyer": 1300.0}
    assert told["method"] == Grading.objects.get(game=graded).method
    assert {move["word"] for move in told["moves"]} <= {word.name for word in WORDS}
    for move in told["moves"]:
        assert move["left"] == pytest.approx(move["loss"] * 1300, abs=0.1)
        assert (move["better"] is None) == (move["loss"] == 0)
        assert (move["line"][:1] or [None])[0] == move["better"]


def test_the_json_of_a_game_that_is_not_graded_yet_says_come_again(asha: Client) -> None:
    game = store(a_haggle(), owner=key_of(asha))
    response = asha.get(f"/replays/{game.pk}/grades.json")
    assert (response.status_code, response["Retry-After"]) == (202, "1")
    assert response.json() == {"status": "waiting"}


@pytest.mark.parametrize("name", ["grades/", "grades.json"])
def test_nobody_else_learns_of_an_unshared_game(asha: Client, chetan: Client, name: str) -> None:
    game = store(a_haggle(), owner=key_of(asha), shared=False)
    live = store(Playing(a_scenario()), owner=key_of(chetan))
    for address in (game.pk, live.pk, "nosuchgame22"):
        response = chetan.get(f"/replays/{address}/{name}")
        assert response.status_code == 404
        assert b"lamp" not in response.content
    assert not Grading.objects.exists()
    assert asha.get(f"/replays/{game.pk}/{name}").status_code in (200, 202)


@pytest.mark.parametrize("name", ["grades/", "grades.json"])
def test_grades_can_only_be_read(asha: Client, graded: Game, name: str) -> None:
    assert asha.post(f"/replays/{graded.pk}/{name}").status_code == 405


def test_a_game_that_cannot_be_graded_says_so_once(asha: Client) -> None:
    game = store(a_haggle(), owner=key_of(asha))
    Grading.objects.create(game=game, status="failed", method=jobs.method())
    response = asha.get(f"/replays/{game.pk}/grades/", **HTMX)
    assert response.status_code == 286
    assert "could not be graded" in response.content.decode()
    error = asha.get(f"/replays/{game.pk}/grades.json")
    assert error.status_code == 404
    assert json.loads(error.content)["error"]["code"] == "no-grades"


def test_whoever_asks_for_the_grades_of_many_games_of_others_is_slowed_down(
    asha: Client, settings: Any
) -> None:
    settings.LIMITS = {**settings.LIMITS, "grades": "1/minute"}
    limits.forget_settings()
    own = [store(a_haggle(), owner=key_of(asha)) for _ in range(3)]
    for game in own:
        assert asha.get(f"/replays/{game.pk}/grades.json").status_code == 202, "its end has paid"
    first, second = (store(a_haggle(), owner="bilal") for _ in range(2))
    assert asha.get(f"/replays/{first.pk}/grades.json").status_code == 202
    assert asha.get(f"/replays/{first.pk}/grades.json").status_code == 202, "looking is free"
    refused = asha.get(f"/replays/{second.pk}/grades.json")
    assert refused.status_code == 429
    assert int(refused["Retry-After"]) >= 1
    assert refused.json()["error"]["code"] == "rate-limited"
    part = asha.get(f"/replays/{second.pk}/grades/", **HTMX)
    assert part.status_code == 286
    assert "ask for the next in" in part.content.decode()
    assert asha.get(f"/replays/{second.pk}/grades/").status_code == 429
    assert not Grading.objects.filter(game=second).exists()


def test_without_javascript_a_small_page_looks_again_and_then_leads_back(asha: Client) -> None:
    game = store(a_haggle(), owner=key_of(asha))
    waiting = page(asha, f"/replays/{game.pk}/grades/")
    assert 'http-equiv="refresh"' in waiting
    jobs.run(game.pk)
    done = asha.get(f"/replays/{game.pk}/grades/")
    assert (done.status_code, done["Location"]) == (302, f"/replays/{game.pk}/#grades")


def test_the_page_explains_the_words_with_the_numbers_of_the_table(
    asha: Client, graded: Game
) -> None:
    shown = page(asha, f"/replays/{graded.pk}/")
    for word in WORDS:
        assert f"<dd>{loss_allowed(word)}</dd>" in shown


def test_between_two_people_it_is_said_against_whom_moves_were_reckoned(
    asha: Client, chetan: Client
) -> None:
    playing = a_haggle()
    game = store(playing, owner=key_of(asha), shared=False)
    changed = {"rival": key_of(chetan), "suite": PAIR, "policy": PERSON}
    Game.objects.update(**changed, names={"seller": "Asha", "buyer": "Ravi"})
    assert jobs.run(game.pk)
    reckoned: list[bool] = []
    for reader, other, name in ((asha, "buyer", "Ravi"), (chetan, "seller", "Asha")):
        shown = page(reader, f"/replays/{game.pk}/")
        sheet = page(reader, f"/replays/{game.pk}/costly/", **HTMX)
        shown = shown.split("<main")[1].split("</main>")[0]
        for told in (shown, sheet):
            measured = f"Against a house {other} with {name}" in told
            assert measured == ("more on average" in told)
            assert measured or "against a house player with the other limit" in told
            reckoned.append(measured)
        assert "Reckoned against house players" in shown
        for guess in ("in silence", "same opponent", "Your words moved", "Sauda"):
            assert guess not in shown + sheet, "nobody can know that of a person"
        shelf = page(reader, "/replays/?mine=1")
        assert game.title in shelf
        assert "<svg" not in re.findall(r'shelf-players">(.*?)</span>', shelf, re.DOTALL)[0]
    assert any(reckoned), "one of them made a mistake"
