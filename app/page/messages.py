"""Classifies page messages as success, error or progress."""

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from app.domain.page import Node, Observation
from app.text import patterns
from app.text.lexicon import words
from app.text.vocabulary import entries

Kind = Literal["error", "success", "info"]
GOING_ON = "Still going on"  # prefix of a reason whose only evidence is a busy page
UNSPACED = patterns.compile(r"[\u1100-\u11ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


def compile_table(table: str, end: str = "") -> patterns.Pattern:
    """Compile a table of stems, each followed by `end`, to one pattern over `words(text)`.

    Spaced scripts match at the beginning of a word; unspaced ones (Chinese, Japanese, Korean)
    anywhere.
    """
    bodies = {stem: _body(stem + end) for stem in entries(table)}
    spaced = [body for stem, body in bodies.items() if not UNSPACED.search(stem)]
    anywhere = [body for stem, body in bodies.items() if UNSPACED.search(stem)]
    parts = [rf"(?:^|(?<= ))(?:{'|'.join(spaced)})"] if spaced else []
    return patterns.compile("|".join((*parts, *anywhere)))


def _body(stem: str) -> str:
    parts = (patterns.escape(words(part.replace("_", " "))) for part in stem.rstrip("$").split("+"))
    body = r"\w* (?:\w+ )??".join(parts)
    return body + (r"(?!\S)" if stem.endswith("$") else "")


_ERROR, _SUCCESS, _BUSY = (
    compile_table(f"messages.{kind}") for kind in ("error", "success", "busy")
)
# "Errors: none": the denial follows, or no blank precedes it.
_NO_ERRORS = compile_table("messages.no_errors")
# Future or conditional success: "will be deleted", "saved when you press Enter".
_TO_COME = compile_table("messages.to_come")
DENIALS = frozenset(words(word).split()[0] for word in entries("messages.denial"))
_CLAUSES = patterns.compile(r"[.!?;:,\n|·•…。！？；：]+")  # noqa: RUF001
_NEGATED_VALUE = patterns.compile(
    rf"\w+\s*[:=]\s*(?:none|{'|'.join(sorted(DENIALS))})\b", patterns.IGNORECASE
)
_TEXTS, _MESSAGE_STATES = frozenset({"txt"}), frozenset({"alert", "status"})
_NEGATION_REACH = 2  # words between a denial and the denied word: "not yet saved"


@dataclass(frozen=True, slots=True)
class Message:
    """A new message. `is_repeated`: its words were on the page before, in another element."""

    text: str
    kind: Kind
    is_repeated: bool = False


@lru_cache(maxsize=4096)
def message_kind(text: str) -> Kind:
    """Classify a message. "No errors" is not an error; "not saved" is one.

    A message that ends with something in progress is "info": "Your session has expired. Signing you
    in again…".
    """
    if ends_in_progress(text):
        return "info"
    found = {_clause_kind(part) for part in _CLAUSES.split(_NEGATED_VALUE.sub(" ", text))}
    return "error" if "error" in found else "success" if "success" in found else "info"


def _clause_kind(text: str) -> Kind:
    plain = _NO_ERRORS.sub(" ", words(text))
    if _occurs_unnegated(_ERROR, plain):
        return "error"
    if _occurs_unnegated(_SUCCESS, plain):
        return "info" if _TO_COME.search(plain) else "success"
    return "error" if _SUCCESS.search(plain) else "info"


def _occurs_unnegated(pattern: patterns.Pattern, plain: str) -> bool:
    """Whether the pattern occurs without a negation before it."""
    return any(
        DENIALS.isdisjoint(plain[: found.start()].split()[-_NEGATION_REACH:])
        for found in pattern.finditer(plain)
    )


@lru_cache(maxsize=4096)
def ends_in_progress(text: str) -> bool:
    parts = [part for part in _CLAUSES.split(text) if words(part)]
    return bool(parts) and is_busy(parts[-1]) and _clause_kind(parts[-1]) == "info"


@lru_cache(maxsize=4096)
def is_busy(text: str) -> bool:
    return _BUSY.search(words(text)) is not None


def is_future(text: str) -> bool:
    """Whether the text announces a future event: "will be closed tonight"."""
    return _TO_COME.search(words(text)) is not None and message_kind(text) == "info"


def is_message(node: Node) -> bool:
    return node.role == "txt" and bool(node.states & _MESSAGE_STATES)


def messages_on(page: Observation) -> list[Node]:
    return [node for node in page.tree.of_roles(_TEXTS) if node.states & _MESSAGE_STATES]


def new_messages(before: Observation, after: Observation) -> tuple[Message, ...]:
    """Return the messages that are new since `before`, errors first.

    Messages listed by the client and alert texts arrived after the action, so they are new unless
    the same element showed them before. Other messages are new if they occur more often now. A
    message is marked `is_repeated` if it only moved to another element, since pages redraw old messages,
    or if the client saw no change after the action.
    """
    old, new = messages_on(before), messages_on(after)
    counts_before = Counter(n.name.strip() for n in old)
    counts_now = Counter(n.name.strip() for n in new if not n.occluded)
    alerts = (dialog.message for dialog in after.dialogs if dialog.kind == "alert")
    reported = dict.fromkeys(text.strip() for text in (*after.errors, *after.successes, *alerts))
    old_ids = {n.id for n in old}
    fresh = {n.name.strip() for n in new if n.id not in old_ids}
    unmoved = after.client.mutated is False and before.url == after.url
    found = []
    for text in filter(None, dict.fromkeys((*counts_now, *reported))):
        more = counts_now[text] > counts_before[text] and not unmoved
        is_new = more or (text in reported and (not counts_before[text] or text in fresh))
        if is_new or text in fresh:
            found.append(Message(text, _kind(text, after), is_repeated=not is_new))
    return tuple(sorted(found, key=lambda m: ("error", "success", "info").index(m.kind)))


def _kind(text: str, page: Observation) -> Kind:
    """Return the page script's classification; classify by words if it has both, none, or success."""
    error, success = (
        any(text == item.strip() for item in listed) for listed in (page.errors, page.successes)
    )
    if error == success or ends_in_progress(text) or (success and is_future(text)):
        return message_kind(text)
    return "error" if error else "success"
