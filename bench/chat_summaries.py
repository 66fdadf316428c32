"""How well summaries taken word for word cover real manuals, keep the length, and how long they take.

    python -m bench.chat_summaries [--cache DIR] [--read N]

Reads the manuals of `bench/retrieval/corpus.py`. `--read N` prints N of the summaries, spread evenly, to be
read by a person. Columns: the part of a document's sections, by their sentences, that its summary speaks of;
the greatest likeness of two of its sentences (cosine of meaning), at the median; sentences or words asked
for, and summaries that have more; milliseconds at the median and the 95th percentile.
"""

import argparse
import asyncio
import re
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median, quantiles

import numpy as np

from app.chat.evidence import reading
from app.chat.summarizing import summarize
from app.chat.summarizing.units import count
from app.chat.tools import Asked, Tools
from app.domain.chat import DocumentRef, Reply
from app.domain.policy import Policy
from app.llm.embedding import WordLlama
from bench.retrieval.corpus import TENANT, Made, corpus
from knowledge.port import Part

MARKER = re.compile(r"\s*\[\d+\]")
ASKED = {
    "Summarize": None,
    "Summarize in one sentence": ("sentences", 1),
    "Summarize in 3 sentences": ("sentences", 3),
    "five bullet points": ("sentences", 5),
    "at most 50 words": ("words", 50),
    "at most 100 words": ("words", 100),
    "a detailed summary": None,
}
LARGE = (300, 5_000)  # passages of one document


class Documents:
    """The manuals as the chat reads them."""

    def __init__(self, kept: dict[str, list[Part]]) -> None:
        self.kept = kept

    async def parts(self, tenant: str, document_id: str) -> Sequence[Part]:
        return self.kept[document_id]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cache", type=Path, default=Path("/tmp/tabwright-manuals"))
    parser.add_argument("--read", type=int, default=0, help="print so many summaries")
    given = parser.parse_args()
    asyncio.run(_measured(corpus(given.cache), given.read))


async def _measured(made: Sequence[Made], read: int) -> None:
    kept = {one.document.document_id: _parts(one) for one in made}
    titles = {one.document.document_id: one.document.title for one in made}
    print(f"{len(made)} documents, {sum(map(len, kept.values()))} passages")
    print(
        f"{'asked':28}{'cover':>7}{'alike':>7}{'said':>7}{'over':>6}{'none':>6}{'ms':>7}{'p95':>7}"
    )
    tools = Tools(tenant=TENANT, documents=Documents(kept), policy=Policy(tenant=TENANT))  # type: ignore[arg-type]
    for message, limit in ASKED.items():
        done = [await _asked(message, tools, one, titles[one]) for one in kept]
        _row(message, limit, done)
    every = [part for parts in kept.values() for part in parts]
    for number in LARGE:
        large = {"large": (every * (number // len(every) + 1))[:number]}
        tools = Tools(tenant=TENANT, documents=Documents(large), policy=Policy(tenant=TENANT))  # type: ignore[arg-type]
        times = [(await _asked("Summarize", tools, "large", "Manuals"))[1] for _ in range(5)]
        print(f"{number:,} passages: {median(times):.0f} ms")
    tools = Tools(tenant=TENANT, documents=Documents(kept), policy=Policy(tenant=TENANT))  # type: ignore[arg-type]
    for one in list(kept)[:: max(1, len(kept) // read)] if read else ():
        reply, _ = await _asked("Summarize", tools, one, titles[one])
        print(f"\n# {titles[one]}\n{reply.text}")


async def _asked(message: str, tools: Tools, document: str, title: str) -> tuple[Reply, float]:
    asked = Asked(
        message=message, plain=message, documents=(DocumentRef(id=document, title=title),)
    )
    reading.units_of.cache_clear()  # what was read before is no measure
    begun = time.perf_counter()
    reply = await summarize(asked, tools)
    return reply, (time.perf_counter() - begun) * 1_000


def _parts(one: Made) -> list[Part]:
    return [
        Part(chunk=chunk, placed=placed)
        for chunk, placed in zip(one.chunks, one.manifest.entries, strict=True)
    ]


def _row(message: str, limit: tuple[str, int] | None, done: Sequence[tuple[Reply, float]]) -> None:
    texts = [MARKER.sub("", reply.text) for reply, _ in done if reply.citations]
    counts = [_said(text, limit[0] if limit else "sentences") for text in texts]
    over = sum(said > limit[1] for said in counts) if limit else 0
    times = [spent for _, spent in done]
    cover = median(reply.score for reply, _ in done if reply.citations)
    alike = median(map(_alike, texts))
    print(
        f"{message:28}{cover:7.2f}{alike:7.2f}{median(counts):7.0f}{over:6}{len(done) - len(texts):6}"
        f"{median(times):7.1f}{quantiles(times, n=20)[-1]:7.1f}"
    )


def _said(text: str, unit: str) -> int:
    lines = [line.removeprefix("- ") for line in text.splitlines() if line.strip()]
    if unit == "words":
        return sum(map(count, lines))
    return sum(1 for line in lines for _ in reading.split(line))


def _alike(text: str) -> float:
    said = [one for line in text.splitlines() for one in reading.split(line)]
    if len(said) < 2:
        return 0.0
    made = np.asarray(WordLlama().made(said).vectors)
    near = made @ made.T
    np.fill_diagonal(near, 0)
    return float(near.max())


if __name__ == "__main__":
    main()
