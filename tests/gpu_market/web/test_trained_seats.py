"""Trained labs at live tables: chosen by name, loaded once, pinned, and never a match's undoing."""

import asyncio
import json
import shutil
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from pytest_django import Settings

from agents.backends.local import model as models
from arena.gpu_market.dialect.text import WORDS
from arena.gpu_market.trained.cards import read_lab
from arena.gpu_market.trained.seat import seated
from arena.gpu_market.web import matches, orders, players, running
from arena.gpu_market.web.errors import BadMarket, NoPlayer
from arena.gpu_market.web.finished import shock_costs
from arena.gpu_market.web.game import MARKET
from arena.gpu_market.web.orders import Order
from arena.models import MarketMatch
from bazaarbatna.market import MarketAction
from bazaarbatna.market.policies.registry import CannotPlay, make_live_policy
from negotiation.models import EventRow
from tests.support.toy_lab import MUMBLES, break_weights, make_lab

pytestmark = pytest.mark.django_db

WAIT = MarketAction("wait")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A lab, made once."""
    return make_lab(tmp_path_factory.mktemp("labs") / "toy")


@pytest.fixture
def home(made: Path, tmp_path: Path, settings: Settings) -> Path:
    """A site with that lab and no other."""
    settings.LABS_DIR, settings.SHIPPED_LABS_DIR = tmp_path / "labs", tmp_path / "none"
    shutil.copytree(made, tmp_path / "labs" / "toy")
    models._kept.cache_clear()
    return tmp_path / "labs"


def opened(**wanted: Any) -> MarketMatch:
    order = {"task": "market_round", "seed": 11, "policy": "lab-toy"} | wanted
    match = matches.open_match("asha", Order(**order))
    match.refresh_from_db()
    return match


def stored() -> list[MarketMatch]:
    """Markets that somebody started here."""
    return [one for one in MarketMatch.objects.all() if "lab-toy" in str(one.seats)]


def turns_of(match: MarketMatch) -> list[EventRow]:
    return list(EventRow.objects.filter(game=match.pk, kind="turn").order_by("seq"))


def test_whatever_lab_is_here_can_be_chosen_and_plays_what_it_says(home: Path) -> None:
    assert "lab-toy" in orders.players()
    match = opened(pace_s=0)
    label = read_lab(home / "toy").version
    assert match.seats == [label, "archetype", "archetype"]
    own = [row for row in turns_of(match) if row.policy_version == label]
    assert {row.backend for row in own} == {"local"}
    actions = [MARKET.event_from(bytes(row.payload)).action for row in own]  # type: ignore[union-attr]
    assert [one.action for one in actions if one] == ["form_coalition"] * 5


def test_an_answer_that_is_no_action_is_mended_by_a_rule_and_the_row_says_so(home: Path) -> None:
    make_lab(home / "mumbler", MUMBLES, "lab-mumbler")
    match = opened(policy="lab-mumbler", pace_s=0)
    expert = opened(policy="rule_expert", pace_s=0)
    own = [row for row in turns_of(match) if row.policy_version.startswith("lab-mumbler@1#")]
    assert {row.backend for row in own} == {"rules"}
    assert [bytes(row.payload) for row in turns_of(match)] == [
        bytes(row.payload) for row in turns_of(expert)
    ]


def test_a_person_can_play_against_it(home: Path) -> None:
    match = opened(policy="you", others="lab-toy")
    label = read_lab(home / "toy").version
    assert match.seats == ["person", label, label]
    matches.act(match.pk, "asha", WAIT)
    assert [row.policy_version for row in turns_of(match)[1:3]] == [label, label]


def test_the_front_page_lists_it_and_opens_its_market(home: Path, client: Client) -> None:
    page = client.get("/market/tasks/").content.decode()
    assert '<option value="lab-toy">lab toy (trained)</option>' in page
    form = {"task": "single_trade", "seed": 4, "policy": "lab-toy", "others": "lab-toy"}
    answer = client.post("/market/", form)
    assert answer.status_code == 302, answer.content.decode()
    shown = client.get(answer["Location"]).content.decode()
    assert "lab toy" in shown
    assert "@1#" not in shown.split('class="strip-facts"', 1)[1]


def test_one_that_came_while_the_site_runs_is_there_at_once_and_gone_as_soon(
    home: Path, client: Client
) -> None:
    shutil.rmtree(home / "toy")
    assert "lab toy" not in client.get("/market/tasks/").content.decode()
    answer = client.post("/market/", {"task": "single_trade", "seed": 4, "policy": "lab-toy"})
    assert answer.status_code == 422
    with pytest.raises(BadMarket, match="Nobody is called 'lab-toy'"):
        opened()
    assert not stored()


def test_a_broken_lab_opens_no_market_and_says_why(home: Path, client: Client) -> None:
    break_weights(home / "toy")
    answer = client.post(
        "/api/market/",
        {"task": "single_trade", "policy": "lab-toy"},
        content_type="application/json",
    )
    assert answer.status_code == 422
    error = answer.json()["error"]
    assert (error["code"], error["field"]) == ("bad-market", "policy")
    assert "cannot play here: its files cannot be loaded. Choose another player." in error["detail"]
    assert str(home) not in answer.content.decode()
    page = client.post("/market/", {"task": "single_trade", "seed": 4, "policy": "lab-toy"})
    assert "its files cannot be loaded" in page.content.decode()
    assert not stored()


def test_a_lab_that_goes_in_the_middle_costs_its_turns_and_nothing_else(home: Path) -> None:
    match = opened(pace_s=1)
    matches.step(match.pk)
    shutil.rmtree(home / "toy")
    while (position := matches.step(match.pk)) is not None and position.state.ended is None:
        pass
    match.refresh_from_db()
    assert match.is_over
    own = [row for row in turns_of(match) if row.policy_version.startswith("lab-toy@1#")]
    assert [row.backend for row in own] == ["local", *["last-resort"] * 4]


def test_what_ifs_and_twins_are_played_by_the_same_lab_and_come_out_the_same(home: Path) -> None:
    match = opened(pace_s=0)
    seq = next(row.seq for row in turns_of(match) if row.policy_version.startswith("lab-toy"))
    first, again = (matches.fork_match(match.pk, seq, WAIT, "asha", pairs=2) for _ in range(2))
    assert first.game.difference == again.game.difference
    logs = [
        [bytes(row.payload) for row in EventRow.objects.filter(game=one.pk).order_by("seq")]
        for one in (first, again)
    ]
    assert logs[0] == logs[1]
    assert matches.fork_match(match.pk, seq, WAIT, "asha").game.difference["n"] == 10
    assert shock_costs(match)["labs"][0]["lab"] == "lab_0"


def test_another_lab_of_that_name_plays_no_what_if_of_the_first(home: Path, client: Client) -> None:
    match = opened(pace_s=0)
    match_id, seq = match.pk, turns_of(match)[0].seq
    shutil.rmtree(home / "toy")
    make_lab(home / "toy", '{"action": "wait"}', seed=1)
    with pytest.raises(NoPlayer, match="played by lab-toy@1#"):
        matches.fork_match(match_id, seq, WAIT, "asha")
    with pytest.raises(NoPlayer, match="stays readable"):
        shock_costs(match)
    gone = client.get(f"/market/{match_id}/twin/?shock=0")
    assert gone.status_code == 409
    assert "which is not on this site any more" in gone.content.decode()
    assert client.get(f"/market/{match_id}/").status_code == 200
    assert client.get(f"/api/market/{match_id}/replay/").status_code == 200


def test_one_model_serves_all_tables_of_a_process(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    loads: list[str] = []
    really = models.open_model

    def counted(source: Any) -> Any:
        loads.append(source.version)
        time.sleep(0.2)
        return really(source)

    monkeypatch.setattr(models, "open_model", counted)
    lab = read_lab(home / "toy")
    found: list[object] = []
    crowd = [threading.Thread(target=lambda: found.append(seated(lab))) for _ in range(6)]
    for one in crowd:
        one.start()
    for one in crowd:
        one.join()
    assert loads == [lab.version]
    assert len(set(map(id, found))) == 1
    opened(pace_s=0)
    assert len(loads) == 1


def test_an_unknown_label_is_refused_with_the_names_that_exist(home: Path) -> None:
    with pytest.raises(ValueError, match=r"no policy 'lab-toy@1#00000000'\. Known: random_valid"):
        make_live_policy("lab-toy@1#00000000", 0)
    break_weights(home / "toy")
    with pytest.raises(CannotPlay):
        seated(read_lab(home / "toy"))


@pytest.mark.django_db(transaction=True)
async def test_a_model_that_loads_holds_up_neither_the_loop_nor_other_tables(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def slowly(source: Any) -> Any:
        time.sleep(1.0)
        raise CannotPlay("never mind")

    def open_demo(**wanted: Any) -> str:
        return opened(pace_s=1, **wanted).pk

    in_thread = asyncio.to_thread
    trained = [await in_thread(open_demo) for _ in range(5)]
    scripted = await in_thread(open_demo, policy="rule_expert")
    models._kept.cache_clear()
    monkeypatch.setattr(models, "open_model", slowly)
    began = time.perf_counter()
    steps = [asyncio.create_task(players.think(one, matches.step, one)) for one in trained]
    await asyncio.sleep(0)
    assert await players.think(scripted, matches.step, scripted) is not None
    assert time.perf_counter() - began < 0.9
    assert not any(step.done() for step in steps)
    await asyncio.gather(*steps)


@pytest.mark.django_db(transaction=True)
async def test_a_match_that_was_left_is_ended_on_the_models_own_thread(
    home: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    def open_a_persons(others: str) -> str:
        return opened(policy="you", others=others).pk

    left = await asyncio.to_thread(open_a_persons, "lab-toy")
    settings.MARKET_LEFT_HOURS = 0
    models._kept.cache_clear()
    threads: set[str] = set()

    def noted(source: Any) -> Any:
        threads.add(threading.current_thread().name.partition("_")[0])
        raise CannotPlay("never mind")

    monkeypatch.setattr(models, "open_model", noted)
    await running._play(left)
    match = await asyncio.to_thread(MarketMatch.objects.get, pk=left)
    assert match.is_abandoned
    assert threads == {"lab"}


def test_what_it_says_to_one_lab_stays_between_the_two(home: Path) -> None:
    said = '{"action": "send_message", "target_lab_id": "l1", "message": "<fair>"}'
    make_lab(home / "whisperer", said, "lab-whisperer")
    match = opened(policy="you", others="lab-whisperer", public=True)
    matches.act(match.pk, "asha", WAIT)
    assert WORDS["<fair>"] in str([bytes(row.payload) for row in turns_of(match)])
    frames = json.dumps(Client().get(f"/api/market/{match.pk}/").json())
    assert WORDS["<fair>"] not in frames
    assert '"plays": "lab-whisperer@1#' in frames


@pytest.mark.parametrize(
    ("said", "backend"),
    [
        ('{"action": "send_message", "message": "my job is worth 148"}', "rules"),
        ('{"action": "form_coalition", "target_lab_id": "l1", "message": "worth 148"}', "local"),
    ],
)
def test_words_of_its_own_reach_nobody(said: str, backend: str, home: Path) -> None:
    make_lab(home / "talker", said, "lab-talker")
    match = opened(policy="lab-talker", pace_s=0)
    own = [row for row in turns_of(match) if row.policy_version.startswith("lab-talker@1#")]
    assert {row.backend for row in own} == {backend}
    rows = EventRow.objects.filter(game=match.pk)
    assert not [row for row in rows if b"worth 148" in bytes(row.payload)]
