"""Clients of the two original systems, at a real site: what they send and what they read.

They keep no cookie, name no game and know no field of today.
"""

import json
from collections.abc import Iterator

import httpx
import pytest

from tests.support.servers import Site

TASKS = {"single_trade", "market_round", "coalition_market"}


@pytest.fixture
def arena(site: Site) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=f"{site.url}/env/market/first/run-1", timeout=30) as client:
        yield client


def test_the_arena_says_that_it_is_well_and_which_tasks_it_has(arena: httpx.Client) -> None:
    assert arena.get("/health").json()["status"] == "ok"
    assert {one["task_type"] for one in arena.get("/tasks").json()["tasks"]} == TASKS


def test_the_arena_is_reset_stepped_and_asked_for_its_state(arena: httpx.Client) -> None:
    started = arena.post("/reset", json={"task_type": "single_trade", "seed": 99})
    assert started.status_code == 200
    assert started.json()["observation"]["task_id"] == "single_trade-99"
    stepped = arena.post("/step", json={"action_type": "wait"})
    assert stepped.status_code == 200
    assert stepped.json()["observation"]["round_index"] == 1
    state = arena.get("/state")
    assert state.status_code == 200
    assert state.json()["state"]["task_id"] == "single_trade-99"
    assert "labs" not in state.json()["state"]


def test_the_arena_shows_nothing_private(arena: httpx.Client) -> None:
    assert arena.post("/reset", json={"task_type": "single_trade", "seed": 100}).status_code == 200
    assert arena.get("/state?include_private=true").status_code == 403


@pytest.mark.parametrize("task", sorted(TASKS))
def test_an_arena_client_plays_an_episode_by_the_names_it_knows(
    arena: httpx.Client, task: str
) -> None:
    """It runs its jobs on its own blocks, offers one to each of the others, and waits."""
    seen = arena.post("/reset", json={"task_type": task, "seed": 5}).json()["observation"]
    turns, paid, codes = 0, 0.0, set()
    while not seen["done"]:
        job = next((one for one in seen["private_jobs"] if not one["completed"]), None)
        free = [one for one in seen["owned_blocks"] if one["status"] == "available"]
        action = {"action_type": "wait"}
        if turns == 0:
            action = {
                "action_type": "send_offer",
                "target_lab_id": seen["visible_labs"][0]["lab_id"],
                "block_ids": [free[0]["block_id"]],
                "payment": 0.0,
                "message": "One of mine.",
                "conditions": {"must_not_resell": True, "coalition_only": False},
            }
        elif job and free:
            ids = [one["block_id"] for one in free]
            action = {"action_type": "allocate_to_job", "job_id": job["job_id"], "block_ids": ids}
        seen = arena.post("/step", json=action).json()["observation"]
        codes.add(seen["last_action_result"]["code"])
        paid += seen["reward"]
        turns += 1
        assert seen["reward_breakdown"]["normalized_reward"] == seen["reward"]
        assert seen["cumulative_reward"] == pytest.approx(paid)
    assert turns == seen["max_rounds"] == seen["round_index"]
    assert "ok" in codes
    assert "malformed_action" not in codes


def test_two_arena_clients_with_names_of_their_own_do_not_meet(site: Site) -> None:
    tasks = {}
    for name in ("asha", "ben"):
        with httpx.Client(base_url=f"{site.url}/env/market/first/{name}") as client:
            client.post("/reset", json={"task_type": "single_trade", "seed": len(name)})
    for name in ("asha", "ben"):
        with httpx.Client(base_url=f"{site.url}/env/market/first/{name}") as client:
            tasks[name] = client.get("/state").json()["state"]["task_id"]
    assert tasks == {"asha": "single_trade-4", "ben": "single_trade-3"}


def test_the_market_takes_the_arenas_words_beside_its_own(site: Site) -> None:
    with httpx.Client(base_url=f"{site.url}/env/market") as client:
        told = client.post("/reset", json={"task_type": "market_round", "seed": 3}).json()
        assert told["metadata"]["task"] == "market_round"
        body = {
            "episode_id": told["metadata"]["episode_id"],
            "action": {"action_type": "wait"},
        }
        assert client.post("/step", json=body).json()["observation"]["last_action_result"]["ok"]
        assert client.get("/health").json() == {"status": "healthy"}


def play_as_of_old(url: str, task: str, seed: int) -> tuple[dict[str, object], list[str]]:
    """Bid a bit more each round by the old names alone, every request for itself; the score."""
    started = httpx.post(f"{url}/reset", json={"task": task, "seed": seed}, timeout=30)
    started.raise_for_status()
    answer, told = started.json(), list[str]()
    for _ in range(100):
        if answer.get("done", False):
            break
        seen = answer["observation"]
        history = seen["career_history"]
        told.append(
            f"{seen['item_name']} {seen['current_round']}/{seen['max_rounds']} "
            f"({seen['rounds_remaining']} left) {seen['opponent_last_offer']} "
            f"{seen['seller_asking_price']} {seen['own_last_offer']} {seen['message']} "
            f"{seen['own_private_deadline']} {seen['seller_last_move_delta']} "
            f"{seen['episode_number']}/{seen['total_episodes']} "
            + (f"{len(history['deals'])} {history['capitulation_rate']:.1%}" if history else "")
        )
        share = 0.3 + 0.5 * (seen["current_round"] + 1) / seen["max_rounds"]
        bid = round(seen["own_private_budget"] * share, 2)
        action = {"action": "offer", "price": bid}
        if seen["opponent_last_offer"] <= bid:
            action = {"action": "accept"}
        stepped = httpx.post(f"{url}/step", json=action, timeout=30)
        stepped.raise_for_status()
        answer = stepped.json()
        if answer["info"].get("episode_done"):
            told.append(f"Episode {answer['info']['episode']} ended")
        assert isinstance(answer["reward"], float)
    scored = httpx.get(f"{url}/score", timeout=30)
    scored.raise_for_status()
    return scored.json(), told


@pytest.mark.parametrize("task", ["single_deal", "asymmetric_pressure", "career_10"])
@pytest.mark.parametrize("path", ["", "/env/bazaar/first/run-1"])
def test_the_first_bazaars_client_plays_without_naming_a_game(
    site: Site, path: str, task: str
) -> None:
    score, told = play_as_of_old(site.url + path, task, seed=42)
    assert score["done"]
    assert 0 <= score["score"] <= 1  # type: ignore[operator]
    assert score["success"] is score["is_solved"]
    assert score["episodes_completed"] == score["total_episodes"] == (10 if "10" in task else 1)
    assert len(told) > 1
    assert sum("ended" in one for one in told) == (9 if "10" in task else 0)


@pytest.mark.parametrize("kind", ["bazaar", "market"])
def test_a_name_that_is_too_long_is_refused(site: Site, kind: str) -> None:
    at = f"{site.url}/env/{kind}/first/{'n' * 256}"
    assert httpx.post(f"{at}/reset", json={"seed": 1}).status_code == 422
    assert httpx.post(f"{at}/step", json={"action": "wait"}).status_code in (404, 422)


def test_who_comes_through_a_proxy_has_to_name_its_game(site: Site) -> None:
    behind = {"X-Forwarded-For": "203.0.113.7"}
    for more in (behind, {"Forwarded": "for=203.0.113.7"}, {"Host": "bazaar.example"}):
        headers = {"Content-Type": "application/json", **more}
        body = json.dumps({"task": "single_deal"})
        started = httpx.post(f"{site.url}/reset", content=body, headers=headers)
        if "Host" in more and started.status_code == 400:
            continue  # a name that this site does not have
        stepped = httpx.post(f"{site.url}/step", content='{"action": "walk"}', headers=headers)
        assert stepped.status_code == 422
        assert "/env/bazaar/first/" in stepped.json()["error"]["detail"]


@pytest.mark.parametrize(
    ("path", "where"),
    [
        ("/providers", "/sauda/backends"),
        ("/simulate", "rollout"),
        ("/counterfactual", "/replays/"),
        ("/leaderboard/best", "/leaderboard/"),
    ],
)
def test_what_is_no_more_says_where_it_went(site: Site, path: str, where: str) -> None:
    for answer in (httpx.get(site.url + path), httpx.post(site.url + path, json={"task": "x"})):
        assert answer.status_code == 410
        assert answer.headers["Content-Type"] == "application/json"
        assert where in answer.json()["error"]["detail"]
