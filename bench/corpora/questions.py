"""Questions with marked passages: answered, cited correctly, or reported as not found."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from app.chat.claims.body import DOUBTED
from bench.corpora.server import CorpusClient
from bench.corpora.sets import Row

NOTHING = "nothing"  # the kind without an answer in the documents
_MARKERS = re.compile(rf"((?:\[\d+\])+(?:\s*{re.escape(DOUBTED)})?)")


def ask(asking: CorpusClient, row: Row) -> dict[str, Any]:
    """The result of a question, as far as code can judge it; `claims` are for a person to grade."""
    end = asking.say(row["text"])
    told: dict[str, Any] = {
        "asked": row["text"],
        "kind": row["kind"],
        "answer": row.get("answer", ""),
        "type": end["type"],
        "response": end.get("response") or end.get("message") or end.get("question"),
        "citations": end.get("citations", []),
        "calls": end["calls"],
    }
    if end["type"] == "response":
        told |= _judged(end, row)
    return told


def _judged(end: Mapping[str, Any], row: Row) -> dict[str, Any]:
    text, cited = str(end["response"]), end["citations"]
    if row["kind"] == NOTHING:
        return {"right": end["retrieval_confidence"] == "low", "claims": _claims(end)}
    folded = _folded(text)
    holds = all(any(_folded(one) in folded for one in forms) for forms in row["holds"])
    passages = row["passage"]
    there = [one for one in cited if any(_of(one, each) for each in passages)]
    section = [one for one in cited if any(_in_section(one, each) for each in passages)]
    documents = {one["document"] for one in passages}
    return {
        "right": holds and bool(there),
        "holds": holds,
        "documents": f"{len({one['title'] for one in there})} of {len(documents)}",
        "cited": len(cited),
        "section": len(section),
        "elsewhere": [one for one in cited if one not in section],
        "claims": _claims(end),
    }


def _of(citation: Mapping[str, Any], passage: Row) -> bool:
    return bool(citation["title"] == passage["document"])


def _in_section(citation: Mapping[str, Any], passage: Row) -> bool:
    if not _of(citation, passage):
        return False
    path = [_folded(one) for one in citation["heading_path"]]
    quote, marked = _folded(citation["quote"]), _folded(passage["quote"])
    return _folded(passage["section"]) in path or marked in quote or quote in marked


def _claims(end: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Each sentence with its quotes and how it is displayed."""
    quotes = {one["marker"]: f"{one['title']}: {one['quote']}" for one in end["citations"]}
    pieces = _MARKERS.split(str(end["response"]))
    claims: list[dict[str, Any]] = [
        {
            "text": said.strip(" -\n"),
            "quotes": [quotes.get(int(one)) for one in re.findall(r"\d+", marks)],
            "shown": "doubted" if DOUBTED in marks else "supported",
        }
        for said, marks in zip(pieces[::2], pieces[1::2], strict=False)
    ]
    return claims + [
        {"text": one["text"], "quotes": [], "shown": "unsupported"} for one in end["unsupported"]
    ]


def counted(rows: Iterable[Mapping[str, Any]]) -> Counter[str]:
    """Sum up over questions."""
    counts: Counter[str] = Counter()
    for one in rows:
        kind = "unanswerable" if one["kind"] == NOTHING else "answerable"
        counts[kind] += 1
        counts[f"{kind} right"] += bool(one.get("right"))
        counts[f"kind {one['kind']}"] += 1
        counts[f"kind {one['kind']} right"] += bool(one.get("right"))
        counts["asked back"] += one["type"] == "interrupt"
        counts["failed"] += one["type"] == "error"
        counts["cited"] += one.get("cited", 0)
        counts["section"] += one.get("section", 0)
        counts["calls"] += one["calls"]
        counts.update(f"claims {each['shown']}" for each in one.get("claims", ()))
    return counts


def _folded(text: str) -> str:
    return "".join(text.replace("\\", "").casefold().split())
