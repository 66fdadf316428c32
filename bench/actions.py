"""Write `docs/actions.md`, the actions there are as the grammar has them: `python -m bench.actions`."""

from pathlib import Path

from app.domain.action import ALTERNATIVE_PARAMETERS, LOOKUPS, PARAMETERS, TERMINAL, ActionName
from app.reasoners.model.reading import MEANINGS
from app.verification.server_actions import SERVED

FILE = Path(__file__).parents[1] / "docs" / "actions.md"
_HEAD = """# Actions

What a model may do: one call each, several in a chain. `python -m bench.actions` writes this page.

Ids are those of the page's lines; `"page"` is all of it where that makes sense. Points are CSS pixels
of the window; where a picture came along, a model gives those of the picture. A `?` behind a call says
that it may fail. `read` takes the name of a downloaded file, too.

| call | what it does | where |
|---|---|---|
"""


def _calls(name: ActionName) -> str:
    ways = [
        PARAMETERS[name],
        *([ALTERNATIVE_PARAMETERS[name]] if name in ALTERNATIVE_PARAMETERS else []),
    ]
    return ", ".join(f"`{name}({', '.join(key for key, _ in way)})`" for way in ways)


def _where(name: ActionName) -> str:
    if name in TERMINAL:
        return "ends the task"
    if name in LOOKUPS:
        return "server, from the page as it was sent and files that were downloaded"
    return "server" if name in SERVED else "browser"


def page() -> str:
    """The whole document."""
    rows = (f"| {_calls(name)} | {MEANINGS[name]} | {_where(name)} |" for name in PARAMETERS)
    return _HEAD + "\n".join(rows) + "\n"


if __name__ == "__main__":
    FILE.write_text(page(), "utf-8")
