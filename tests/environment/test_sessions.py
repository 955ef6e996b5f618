"""Sessions take a place each, go when idle, and nobody reaches another's."""

import asyncio
import json
import socket
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import redis as redis_py

from bazaarbatna.bargain import GameOver, UnknownSuite
from bazaarbatna.envs.bargain.actions import Action
from bazaarbatna.envs.bargain.episode import UnreadableAction
from bazaarbatna.envs.bargain.resets import Reset
from bazaarbatna.envs.openenv.bazaar import BAZAAR, plain
from bazaarbatna.envs.openenv.errors import (
    Full,
    FullForClient,
    UnknownEpisode,
    Unplayable,
    to_protocol,
)
from bazaarbatna.envs.openenv.kinds import Record, seat_of, to_bytes
from bazaarbatna.envs.openenv.shelf import Room, Shelf
from negotiation.hanging_up import CLOSE_FULL, CLOSE_IDLE
from negotiation.openenv.serving import EnvironmentSocket
from negotiation.openenv.shared_shelf import SharedShelf
from negotiation.openenv.views import refused
from tests.support.services import Redis, skip_without

BID = Action("offer", 10.0)


class Clock:
    """Seconds that pass when the test says so."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


Shelves = Shelf | SharedShelf


class House:
    """Makes shelves of one kind, all of one house; ``clock`` is theirs."""

    def __init__(self, redis_url: str | None) -> None:
        self.redis_url = redis_url
        self.clock = Clock()

    def shelf(self, most: int = 10, per_client: int = 10, idle_s: float = 60) -> Shelves:
        if self.redis_url is None:
            return Shelf(BAZAAR, Room(most, per_client), idle_s, self.clock)
        limits = {"most": most, "most_per_client": per_client, "idle_s": idle_s}
        return SharedShelf(BAZAAR, self.redis_url, **limits, clock=self.clock)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def redis_server() -> Iterator[Redis]:
    skip_without("redis-server")
    with Redis() as server:
        yield server


REDIS = pytest.param("redis", marks=pytest.mark.services)


@pytest.fixture(params=["one process", REDIS])
def house(request: pytest.FixtureRequest) -> House:
    """Where HTTP sessions are kept: in this process, or for all processes."""
    if request.param == "one process":
        return House(None)
    redis_server: Redis = request.getfixturevalue("redis_server")
    with redis_py.Redis.from_url(redis_server.url) as client:
        client.flushall()
    return House(redis_server.url)


def test_the_room_counts_in_all_and_per_client() -> None:
    room = Room(3, 2)
    room.enter("asha")
    room.enter("asha")
    with pytest.raises(FullForClient) as refused:
        room.enter("asha")
    assert (refused.value.active, refused.value.most, refused.value.status) == (2, 2, 429)
    room.enter("bilal")
    with pytest.raises(Full) as full:
        room.enter("chetan")
    assert (full.value.status, full.value.retry_after_s) == (503, 30)
    room.leave("asha")
    room.enter("chetan")
    assert room.active == 3


def test_an_idle_session_goes_and_its_place_is_free(house: House) -> None:
    shelf = house.shelf(most=1)
    id_ = shelf.reset("asha", Reset(seed=1)).metadata.episode_id
    house.clock.now = 59
    shelf.step("asha", id_, BID)
    house.clock.now = 100
    shelf.state("asha", id_)
    house.clock.now = 159
    with pytest.raises(Full):
        shelf.reset("bilal", Reset())
    house.clock.now = 161
    with pytest.raises(UnknownEpisode):
        shelf.step("asha", id_, BID)
    assert shelf.reset("bilal", Reset()).observation.round == 1
    with pytest.raises(Full):
        shelf.reset("asha", Reset())


def test_one_address_may_hold_only_so_many(house: House) -> None:
    shelf = house.shelf(per_client=2)
    shelf.reset("mallory", Reset())
    shelf.reset("mallory", Reset())
    with pytest.raises(FullForClient):
        shelf.reset("mallory", Reset())
    shelf.reset("asha", Reset())


def test_a_loop_over_many_games_needs_no_more_room_than_one(house: House) -> None:
    shelf = house.shelf(per_client=2)
    ids = [shelf.reset("asha", Reset(seed=0)).metadata.episode_id]
    for seed in range(1, 6):
        ids.append(shelf.reset("asha", Reset(seed=seed)).metadata.episode_id)
        shelf.step("asha", ids[-1], Action("walk"))
    assert shelf.state("asha", ids[0]).done is False
    assert shelf.state("asha", ids[-1]).done is True
    with pytest.raises(UnknownEpisode):
        shelf.state("asha", ids[1])


def test_games_that_a_client_left_alone_make_room_for_its_own_next_one(house: House) -> None:
    shelf = house.shelf(most=3, per_client=2, idle_s=600)
    first = shelf.reset("asha", Reset()).metadata.episode_id
    house.clock.now = 30
    second = shelf.reset("asha", Reset()).metadata.episode_id
    house.clock.now = 59
    with pytest.raises(FullForClient):
        shelf.reset("asha", Reset())
    house.clock.now = 61
    shelf.reset("asha", Reset())
    assert shelf.state("asha", second).done is False
    with pytest.raises(UnknownEpisode):
        shelf.state("asha", first)


def test_nobody_loses_a_game_that_goes_on_to_somebody_else(house: House) -> None:
    shelf = house.shelf(most=2, idle_s=600)
    asha = shelf.reset("asha", Reset()).metadata.episode_id
    bilal = shelf.reset("bilal", Reset()).metadata.episode_id
    house.clock.now = 300
    with pytest.raises(Full):
        shelf.reset("mallory", Reset())
    shelf.step("bilal", bilal, Action("walk"))
    shelf.reset("mallory", Reset())
    assert shelf.state("asha", asha).done is False


def test_a_name_that_a_client_chose_is_that_clients_alone(house: House) -> None:
    shelf = house.shelf()
    shelf.reset("asha", Reset(seed=1, episode_id="run-1"))
    with pytest.raises(UnknownEpisode):
        shelf.state("mallory", "run-1")
    shelf.reset("mallory", Reset(seed=2, episode_id="run-1"))
    shelf.step("mallory", "run-1", BID)
    assert shelf.state("asha", "run-1").step_count == 0


def test_a_drawn_name_holds_from_any_address(house: House) -> None:
    shelf = house.shelf()
    id_ = shelf.reset("asha", Reset(seed=1)).metadata.episode_id
    assert len(id_) == 32
    assert shelf.step("asha-on-the-train", id_, BID).observation.round == 2


def test_a_reset_under_the_same_name_takes_no_second_place(house: House) -> None:
    shelf = house.shelf(per_client=1)
    for seed in range(3):
        started = shelf.reset("asha", Reset(seed=seed, episode_id="again"))
        assert started.observation.round == 1
        shelf.step("asha", "again", BID)


def test_a_refused_reset_takes_no_place(house: House) -> None:
    shelf = house.shelf(most=1)
    for _ in range(2):
        with pytest.raises(UnknownSuite):
            shelf.reset("mallory", Reset(task="nothing"))
    shelf.reset("asha", Reset())


def test_a_step_that_was_refused_changes_nothing(house: House) -> None:
    shelf = house.shelf()
    id_ = shelf.reset("asha", Reset(seed=1)).metadata.episode_id
    with pytest.raises(UnreadableAction):
        shelf.step("asha", id_, Action("offer"))
    shelf.step("asha", id_, Action("walk"))
    with pytest.raises(GameOver):
        shelf.step("asha", id_, BID)
    assert shelf.state("asha", id_).step_count == 1
    assert len(shelf.seat("asha", id_).logs) == 1


@pytest.mark.parametrize("house", [REDIS], indirect=True)
def test_with_redis_any_process_answers_and_of_two_steps_at_once_one_is_late(house: House) -> None:
    here, there = house.shelf(), house.shelf()
    id_ = here.reset("asha", Reset(task="career_10", seed=1)).metadata.episode_id
    answers = [shelf.step("asha", id_, BID) for shelf in (here, there) * 9]
    assert [answer.observation.round for answer in answers[:4]] == [2, 3, 4, 5]
    assert here.state("asha", id_) == there.state("asha", id_)
    assert isinstance(here, SharedShelf)
    key, record = here._find("asha", id_)
    there.step("asha", id_, BID)
    with pytest.raises(Unplayable, match="faster"):
        here._store(key, record.after(plain(BID)), expected=record.number, done=False)
    assert there.state("asha", id_).step_count == 19


@pytest.mark.parametrize("suite_id", ["read_the_tells@sampled-1", "amazon_realistic@fixed-1"])
def test_a_record_is_the_same_seat_again(suite_id: str) -> None:
    record = Record("asha", "mine", Reset(task=suite_id), seed=5)
    seat, answer = seat_of(record, BAZAAR)
    while not answer.done:
        price = round(answer.observation.standing_ask * 0.7, 2)
        action = Action("offer", price, "Bas. " * 900, {"note": "not kept"})
        answer = seat.step(action)
        record = BAZAAR.records.decode(to_bytes(record.after(plain(action))))
        again, same = seat_of(record, BAZAAR)
        assert (same, again.state, again.logs) == (answer, seat.state, seat.logs)
    assert b"not kept" not in to_bytes(record)


class Line:
    """Both ends of a connection, without a network between them."""

    def __init__(self, address: str) -> None:
        self.scope = {"client": (address, 1), "headers": []}
        self.to_server: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.to_client: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.to_server.put_nowait({"type": "websocket.connect"})

    def open(self, socket: EnvironmentSocket) -> asyncio.Task[None]:
        return asyncio.create_task(
            socket(self.scope, self.to_server.get, self.to_client.put)  # type: ignore[arg-type]
        )

    async def say(self, frame: object) -> dict[str, Any]:
        self.to_server.put_nowait({"type": "websocket.receive", "text": json.dumps(frame)})
        return await self.hear()

    async def hear(self) -> dict[str, Any]:
        message = await asyncio.wait_for(self.to_client.get(), 5)
        while message["type"] == "websocket.accept":
            message = await asyncio.wait_for(self.to_client.get(), 5)
        if message["type"] == "websocket.send":
            return dict(json.loads(message["text"]))
        return message


HTTP_GAMES_BEFORE_A_SOCKET = [
    pytest.param(301, False, "state", id="idle"),
    pytest.param(61, False, "state", id="left alone"),
    pytest.param(0, True, "state", id="over"),
    pytest.param(30, False, "error", id="going on"),
]


async def test_a_connection_has_a_place_for_as_long_as_it_lives() -> None:
    room = Room(2, 1)
    socket = EnvironmentSocket(BAZAAR, room, 60)
    asha, again, bilal, chetan = (
        Line(name) for name in ("10.0.0.1", "10.0.0.1", "10.0.0.2", "::1")
    )
    first = asha.open(socket)
    assert (await asha.say({"type": "state"}))["type"] == "state"
    await again.open(socket)
    refused = await again.hear()
    assert refused["data"]["code"] == "CAPACITY_REACHED"
    assert (refused["data"]["active_sessions"], refused["data"]["max_sessions"]) == (1, 1)
    assert (await again.hear())["code"] == CLOSE_FULL
    second = bilal.open(socket)
    assert (await bilal.say({"type": "state"}))["type"] == "state"
    await chetan.open(socket)
    assert (await chetan.hear())["data"]["max_sessions"] == 2
    assert (await asha.say({"type": "close"}))["type"] == "websocket.close"
    bilal.to_server.put_nowait({"type": "websocket.disconnect"})
    await asyncio.gather(first, second)
    assert room.active == 0


@pytest.mark.parametrize(("later_s", "walks", "told"), HTTP_GAMES_BEFORE_A_SOCKET)
async def test_http_games_that_nobody_plays_make_way_for_a_socket(
    later_s: float, walks: bool, told: str
) -> None:
    room, clock = Room(3, 2), Clock()
    shelf = Shelf(BAZAAR, room, 300, clock)
    for _ in range(2):
        last = shelf.reset("10.0.0.1", Reset()).metadata.episode_id
    if walks:
        shelf.step("10.0.0.1", last, Action("walk"))
    clock.now = later_s
    asha = Line("10.0.0.1")
    talk = asha.open(EnvironmentSocket(BAZAAR, room, 300, clock, enter=shelf.enter))
    assert (await asha.say({"type": "state"}))["type"] == told
    asha.to_server.put_nowait({"type": "websocket.disconnect"})
    await talk
    assert room.active == len(shelf)


async def test_a_client_that_does_not_wait_for_answers_holds_up_nobody() -> None:
    socket = EnvironmentSocket(BAZAAR, Room(2, 1), 60)
    mallory, asha = Line("10.0.0.1"), Line("10.0.0.2")
    for _ in range(500):
        mallory.to_server.put_nowait({"type": "websocket.receive", "text": '{"type":"state"}'})
    talks = [mallory.open(socket), asha.open(socket)]
    await asha.say({"type": "state"})
    assert mallory.to_client.qsize() < 100
    for line in (mallory, asha):
        line.to_server.put_nowait({"type": "websocket.disconnect"})
    await asyncio.gather(*talks)
    assert mallory.to_client.qsize() == 501


@pytest.mark.parametrize("says_something", [True, False])
async def test_an_idle_connection_is_ended_with_a_reason(says_something: bool) -> None:
    room, clock = Room(1, 1), Clock()
    timers: list[Callable[[], None]] = []
    asha = Line("10.0.0.1")
    loop = asyncio.get_running_loop()
    call_later = loop.call_later

    def remember(delay: float, callback: Any, *rest: Any, **more: Any) -> asyncio.TimerHandle:
        if getattr(callback, "__name__", "") == "_look":
            timers.append(callback)
        return call_later(delay, callback, *rest, **more)

    loop.call_later = remember  # type: ignore[method-assign]
    try:
        serving = asha.open(EnvironmentSocket(BAZAAR, room, 60, clock))
        clock.now = 50
        await asha.say({"type": "state"})
        clock.now = 61
        timers[-1]()
        clock.now = 109
        if says_something:
            await asha.say({"type": "state"})
            clock.now = 168
            timers[-1]()
            assert (await asha.say({"type": "state"}))["type"] == "state"
            clock.now = 10_000
        clock.now += 2
        timers[-1]()
        ended = await asha.hear()
        assert ended["data"]["code"] == "SESSION_ERROR"
        assert (await asha.hear())["code"] == CLOSE_IDLE
        asha.to_server.put_nowait({"type": "websocket.disconnect"})
        await serving
        assert room.active == 0
    finally:
        loop.call_later = call_later  # type: ignore[method-assign]


def test_a_store_that_is_away_is_answered_with_a_time_to_come_back() -> None:
    with socket.socket() as taken:
        # Bound and not listening: nobody answers there, and nobody else can take it.
        taken.bind(("127.0.0.1", 0))
        shelf = House(f"redis://127.0.0.1:{taken.getsockname()[1]}").shelf()
        with pytest.raises(redis_py.RedisError) as away:
            shelf.reset("asha", Reset())
    answer = refused(to_protocol(away.value))
    assert (answer.status_code, answer["Retry-After"]) == (503, "5")
    assert json.loads(answer.content)["error"]["code"] == "SESSION_ERROR"
