"""A rush of requests waits in the process, not at the database."""

import asyncio
from typing import Any

from bazaar_site.routing import AT_ONCE, InTurn


async def test_no_more_than_so_many_are_answered_at_once() -> None:
    busy = most = done = 0

    async def page(scope: Any, receive: Any, send: Any) -> None:
        nonlocal busy, most, done
        busy += 1
        most = max(most, busy)
        await asyncio.sleep(0)
        busy -= 1
        done += 1

    site = InTurn(page)
    await asyncio.gather(*(site({"path": "/"}, None, None) for _ in range(5 * AT_ONCE)))
    assert (most, done) == (AT_ONCE, 5 * AT_ONCE)


async def test_whoever_asks_after_health_does_not_wait() -> None:
    let_go = asyncio.Event()

    async def page(scope: Any, receive: Any, send: Any) -> None:
        if scope["path"] != "/healthz":
            await let_go.wait()

    site = InTurn(page)
    rush = [asyncio.create_task(site({"path": "/"}, None, None)) for _ in range(2 * AT_ONCE)]
    await asyncio.sleep(0)
    await site({"path": "/healthz"}, None, None)
    let_go.set()
    await asyncio.gather(*rush)


async def test_one_desk_at_a_time_does_not_wait_behind_a_class() -> None:
    let_go, begun = asyncio.Event(), []

    async def page(scope: Any, receive: Any, send: Any) -> None:
        begun.append(scope["path"])
        await let_go.wait()

    site = InTurn(page)
    paths = [*["/rooms/ABCDEF/"] * 2 * AT_ONCE, *["/rooms/ABCDEF/desk/now/"] * 2]
    rush = [asyncio.create_task(site({"path": path}, None, None)) for path in paths]
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert begun == [*paths[:AT_ONCE], paths[-1]]
    let_go.set()
    await asyncio.gather(*rush)
    assert sorted(begun) == sorted(paths)
