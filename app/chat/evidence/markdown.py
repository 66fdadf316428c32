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


def plain(text: str) -> str:
    """The text as one line of Markdown that shows it as it reads: what is a mark there is escaped. What was
    escaped already stays as it is; "[3]" becomes "(3)", since it is no marker of ours.
    """
    shown = _ESCAPED.sub(r"\1", _UNSEEN.sub("", text))
    line = _MARKER.sub(r"(\1)", " ".join(shown.split()))
    line = _SPECIAL.sub(lambda found: f"\\{found[0]}", line)
    line = _SITE.sub(r"\1\\\2", line)
    return _BEGINNING.sub(_escaped_beginning, line)


def cell(text: str) -> str:
    """The text for a cell of a table, where a bar or a new line would end it."""
    return plain(text) or " "


def _escaped_beginning(found: patterns.Match) -> str:
    mark = found[0]
    return f"{mark[:-1]}\\{mark[-1]}" if mark[0].isdigit() else f"\\{mark}"
