"""Mentions in the JSON of a TipTap editor. It comes from outside: any shape must be borne."""

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import get_args

from app.domain.chat import Mention, MentionKind
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
