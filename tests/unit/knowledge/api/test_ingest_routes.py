"""What is taken in over HTTP, and what is refused before anything is kept."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from tests.unit.knowledge.api.knowledge_routes import Taken, desk

INGEST, LINK = "/api/knowledge/ingest", "/api/knowledge/index-link"
EDGE = "x7"
FORM = {"Content-Type": f"multipart/form-data; boundary={EDGE}"}


def part(name: str, body: bytes, more: str = "") -> bytes:
    head = f'--{EDGE}\r\nContent-Disposition: form-data; name="{name}"{more}\r\n\r\n'
    return head.encode() + body + b"\r\n"


def file_part(body: bytes, name: str = "a.pdf") -> bytes:
    return part("file", body, f'; filename="{name}"')


END = f"--{EDGE}--\r\n".encode()


async def test_a_form_brings_a_file_with_what_is_said_of_it():
    taken = Taken()
    async with desk(taken) as client:
        reply = await client.post(
            INGEST,
            data={"title": "Our returns", "set": "manuals", "domain": "Shop.Example", "scope": ""},
            files={"file": ("C:\\home\\Return\u202es policy.pdf", b"%PDF-1", "application/pdf")},
        )
    assert (reply.status_code, reply.json()) == (202, {"jobId": "j1", "status": "queued"})
    ((request, body),) = taken.requests
    assert body == b"%PDF-1"
    assert (request.kind, request.name, request.declared) == (
        "file", "Return s policy.pdf", "application/pdf",
    )  # fmt: skip
    assert (request.title, request.set_name, request.domain, request.scope) == (
        "Our returns", "manuals", "shop.example", None,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("../../etc/passwd", "passwd"),
        ("a\x07\x1b[2Jb.md", "a [2Jb.md"),
        ("..", "document"),
        ("", "document"),
        ("a" * 400 + ".xlsx", "a" * 195 + ".xlsx"),
        ("%22odd%22%0D%0A.md", '"odd" .md'),
    ],
)
async def test_a_file_name_is_one_short_line_without_a_path(given, kept):
    taken = Taken()
    async with desk(taken) as client:
        body = file_part(b"x", given) + END
        assert (await client.post(INGEST, content=body, headers=FORM)).status_code == 202
    assert taken.requests[0][0].name == kept


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (b"", "truncated"),
        (b"nothing of the kind", "cannot be parsed"),
        (part("title", b"a") + END, "file: missing"),
        (file_part(b"x"), "truncated"),
        (file_part(b"x") + part("title", b"late") + END, "last part"),
        (file_part(b"x") + file_part(b"y") + END, "last part"),
        (part("title", b"\xff") + file_part(b"x") + END, "title: not valid UTF-8"),
        (part("title", b"t" * 5_000) + file_part(b"x") + END, "title: too long"),
        (part("scope", b"mine") + file_part(b"x") + END, "scope"),
        (part("domain", b"*.shop.example") + file_part(b"x") + END, "domain"),
        (
            b"".join(part(f"f{n}", b"") for n in range(20)) + file_part(b"x") + END,
            "exactly one file",
        ),
    ],
)
async def test_a_form_that_is_none_is_refused_and_nothing_of_it_kept(body, why):
    taken = Taken()
    async with desk(taken) as client:
        reply = await client.post(INGEST, content=body, headers=FORM)
    assert reply.status_code == 422, reply.text
    assert why in reply.json()["detail"]
    assert taken.requests == []


async def test_a_form_without_a_boundary_is_refused():
    async with desk(Taken()) as client:
        kind = {"Content-Type": "multipart/form-data"}
        reply = await client.post(INGEST, content=b"x", headers=kind)
    assert reply.status_code == 422


async def test_an_upload_over_its_limit_is_refused_by_what_it_claims_and_when_it_lies():
    taken = Taken()
    sent = 0

    async def endless() -> AsyncIterator[bytes]:
        nonlocal sent
        yield file_part(b"")[:-2]
        for _ in range(5_000):
            sent += 100_000
            yield b"x" * 100_000
        yield b"\r\n" + END

    async with desk(taken, upload_bytes=20_000_000) as client:
        claims = FORM | {"Content-Length": "500000000"}
        claimed = await client.post(INGEST, content=endless(), headers=claims)
        first = sent
        lied = await client.post(INGEST, content=endless(), headers=FORM)
    assert (claimed.status_code, lied.status_code) == (413, 413)
    assert first == 0, "it was read although it said how long it is"
    assert sent <= 20_300_000, "it was read on beyond the limit"
    assert taken.requests == []
    assert taken.most_at_once <= 100_000, "it was gathered in memory"


async def test_a_slow_drip_is_cut_and_an_upload_that_goes_on_is_not(monkeypatch):
    monkeypatch.setattr("app.api.routes.knowledge.ingest.SLOWEST", 1_000)

    async def dripping() -> AsyncIterator[bytes]:
        yield file_part(b"")[:-2]
        while True:
            await asyncio.sleep(0.01)
            yield b"x"

    async def steady() -> AsyncIterator[bytes]:
        yield file_part(b"x" * 60_000)
        await asyncio.sleep(0.4)
        yield END

    async with desk(Taken(), request_timeout_s=0.3) as client:
        slow = await client.post(INGEST, content=dripping(), headers=FORM)
        whole = await client.post(INGEST, content=steady(), headers=FORM)
    assert (slow.status_code, slow.json()["code"]) == (408, "REQUEST_TIMEOUT")
    assert whole.status_code == 202


async def test_a_page_is_taken_with_its_phase_and_what_opened_it():
    taken = Taken()
    said = {"html": "<p>ü</p>", "url": "https://shop.example/a", "phase": "post-interaction"}
    said |= {"triggerAction": 'click("More")', "container": "dialog[More]", "set": "pages"}
    async with desk(taken) as client:
        assert (await client.post(INGEST, json=said)).status_code == 202
    ((request, body),) = taken.requests
    assert body == "<p>ü</p>".encode()
    assert (request.kind, request.url, request.bytes) == ("html", said["url"], len(body))
    assert (request.phase, request.trigger_action) == ("post-interaction", 'click("More")')
    assert (request.container, request.set_name) == ("dialog[More]", "pages")


@pytest.mark.parametrize(
    "said",
    [
        {},
        {"text": "a", "url": "https://x.example/"},
        {"text": ""},
        {"url": "file:///etc/passwd"},
        {"url": "https://ann:secret@x.example/"},
        {"url": "https://x.example/", "phase": "initial"},
        {"html": "<p>", "phase": "post-interaction"},
        {"text": "a", "title": "\x07"},
        {"text": "a", "set": "s" * 65},
        {"text": "a", "scope": "everyone"},
    ],
)
async def test_what_names_no_one_source_is_refused(said):
    taken = Taken()
    async with desk(taken) as client:
        assert (await client.post(INGEST, json=said)).status_code == 422
    assert taken.requests == []


async def test_a_long_page_is_taken_and_a_longer_one_is_not():
    taken = Taken()
    async with desk(taken) as client:
        long = await client.post(INGEST, json={"text": "x" * 9_000_000})
        longer = await client.post(INGEST, json={"text": "x" * 11_000_000})
        link = await client.post(LINK, json={"url": "https://x.example/" + "x" * 3_000_000})
    assert (long.status_code, longer.status_code, link.status_code) == (202, 413, 413)
    assert len(taken.requests) == 1


@pytest.mark.parametrize(
    ("said", "pages"),
    [({}, 100), ({"strategy": "spider"}, 50), ({"strategy": "spider", "maxPages": 7}, 7)],
)
async def test_a_link_is_followed_as_far_as_was_said(said, pages):
    taken = Taken()
    async with desk(taken) as client:
        url = "https://docs.example/"
        assert (await client.post(LINK, json={"url": url, **said})).status_code == 202
    ((request, _),) = taken.requests
    assert (request.kind, request.url, request.max_pages, request.max_depth) == (
        "link", url, pages, 2,
    )  # fmt: skip
