"""Sessions of the market, in this process and in Redis: kept, found again, swept, never grown."""

from collections.abc import Iterator
from typing import Any

import pytest
import redis as redis_py

from bazaarbatna.envs.market.actions import read_turn
from bazaarbatna.envs.market.resets import MarketReset
from bazaarbatna.envs.openenv.bazaar import BAZAAR
from bazaarbatna.envs.openenv.errors import FullForClient, UnknownEpisode
from bazaarbatna.envs.openenv.market import MARKET
from bazaarbatna.envs.openenv.shelf import Room, Shelf
from negotiation.openenv.shared_shelf import SharedShelf
from tests.support.services import Redis, skip_without

WAIT, FINISH = read_turn({"action": "wait"}), read_turn({"action": "finish"})
NONSENSE = read_turn({"action": "fly"})


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture(scope="module")
def redis_url() -> Iterator[str]:
    skip_without("redis-server")
    with Redis() as server:
        yield server.url


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture(params=["one process", pytest.param("redis", marks=pytest.mark.services)])
def shelf(request: pytest.FixtureRequest, clock: Clock) -> Any:
    if request.param == "one process":
        return Shelf(MARKET, Room(3, 2), 60, clock)
    url = request.getfixturevalue("redis_url")
    with redis_py.Redis.from_url(url) as client:
        client.flushall()
    return SharedShelf(MARKET, url, most=3, most_per_client=2, idle_s=60, clock=clock)


def test_an_episode_is_found_again_with_all_that_happened_in_it(shelf: Any) -> None:
    wanted = MarketReset(task="coalition_market", seed=3, lab=2, options=("sudden_supply",))
    id_ = shelf.reset("asha", wanted).metadata.episode_id
    shelf.step("asha", id_, WAIT)
    told = shelf.step("asha", id_, NONSENSE)
    assert told.observation.last_action_result.code == "malformed_action"
    standing = shelf.state("asha", id_)
    assert (standing.step_count, standing.round, standing.lab) == (2, 2, "lab_2")
    assert standing.total_reward == pytest.approx(told.reward)


def test_steps_after_the_end_add_nothing_to_what_is_kept(shelf: Any) -> None:
    id_ = shelf.reset("asha", MarketReset(seed=3)).metadata.episode_id
    shelf.step("asha", id_, FINISH)
    before = shelf.state("asha", id_)
    for _ in range(3):
        assert shelf.step("asha", id_, WAIT).observation.last_action_result.code == "episode_done"
    assert shelf.state("asha", id_) == before
    if isinstance(shelf, SharedShelf):
        assert len(shelf._find("asha", id_)[1].actions) == 1


def test_idle_episodes_go_and_one_address_holds_only_so_many(shelf: Any, clock: Clock) -> None:
    ids = [shelf.reset("asha", MarketReset()).metadata.episode_id for _ in range(2)]
    with pytest.raises(FullForClient):
        shelf.reset("asha", MarketReset())
    clock.now = 61
    with pytest.raises(UnknownEpisode):
        shelf.state("asha", ids[0])
    shelf.reset("asha", MarketReset())


@pytest.mark.services
def test_the_two_environments_share_no_session_in_redis(redis_url: str) -> None:
    limits: dict[str, Any] = {"most": 9, "most_per_client": 1, "idle_s": 60}
    market, bazaar = (
        SharedShelf(MARKET, redis_url, **limits),
        SharedShelf(BAZAAR, redis_url, **limits),
    )
    market.reset("bilal", MarketReset(episode_id="mine"))
    with pytest.raises(UnknownEpisode):
        bazaar.state("bilal", "mine")
    bazaar.reset("bilal", BAZAAR.wanted(episode_id="mine"))
    assert market.state("bilal", "mine").task == "single_trade"  # type: ignore[attr-defined]
