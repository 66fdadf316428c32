"""Mentions: parsed from the JSON of a TipTap editor, and suggested after `@`.

The JSON is untrusted and may have any shape.
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

MOST_NODES = 20_000
MOST_MENTIONS = 1_000
LONGEST_ID = 200  # characters of an id or a label
KINDS: tuple[MentionKind, ...] = get_args(MentionKind)
_SPACES = patterns.compile(r"[^\S\n]{2,}")
_BEFORE_STOP = patterns.compile(r"[^\S\n]+(?=[,.;:!?])")


@dataclass(frozen=True, slots=True)
class TaggedMessage:
    """The distinct mentions in order; `plain` is the message without their labels."""

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
    return TaggedMessage(mentions, _without_labels(message, mentions))


def _mentions(document: object) -> Iterator[Mention]:
    """The mentions in document order."""
    waiting: deque[object] = deque([document])
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
    id_ = _text(attrs.get("id")) or (label if kind != "document" else "")
    if kind == "action":
        id_ = id_.casefold()
    if kind == "web":
        id_ = "web"
    return Mention(kind=kind, id=id_, label=label or id_) if id_ else None


def _kind(attrs: dict[object, object]) -> MentionKind:
    """The kind; a document if it is missing or unknown."""
    for name in ("category", "kind"):
        value = attrs.get(name)
        for kind in KINDS:
            if isinstance(value, str) and value.strip().casefold() == kind:
                return kind
    return "document"


def _text(value: object) -> str:
    """A string or number as short, storable text; "" for anything else."""
    if isinstance(value, bool) or not isinstance(value, str | int):
        return ""
    if isinstance(value, int) and abs(value) >= 10**18:
        return ""
    text = value[:LONGEST_ID] if isinstance(value, str) else str(value)
    return text.encode("utf-8", "ignore").decode().replace("\0", "").strip()


def _without_labels(message: str, mentions: Sequence[Mention]) -> str:
    """Remove each label wherever it follows "@", or else its first occurrence. Longer labels are removed
    first, since one may be the beginning of another.
    """
    labels = sorted({one.label for one in mentions}, key=len, reverse=True)
    if not labels or not message:
        return message.strip()
    any_label = "|".join(patterns.escape(one) for one in labels)
    tagged = patterns.compile(rf"@(?:{any_label})(?!\w)", patterns.IGNORECASE)
    removed = {match.group()[1:].casefold() for match in tagged.finditer(message)}
    text = tagged.sub(" ", message)
    if bare := [label for label in labels if label.casefold() not in removed]:
        text = _remove_first(text, bare)
    return _BEFORE_STOP.sub("", _SPACES.sub(" ", text)).strip()


def _remove_first(text: str, labels: Sequence[str]) -> str:
    """Remove the first occurrence of each label as a whole word."""
    left = {label.casefold() for label in labels}
    any_label = "|".join(patterns.escape(label) for label in labels)

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
_SHORTEST_TYPO = 4  # letters; shorter input resembles all titles


@dataclass(frozen=True, slots=True)
class SuggestedSet:
    """A set and the number of its documents."""

    name: str
    documents: int


def suggest_titles(titles: Titles, query: str, limit: int) -> list[DocumentTitle]:
    """The titles that contain all typed words, those that begin with them first; else titles of which the
    query may be a misspelling. All titles, newest first, for "".
    """
    typed = lines_of_words([query])[0]
    if not typed:
        return list(titles.all[:limit])
    places = _rank_lines(titles.lines, typed) or _similar(titles, " ".join(typed), limit)
    return [titles.all[place] for place in places[:limit]]


def suggest_sets(titles: Titles, query: str, limit: int) -> list[SuggestedSet]:
    typed = lines_of_words([query])[0]
    counts = Counter(title.set_name for title in titles.all)
    names = [name for name, _ in counts.most_common()]
    lines = [" " + " ".join(line) for line in lines_of_words(names)]
    places = _rank_lines(lines, typed)[:limit]
    return [SuggestedSet(names[at], counts[names[at]]) for at in places]


def suggest_actions(query: str) -> list[tuple[ChatAction, str]]:
    """The actions whose name or label begins with the query, with their labels."""
    typed = query.strip().casefold()
    return [
        (action, LABELS[action])
        for action in ACTIONS
        if action.startswith(typed) or LABELS[action].casefold().startswith(typed)
    ]


def _rank_lines(lines: Iterable[str], typed: list[str]) -> list[int]:
    """The indexes of matching lines, best first."""
    ranks = ((_rank(line, typed), at) for at, line in enumerate(lines))
    return [at for _, at in sorted((rank, at) for rank, at in ranks if rank is not None)]


def _rank(line: str, typed: list[str]) -> int | None:
    """How well a line matches, 0 is best; None if a word is missing. Each word follows a space."""
    if line.startswith(" " + " ".join(typed)):
        return _AS_TYPED
    if not all(word in line for word in typed):
        return None
    if not all(f" {word}" in line for word in typed):
        return _WITHIN
    return _FROM_THE_START if line.startswith(f" {typed[0]}") else _WORDS


def _similar(titles: Titles, query: str, limit: int) -> list[int]:
    """Titles with a similar part, since the query may be incomplete."""
    if len(query) < _SHORTEST_TYPO:
        return []
    found = process.extract(
        query, titles.lines, scorer=fuzz.partial_ratio, score_cutoff=ALIKE - 5, limit=limit
    )
    return [place for _, _, place in found]
