"""Checks and rewords a model's closing messages and questions."""

import html
import sys
from collections.abc import Sequence

from app.domain.directive import SECRET_FIELD
from app.domain.hitl import SAVE_TO_MEMORY, Question
from app.domain.page import Observation
from app.domain.plan import Outcome
from app.domain.reasoner import Situation
from app.text import patterns
from app.text.lexicon import pattern, words
from app.text.vocabulary import entries, stems, vocabulary

LEFT_OUT = "[an address that was left out]"
_LINK_PATTERN = patterns.compile(
    r"(?:https?|ftp|hxxps?)\s?:\s?//\S+|www\.\S+|[\w.+-]+@[\w-]+(?:\.[\w-]+)+"
    r"|(?<![\w@.-])(?:[a-z0-9-]{2,}\.)+(?:com|net|org|io|info|biz|app|dev|xyz|ru|cn|co|me|site|online|top"
    r"|shop|link|click|live|example)\b(?:/\S*)?",
    patterns.IGNORECASE,
)
_WANTS_ADDRESS = pattern(stems("addresses.wanted"))


def closing_message(message: str, situation: Situation) -> Outcome:
    return Outcome(status="completed", message=strip_unasked_addresses(message, situation))


def strip_unasked_addresses(message: str, situation: Situation) -> str:
    """Remove addresses that neither the person, the site, the documents nor the searches gave."""
    stated_text = situation.stated_text
    if _WANTS_ADDRESS.search(words(stated_text)):
        return message
    background = situation.background
    sources = [stated_text, _host(situation.page.url)]
    sources += [part for one in background.knowledge for part in (one.url or "", one.text)]
    sources += [one.url for search in background.searches for one in search.results]
    allowed = "\n".join(sources).casefold()
    return _LINK_PATTERN.sub(
        lambda address: address[0] if _site(address[0]) in allowed else LEFT_OUT, message
    )


def _site(address: str) -> str:
    """Return the host of a URL, or a whole mail address."""
    bare = patterns.sub(r"^\w+\s?:\s?//", "", address.casefold()).rstrip(".,;:!?)\"'")
    host = patterns.split(r"[/?#]", bare)[0]
    return bare if "@" in bare.split("/")[0] else host.removeprefix("www.")


def _host(url: str) -> str:
    return patterns.sub(r"^[^:]+://|[/?#].*$", "", url)


LONGEST_TEXT = 300  # characters of a question
LONGEST_FIELD = 80
MOST_FIELDS = 8
SEVERAL = "To go on I need to know:"
_ADDRESS = patterns.compile(
    r"https?:|www\.|\w@\w|\b[\w-]+\.(?:com|net|org|io|example|ru|cn|xyz|info)\b",
    patterns.IGNORECASE,
)
_TAGS = (
    *(rf"<{tag}\b.*?(?:</{tag}\s*>|$)" for tag in ("script", "style", "template", "iframe", "svg")),
    r"<!--.*?(?:-->|$)",
    r"</?[a-zA-Z!][^<>]*(?:>|$)",
)
_MARKUP = patterns.compile("|".join(_TAGS), patterns.IGNORECASE | patterns.DOTALL)
_LINK = patterns.compile(r"!?\[([^\[\]]*)\]\s*\([^()]*\)")
_MARKS = patterns.compile(r"(?m)\*+|`+|__+|~~|^\s*(?:#{1,6}\s+|>\s*|[-+]\s+|\d+[.)]\s+)")
_CLAIMS = patterns.compile(
    rf"\s*[\[(<]?\s*(?:{'|'.join(entries('questions.speakers'))})\b"
    r"[\w ]{0,24}?\s*[\])>]?\s*[:|\u2013\u2014]",
    patterns.IGNORECASE,
)
_PRIVATE = patterns.compile("|".join(entries("questions.private")), patterns.IGNORECASE)
_FILLING = vocabulary("questions.filling")
_ASKS = patterns.compile(
    r"(?:who|whom|whose|what|which|when|where|why|how|is|are|do|does|should|shall|can|will)\b",
    patterns.IGNORECASE,
)
_OWN = patterns.compile(r"(?:the|your|my|his|her|its|their|our|an?)\b", patterns.IGNORECASE)


def find_impropriety(question: Question, page: Observation) -> str | None:
    """Return why the question may not be asked; None if it may.

    A secret is asked for only if the page has a field for it. A question must not direct people
    elsewhere or speak in another's name, since people take it for the agent's own words.
    """
    if question.kind == "approval":
        return None  # worded by us, about an action shown verbatim
    for text in (*question.fields, question.text):
        if _CLAIMS.match(plain_text(text, LONGEST_TEXT)):
            return f"A question speaks in nobody else's name: '{plain_text(text, LONGEST_FIELD)}'"
    takes_secret = any(
        n.role == "inp"
        and (n.input_type == "password" or SECRET_FIELD.search(f"{n.name} {n.hint}"))
        for n in page.tree
    )
    for field in question.fields:
        # The question is not repeated, since the reason may be shown to the person.
        if _ADDRESS.search(field):
            return "A person is not sent anywhere by a question"
        field_text = plain_text(field, LONGEST_TEXT)
        if SECRET_FIELD.search(field_text) and not takes_secret:
            return "No field of this page takes the secret that was to be asked for"
        if (kind := _PRIVATE.search(field_text)) and not _has_field_for(kind[0], page):
            return "No field of this page takes what was to be asked for"
    return None


def word_question(question: Question, page: Observation) -> Question:
    """Format the question as bounded plain text, naming the site that would get a secret."""
    fields = tuple(
        dict.fromkeys(filter(None, (plain_text(f, LONGEST_FIELD) for f in question.fields)))
    )
    text = plain_text(question.text, LONGEST_TEXT)
    if any(SECRET_FIELD.search(field) for field in fields):
        destination = f"It will be entered on {_host(page.url)}."
        text = text if destination in text else f"{destination} {text}"
    options = tuple(one for one in question.options if one == SAVE_TO_MEMORY)
    update = {"text": text, "fields": fields[:MOST_FIELDS], "options": options, "multiple": False}
    return question.model_copy(update=update)


def fields_question_text(fields: Sequence[str]) -> str:
    """Ask for one field by its name, or for several listed below the question."""
    if len(fields) != 1:
        return SEVERAL
    name = plain_text(fields[0], LONGEST_TEXT).rstrip(" .:!")
    question_word, sentence = _ASKS.match(name), f"{name[:1].upper()}{name[1:]}"
    if len(name) > LONGEST_FIELD or name.endswith("?"):  # a sentence, not a field name
        return sentence if name.endswith("?") else f"{sentence}."
    if question_word:
        return f"{sentence}?"
    return f"What is {name}?" if _OWN.match(name) else f"What is the {name}?"


def plain_text(text: str, longest: int) -> str:
    """Reduce the text to one line without markup and invisible characters, cut at `longest`."""
    bare = _MARKUP.sub(" ", html.unescape(_MARKUP.sub(" ", text)))
    bare = _MARKS.sub("", _LINK.sub(r"\1", bare))
    return one_line(patterns.sub(r"\s+(?=[?.,;:!](?:\s|$))", "", bare), longest)


def one_line(text: str, longest: int = sys.maxsize) -> str:
    """Reduce the text to one line without invisible characters, cut at `longest`."""
    line = " ".join("".join(one if one.isprintable() else " " for one in text).split())
    return line if len(line) <= longest else f"{line[: longest - 1].rstrip()}…"


def _has_field_for(kind: str, page: Observation) -> bool:
    """Whether a field on the page shares a word with the requested one."""
    kind_words = {
        word for word in patterns.findall(r"\w+", kind.casefold()) if word not in _FILLING
    }
    return any(
        node.role in ("inp", "sel")
        and kind_words & set(patterns.findall(r"\w+", f"{node.name} {node.hint}".casefold()))
        for node in page.tree
    )
