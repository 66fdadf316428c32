"""A site with any number of pages: `python -m bench.knowledge.crawl.site --pages N`.

Each page is about 14 kB of HTML: a shared menu, its own headings and paragraphs, a table, and links
to other pages. The site has a robots.txt, a sitemap index with compressed files, and ETags. Prints
its address once it listens.
"""

import argparse
import asyncio
import gzip
import random

WORDS = tuple(
    word
    for line in (
        "patient ward order ticket invoice shelf report number window table doctor request approval",
        "supplier machine filter manual chapter answer list printer account password address delivery",
        "storage morning change before after between checks shows opens closes writes reads sends keeps",
    )
    for word in line.split()
)
IN_A_FILE = 1_000  # URLs per sitemap
SECTION = 50  # pages


class GeneratedSite:
    """The generated pages by path."""

    def __init__(self, pages: int) -> None:
        self.pages = pages
        menu = "".join(
            f'<li><a href="/s{section}/p{section * SECTION}.html">Section {section}</a></li>'
            for section in range(-(-pages // SECTION))
        )
        self._menu = f"<nav><ul>{menu}</ul></nav>"

    def answer(self, path: str, etag: str) -> tuple[int, str, bytes]:
        """Status, media type and body."""
        if path == "/robots.txt":
            return 200, "text/plain", b"User-agent: *\nDisallow: /private/\nSitemap: /sitemap.xml\n"
        if path == "/sitemap.xml":
            return 200, "application/xml", self._index()
        if path.startswith("/map") and path[4:-7].isdigit():
            return 200, "application/gzip", self._part(int(path[4:-7]))
        number = 0 if path == "/" else self._number(path)
        if number is None:
            return 404, "text/plain", b"no such page"
        if etag == f'"{number}"':
            return 304, "", b""
        return 200, "text/html; charset=utf-8", self._page(number).encode()

    def _number(self, path: str) -> int | None:
        name = path.rpartition("/p")[2].removesuffix(".html")
        return int(name) if name.isdigit() and int(name) < self.pages else None

    def _index(self) -> bytes:
        parts = range(-(-self.pages // IN_A_FILE))
        inside = "".join(f"<sitemap><loc>/map{part}.xml.gz</loc></sitemap>" for part in parts)
        return f"<sitemapindex>{inside}</sitemapindex>".encode()

    def _part(self, part: int) -> bytes:
        numbers = range(part * IN_A_FILE, min(self.pages, (part + 1) * IN_A_FILE))
        inside = "".join(f"<url><loc>{place(number)}</loc></url>" for number in numbers)
        return gzip.compress(f"<urlset>{inside}</urlset>".encode())

    def _page(self, number: int) -> str:
        chance = random.Random(number)
        section = number // SECTION * SECTION
        beside = (section + step for step in range(SECTION) if section + step < self.pages)
        links = "".join(
            f'<a href="{place(other)}?utm_source=list#top">Page {other}</a> ' for other in beside
        )
        parts = "".join(
            f"<h2>{_words(chance, 4).title()}</h2><p>{_words(chance, 90)}.</p><p>{_words(chance, 70)}.</p>"
            for _ in range(4)
        )
        rows = "".join(f"<tr><td>{_words(chance, 2)}<td>{chance.random():.4f}" for _ in range(12))
        title = f"Page {number}: {_words(chance, 5)}"
        return (
            f"<!doctype html><html lang=en><head><title>{title}</title></head><body>{self._menu}"
            f"<main><h1>{title}</h1>{parts}<table><tr><th>Name<th>Value{rows}</table></main>"
            f"<aside>{links}</aside><script src=/site.js></script></body></html>"
        )


def place(number: int) -> str:
    """The path of a page."""
    return f"/s{number // SECTION}/p{number}.html"


def _words(chance: random.Random, count: int) -> str:
    return " ".join(chance.choices(WORDS, k=count))


async def serve(made: GeneratedSite) -> None:
    """Serve until the process ends."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while request := (await reader.readuntil(b"\r\n\r\n")).decode("latin-1"):
                head, _, rest = request.partition("\r\n")
                lines = (line.partition(":") for line in rest.splitlines())
                headers = {name.lower(): value.strip() for name, _, value in lines}
                path = head.split()[1].partition("?")[0]
                status, kind, body = made.answer(path, headers.get("if-none-match", ""))
                tag = (
                    f'ETag: "{made._number(path) or 0}"\r\n' if kind.startswith("text/html") else ""
                )
                size = f"Content-Type: {kind}\r\nContent-Length: {len(body)}\r\n"
                writer.write(f"HTTP/1.1 {status} X\r\n{size}{tag}\r\n".encode() + body)
                await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    print(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/", flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--pages", type=int, default=5_000)
    asyncio.run(serve(GeneratedSite(parser.parse_args().pages)))
