"""Words as Markdown that means them: what only looks like a heading, a table or a fence is escaped."""

from app.text import patterns

_BLOCK = patterns.compile(
    r"^(?=#{1,6}(?:\s|$)|\||```|~~~|(?:=+|-{2,}|_{3,}|\*{3,})[ \t]*$)", patterns.MULTILINE
)
_SPACES = patterns.compile(r"[^\S\n]+")


def paragraph(text: str) -> str:
    """A paragraph; its line ends stay."""
    lines = (_SPACES.sub(" ", line).strip() for line in text.split("\n"))
    return _BLOCK.sub(r"\\", "\n".join(line for line in lines if line))


def heading(level: int, text: str) -> str:
    """A heading of level 1 to 6; "" for an empty one."""
    words = " ".join(text.split())
    return f"{'#' * max(1, min(level, 6))} {words}" if words else ""


def item(text: str, depth: int = 0, number: int | None = None) -> str:
    """A line of a list, `depth` lists within others."""
    mark = "-" if number is None else f"{number}."
    indent = "    " * min(depth, 8)
    lines = paragraph(text).split("\n")
    return "\n".join([f"{indent}{mark} {lines[0]}", *(f"{indent}    {line}" for line in lines[1:])])


def code(text: str, language: str = "") -> str:
    """A fenced block whose fence is longer than any in it."""
    longest = max((len(run) for run in patterns.findall(r"`{3,}", text)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}{language}\n{text.rstrip()}\n{fence}"


def link(text: str, address: str) -> str:
    """A link to the web; only its words where it leads elsewhere or is its own words."""
    if not patterns.match(r"https?://\S+$", address) or not text.strip() or text.strip() == address:
        return text
    return f"[{text}]({address.replace(')', '%29')})"
