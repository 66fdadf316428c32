"""Escapes untrusted text for the Markdown of an answer: it can neither break the layout, nor create links,
images or HTML, nor look like a citation marker.
"""

from app.text import patterns

_ESCAPED = patterns.compile(r"\\([!-/:-@\[-`{-~])")
_INVISIBLE = patterns.compile(  # control, direction and zero-width characters except joiners
    "[\u0000-\u0008\u000b-\u001f\u007f-\u0084\u0086-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e"
    "\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]"
)
_MARKER = patterns.compile(r"\[(\d{1,4})\]")
_SPECIAL = patterns.compile(
    r"[\\`*\[\]<>|~&$]|(?<![^\W_])_|_(?![^\W_])|!(?=\[)|:(?=//)|(?<=\w)@(?=\w)"
)
_SITE = patterns.compile(r"\b(www|mailto|javascript|data|tel)([.:])", patterns.IGNORECASE)
_BEGINNING = patterns.compile(r"^(#{1,6}|[-+=]+|\d{1,9}[.)]|:)(?=\s|$|-|=)")

# Markup in the text itself.
_PICTURE = patterns.compile(r"!\[([^\]]*)\]\([^)\s]*(?:\s+\"[^\"]*\")?\)")
_LINK = patterns.compile(r"(?<!\\)\[([^\]]*)\]\((?:[^()\s]|\([^()\s]*\))*(?:\s+\"[^\"]*\")?\)")
_MARKS = patterns.compile(r"(?<!\\)(?:\*{1,3}|~~|`+|(?<!\w)_{1,3}(?=\S)|(?<=\S)_{1,3}(?!\w))")
_NUMBERS = r"\d{1,4}(?:\s*[,;-]\s*[PW]?\d{1,4})*"
# A bare number is a marker only at the end of a sentence: "box [01] of the form" has none.
_REFS = rf"\s*\[\s*[PW]{_NUMBERS}\s*\]|(?:\s*\[\s*{_NUMBERS}\s*\])+(?=\s?(?:[.,;:!?\[]|$))"
_MARKERS = patterns.compile(_REFS, patterns.IGNORECASE)
_TAG = patterns.compile(r"</?[a-z][a-z0-9]{0,10}(?:\s[^<>]{0,200})?/?>", patterns.IGNORECASE)


def escape_markdown(text: str) -> str:
    """The text as one line of Markdown that renders as the text. Existing escapes are kept; "[3]" becomes
    "(3)", since it is not a citation marker.
    """
    bare = _ESCAPED.sub(r"\1", _INVISIBLE.sub("", text))
    line = _MARKER.sub(r"(\1)", " ".join(bare.split()))
    line = _SPECIAL.sub(lambda found: f"\\{found[0]}", line)
    line = _SITE.sub(r"\1\\\2", line)
    return _BEGINNING.sub(_escaped_beginning, line)


def cell(text: str) -> str:
    """The text for a table cell, which a bar or a line break would end."""
    return escape_markdown(text) or " "


def strip_markdown(text: str) -> str:
    """Remove Markdown and HTML tags from a line; links and images become their text."""
    bare = _LINK.sub(r"\1", _PICTURE.sub(r"\1", text))
    return " ".join(_ESCAPED.sub(r"\1", _MARKS.sub("", _TAG.sub(" ", bare))).split())


def strip_markers(text: str) -> str:
    """Remove references such as "[3]", since only ours may appear in an answer."""
    return " ".join(_MARKERS.sub("", " ".join(text.split())).split())


def _escaped_beginning(found: patterns.Match) -> str:
    mark = found[0]
    return f"{mark[:-1]}\\{mark[-1]}" if mark[0].isdigit() else f"\\{mark}"
