"""Mallory talks on after the line was closed: nobody answers, and nothing breaks."""

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from tests.support.people import Visitor
from tests.support.servers import Site


@pytest.mark.parametrize("path", ["/ws/sell/zzzzzzzzzzzz/", f"/ws/watch/{'z' * 24}/"])
async def test_frames_after_a_refusal_break_no_consumer(
    path: str, site: Site, mallory: Visitor
) -> None:
    before = len(site.log)
    for _ in range(20):
        async with connect(site.ws_url + path, additional_headers={"Cookie": mallory.cookies}) as w:
            try:
                for _ in range(30):
                    await w.send('{"type":"ping"}')
                while True:
                    await w.recv()
            except ConnectionClosed:
                pass
    async with mallory.at(mallory.opens()) as line:
        await line.sync()
    assert "Traceback" not in site.log[before:]
    assert "Exception inside application" not in site.log[before:]
