"""Files that go into a page: "upload report.pdf", "attach invoice.pdf to Documents"."""

from app.domain.directive import Directive, Target
from app.reasoners.rules.parse import frames_record
from app.reasoners.rules.parse.spans import Span
from app.reasoners.rules.parse.targets import target_of
from app.reasoners.rules.parse.verb_table import Entry
from app.reasoners.rules.parse.verbs import Found
from app.text import patterns

_FILE = patterns.compile(r"[^/\\]*\w\.[A-Za-z][A-Za-z0-9]{1,4}$")  # a name with an extension
_INTO = frozenset({"to", "into", "in", "as", "for", "under", "on", "at", "onto"})


def upload(found: Found, args: Span) -> list[Directive]:
    """Each file into the field named, or into the page's only one.

    What is uploaded without a file's name ("upload a new avatar") is a kind of thing to create; an
    attachment without one says nothing of what to attach.
    """
    args = args.trimmed()
    into = args.first(lambda token: token.low in _INTO, 1)
    named, place = (args, None) if into is None else (args[:into], args[into + 1 :])
    files = [token.text for token in named if _FILE.search(token.text)]
    if not files:
        creates = Found(Entry("create", "record"), found.word, found.length)
        return frames_record.record(creates, args) if found.word == "upload" else []
    phrase = target_of(place).phrase if place is not None else ""
    target = Target(phrase=phrase, role="file")
    return [Directive(verb="fill", target=target, value=name) for name in files]
