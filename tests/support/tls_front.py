"""What stands in front of a public site: it ends TLS and says so in two headers.

Each connection carries one request, or one socket: the next request may meet another process.
"""

import asyncio
import datetime
import ipaddress
import ssl
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from tests.support.front import Front

HEAD_END = b"\r\n\r\n"
VISITOR = "203.0.113.7"
"""Address that the front says its visitors have."""


class TlsFront(Front):
    """Listens with a certificate of its own: ``with TlsFront(folder, port) as front``.

    ``trust`` is a context that believes the certificate, ``url`` and ``ws_url`` the addresses.
    """

    def __init__(self, folder: Path, port: int) -> None:
        super().__init__()
        self._behind = port
        files = make_certificate(folder)
        self.secured = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.secured.load_cert_chain(*files)
        self.trust = ssl.create_default_context(cafile=str(files[0]))

    @property
    def url(self) -> str:
        """Address for pages."""
        return f"https://localhost:{self.port}"

    @property
    def ws_url(self) -> str:
        """Address for sockets."""
        return f"wss://localhost:{self.port}"

    async def meet(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Tell the site behind who comes, then pass bytes on."""
        head = await reader.readuntil(HEAD_END)
        await self.pass_on(reader, writer, self._behind, announced(head))


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
