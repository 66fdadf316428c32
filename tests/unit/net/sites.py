"""Sites on the loopback that send given bytes, and a network that connects to them."""

import asyncio
import datetime as dt
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpcore
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

Answer = bytes | Callable[[asyncio.StreamWriter], Awaitable[None]]
PUBLIC = "93.184.216.34"


def ok(body: bytes, kind: str = "text/html; charset=utf-8", **headers: str) -> bytes:
    """A whole answer of status 200."""
    more = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in headers.items())
    head = f"HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n{more}\r\n"
    return head.encode() + body


def to(location: str, status: int = 302) -> bytes:
    """A redirect."""
    return f"HTTP/1.1 {status} Moved\r\nLocation: {location}\r\nContent-Length: 0\r\n\r\n".encode()


class Site:
    """Answers by path and keeps the requests as they came."""

    def __init__(self, **answers: Answer) -> None:
        self.answers = {
            f"/{path}".replace("/index", "/"): answer for path, answer in answers.items()
        }
        self.requests: list[str] = []
        self.port = 0

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            request = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
            self.requests.append(request)
            answer = self.answers[request.split()[1].partition("?")[0]]
            if callable(answer):
                await answer(writer)
            else:
                writer.write(answer)
                await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    @property
    def paths(self) -> list[str]:
        return [request.split()[1] for request in self.requests]

    @asynccontextmanager
    async def served(self, tls: ssl.SSLContext | None = None) -> AsyncIterator["Site"]:
        server = await asyncio.start_server(self.answer, "127.0.0.1", 0, ssl=tls)
        self.port = server.sockets[0].getsockname()[1]
        try:
            yield self
        finally:
            server.close()


class Names:
    """A name server: each name's answers in turn, the last one again and again."""

    def __init__(self, **known: list[list[str]]) -> None:
        self.known = {name.replace("_", "."): list(answers) for name, answers in known.items()}

    async def __call__(self, host: str, port: int) -> list[str]:
        answers = self.known[host]
        return answers.pop(0) if len(answers) > 1 else answers[0]


class Elsewhere(httpcore.AsyncNetworkBackend):
    """The way to the public web, which here ends at the loopback; keeps where it was asked to connect."""

    def __init__(self, ports: dict[str, int]) -> None:
        self.ports = ports
        self.asked: list[tuple[str, int]] = []
        self._real = httpcore.AnyIOBackend()

    async def connect_tcp(self, host: str, port: int, *more: Any, **named: Any) -> Any:
        self.asked.append((host, port))
        if host not in self.ports:
            raise httpcore.ConnectError("nobody there")
        return await self._real.connect_tcp("127.0.0.1", self.ports[host], *more, **named)


def certified(folder: Path, name: str) -> tuple[ssl.SSLContext, ssl.SSLContext]:
    """(for a server that is `name`, for a client that trusts it), by a certificate made here."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = dt.datetime.now(dt.UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - dt.timedelta(days=1))
        .not_valid_after(now + dt.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    pem = certificate.public_bytes(serialization.Encoding.PEM)
    secret = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    file = folder / "site.pem"
    file.write_bytes(secret + pem)
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(file)
    return server, ssl.create_default_context(cadata=pem.decode())
