"""What stands in front of a public site: it ends TLS and says so in two headers.

Each connection carries one request, or one socket: the next request may meet another process.
"""

import asyncio
import contextlib
import datetime
import ipaddress
import ssl
import threading
from pathlib import Path
from types import TracebackType
from typing import Self

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

HEAD_END = b"\r\n\r\n"
VISITOR = "203.0.113.7"
"""Address that the front says its visitors have."""


class TlsFront:
    """Listens with a certificate of its own: ``with TlsFront(folder, port) as front``.

    ``trust`` is a context that believes the certificate, ``url`` and ``ws_url`` the addresses.
    """

    def __init__(self, folder: Path, port: int) -> None:
        self._behind = port
        self._files = make_certificate(folder)
        self._loop: asyncio.AbstractEventLoop
        self._thread: threading.Thread
        self._server: asyncio.Server
        self._talks: set[asyncio.Task[None]] = set()
        self.trust = ssl.create_default_context(cafile=str(self._files[0]))

    @property
    def port(self) -> int:
        """Where it listens."""
        return int(self._server.sockets[0].getsockname()[1])

    @property
    def url(self) -> str:
        """Address for pages."""
        return f"https://localhost:{self.port}"

    @property
    def ws_url(self) -> str:
        """Address for sockets."""
        return f"wss://localhost:{self.port}"

    def __enter__(self) -> Self:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="tls front")
        self._thread.start()
        asyncio.run_coroutine_threadsafe(self._open(), self._loop).result()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        asyncio.run_coroutine_threadsafe(self._close(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _open(self) -> None:
        secured = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        secured.load_cert_chain(*self._files)
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0, ssl=secured)

    async def _close(self) -> None:
        self._server.close()
        for talk in self._talks:
            talk.cancel()
        await asyncio.gather(*self._talks, return_exceptions=True)

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        talk = asyncio.current_task()
        assert talk is not None
        self._talks.add(talk)
        talk.add_done_callback(self._talks.discard)
        with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
            head = await reader.readuntil(HEAD_END)
            there = await asyncio.open_connection("127.0.0.1", self._behind)
            there[1].write(announced(head))
            await asyncio.gather(_pipe(reader, there[1]), _pipe(there[0], writer))


def announced(head: bytes) -> bytes:
    """Add what a proxy adds to the head of a request, and take away what a visitor forged."""
    lines = head.removesuffix(HEAD_END).split(b"\r\n")
    kept = [line for line in lines if not line.lower().startswith((b"x-forwarded-", b"connection"))]
    is_socket = b"upgrade: websocket" in head.lower()
    kept += [b"X-Forwarded-Proto: https", b"X-Forwarded-For: " + VISITOR.encode()]
    kept += [b"Connection: Upgrade" if is_socket else b"Connection: close"]
    return b"\r\n".join(kept) + HEAD_END


def make_certificate(folder: Path) -> tuple[Path, Path]:
    """Write a certificate for localhost and its key; give both files."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
    names: list[x509.GeneralName] = [
        x509.DNSName("localhost"),
        x509.IPAddress(ipaddress.ip_address("127.0.0.1")),
    ]
    now = datetime.datetime.now(datetime.UTC)
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(hours=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, hashes.SHA256())
    )
    files = folder / "front.pem", folder / "front.key"
    files[0].write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    files[1].write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    return files


async def _pipe(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
    try:
        with contextlib.suppress(ConnectionError, ssl.SSLError):
            while data := await source.read(65_536):
                target.write(data)
                await target.drain()
    finally:
        target.close()
