"""Calls to real servers on this machine, and everything that they may do to the caller."""

import asyncio
import contextlib
import gzip
import itertools
import json
import socket
import threading
import time
from http.server import BaseHTTPRequestHandler
from typing import Any

import pytest

from tests.support.bots import HttpBot, halfway, nobody_at, reply, socket_bot
from tests.support.waiting import WITHIN_S, until
from training.bots.asking import ask_move, greet, line_to
from training.bots.calling.addresses import read_address
from training.bots.calling.errors import CallFailed
from training.bots.calling.limits import CallLimits
from training.bots.calling.resolving import Resolver, resolve
from training.bots.moves import Answered, Failed

SHORT = CallLimits(answer_s=0.4, loopback=True)
PATIENT = CallLimits(answer_s=60, loopback=True)
"""For whatever must not depend on how busy this machine is."""

BOMB = gzip.compress(b" " * 10_000_000)
QUESTION = json.dumps(
    {"standing_ask": 60.0, "opening_ask": 80.0, "budget": 70.0, "round": 1, "may_accept": True}
).encode()


async def no_pause(_seconds: float) -> None:
    pass


async def ask(url: str, limits: CallLimits = PATIENT, resolver: Resolver = resolve) -> bytes:
    async with line_to(read_address(url, loopback=True), limits, resolver) as line:
        return await line.ask(QUESTION)


async def why_not(url: str, limits: CallLimits = PATIENT, resolver: Resolver = resolve) -> str:
    with pytest.raises(CallFailed) as failed:
        await ask(url, limits, resolver)
    assert "127.0.0.1" not in str(failed.value)
    return failed.value.code


async def test_a_bot_is_asked_with_the_observation_and_answers_an_action() -> None:
    with HttpBot() as bot:
        answer = json.loads(await ask(bot.url))
    assert answer["action"] == "offer"
    assert bot.asked == [json.loads(QUESTION)]
    assert bot.paths == ["/move"]


async def test_a_bot_behind_a_websocket_gets_the_same_question() -> None:
    heard: list[Any] = []

    def answerer(asked: dict[str, Any]) -> object:
        heard.append(asked)
        return halfway(asked)

    with socket_bot(answerer) as url:
        async with line_to(read_address(url, loopback=True), PATIENT) as line:
            answers = [json.loads(await line.ask(QUESTION)) for _ in range(3)]
    assert [one["action"] for one in answers] == ["offer"] * 3
    assert heard == [json.loads(QUESTION)] * 3


def redirecting(status: int) -> Any:
    def fault(handler: BaseHTTPRequestHandler) -> None:
        reply(handler, b"", status, Location="/secrets")

    return lambda _asked: fault


def dripping(handler: BaseHTTPRequestHandler) -> None:
    """Slow loris: the body comes byte by byte, each well within any pause one might allow."""
    handler.send_response(200)
    handler.send_header("Content-Length", "100000")
    handler.end_headers()
    for _ in range(3_000):
        handler.wfile.write(b" ")
        handler.wfile.flush()
        time.sleep(0.02)


def half(handler: BaseHTTPRequestHandler) -> None:
    handler.send_response(200)
    handler.send_header("Content-Length", "1000")
    handler.end_headers()
    handler.wfile.write(b'{"action": "off')


def bomb(handler: BaseHTTPRequestHandler) -> None:
    reply(handler, BOMB, Content_Encoding="gzip")


def chunks_for_ever(handler: BaseHTTPRequestHandler) -> None:
    handler.send_response(200)
    handler.send_header("Transfer-Encoding", "chunked")
    handler.end_headers()
    for _ in range(10_000):
        handler.wfile.write(b"400\r\n" + b"x" * 1024 + b"\r\n")


def noise(handler: BaseHTTPRequestHandler) -> None:
    handler.wfile.write(b"\x00\xffSSH-2.0-nonsense\r\n\r\n" * 20)


def early_hints(handler: BaseHTTPRequestHandler) -> None:
    for _ in range(3_000):
        handler.wfile.write(b"HTTP/1.1 103 Early Hints\r\n\r\n")
        handler.wfile.flush()
        time.sleep(0.02)


FAULTS: dict[str, tuple[Any, str]] = {
    "silence": (lambda _asked: time.sleep(60) or {}, "timeout"),
    "500": (lambda _asked: lambda handler: reply(handler, b"oops", 500), "status"),
    "204": (lambda _asked: lambda handler: reply(handler, b"", 204), "status"),
    "302": (redirecting(302), "redirect"),
    "307": (redirecting(307), "redirect"),
    "308": (redirecting(308), "redirect"),
    "ten megabytes": (lambda _asked: b"x" * 10_000_000, "too-long"),
    "chunks for ever": (lambda _asked: chunks_for_ever, "too-long"),
    "slow loris": (lambda _asked: dripping, "timeout"),
    "hints for ever": (lambda _asked: early_hints, "timeout"),
    "half a body": (lambda _asked: half, "broken-answer"),
    "bomb": (lambda _asked: bomb, "compressed"),
    "noise": (lambda _asked: noise, "broken-answer"),
    "hang up": (lambda _asked: lambda _handler: None, "broken-answer"),
}


@pytest.mark.parametrize("fault", FAULTS)
async def test_every_fault_of_a_server_ends_in_time_and_is_told_apart(fault: str) -> None:
    answerer, code = FAULTS[fault]
    limits = SHORT if code == "timeout" else PATIENT
    with HttpBot(answerer) as bot:
        assert await why_not(bot.url, limits) == code
        until(lambda: bool(bot.asked), every_s=0.01)
        assert len(bot.asked) == 1, "nobody went on to another address"


async def test_nobody_listening_is_told_apart_from_silence() -> None:
    assert await why_not(nobody_at()) == "refused"
    assert await why_not(nobody_at().replace("http", "ws")) == "refused"


async def test_a_server_that_takes_the_connection_and_says_nothing_costs_one_limit() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        assert await why_not(f"http://127.0.0.1:{port}/", SHORT) == "timeout"
        assert await why_not(f"ws://127.0.0.1:{port}/", SHORT) == "timeout"


async def test_a_plain_server_behind_https_is_a_fault_of_its_certificate() -> None:
    with HttpBot() as bot:
        assert await why_not(bot.url.replace("http", "https")) == "tls"
        assert await why_not(bot.url.replace("http", "wss")) == "tls"


@pytest.mark.parametrize(
    ("answerer", "code"),
    [
        pytest.param(lambda _asked: b"x" * 100_000, "too-long", id="long"),
        pytest.param(lambda _asked: None, "broken-answer", id="closed"),
        pytest.param(lambda _asked: time.sleep(3) or {}, "timeout", id="late"),
    ],
)
async def test_faults_of_a_websocket_are_told_apart(answerer: Any, code: str) -> None:
    with socket_bot(answerer) as url:
        assert await why_not(url, SHORT if code == "timeout" else PATIENT) == code


@pytest.mark.parametrize(("status", "code"), [(302, "redirect"), (404, "status")])
async def test_a_websocket_that_sends_us_elsewhere_is_not_followed(status: int, code: str) -> None:
    elsewhere = threading.Event()
    with socket_bot(lambda _asked: elsewhere.set()) as target:
        head = f"HTTP/1.1 {status} No\r\nLocation: {target}\r\nContent-Length: 0\r\n\r\n".encode()
        with socket.create_server(("127.0.0.1", 0)) as server:

            def turn_away() -> None:
                line, _ = server.accept()
                with line:
                    line.recv(4096)
                    line.sendall(head)

            thread = threading.Thread(target=turn_away)
            thread.start()
            assert await why_not(f"ws://127.0.0.1:{server.getsockname()[1]}/") == code
            thread.join()
    assert not elsewhere.is_set()


async def test_a_late_answer_over_a_websocket_never_answers_the_next_question() -> None:
    missed = threading.Event()

    def answerer(asked: dict[str, Any]) -> dict[str, Any]:
        if asked["budget"] == 1:
            missed.wait(WITHIN_S)
        return {"action": "offer", "price": asked["budget"]}

    with socket_bot(answerer) as url:
        async with line_to(read_address(url, loopback=True), SHORT) as line:
            with pytest.raises(CallFailed):
                await line.ask(b'{"budget": 1}')
            missed.set()
            # On a busy machine these may be late too; whichever is answered has its own answer.
            for budget in itertools.count(2):
                with contextlib.suppress(CallFailed):
                    assert json.loads(await line.ask(b'{"budget": %d}' % budget))["price"] == budget
                    break


async def test_a_name_is_looked_up_once_and_the_checked_address_is_the_one_called() -> None:
    """DNS rebinding: public at the first look, private at the second; there is no second."""
    looks: list[str] = []

    async def rebinding(host: str, port: int) -> list[str]:
        looks.append(host)
        return ["127.0.0.1"] if len(looks) == 1 else ["127.0.0.2"]

    with HttpBot() as bot:
        port = bot.url.split(":")[2].split("/")[0]
        address = read_address(f"http://bot.asha.in:{port}/move")
        async with line_to(address, PATIENT, rebinding) as line:
            for _ in range(3):
                await line.ask(QUESTION)
        assert len(bot.asked) == 3
    assert looks == ["bot.asha.in"]


@pytest.mark.parametrize("scheme", ["http", "ws"])
async def test_a_public_name_with_a_private_address_is_never_connected_to(scheme: str) -> None:
    async def home(host: str, port: int) -> list[str]:
        return ["127.0.0.1"]

    public = CallLimits(answer_s=0.4)
    with HttpBot() as bot:
        port = bot.url.split(":")[2].split("/")[0]
        address = read_address(f"{scheme}://bot.asha.in:{port}/move")
        with pytest.raises(CallFailed) as refused:
            async with line_to(address, public, home) as line:
                await line.ask(QUESTION)
        assert bot.asked == []
    assert refused.value.code == "private-address"


async def test_no_proxy_of_the_environment_sees_a_question(monkeypatch: pytest.MonkeyPatch) -> None:
    with HttpBot() as proxy, HttpBot() as bot, socket_bot() as url:
        for name in ("http_proxy", "https_proxy", "all_proxy", "ws_proxy"):
            monkeypatch.setenv(name, proxy.url)
            monkeypatch.setenv(name.upper(), proxy.url)
        monkeypatch.setenv("no_proxy", "")
        await ask(bot.url)
        await ask(url)
        assert proxy.asked == []


async def test_three_tries_are_fair_and_the_last_reason_is_kept() -> None:
    answers = iter([b"nonsense", b"", b'{"action": "offer", "price": 42}'])
    with HttpBot(lambda _asked: next(answers)) as bot:
        async with line_to(read_address(bot.url, loopback=True), PATIENT) as line:
            assert await ask_move(line, QUESTION, asyncio.Event(), no_pause) == Answered(
                "offer", 42.0
            )
    with HttpBot(lambda _asked: b"[]") as bot:
        async with line_to(read_address(bot.url, loopback=True), PATIENT) as line:
            assert await ask_move(line, QUESTION, asyncio.Event(), no_pause) == Failed("unreadable")
        assert len(bot.asked) == 3


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"nonsense",
        b"\xff\xfe",
        b"null",
        b"[]",
        b'"walk"',
        b'{"action": "steal"}',
        b'{"action": "offer"}',
        b'{"action": "offer", "price": "60"}',
        b'{"action": "offer", "price": NaN}',
        b'{"action": "offer", "price": Infinity}',
        b'{"action": "offer", "price": true}',
        b'{"action": "offer", "price": 1e999}',
        b'{"action": "offer", "price": 1' + b"0" * 400 + b"}",
        b'{"action": "walk", "shell": "rm"}',
        b"[" * 15_000,
        b'{"action": "walk", "message": ' + b"{}" + b"}",
    ],
)
async def test_nonsense_counts_as_no_answer(body: bytes) -> None:
    with HttpBot(lambda _asked: body) as bot:
        async with line_to(read_address(bot.url, loopback=True), PATIENT) as line:
            assert await ask_move(line, QUESTION, asyncio.Event(), no_pause) == Failed("unreadable")


async def test_a_bystander_who_does_not_greet_back_is_asked_nothing() -> None:
    for stranger in (lambda _a: {"ok": True}, lambda _a: {"hello": "you"}, lambda _a: b"<html>"):
        with HttpBot(stranger) as bot:
            async with line_to(read_address(bot.url, loopback=True), PATIENT) as line:
                with pytest.raises(CallFailed) as refused:
                    await greet(line)
            assert refused.value.code == "no-hello"
            assert len(bot.asked) == 1


async def test_several_questions_are_under_way_at_once() -> None:
    meeting = threading.Barrier(4, timeout=60)

    def answerer(asked: dict[str, Any]) -> dict[str, Any]:
        meeting.wait()
        return halfway(asked)

    with HttpBot(answerer) as bot:
        async with line_to(read_address(bot.url, loopback=True), PATIENT) as line:
            await asyncio.gather(*(line.ask(QUESTION) for _ in range(4)))


async def test_a_bot_we_have_hung_up_on_is_not_tried_again_and_nothing_is_held_against_it() -> None:
    stop = asyncio.Event()
    stop.set()
    with HttpBot(lambda _asked: b"nonsense") as bot:
        async with line_to(read_address(bot.url, loopback=True), PATIENT) as line:
            assert await ask_move(line, QUESTION, stop, no_pause) is None
        assert len(bot.asked) == 1
