"""Sellers who answer, in every environment: the same game of a seed, and nothing said too early."""

import json
import subprocess
import sys

import gymnasium
import pytest
from django.test import Client

from bazaarbatna.bargain import (
    Offer,
    Opened,
    Paise,
    UnknownSeller,
    UnknownSuite,
    Walk,
    grade,
    make_scenario,
    make_seller,
    play_suite_game,
    suite,
    suite_ids,
)
from bazaarbatna.bargain.people.families import FAMILIES, family_of
from bazaarbatna.bargain.people.held_out import ASSUMPTIONS, HELD_OUT, PATHS, plug_in
from bazaarbatna.bargain.people.paths import FIT
from bazaarbatna.bargain.people.suites import people_suite_ids
from bazaarbatna.envs.bargain.gymnasium_env import BazaarEnv
from bazaarbatna.envs.bargain.resets import Reset, wanted_suite
from bazaarbatna.envs.bargain.suite_game import SuiteGame
from bazaarbatna.envs.openenv.bazaar import PREFIX
from bazaarbatna.fast.suites import sweep_suite
from tests.support.players import NonsensePlayer, PatientBuyer, RandomBuyer, SteadyBuyer

plug_in()

IDS = (*people_suite_ids(), "people@1-rounds-4")
BUYERS = (SteadyBuyer, PatientBuyer, RandomBuyer, NonsensePlayer)


@pytest.mark.parametrize("id_", IDS)
def test_a_game_step_by_step_is_the_game_in_one_go(id_: str) -> None:
    for seed in range(12):
        make_buyer = BUYERS[seed % len(BUYERS)]
        buyer, game = make_buyer(seed), SuiteGame(id_, seed)
        while (seen := game.observation) is not None:
            game.step(buyer.act(seen))
        assert list(game.logs) == play_suite_game(id_, seed, make_buyer)
        assert 0 <= grade(id_, game.logs) <= 1
        assert game.logs[0].state().ended is not None


ON_PATHS = (family_of("paths-fit"), PATHS, *ASSUMPTIONS)


@pytest.mark.parametrize(
    "family", [*FAMILIES, *HELD_OUT, *ON_PATHS], ids=lambda family: family.name
)
def test_a_family_can_be_asked_for_by_name_and_by_label(family) -> None:  # type: ignore[no-untyped-def]
    for told in (family.name, family.version):
        scenario = make_scenario("people@1", 4, seller=told)
        assert scenario.sealed.persona == f"people:{family.name}"
        assert scenario.seller == family.version
        assert SuiteGame("people@1", 4, told).seller == family.version
    assert make_seller(scenario).manners == family.draw(scenario.sealed.seed)  # type: ignore[union-attr]


def test_what_a_buyer_gets_of_a_mixture_names_no_family() -> None:
    """Seeds 0 to 39: neither the label nor the persona tells who sells before the end."""
    labels = set()
    for seed in range(40):
        game = SuiteGame("people@1", seed)
        opened = game._events[0]
        assert isinstance(opened, Opened)
        labels.add((game.seller, opened.seller, opened.persona, game.observation.persona))  # type: ignore[union-attr]
    assert len(labels) == 1
    assert not any(family.name in str(labels) for family in FAMILIES)


def test_leaving_costs_nothing_where_no_price_suits_both() -> None:
    hopeless = next(s for s in range(200) if make_scenario("people@1", s).zopa <= 0)
    hopeful = next(s for s in range(200) if make_scenario("people@1", s).zopa > 0)
    rewards = {}
    for seed in (hopeless, hopeful):
        rewards[seed] = SuiteGame("people@1", seed).step(Walk()).reward.walk
    assert rewards == {hopeless: 0.0, hopeful: -0.3}


@pytest.mark.parametrize(
    ("reset", "id_"),
    [
        (Reset(task="people"), "people@1"),
        (Reset(task="people@1"), "people@1"),
        (Reset(task="people-halver"), "people-halver@1"),
        (Reset(task="people-held-out"), "people-held-out@1"),
        (Reset(task="people@1-rounds-6"), "people@1-rounds-6"),
        (Reset(task="paths"), "paths@1"),
        (Reset(task="paths-97-1"), "paths-97-1@1"),
        (Reset(task="paths-fit"), "paths-fit@1"),
        (Reset(task="paths-fit@1-rounds-3"), "paths-fit@1-rounds-3"),
    ],
)
def test_a_client_names_them_by_word_or_by_id(reset: Reset, id_: str) -> None:
    assert wanted_suite(reset) == id_


def test_there_is_no_variant_and_no_pinned_seller_among_people() -> None:
    with pytest.raises(UnknownSuite, match="has no variants; leave out 'fixed'"):
        wanted_suite(Reset(task="people", variant="fixed"))
    for nobody in ("people-nobody", "paths-1-1", "pathsfit"):
        with pytest.raises(UnknownSuite, match="people-<family>, paths, paths-fit"):
            wanted_suite(Reset(task=nobody))
    with pytest.raises(UnknownSuite, match="people-<family>@1, paths@1, paths-fit@1"):
        suite("paths@2")
    with pytest.raises(UnknownSeller, match="halver"):
        SuiteGame("people@1", 1, "deceptive")
    with pytest.raises(UnknownSeller, match="default, deceptive"):
        SuiteGame("single_deal@sampled-1", 1, "halver")
    with pytest.raises(ValueError, match="one bargain"):
        make_scenario("people@1", 1, 1)
    assert not set(people_suite_ids()) & set(suite_ids())
    assert suite("people-firm@1-rounds-3").rounds == 3


@pytest.mark.parametrize(
    "id_", ["people@1", "people-proud@1", "people-turncoat@1", "paths@1", "paths-fit@1"]
)
def test_gymnasium_plays_them_too(id_: str) -> None:
    env, told = BazaarEnv(id_), SuiteGame(id_, 5)
    _, info = env.reset(seed=5)
    assert json.loads(info["view"])["variant"] == ""
    over = False
    while not over:
        bid = int(0.5 * env._seen.budget + 0.5)  # type: ignore[union-attr]
        _, reward, over, _, info = env.step({"move": 0, "price": [0.5]})
        assert reward == told.step(Offer(Paise(bid))).reward.total
    assert info["score"] == grade(id_, told.logs)


def test_a_seller_may_be_changed_at_a_reset() -> None:
    env = gymnasium.make("bazaarbatna.gym:Bazaar-v0", suite="people")
    _, info = env.reset(seed=2, options={"seller": "needy"})
    *_, info = env.step({"move": 2, "price": [0.0]})
    assert json.loads(info["result"])["persona"] == "people:needy"


def test_a_sweep_says_that_it_has_none() -> None:
    with pytest.raises(UnknownSuite, match="has no pinned seller"):
        sweep_suite("people@1", [1], lambda seeds: None)  # type: ignore[arg-type,return-value]


def test_openenv_plays_them_by_task_and_by_family() -> None:
    """Seed 7: the words come with the move, the family after the end and not before."""
    client = Client()

    def post(path: str, body: object) -> dict:  # type: ignore[type-arg]
        answer = client.post(f"{PREFIX}/{path}", json.dumps(body), content_type="application/json")
        assert answer.status_code == 200, answer.content
        return answer.json()  # type: ignore[no-any-return]

    started = post("reset", {"task": "people", "seller": "bluffer", "seed": 7})
    id_ = started["metadata"]["episode_id"]
    assert (started["observation"]["task"], started["metadata"]["suite"]) == ("people", "people@1")
    assert "bluffer" not in json.dumps(started)
    ask, done, answer = started["observation"]["standing_ask"], False, started
    for share in (0.5, 0.55, 0.6):
        answer = post(
            "step", {"episode_id": id_, "action": {"action": "offer", "price": round(share * ask)}}
        )
        done = answer["done"]
        if done:
            break
        assert answer["observation"]["turns"][-1]["message"]
        assert "bluffer" not in json.dumps(answer)
    if not done:
        answer = post("step", {"episode_id": id_, "action": {"action": "walk"}})
    assert answer["observation"]["result"]["persona"] == "people:bluffer"
    wrong = client.post(
        f"{PREFIX}/reset",
        json.dumps({"task": "people", "seller": "impatient_seller"}),
        content_type="application/json",
    )
    assert wrong.status_code == 422
    assert "halver" in wrong.json()["error"]["detail"]


def test_the_list_of_tasks_has_them() -> None:
    told = Client().get("/tasks").json()
    assert len(told["tasks"]) == 8
    rows = {row["name"]: row for row in told["people"]}
    assert rows["people"]["suites"] == ["people@1"]
    assert rows["people-halver"]["max_rounds"] == 14
    assert "people-splitter" in rows
    assert (rows["paths-fit"]["max_rounds"], rows["paths-97-1"]["suites"]) == (10, ["paths-97-1@1"])


def test_openenv_plays_paths_and_names_no_seller_before_the_end() -> None:
    """Seed 3: a path is no more in what a client gets than a family is."""
    client = Client()
    for task in ("paths", "paths-fit", "paths-88-4"):
        answer = client.post(
            f"{PREFIX}/reset",
            json.dumps({"task": task, "seed": 3}),
            content_type="application/json",
        )
        assert answer.status_code == 200, answer.content
        started = answer.json()
        id_, ask = started["metadata"]["episode_id"], started["observation"]["standing_ask"]
        assert started["metadata"]["suite"] == f"{task}@1"
        body = {"episode_id": id_, "action": {"action": "offer", "price": round(0.3 * ask)}}
        done = False
        while not done:
            answered = client.post(
                f"{PREFIX}/step", json.dumps(body), content_type="application/json"
            ).json()
            done = answered["done"]
        assert answered["observation"]["result"]["persona"] == f"people:{task}"
        assert "reservation" not in json.dumps(started)


def test_without_what_is_held_out_the_paths_of_training_are_there_and_no_others() -> None:
    code = (
        "from bazaarbatna.bargain.people.suites import people_suite, people_words\n"
        "from bazaarbatna.envs.bargain.gymnasium_env import BazaarEnv\n"
        "assert people_suite('paths@1') is people_suite('paths-97-1@1') is None\n"
        "assert people_words()[-1] == 'paths-fit'\n"
        "assert BazaarEnv('paths-fit').reset(seed=1)[1]\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=FIT.parents[3])
