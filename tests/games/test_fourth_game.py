"""A game that nobody here knew: its rules are one file, everything else is the spine's."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from django.test import Client
from openenv.core import GenericEnvClient

from negotiation.games import turn_play
from negotiation.games.game import register, unregister
from negotiation.games.turn_live import TURNS, Scene
from negotiation.models import Game
from tests.support.people import Line, Visitor
from tests.support.rock_paper_scissors import RockPaperScissors
from tests.support.servers import Site

RULES = "tests.support.rock_paper_scissors.RockPaperScissors"


def test_its_rules_are_one_short_file() -> None:
    code = Path("tests/support/rock_paper_scissors.py").read_text()
    assert len(code.splitlines()) < 150


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with Site(tmp_path_factory.mktemp("rps"), catalogue=False, BAZAAR_GAMES=RULES) as running:
        yield running


def _opens(visitor: Visitor, **wanted: object) -> str:
    answer = visitor.post("/api/games/rps/", wanted)
    assert answer.status_code == 201, answer.text
    return str(answer.json()["id"])


def _line(visitor: Visitor, game_id: str) -> Line:
    return Line(visitor, f"/ws/games/{game_id}/")


@pytest.mark.live
async def test_it_is_played_watched_and_survives_its_server(site: Site) -> None:
    asha, chetan = Visitor(site), Visitor(site)
    game_id = _opens(asha)
    async with _line(asha, game_id) as line, _line(chetan, game_id) as window:
        await line.send("sync")
        await window.send("sync")
        await line.hear_event("chosen")
        await line.send("move", move={"hand": "rock"})
        await line.hear_event("revealed")
        await window.hear_event("revealed")
        await window.send("move", move={"hand": "rock"})
        await window.hear_error("read-only")
        await line.send("move", move={"hand": "dynamite"})
        await line.hear_error("bad-frame")
        site.kill()
    site.start()
    async with _line(asha, game_id) as line:
        await line.send("sync", after=1)
        await line.hear_event("revealed")
        for _ in range(2):
            await line.send("move", move={"hand": "paper"})
        assert (await line.hear_event("ended"))["won"]
        await line.send("move", move={"hand": "paper"})
        await line.hear_error("game-over")
    asha.close()
    chetan.close()


@pytest.mark.live
async def test_a_closed_envelope_reaches_nobody(site: Site) -> None:
    asha, chetan = Visitor(site), Visitor(site)
    game_id = _opens(asha, seat="right")
    async with _line(asha, game_id) as line, _line(chetan, game_id) as window:
        await line.send("sync")
        await window.send("sync")
        for one in (line, window):
            chosen = await one.hear_event("chosen")
            assert chosen == {"kind": "chosen", "seat": "left"}
    for visitor in (asha, chetan):
        assert b'"hand"' not in visitor.heard
        visitor.close()


@pytest.fixture
def rules() -> Iterator[RockPaperScissors]:
    game = RockPaperScissors()
    register(game, TURNS)
    yield game
    unregister(game)


@pytest.fixture
def asha(client: Client) -> Client:
    client.get("/sell/")
    return client


def _played(asha: Client, seed: int = 7) -> Game:
    game = turn_play.open_game("rps", asha.session.session_key or "", below=lambda _: seed)
    for hand in ("rock", "paper", "rock"):
        turn_play.opponents_move(game.pk)
        turn_play.play(game.pk, game.owner, {"hand": hand})
    return Game.objects.get(pk=game.pk)


@pytest.mark.django_db(transaction=True)
def test_its_replay_is_scrubbed_move_by_move(asha: Client, rules: RockPaperScissors) -> None:
    game = _played(asha)
    page = asha.get(f"/replays/{game.pk}/?seq=2").content.decode()
    assert page.count('class="step"') == game.last_seq
    assert "2 of 11" in page
    assert "Right chose" in page
    first, last = (asha.get(f"/replays/{game.pk}/?seq={at}") for at in (0, 999))
    assert (first.status_code, last.status_code) == (200, 200)
    assert "1 of 11" in first.content.decode()
    assert "11 of 11" in last.content.decode()


@pytest.mark.django_db(transaction=True)
def test_another_move_is_tried_with_a_paired_difference(
    asha: Client, rules: RockPaperScissors
) -> None:
    game = _played(asha)
    answer = asha.post(
        f"/api/replays/{game.pk}/fork/",
        json.dumps({"seq": 3, "move": {"hand": "scissors"}}),
        content_type="application/json",
    )
    assert answer.status_code == 201, answer.content
    told = answer.json()
    assert told["difference"]["side"] == "left"
    assert told["difference"]["low"] <= told["difference"]["mean"] <= told["difference"]["high"]
    child = Game.objects.get(pk=told["id"])
    events = rules.position_of(child).events
    # The other hand of that round was in its envelope already.
    assert events[:2] == rules.position_of(game).events[:2]
    assert asha.get(told["url"]).status_code == 200


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("move", ['{"hand": "rock"}', '{"hand": "well"}', "rock"])
def test_a_what_if_that_is_none_says_so(asha: Client, rules: RockPaperScissors, move: str) -> None:
    game = _played(asha)
    answer = asha.post(f"/replays/{game.pk}/fork/", {"seq": 3, "move": move})
    assert answer.status_code == 422
    assert 'class="problem"' in answer.content.decode()
    assert not Game.objects.filter(parent=game).exists()


@pytest.mark.django_db(transaction=True)
def test_it_stands_on_the_shelf_and_has_a_picture(asha: Client, rules: RockPaperScissors) -> None:
    game = _played(asha)
    shelf = asha.get("/replays/?mine=on").content.decode()
    assert "left against right" in shelf
    assert "asked" not in shelf.partition("left against right")[2].partition("</li>")[0]
    picture = asha.get(f"/replays/{game.pk}/card.png")
    assert picture.status_code == 200
    assert picture.content.startswith(b"\x89PNG")


@pytest.mark.django_db(transaction=True)
def test_it_goes_home_as_a_file_and_comes_back(asha: Client, rules: RockPaperScissors) -> None:
    game = _played(asha)
    body = asha.get(f"/replays/{game.pk}.json").content
    answer = asha.post("/api/replays/import/", body, content_type="application/json")
    assert answer.status_code == 201, answer.content
    again = Game.objects.get(pk=answer.json()["id"])
    assert rules.position_of(again).events == rules.position_of(game).events
    forged = body.replace(b'"winner": "left"', b'"winner": "right"')
    forged = forged.replace(b'"winner":"left"', b'"winner":"right"')
    if forged != body:
        refused = asha.post("/api/replays/import/", forged, content_type="application/json")
        assert refused.json()["error"]["code"] == "not-a-game"


class Deal(msgspec.Struct, frozen=True):
    """A scenario that holds more than its seed."""

    seed: int
    lucky: tuple[str, ...] = ("rock", "paper")


class WithADeal(RockPaperScissors):
    scenario_type = Deal

    def draw(self, seed: int) -> Any:
        return Deal(seed)


@pytest.mark.django_db(transaction=True)
def test_a_game_that_draws_a_list_comes_back_too(asha: Client) -> None:
    game = WithADeal()
    register(game, TURNS)
    try:
        body = asha.get(f"/replays/{_played(asha).pk}.json").content
        answer = asha.post("/api/replays/import/", body, content_type="application/json")
    finally:
        unregister(game)
    assert answer.status_code == 201, answer.content


@pytest.mark.django_db(transaction=True)
def test_a_what_if_where_nobody_moved_says_so(asha: Client, rules: RockPaperScissors) -> None:
    body = {"seq": 1, "move": {"hand": "rock"}}
    url = f"/api/replays/{_played(asha).pk}/fork/"
    answer = asha.post(url, json.dumps(body), content_type="application/json")
    assert answer.status_code == 422
    assert "offer" not in answer.json()["error"]["detail"]


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"kinds": ("stone-paper-scissors",)}, "a kind has at most 12 letters"),
        ({"seats": ("challenger", "host")}, "a seat has at most 6 letters"),
    ],
)
def test_names_that_no_row_can_hold_stop_the_start(wrong: dict[str, Any], told: str) -> None:
    with pytest.raises(ValueError, match=told):
        type("Misnamed", (RockPaperScissors,), wrong)()


def test_a_round_that_waits_for_the_same_seat_is_told_anew() -> None:
    once, later = (Scene(5, moves, "asha", "left", ("left",), {}) for moves in (2, 4))
    assert TURNS.news_of(once) != TURNS.news_of(later)


def test_an_event_that_nobody_sees_is_told_by_no_frame() -> None:
    before, after = (Scene(seq, 2, "asha", "left", ("left",), {}) for seq in (4, 5))
    assert TURNS.news_of(before) == TURNS.news_of(after)


@pytest.mark.live
def test_the_openenv_client_plays_it(site: Site) -> None:
    with GenericEnvClient(base_url=f"{site.url}/env/rps").sync() as env:
        told = env.reset(seed=5)
        while not told.done:
            told = env.step(told.observation["options"][0])
        assert told.reward in (0.0, 0.5, 1.0)
        assert env.state()["step_count"] == 3


def test_it_is_an_environment(rules: RockPaperScissors) -> None:
    asha = Client()

    def post(what: str, body: dict[str, Any]) -> Any:
        answer = asha.post(f"/env/rps/{what}", json.dumps(body), content_type="application/json")
        assert answer.status_code == 200, answer.content
        return answer.json()

    told = post("reset", {"seed": 5})
    for _ in range(3):
        assert not told["done"]
        action = told["observation"]["options"][0]
        told = post("step", {"action": action, "episode_id": told["metadata"]["episode_id"]})
    assert told["done"]
    assert told["reward"] in (0.0, 0.5, 1.0)
    assert told["metadata"]["seed"] == 5
    assert asha.get("/env/rps/schema").json()["action"]["properties"]["hand"]
