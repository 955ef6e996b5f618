"""Whatever a server does, a backend answers in time or raises a BackendError that says what."""

from collections.abc import Callable
from typing import Any

import httpx
import pytest

from agents.backends.base import (
    Backend,
    BackendError,
    BadAnswer,
    Chat,
    Message,
    Refused,
    TooSlow,
    Unreachable,
)
from agents.backends.hf import HfBackend
from agents.backends.ollama import OllamaBackend
from tests.support.faulty_server import FaultyServer
from tests.support.model_answers import Answer, Body, Half, HangUp, Noise, Say, Silence, Status
from tests.support.servers import free_port

CHAT = Chat((Message("user", "200 for the kettle?"),))
TIMEOUT_S = 0.4
AMPLE_S = 60

Make = Callable[..., Backend]
BACKENDS: dict[str, Make] = {
    "hf": lambda url, timeout_s=TIMEOUT_S: HfBackend(url, timeout_s=timeout_s),
    "ollama": lambda url, timeout_s=TIMEOUT_S: OllamaBackend(url, "m", timeout_s=timeout_s),
}
both = pytest.mark.parametrize("make", BACKENDS.values(), ids=BACKENDS.keys())

FAULTS: dict[str, tuple[Answer, type[BackendError], str]] = {
    "internal error": (Status(500), Refused, "http-500"),
    "too many requests": (Status(429), Refused, "http-429"),
    "asleep": (Status(503), Refused, "http-503"),
    "wrong token": (Status(401), Refused, "http-401"),
    "moved": (Status(302), Refused, "http-302"),
    "silence": (Silence(), TooSlow, "too-slow"),
    "silence in the middle": (Silence(after_pieces=3), TooSlow, "too-slow"),
    "dripping": (Say("drip " * 200, pieces=200, pause_s=0.05), TooSlow, "too-slow"),
    "half": (Half(), BadAnswer, "cut-off"),
    "half, politely": (Half(politely=True), BadAnswer, "cut-off"),
    "no end mark": (Say("170", marked=False), BadAnswer, "cut-off"),
    "nothing": (Body(""), BadAnswer, "cut-off"),
    "hang-up": (HangUp(), BadAnswer, "cut-off"),
    "noise": (Noise(), BadAnswer, "cut-off"),
    "prose": (Body("<html>Bad gateway</html>", content_type="text/html"), BadAnswer, "not-json"),
    "not quite": (Body('{"model": nan}'), BadAnswer, "not-json"),
    "half a letter": (Body('{"model": "\\ud800 and more of it"}'), BadAnswer, "not-json"),
    "deep": (Body('{"x":', times=50_000), BadAnswer, "not-json"),
    "a number": (Body("170"), BadAnswer, "not-the-protocol"),
    "a list": (Body("[]"), BadAnswer, "not-the-protocol"),
    "an empty object": (Body("{}"), BadAnswer, "not-the-protocol"),
    "an error": (Body('{"error": {"message": "no"}}'), BadAnswer, "error-in-answer"),
    "5 MB": (Body("x", times=5_000_000), BadAnswer, "too-long"),
    "5 MB, compressed": (Body(" ", times=5_000_000, gzip=True), BadAnswer, "too-long"),
    "a long text": (Say("x" * 8_001), BadAnswer, "too-long"),
    "an empty text": (Say(" \n"), BadAnswer, "empty"),
}

SHAPES: dict[str, tuple[Make, str]] = {
    f"{name}: {body}": (BACKENDS[name], body)
    for name, body in (
        ("hf", '{"choices": null}'),
        ("hf", '{"choices": []}'),
        ("hf", '{"choices": {}}'),
        ("hf", '{"choices": [[]]}'),
        ("hf", '{"choices": [{"message": null}]}'),
        ("hf", '{"choices": [{"message": {"content": null}}]}'),
        ("hf", '{"choices": [{"message": {"content": ["a"]}}]}'),
        ("hf", '{"choices": [{"message": {"content": 170}}]}'),
        ("hf", '{"choices": [{"delta": {"content": "a"}}]}'),
        ("hf", 'data: {"id": 1}\n\n'),
        ("hf", "data: []\n\n"),
        ("ollama", '{"message": null}'),
        ("ollama", '{"message": {}}'),
        ("ollama", '{"message": {"content": null}, "done": true}'),
        ("ollama", '{"message": {"content": ["a"]}, "done": true}'),
        ("ollama", '{"message": "a", "done": true}'),
        ("ollama", '{"message": {"content": "a"}, "done": "yes"}'),
    )
}


@both
@pytest.mark.parametrize(("answer", "kind", "code"), FAULTS.values(), ids=FAULTS.keys())
async def test_a_fault_has_a_kind_and_a_code(
    scripted: FaultyServer, make: Make, answer: Answer, kind: type[BackendError], code: str
) -> None:
    # Only who never answers in full may meet the end of the time, on however busy a machine.
    backend = make(scripted.url, TIMEOUT_S if kind is TooSlow else AMPLE_S)
    scripted.always(answer)
    with pytest.raises(BackendError) as fault:
        await backend.complete(CHAT)
    assert isinstance(fault.value, kind)
    assert fault.value.code == code
    assert fault.value.asked or (kind is TooSlow and not scripted.asked)


@both
@pytest.mark.parametrize("answer", [Say("170"), Body("170"), Status(500)], ids=type)
async def test_a_fault_does_not_outlive_itself(
    scripted: FaultyServer, make: Make, answer: Answer
) -> None:
    backend = make(scripted.url)
    scripted.then(answer, Silence(after_pieces=1), Half())
    for _ in range(3):
        try:
            await backend.complete(CHAT)
        except BackendError:
            continue
    backend.timeout_s = AMPLE_S  # type: ignore[attr-defined]
    scripted.always(Say("theek hai"))
    assert (await backend.complete(CHAT)).text == "theek hai"


@pytest.mark.parametrize(("make", "body"), SHAPES.values(), ids=SHAPES.keys())
async def test_another_shape_is_not_the_protocol(
    scripted: FaultyServer, make: Make, body: str
) -> None:
    scripted.always(Body(body))
    with pytest.raises(BadAnswer, match="not-the-protocol"):
        await make(scripted.url, AMPLE_S).complete(CHAT)


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("theek hai", "not-json"),
        ("{}", "not-the-protocol"),
        ("[]", "not-the-protocol"),
        ('[{"generated_text": null}]', "not-the-protocol"),
        ('[{"generated_text": ""}]', "empty"),
        ('{"error": "loading"}', "not-the-protocol"),
    ],
)
async def test_a_native_answer_of_another_shape_leaves_the_chat_routes_refusal(
    scripted: FaultyServer, body: str, code: str
) -> None:
    backend = HfBackend(scripted.url)
    scripted.missing.add("/v1/chat/completions")
    scripted.then(Body(body), Say("ok"), Body(body))
    with pytest.raises(Refused, match="http-404"):
        await backend.complete(CHAT)
    await backend.complete(CHAT)
    with pytest.raises(BadAnswer, match=code):
        await backend.complete(CHAT)


@both
@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("7", 7.0),
        ("0", 0.0),
        ("99999999", 86_400.0),
        ("Wed, 21 Oct 2015 07:28:00 GMT", 0.0),
        ("Fri, 31 Dec 9999 23:59:59 -0000", 86_400.0),
        ("1e9", None),
        ("soon", None),
        ("-1", None),
    ],
)
async def test_the_wish_to_be_left_alone_is_kept(
    scripted: FaultyServer, make: Make, header: str, seconds: float | None
) -> None:
    scripted.always(Status(429, retry_after=header))
    with pytest.raises(Refused) as refused:
        await make(scripted.url, AMPLE_S).complete(CHAT)
    assert refused.value.retry_after_s == seconds
    assert refused.value.retryable


@both
async def test_nobody_listens(make: Make) -> None:
    with pytest.raises(Unreachable, match="unreachable") as fault:
        await make(f"http://127.0.0.1:{free_port()}").complete(CHAT)
    assert not fault.value.asked
    with pytest.raises(Unreachable):
        await make(f"http://127.0.0.1:{free_port()}").probe()


@both
@pytest.mark.parametrize(
    "url",
    [
        "",
        "localhost:11434",
        "ftp://127.0.0.1",
        "http://",
        "http://[::1",
        "http://127.0.0.1:99999",
        "http://127.0.0.1:0",
        "http://xn--a/",
        "http://\ud800/",
        "not an address",
    ],
)
async def test_a_wrong_address_is_told_when_it_is_used(make: Make, url: str) -> None:
    with pytest.raises(Unreachable, match="bad-address") as fault:
        await make(url).complete(CHAT)
    assert not fault.value.asked


@both
@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (Status(500), Refused),
        (Status(401), Refused),
        (Status(429), Refused),
        (Silence(), TooSlow),
        (Body("[]"), BadAnswer),
        (Body("{}"), BadAnswer),
        (Body("x", times=5_000_000), BadAnswer),
    ],
    ids=str,
)
async def test_a_probe_has_the_same_kinds_of_faults(
    scripted: FaultyServer, make: Make, answer: Answer, kind: type[BackendError]
) -> None:
    scripted.gets = answer
    with pytest.raises(kind):
        await make(scripted.url, TIMEOUT_S if kind is TooSlow else AMPLE_S).probe()


@both
async def test_half_a_character_is_asked_all_the_same(scripted: FaultyServer, make: Make) -> None:
    await make(scripted.url, AMPLE_S).complete(Chat((Message("user", "\ud800 \x00"),)))
    assert scripted.asked[0].messages[0]["content"] == "? \x00"


@pytest.mark.parametrize(
    ("error", "kind", "code", "asked"),
    [
        (httpx.ConnectTimeout, TooSlow, "connect-timeout", False),
        (httpx.PoolTimeout, TooSlow, "pool-timeout", False),
        (httpx.ReadTimeout, TooSlow, "too-slow", True),
        (httpx.WriteTimeout, TooSlow, "too-slow", True),
        (httpx.ConnectError, Unreachable, "unreachable", False),
        (httpx.ReadError, BadAnswer, "cut-off", True),
        (httpx.WriteError, BadAnswer, "cut-off", True),
        (httpx.RemoteProtocolError, BadAnswer, "cut-off", True),
        (httpx.LocalProtocolError, Unreachable, "bad-address", False),
        (httpx.UnsupportedProtocol, Unreachable, "bad-address", False),
        (httpx.InvalidURL, Unreachable, "bad-address", False),
        (httpx.TooManyRedirects, BadAnswer, "not-the-protocol", True),
    ],
)
def test_the_most_specific_word_for_an_error_wins(
    error: Any, kind: type[BackendError], code: str, asked: bool
) -> None:
    from agents.backends.http_client import in_our_words

    told = in_our_words(error("anything"))
    assert (type(told), told.code, told.asked) == (kind, code, asked)
