"""Sellers who answer, in every environment: the same game of a seed, and nothing said too early."""

import json

import gymnasium
import pytest
from django.test import Client

from negotiation.engine import (
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
from negotiation.engine.people.families import FAMILIES
from negotiation.engine.people.held_out import HELD_OUT, plug_in
from negotiation.engine.people.suites import people_suite_ids
from negotiation.environment.gymnasium_env import BazaarEnv
from negotiation.environment.resets import Reset, wanted_suite
from negotiation.environment.suite_game import SuiteGame
from negotiation.environment.sweeps.suites import sweep_suite
from negotiation.environment.vector_env import BazaarVectorEnv
from negotiation.openenv.bazaar import PREFIX
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


@pytest.mark.parametrize("family", [*FAMILIES, *HELD_OUT], ids=lambda family: family.name)
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
    ],
)
def test_a_client_names_them_by_word_or_by_id(reset: Reset, id_: str) -> None:
    assert wanted_suite(reset) == id_


def test_there_is_no_variant_and_no_pinned_seller_among_people() -> None:
    with pytest.raises(UnknownSuite, match="has no variants; leave out 'fixed'"):
        wanted_suite(Reset(task="people", variant="fixed"))
    with pytest.raises(UnknownSuite, match="people-<family>"):
        wanted_suite(Reset(task="people-nobody"))
    with pytest.raises(UnknownSeller, match="halver"):
        SuiteGame("people@1", 1, "deceptive")
    with pytest.raises(UnknownSeller, match="default, deceptive"):
        SuiteGame("single_deal@sampled-1", 1, "halver")
    with pytest.raises(ValueError, match="one bargain"):
        make_scenario("people@1", 1, 1)
    assert not set(people_suite_ids()) & set(suite_ids())
    assert suite("people-firm@1-rounds-3").rounds == 3


@pytest.mark.parametrize("id_", ["people@1", "people-proud@1", "people-turncoat@1"])
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
    env = gymnasium.make("negotiation.environment.gymnasium_env:Bazaar-v0", suite="people")
    _, info = env.reset(seed=2, options={"seller": "needy"})
    *_, info = env.step({"move": 2, "price": [0.0]})
    assert json.loads(info["result"])["persona"] == "people:needy"


def test_many_tables_at_once_say_that_they_have_none() -> None:
    with pytest.raises(UnknownSuite, match="one table at a time"):
        BazaarVectorEnv(2, "people")
    with pytest.raises(UnknownSuite, match="one table at a time"):
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
