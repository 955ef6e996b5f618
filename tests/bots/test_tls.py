"""TLS to a checked address: the certificate is verified for the name, not for the number."""

import datetime as dt
import json
import ssl
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from websockets.sync.server import serve

from tests.support.bots import HttpBot
from training.bots.asking import line_to
from training.bots.calling.addresses import read_address
from training.bots.calling.errors import CallFailed
from training.bots.calling.limits import CallLimits

LIMITS = CallLimits(answer_s=10, loopback=True)
QUESTION = b'{"hello": "x"}'


async def home(host: str, port: int) -> list[str]:
    return ["127.0.0.1"]


@pytest.fixture
def certificate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ssl.SSLContext:
    """A certificate for bot.asha.in that this process trusts as it trusts real ones."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "bot.asha.in")])
    now = dt.datetime.now(dt.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - dt.timedelta(days=1))
        .not_valid_after(now + dt.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("bot.asha.in")]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    file = tmp_path / "bot.pem"
    pem = serialization.Encoding.PEM
    plain = serialization.NoEncryption()
    secret = key.private_bytes(pem, serialization.PrivateFormat.PKCS8, plain)
    file.write_bytes(secret + made.public_bytes(pem))
    monkeypatch.setenv("SSL_CERT_FILE", str(file))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file)
    return context


@pytest.fixture
def https_port(certificate: ssl.SSLContext) -> Iterator[int]:
    with HttpBot(tls=certificate) as bot:
        yield int(bot.url.split(":")[2].split("/")[0])


async def ask(url: str) -> bytes:
    async with line_to(read_address(url), LIMITS, home) as line:
        return await line.ask(QUESTION)


async def test_a_certificate_of_the_name_is_accepted_at_the_checked_address(
    https_port: int,
) -> None:
    assert json.loads(await ask(f"https://bot.asha.in:{https_port}/")) == json.loads(QUESTION)


async def test_a_certificate_of_another_name_is_refused(https_port: int) -> None:
    for scheme in ("https", "wss"):
        with pytest.raises(CallFailed) as refused:
            await ask(f"{scheme}://bot.mallory.in:{https_port}/")
        assert refused.value.code == "tls"


async def test_a_websocket_is_verified_for_its_name_too(certificate: ssl.SSLContext) -> None:
    with serve(lambda line: line.send(line.recv()), "127.0.0.1", 0, ssl=certificate) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        port = server.socket.getsockname()[1]
        try:
            answer = await ask(f"wss://bot.asha.in:{port}/")
            with pytest.raises(CallFailed) as refused:
                await ask(f"wss://bot.mallory.in:{port}/")
        finally:
            server.shutdown()
            thread.join()
    assert answer == QUESTION
    assert refused.value.code == "tls"
