"""Mallory talks faster than she listens: she waits, and nobody else does."""

import asyncio
import json
from functools import partial
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from websockets.asyncio.client import ClientConnection, connect

from bazaar_site.flow_control import (
    DAPHNE,
    FEW_WAITING,
    MOST_WAITING,
    FlowControl,
    check_daphne,
)
from tests.support.commands import ROOT
from tests.support.servers import Site
from tests.support.waiting import WITHIN_S

ECHO = json.dumps({"type": "mcp", "data": {"jsonrpc": "2.0", "method": "x", "id": "i" * 16_000}})
"""Sixteen thousand bytes each way."""

MORE_THAN_BUFFERS_HOLD = 5_000


async def _talk_until_nobody_listens(line: ClientConnection) -> int:
    for said in range(1, MORE_THAN_BUFFERS_HOLD):
        try:
            await asyncio.wait_for(line.send(ECHO), 1)
        except TimeoutError:
            # It was written, and waits in this very process.
            return said
    pytest.fail("The server read 80 MB from a client that reads nothing.")


async def test_a_client_that_does_not_read_is_not_read_from_and_loses_nothing(site: Site) -> None:
    async with connect(f"{site.ws_url}/env/bazaar/ws", max_queue=1) as mallory:
        said = await _talk_until_nobody_listens(mallory)
        async with connect(f"{site.ws_url}/env/bazaar/ws") as asha:
            await asha.send('{"type":"state"}')
            assert json.loads(await asyncio.wait_for(asha.recv(), WITHIN_S))["type"] == "state"
        for _ in range(said):
            assert json.loads(await asyncio.wait_for(mallory.recv(), WITHIN_S))["type"] == "mcp"
        await mallory.send('{"type":"state"}')
        assert json.loads(await asyncio.wait_for(mallory.recv(), WITHIN_S))["type"] == "state"


class Transport:
    """What the line asks of Twisted's transport."""

    def __init__(self) -> None:
        self.producer: Any = None
        self.is_read = True
        self.is_cut = False

    def unregisterProducer(self) -> None:
        self.producer = None

    def registerProducer(self, producer: Any, streaming: bool) -> None:
        assert streaming
        self.producer = producer

    def pauseProducing(self) -> None:
        self.is_read = False

    def resumeProducing(self) -> None:
        self.is_read = True

    def abortConnection(self) -> None:
        self.is_cut = True


class Protocol:
    """Daphne's end of a connection."""

    def __init__(self) -> None:
        self.transport = Transport()
        self.application_queue: Any = asyncio.Queue()
        self.sent: list[Any] = []


async def _reply(protocol: Protocol, message: Any) -> None:
    protocol.sent.append(message)


HELLO = {"type": "websocket.send", "text": "hello"}
BYE = {"type": "websocket.close"}


async def test_a_client_that_never_reads_again_is_cut_off_and_a_goodbye_does_not_wait() -> None:
    protocol = Protocol()

    async def application(scope: Any, receive: Any, send: Any) -> None:
        protocol.transport.producer.pauseProducing()
        await send(BYE)
        assert not protocol.transport.is_cut
        await send(HELLO)

    serve = FlowControl(application, unread_s=0.01)
    await serve({}, protocol.application_queue.get, partial(_reply, protocol))
    assert protocol.transport.is_cut
    assert protocol.sent == [BYE, HELLO]


@pytest.mark.parametrize("happens", ["resumeProducing", "stopProducing"])
async def test_an_answer_waits_until_the_last_ones_are_on_their_way(happens: str) -> None:
    protocol = Protocol()

    async def application(scope: Any, receive: Any, send: Any) -> None:
        producer = protocol.transport.producer
        producer.pauseProducing()
        answering = asyncio.create_task(send(HELLO))
        await asyncio.sleep(0)
        assert protocol.sent == []
        getattr(producer, happens)()
        await answering

    await FlowControl(application)({}, protocol.application_queue.get, partial(_reply, protocol))
    assert protocol.sent == [HELLO]
    assert not protocol.transport.is_cut


async def test_reading_stops_at_many_waiting_messages_and_goes_on_at_few() -> None:
    protocol = Protocol()

    async def application(scope: Any, receive: Any, send: Any) -> None:
        for number in range(MOST_WAITING):
            assert protocol.transport.is_read
            protocol.application_queue.put_nowait({"number": number})
        assert not protocol.transport.is_read
        for number in range(MOST_WAITING):
            assert (await receive())["number"] == number
            left = MOST_WAITING - number - 1
            assert protocol.transport.is_read == (left <= FEW_WAITING)

    await FlowControl(application)({}, protocol.application_queue.get, partial(_reply, protocol))


def test_the_site_starts_under_no_other_version_of_daphne(monkeypatch: pytest.MonkeyPatch) -> None:
    assert check_daphne() == []
    assert f'"daphne=={DAPHNE}"' in (ROOT / "pyproject.toml").read_text()
    monkeypatch.setattr("bazaar_site.flow_control.version", lambda _: "4.3.0")
    (error,) = check_daphne()
    assert error.id == "bazaar.E001"
    assert error.is_serious()
    with pytest.raises(ImproperlyConfigured, match=r"Daphne 4\.3\.0 is installed"):
        FlowControl(None)
