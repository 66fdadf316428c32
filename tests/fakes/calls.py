"""What a fake saw of one request, and how to read the page in its prompt."""

import re
from dataclasses import dataclass, field
from typing import Any

_COLUMN = re.compile(r'\w+(?: "(?:[^"\\]|\\.)*"| named in the row)?')


@dataclass
class Call:
    """One request. `schema` is the one of the reply it asks for; tokens and credits are what is billed.

    `abandoned`: the client hung up before it was answered; `cut`: it got a part of the answer.
    `took_ms` is the fake's own time, from the request's arrival to its answer.
    """

    path: str
    headers: dict[str, str]
    body: dict[str, Any]
    model: str = ""
    system: str = ""
    prompt: str = ""
    schema: dict[str, Any] | None = None
    images: tuple[bytes, ...] = ()
    streamed: bool = False
    input_tokens: int = 0
    cached_tokens: int = 0
    output_tokens: int = 0
    thinking_tokens: int = 0
    credits: int = 0
    status: int = 0
    took_ms: float = 0.0
    abandoned: bool = False
    cut: bool = False
    answer: Any = field(default=None, repr=False)

    def asks_for(self, *fields: str) -> bool:
        """Whether the reply's schema has all these fields: tells one kind of call from another."""
        schema = self.schema or {}
        at_root = schema.get("$ref", "").rpartition("/")[2]
        root = schema.get("$defs", {}).get(at_root, schema)
        return set(fields) <= set(root.get("properties", {}))

    def id_of(self, name: str, *, row: str | None = None, role: str | None = None) -> str:
        """The id of the control of that name in the page's lines; in the row of that label.

        Raises `LookupError`, which fails the test, when the page in the prompt has none.
        """
        found = _in_rows(self.prompt, name, row) if row else _on_lines(self.prompt, name, role)
        if found is None:
            where = f" in the row {row!r}" if row else ""
            raise LookupError(f"no control named {name!r}{where} in this prompt:\n{self.prompt}")
        return found


def _on_lines(prompt: str, name: str, role: str | None) -> str | None:
    """`14 inp "Name" required`, as `app/page/render.py` writes a control, or `14 @40,20 80x20 inp …`."""
    pattern = rf'^\s*(?:[+~] )?(\d+(?::\d+)?)(?: @\S+ \S+)? {role or r"[a-z]+"} "{re.escape(name)}"'
    found = re.search(pattern, prompt, re.MULTILINE)
    return found[1] if found else None


def _in_rows(prompt: str, name: str, row: str) -> str | None:
    """A table has one heading and a line a row; a single row is a container like any other."""
    columns: list[str] = []
    inside = False
    for line in prompt.splitlines():
        heading = re.search(r"each row: (.*)$", line)
        cells = re.match(rf"(?:.*\brow: )?{re.escape(row)}: (\d.*)$", line)
        if heading:
            columns = _COLUMN.findall(heading[1])
        elif columns and cells:
            at = next((i for i, one in enumerate(columns) if f'"{name}"' in one), None)
            return _cell_ids(cells[1])[at] if at is not None else None
        elif re.match(rf".*\brow: {re.escape(row)}:$", line):
            inside = True
        elif inside:
            found = _on_lines(line, name, None)
            if found or not re.match(r"\s*\d", line):
                return found
    return None


def _cell_ids(cells: str) -> list[str]:
    unquoted = re.sub(r'"(?:[^"\\]|\\.)*"', "", cells)
    return [re.match(r"\s*(\S+)", cell)[1] for cell in unquoted.split(",")]  # type: ignore[index]
