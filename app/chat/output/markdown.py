"""Text that others wrote, put into the Markdown of an answer: it can neither break the layout, nor make
links, images or HTML, nor look like one of our markers.
"""

from app.text import patterns

_ESCAPED = patterns.compile(r"\\([!-/:-@\[-`{-~])")
_UNSEEN = patterns.compile(  # control signs, marks of direction, and what takes no room but for joiners
    "[\u0000-\u0008\u000b-\u001f\u007f-\u0084\u0086-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e"
    "\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]"
)
_MARKER = patterns.compile(r"\[(\d{1,4})\]")
_SPECIAL = patterns.compile(
    r"[\\`*\[\]<>|~&$]|(?<![^\W_])_|_(?![^\W_])|!(?=\[)|:(?=//)|(?<=\w)@(?=\w)"
)
_SITE = patterns.compile(r"\b(www|mailto|javascript|data|tel)([.:])", patterns.IGNORECASE)
_BEGINNING = patterns.compile(r"^(#{1,6}|[-+=]+|\d{1,9}[.)]|:)(?=\s|$|-|=)")

# Marks that a text brings.
_PICTURE = patterns.compile(r"!\[([^\]]*)\]\([^)\s]*(?:\s+\"[^\"]*\")?\)")
_LINK = patterns.compile(r"(?<!\\)\[([^\]]*)\]\((?:[^()\s]|\([^()\s]*\))*(?:\s+\"[^\"]*\")?\)")
_MARKS = patterns.compile(r"(?<!\\)(?:\*{1,3}|~~|`+|(?<!\w)_{1,3}(?=\S)|(?<=\S)_{1,3}(?!\w))")
_NUMBERS = r"\d{1,4}(?:\s*[,;-]\s*[PW]?\d{1,4})*"
# A number alone is one at the end of a sentence: "box [01] of the form" has none.
_REFS = rf"\s*\[\s*[PW]{_NUMBERS}\s*\]|(?:\s*\[\s*{_NUMBERS}\s*\])+(?=\s*(?:[.,;:!?\[]|$))"
_MARKERS = patterns.compile(_REFS, patterns.IGNORECASE)
_TAG = patterns.compile(r"</?[a-z][a-z0-9]{0,10}(?:\s[^<>]{0,200})?/?>", patterns.IGNORECASE)


def escape_markdown(text: str) -> str:
    """The text as one line of Markdown that shows it as it reads. What was escaped already stays as it is;
    "[3]" becomes "(3)", since it is no marker of ours.
    """
    shown = _ESCAPED.sub(r"\1", _UNSEEN.sub("", text))
    line = _MARKER.sub(r"(\1)", " ".join(shown.split()))
    line = _SPECIAL.sub(lambda found: f"\\{found[0]}", line)
    line = _SITE.sub(r"\1\\\2", line)
    return _BEGINNING.sub(_escaped_beginning, line)


def cell(text: str) -> str:
    """The text for a cell of a table, where a bar or a new line would end it."""
    return escape_markdown(text) or " "


def unmarked(text: str) -> str:
    """A line without Markdown's marks: links and pictures become their words."""
    bare = _LINK.sub(r"\1", _PICTURE.sub(r"\1", text))
    return " ".join(_ESCAPED.sub(r"\1", _MARKS.sub("", _TAG.sub(" ", bare))).split())


def without_markers(text: str) -> str:
    """A text without references as in "[3]": in an answer ours alone say what holds it."""
    return " ".join(_MARKERS.sub("", text).split())


def _escaped_beginning(found: patterns.Match) -> str:
    mark = found[0]
    return f"{mark[:-1]}\\{mark[-1]}" if mark[0].isdigit() else f"\\{mark}"
