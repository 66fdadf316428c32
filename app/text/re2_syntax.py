"""Translates Python's pattern syntax to RE2's, which matches in linear time.

RE2 has no lookaround, and its word boundaries are ASCII only. Where a pattern has such conditions, the
text is passed to RE2 with a mark before each position for every condition that holds there (see
`app.text.patterns`), and the translated condition matches its mark.
"""

import re
from dataclasses import dataclass, field
from functools import cache

# Control characters that no class of a pattern includes take one byte; more marks than these are rare.
MARKS = (*range(0x09), *range(0x0E, 0x1C), *range(0x10FF00, 0x110000))
NO_CHARACTER = 0xFFFF  # stands for lone surrogates, which RE2 does not read
_ANY_MARK = r"\x00-\x08\x0e-\x1b\x{10ff00}-\x{10ffff}"
_SPACE = (
    r"\t-\r\x1c-\x20\x{85}\x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}"
)
_UNICODE = {"w": r"\p{L}\p{N}_", "d": r"\p{Nd}", "s": _SPACE}
_ASCII = {"w": "0-9A-Za-z_", "d": "0-9", "s": r"\t-\r\x1c-\x20"}
_ESCAPE = r"\\(?:x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|.)"
_TOKEN = (
    r"(?P<look>\(\?<?[=!])"
    r"|(?P<open>\((?:\?(?:P<\w+>|[a-z-]*:))?)"
    r"|(?P<close>\))"
    r"|(?P<repeat>[*+?]\??|\{\d+(?:,\d*)?\}\??)"
    r"|(?P<edge>[\^$]|\\[AZbB])"
    r"|(?P<set>\.|\\[wWdDsS]|\[\^?\]?(?:\\.|[^\]\\])*\])"
    r"|(?P<bar>\|)"
    rf"|(?P<literal>{_ESCAPE}|.)"
)
_TOKENS = re.compile(_TOKEN, re.DOTALL)
_VERBOSE_TOKENS = re.compile(rf"(?P<blank>\s+|#[^\n]*)|{_TOKEN}", re.DOTALL)
_MEMBER = re.compile(rf"{_ESCAPE}|.", re.DOTALL)
_OPPOSITE = re.compile(rf"(?:(?!\\[WDS]){_ESCAPE}|[^\\])*\\[WDS]", re.DOTALL)
# In the names of a condition's tokens: more than one character in a row.
_WIDE = re.compile(r"(set|literal|edge|look)( (open|close))* (set|literal|edge|look)|repeat")

Token = tuple[str, str]  # the name of a group in `_TOKEN`, and the text
# Something of no width that holds at a position or not, and whether it depends on the characters next to
# the position alone.
Condition = tuple[re.Pattern[str], bool]


class PatternNotLinear(ValueError):
    """Part of the pattern cannot be matched in linear time; rewrite it."""


def translate(
    pattern: str, flags: int, *, of_ascii: bool = False
) -> tuple[str, tuple[Condition, ...], int]:
    """Translate a pattern for any text, or for ASCII only, with classes a hundredth in size.

    Returns the pattern in RE2's syntax, its conditions, and how many copies of their marks precede
    each position.
    """
    flags = re.compile(pattern, flags).flags
    pattern = re.sub(r"^\(\?[a-z]+\)", "", pattern)  # the flags have these
    syntax = _VERBOSE_TOKENS if flags & re.VERBOSE else _TOKENS
    tokens = [(str(one.lastgroup), one[0]) for one in syntax.finditer(pattern)]
    marked = any(kind == "look" or text in (r"\b", r"\B") for kind, text in tokens)
    return _Writer(flags, marked, of_ascii).write(tokens)


@dataclass(slots=True)
class _Writer:
    flags: int
    marked: bool
    of_ascii: bool
    conditions: list[Condition] = field(default_factory=list)

    def write(self, tokens: list[Token]) -> tuple[str, tuple[Condition, ...], int]:
        parts, at, copies = ["(?i)(?:" if self.flags & re.IGNORECASE else "(?:"], 0, 1
        opened: list[int] = []  # for each open group, the number of conditions before it
        while at < len(tokens):
            kind, text = tokens[at]
            end = at + 1
            if kind == "look" or (kind == "edge" and self.marked):
                end = _condition_end(tokens, at)
                parts.append(self._condition(tokens[at:end]))
            elif kind == "edge":
                parts.append(self._edge(text))
            elif kind in ("set", "literal"):
                parts.append(self._character(kind, text))
            elif kind != "blank":
                parts.append(text)
            if kind == "open":
                opened.append(len(self.conditions))
            elif kind == "close" and opened.pop() < len(self.conditions):
                repeated = end < len(tokens) and tokens[end][1][0] in "*+{"
                copies = 2 if repeated else copies  # where one repetition ends the next begins
            at = end
        # The marks of the end come after the last character.
        parts.append(f")[{_ANY_MARK}]*" if self.marked else ")")
        return "".join(parts), tuple(self.conditions), copies

    def _condition(self, tokens: list[Token]) -> str:
        """The mark of a condition."""
        if any(kind == "open" and not text.endswith(":") for kind, text in tokens):
            raise PatternNotLinear("a group in a lookaround")
        ends = not self.flags & re.MULTILINE
        text = "".join(
            r"\Z" if kind == "edge" and text == "$" and ends else text for kind, text in tokens
        )
        narrow = not _WIDE.search(" ".join(kind for kind, _ in tokens[1:]))
        mark = MARKS[len(self.conditions)]
        self.conditions.append((re.compile(text, self.flags), narrow))
        return f"[{_ANY_MARK}]*{_escape(mark)}"

    def _edge(self, text: str) -> str:
        if self.flags & re.MULTILINE and text in "^$":
            return f"(?m:{text})"
        return r"\A" if text in r"^\A" else r"\z"

    def _character(self, kind: str, text: str) -> str:
        if kind == "literal":
            matched = _literal(text)
        else:
            inside, negated = self._charset(text)
            inside = _ANY_MARK + inside if negated and self.marked else inside
            matched = f"[{'^' if negated else ''}{inside}]" if inside else "(?s:.)"
        return f"(?:[{_ANY_MARK}]*{matched})" if self.marked else matched

    def _charset(self, text: str) -> tuple[str, bool]:
        """The members of a character class, and whether it is negated."""
        classes = _ASCII if self.of_ascii or self.flags & re.ASCII else _UNICODE
        if text == ".":
            return "" if self.flags & re.DOTALL else r"\n", True
        if text[0] == "\\":
            return classes[text[1].lower()], text[1].isupper()
        negated = text[1] == "^"
        body = text[1 + negated : -1]
        if _OPPOSITE.match(body):  # such as all letters: neither non-word characters nor digits
            case = self.flags & (re.ASCII | re.IGNORECASE)
            return _ranges(f"[^{body}]", case, self.of_ascii), not negated
        inside = "".join(
            classes[one[1]] if one[0] == "\\" and one[1] in classes else _literal(one)
            for one in _MEMBER.findall(body)
        )
        unicode = not body.isascii() or r"\u" in body.lower()
        if unicode and re.match(f"[{body}]", "\ud800"):
            inside += _escape(NO_CHARACTER)
        return inside, negated


def _condition_end(tokens: list[Token], start: int) -> int:
    """The index after the condition that begins at this token.

    An edge takes a following lookaround with it, which is then read at the edges only.
    """
    at = start + (tokens[start][0] == "edge")
    if at == len(tokens) or tokens[at][0] != "look":
        return at
    depth = 1
    while depth:
        at += 1
        depth += (tokens[at][0] in ("look", "open")) - (tokens[at][0] == "close")
    return at + 1


def _literal(text: str) -> str:
    if text[0] == "\\" and text[1] in "xuU":
        return _escape(int(text[2:], 16))
    return text if text[0] == "\\" or text == "-" else _escape(ord(text))


def _escape(code: int) -> str:
    return f"\\x{{{code:x}}}"


@cache
def _ranges(charset: str, flags: int, of_ascii: bool) -> str:
    runs = re.compile(f"{charset}+", flags).finditer(_every_character(of_ascii))
    return "".join(f"{_escape(ord(run[0][0]))}-{_escape(ord(run[0][-1]))}" for run in runs)


@cache
def _every_character(of_ascii: bool) -> str:
    """All characters that may be word characters, digits or spaces: none is beyond plane 3."""
    return "".join(map(chr, range(128) if of_ascii else (*range(0xD800), *range(0xE000, 0x40000))))
