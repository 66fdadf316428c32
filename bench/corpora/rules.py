"""Rules to audit a document against, with the verdicts of a person."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from app.chat.claims.body import DOUBTED
from bench.corpora.server import CorpusClient
from bench.corpora.sets import Row

MESSAGE = "Audit this document against these rules:\n{rules}"


def by_document(rows: Iterable[Row]) -> dict[str, list[Row]]:
    """Group the rules by document."""
    found: dict[str, list[Row]] = defaultdict(list)
    for one in rows:
        found[one["document"]].append(one)
    return dict(found)


def audit(asking: CorpusClient, title: str, rules: list[Row]) -> dict[str, Any]:
    """Audit a document against its rules."""
    listed = "\n".join(f"{number}. {one['text']}" for number, one in enumerate(rules, 1))
    end = asking.say(MESSAGE.format(rules=listed), [title])
    text = str(end.get("response") or end.get("message") or "")
    lines = [one for one in text.splitlines() if one.startswith("| ")][1:]
    return {
        "document": title,
        "type": end["type"],
        "calls": end["calls"],
        "verdicts": [_verdict(one, lines) for one in rules],
        "response": text,
    }


def _verdict(rule: Row, lines: list[str]) -> dict[str, Any]:
    """The verdict of the line that contains the rule's words, or ""."""
    wanted = _folded(rule["text"])
    for line in lines:
        words, verdict, shown = [*line.strip("| ").split(" | ", 2), "", ""][:3]
        own = _folded(words)
        if wanted in own or (len(own) > 20 and own.strip("\u201c\u201d") in wanted):
            told = verdict.partition("**")[2].partition("**")[0].replace(" ", "_")
            return _told(rule, told, shown, doubted=DOUBTED in verdict)
    return _told(rule, "", "", doubted=False)


def _told(rule: Row, verdict: str, shown: str, *, doubted: bool) -> dict[str, Any]:
    return {
        "rule": rule["text"],
        "wanted": rule["verdict"],
        "verdict": verdict,
        "shown": shown,
        "doubted": doubted,
        "quote": rule["quote"],
        "why": rule["why"],
    }


def counted(rows: Iterable[Mapping[str, Any]]) -> Counter[str]:
    """Sum up over documents; `cleared`: breached, but reported as met."""
    counts: Counter[str] = Counter()
    for one in rows:
        counts["calls"] += one["calls"]
        for each in one["verdicts"]:
            counts["rules"] += 1
            counts["right"] += each["wanted"] == each["verdict"]
            counts[f"{each['wanted']} as {each['verdict'] or 'nothing'}"] += 1
            counts["cleared"] += each["wanted"] == "breached" and each["verdict"] == "met"
    return counts


def _folded(text: str) -> str:
    return "".join(char for char in text.casefold() if char.isalnum())
