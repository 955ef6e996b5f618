"""A token goes only to a server that can prove who it is."""

import ssl
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from agents.backends.base import BadAnswer, Chat, Message, Unreachable
from agents.backends.hf import HfBackend
from agents.backends.http_client import trusted_roots
from tests.support.faulty_server import FaultyServer
from tests.support.services import missing

CHAT = Chat((Message("user", "200?"),))

pytestmark = pytest.mark.skipif(
    bool(missing("openssl")), reason="not installed: openssl, which makes certificates"
)


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate of 127.0.0.1 that nobody has signed, with its key."""
    path = tmp_path_factory.mktemp("tls") / "server.pem"
    made = subprocess.run(
        [
            *("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"),
            *("-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"),
            *("-keyout", str(path.with_suffix(".key")), "-out", str(path)),
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert made.returncode == 0, made.stderr
    return path


@pytest.fixture
def https(certificate: Path) -> Iterator[FaultyServer]:
    """A scripted server that speaks https."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, certificate.with_suffix(".key"))
    with FaultyServer(tls=context) as server:
        yield server


async def test_mallory_with_a_certificate_of_her_own_is_told_nothing(https: FaultyServer) -> None:
    with pytest.raises(Unreachable) as fault:
        await HfBackend(https.url, "hf_secret").complete(CHAT)
    assert not fault.value.asked
    assert https.asked == []


async def test_a_known_server_is_asked_and_its_connection_kept(
    https: FaultyServer, certificate: Path
) -> None:
    trusted_roots().load_verify_locations(certificate)
    try:
        backend = HfBackend(https.url, "hf_secret")
        for _ in range(3):
            assert (await backend.complete(CHAT)).text
    finally:
        trusted_roots.cache_clear()
    assert https.connections == 1
    assert https.asked[0].headers["authorization"] == "Bearer hf_secret"


async def test_plain_words_to_a_server_of_secrets_are_no_answer(https: FaultyServer) -> None:
    with pytest.raises(BadAnswer, match="cut-off"):
        await HfBackend(https.url.replace("https:", "http:")).complete(CHAT)
