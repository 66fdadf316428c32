"""Mentions: what is tagged in the JSON of a TipTap editor, and what can be tagged with `@`.

The JSON comes from outside: any shape must be accepted.
"""

from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import get_args

from rapidfuzz import fuzz, process

from app.chat.documents.titles import ALIKE, Titles, lines_of_words
from app.domain.chat import ACTIONS, ChatAction, Mention, MentionKind
from app.domain.knowledge import DocumentTitle
from app.text import patterns

MOST_NODES = 20_000  # looked at, of whatever shape
MOST_MENTIONS = 1_000
LONGEST_ID = 200  # characters of an id or a label
KINDS: tuple[MentionKind, ...] = get_args(MentionKind)
_SPACES = patterns.compile(r"[^\S\n]{2,}")
_BEFORE_STOP = patterns.compile(r"[^\S\n]+(?=[,.;:!?])")


@dataclass(frozen=True, slots=True)
class TaggedMessage:
    """What was tagged, each once, in order; `plain` is the text without it."""

    mentions: tuple[Mention, ...] = ()
    plain: str = ""


def parse_mentions(tiptap_json: object, message: str) -> TaggedMessage:
    """The mentions of the document, and the message without their labels. Never raises."""
    found: dict[tuple[MentionKind, str], Mention] = {}
    for mention in _mentions(tiptap_json):
        found.setdefault((mention.kind, mention.id), mention)
        if len(found) == MOST_MENTIONS:
            break
    mentions = tuple(found.values())
    return TaggedMessage(mentions, _without(message, mentions))


def _mentions(given: object) -> Iterator[Mention]:
    """In the order of the document: an object before what is in it."""
    waiting: deque[object] = deque([given])
    seen = 0
    while waiting and seen < MOST_NODES:
        node = waiting.popleft()
        seen += 1
        inner: Sequence[object] = ()
        if isinstance(node, dict):
            if (mention := _mention(node)) is not None:
                yield mention
                continue
            inner = [node[key] for key in ("content", "doc", "json") if key in node]
        elif isinstance(node, list | tuple):
            inner = node[:MOST_NODES]
        waiting.extendleft(reversed(inner))


def _mention(node: dict[object, object]) -> Mention | None:
    attrs = node.get("attrs")
    if node.get("type") != "mention" or not isinstance(attrs, dict):
        return None
    kind = _kind(attrs)
    label = _text(attrs.get("label")).lstrip("@").strip()
    given = _text(attrs.get("id")) or (label if kind != "document" else "")
    if kind == "action":
        given = given.casefold()
    if kind == "web":
        given = "web"
    return Mention(kind=kind, id=given, label=label or given) if given else None


def _kind(attrs: dict[object, object]) -> MentionKind:
    """A document if nothing else is said, or an unknown kind, whose id then is nobody's."""
    for name in ("category", "kind"):
        given = attrs.get(name)
        for kind in KINDS:
            if isinstance(given, str) and given.strip().casefold() == kind:
                return kind
    return "document"


def _text(given: object) -> str:
    """A short text or number as text that can be stored; anything else is nothing."""
    if isinstance(given, bool) or not isinstance(given, str | int):
        return ""
    if isinstance(given, int) and abs(given) >= 10**18:
        return ""
    text = given[:LONGEST_ID] if isinstance(given, str) else str(given)
    return text.encode("utf-8", "ignore").decode().replace("\0", "").strip()


def _without(message: str, mentions: Sequence[Mention]) -> str:
    """The message without the labels, each removed wherever it is tagged with "@", otherwise once. Longer
    labels go first, since one may begin another.
    """
    labels = sorted({one.label for one in mentions}, key=len, reverse=True)
    if not labels or not message:
        return message.strip()
    any_label = "|".join(patterns.escape(one) for one in labels)
    tagged = patterns.compile(rf"@(?:{any_label})(?!\w)", patterns.IGNORECASE)
    gone = {match.group()[1:].casefold() for match in tagged.finditer(message)}
    text = tagged.sub(" ", message)
    bare = [one for one in labels if one.casefold() not in gone]
    if bare:
        text = _once(text, bare)
    return _BEFORE_STOP.sub("", _SPACES.sub(" ", text)).strip()


def _once(text: str, labels: Sequence[str]) -> str:
    """Without the first place of each label that stands there as a word."""
    left = {one.casefold() for one in labels}
    any_label = "|".join(patterns.escape(one) for one in labels)

    def drop(match: patterns.Match) -> str:
        label = match.group().casefold()
        if label not in left:
            return match.group()
        left.discard(label)
        return " "

    return patterns.sub(rf"(?<!\w)(?:{any_label})(?!\w)", drop, text, flags=patterns.IGNORECASE)


LABELS: dict[ChatAction, str] = {
    "summarize": "Summarize",
    "inquire": "Ask",
    "compare": "Compare",
    "audit": "Audit",
}
_AS_TYPED, _FROM_THE_START, _WORDS, _WITHIN = range(4)
_SHORTEST_TYPO = 4  # letters: of fewer all titles are alike


@dataclass(frozen=True, slots=True)
class SuggestedSet:
    """A set, and how many documents are in it."""

    name: str
    documents: int


def suggest_titles(titles: Titles, query: str, limit: int) -> list[DocumentTitle]:
    """The titles in which each typed word begins a word, or stands at all; those that begin with it first. If
    there are none, likely misspellings. All, newest first, for "".
    """
    typed = lines_of_words([query])[0]
    if not typed:
        return list(titles.all[:limit])
    places = _rank_lines(titles.lines, typed) or _misspelt(titles, " ".join(typed), limit)
    return [titles.all[place] for place in places[:limit]]


def suggest_sets(titles: Titles, query: str, limit: int) -> list[SuggestedSet]:
    typed = lines_of_words([query])[0]
    counted = Counter(one.set_name for one in titles.all)
    names = [name for name, _ in counted.most_common()]
    lines = [" " + " ".join(line) for line in lines_of_words(names)]
    places = _rank_lines(lines, typed)[:limit]
    return [SuggestedSet(names[at], counted[names[at]]) for at in places]


def suggest_actions(query: str) -> list[tuple[ChatAction, str]]:
    """The actions whose name or label begins with what is typed."""
    typed = query.strip().casefold()
    return [
        (one, LABELS[one])
        for one in ACTIONS
        if one.startswith(typed) or LABELS[one].casefold().startswith(typed)
    ]


def _rank_lines(lines: Iterable[str], typed: list[str]) -> list[int]:
    """The places of the lines that match, best first."""
    ranks = ((_rank(line, typed), at) for at, line in enumerate(lines))
    return [at for _, at in sorted((rank, at) for rank, at in ranks if rank is not None)]


def _rank(line: str, typed: list[str]) -> int | None:
    """How well a title matches, 0 best; None if one is missing. `line` is its words, each after a space."""
    if line.startswith(" " + " ".join(typed)):
        return _AS_TYPED
    if not all(word in line for word in typed):
        return None
    if not all(f" {word}" in line for word in typed):
        return _WITHIN
    return _FROM_THE_START if line.startswith(f" {typed[0]}") else _WORDS


def _misspelt(titles: Titles, query: str, limit: int) -> list[int]:
    """Titles of which a part is similar: what is typed is the beginning of more."""
    if len(query) < _SHORTEST_TYPO:
        return []
    found = process.extract(
        query, titles.lines, scorer=fuzz.partial_ratio, score_cutoff=ALIKE - 5, limit=limit
    )
    return [place for _, _, place in found]
