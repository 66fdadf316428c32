"""Compare two versions of a document: how many seeded changes are reported, and what is invented."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from difflib import SequenceMatcher
from typing import Any

from bench.corpora.server import CorpusClient
from bench.corpora.sets import Corpus, Row

OLD, NEW = "{title} (first version)", "{title} (second version)"
MESSAGE = "What changed between these two?"
OTHERS = "### "  # below the table is a word difference


def compare(asking: CorpusClient, corpus: Corpus, title: str) -> dict[str, Any]:
    """Compare a document with its changed version. Raises `ValueError` if the words of a change are not in
    the text.
    """
    changes = [one for one in corpus.of("change") if one["document"] == title]
    harmless = [one for one in corpus.of("harmless") if one["document"] == title]
    before = after = corpus.text(title)
    for one in (*changes, *harmless):
        after = _changed(after, one)
    names = [OLD.format(title=title), NEW.format(title=title)]
    for name, text in zip(names, (before, after), strict=True):
        asking.take_in_text(name, text)
    end = asking.say(MESSAGE, names)
    table, _, below = str(end.get("response", "")).partition(OTHERS)
    rows = [line for line in table.splitlines() if line.startswith("| ")][2:]
    found = [_found(one, rows) for one in changes]
    told = {at for each in found for at in each}
    return {
        "document": title,
        "type": end["type"],
        "calls": end["calls"],
        "changes": [
            {"about": one["about"], "numeric": one["numeric"], "kind": one["kind"]}
            | {"found": bool(at), "below": bool(_found(one, below.splitlines()))}
            for one, at in zip(changes, found, strict=True)
        ],
        "rows": len(rows),
        "others": [row for at, row in enumerate(rows) if at not in told],
        "harmless told": sum(bool(_found(one, rows)) for one in harmless),
        "response": end.get("response") or end.get("message"),
    }


def _changed(text: str, row: Row) -> str:
    find, replace = _standing(text, row["find"]), row["replace"]
    if row["kind"] == "added":
        return text.replace(find, f"{find}{_gap(find, text)}{replace}", 1)
    if row["kind"] == "moved":
        rest = text.replace(find, "", 1)
        to = _standing(rest, replace)
        return rest.replace(to, f"{to}\n\n{find}", 1)
    return text.replace(find, replace, 1)


def _gap(find: str, text: str) -> str:
    """A paragraph break if the text before ends a paragraph."""
    return "\n\n" if text[text.index(find) + len(find) :].startswith("\n\n") else " "


def _standing(text: str, words: str) -> str:
    """The words as they occur in the text, whatever its line breaks."""
    if words in text:
        return words
    places = [at for at, char in enumerate(text) if not char.isspace()]
    squeezed, wanted = "".join(text.split()), "".join(words.split())
    at = squeezed.find(wanted)
    if at < 0:
        raise ValueError(f"{words!r} is not in the text")
    return text[places[at] : places[at + len(wanted) - 1] + 1]


def _found(row: Row, lines: Sequence[str]) -> list[int]:
    """The lines of a comparison that report the change: by the differing words, or for a move by its
    beginning.
    """
    kind, find, replace = row["kind"], row["find"], row["replace"]
    if kind == "moved":
        signs = [find.strip(" #*|").split("\n")[0][:40]]
    elif kind == "added":
        signs = [replace]
    elif kind == "removed" or not replace:
        signs = [find]
    else:
        signs = list(_differing(find, replace))
    return [at for at, line in enumerate(lines) if any(_shows(line, sign) for sign in signs)]


def _differing(find: str, replace: str) -> Iterable[str]:
    """The old and new words that differ, with two words of context on either side."""
    old, new = find.split(), replace.split()
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    for kind, a, b, c, d in matcher.get_opcodes():
        if kind != "equal":
            yield " ".join(old[max(0, a - 2) : b + 2])
            yield " ".join(new[max(0, c - 2) : d + 2])


def _shows(line: str, sign: str) -> bool:
    """Whether most of the words are in the line, since a quote may omit the start of a sentence."""
    wanted = "".join(sign.casefold().split())
    there = "".join(line.replace("\\", "").casefold().split())
    if not wanted:
        return False
    if wanted in there:
        return True
    longest = SequenceMatcher(None, there, wanted, autojunk=False).find_longest_match()
    return longest.size >= max(12, 0.6 * len(wanted))


def counted(rows: Iterable[Mapping[str, Any]]) -> Counter[str]:
    """Sum up over documents."""
    counts: Counter[str] = Counter()
    for one in rows:
        for each in one["changes"]:
            name = "numeric" if each["numeric"] else "not numeric"
            counts[name] += 1
            counts[f"{name} found"] += each["found"]
        counts["rows"] += one["rows"]
        counts["others"] += len(one["others"])
        counts["harmless told"] += one["harmless told"]
        counts["calls"] += one["calls"]
    return counts
