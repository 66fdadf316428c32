"""MkDocs hook: generates the reference pages and the graph from the code, so that they cannot be out of date.

https://www.mkdocs.org/user-guide/configuration/#hooks
"""

import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer.main
from langgraph.checkpoint.memory import InMemorySaver
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from typer.cli import get_docs_for_click

from app.agent.graph import build_graph
from app.cli.__main__ import create_command_line
from app.domain.action import ALTERNATIVE_PARAMETERS, LOOKUPS, PARAMETERS, ActionName
from app.main import create_app
from app.reasoners.model.decisions import DESCRIPTIONS
from app.settings import SECTIONS, Settings
from app.verification.server_actions import SERVED

ROOT = Path(__file__).resolve().parents[1]
_METHODS = ("get", "post", "put", "patch", "delete")


def settings_page() -> str:
    """Return every setting with its meaning and default, one table per section of `app/settings.py`."""
    parts = [
        "# Settings\n\nSet them in the environment or in `.env`. All of them are optional. "
        "`tabwright doctor` says which are in effect.\n"
    ]
    for section in SECTIONS:
        parts.append(
            f"\n## {(section.__doc__ or '').rstrip('.')}\n\n| name | meaning | default |\n|---|---|---|\n"
        )
        for name in section.__annotations__:
            field = Settings.model_fields[name]
            variable = str(field.validation_alias or f"TABWRIGHT_{name.upper()}")
            meaning = " ".join((field.description or "").split())
            default = "" if field.default in (None, "", ()) else f"`{field.default}`"
            parts.append(f"| `{variable}` | {meaning} | {default} |\n")
    return "".join(parts)


def actions_page() -> str:
    """Return the actions of the grammar in which a model writes them."""
    rows = []
    for name in PARAMETERS:
        signatures = [
            PARAMETERS[name],
            *([ALTERNATIVE_PARAMETERS[name]] if name in ALTERNATIVE_PARAMETERS else []),
        ]
        calls = ", ".join(f"`{name}({', '.join(key for key, _ in one)})`" for one in signatures)
        rows.append(f"| {calls} | {DESCRIPTIONS[name]} | {_place(name)} |")
    return (
        "# Actions\n\nWhat a model may do: one call each, several in a chain. Ids are those of the page's "
        'lines; `"page"` stands for the whole page where that makes sense. Points are CSS pixels of the '
        "window, or pixels of the picture if one was sent. A `?` after a call means that it may fail. "
        "`read` also takes the name of a downloaded file.\n\n"
        "| call | what it does | where |\n|---|---|---|\n" + "\n".join(rows) + "\n"
    )


def _place(name: ActionName) -> str:
    if name in ("finish", "fail"):
        return "ends the task"
    if name in LOOKUPS:
        return "server: the page as it was sent, and downloaded files"
    return "server" if name in SERVED else "browser"


def commands_page() -> str:
    """Return the command line's help texts."""
    command = typer.main.get_command(create_command_line())
    context = typer.Context(command, info_name="tabwright")
    text = get_docs_for_click(obj=command, ctx=context, name="tabwright", title="Command line")
    return re.sub(r"\[default: ([^\]]*)\]", r"(default: \1)", text)


def http_page() -> str:
    """Return the HTTP API, by resource, from its OpenAPI document."""
    api = create_app(Settings(_env_file=None)).openapi()
    resources = defaultdict(list)
    for path, item in api["paths"].items():
        for method in _METHODS:
            if method in item:
                resources[item[method].get("tags", ["other"])[0]].append(
                    (method, path, item[method])
                )
    parts = [
        "# HTTP API\n\nA running server has the complete schema at `/openapi.json` and an explorer at "
        "`/docs`. Send the key as `Authorization: Bearer tw_…`. Errors are `application/problem+json` with "
        "a stable `code`.\n"
    ]
    for resource, operations in sorted(resources.items()):
        parts.append(f"\n## {resource}\n")
        for method, path, operation in operations:
            parts.append(f"\n### `{method.upper()} {path}`\n\n")
            if description := operation.get("description"):
                parts.append(f"{description.strip()}\n\n")
            parts += _parameters(operation)
            body = operation.get("requestBody", {}).get("content", {})
            if body:
                parts.append(
                    "Body: "
                    + ", ".join(f"`{kind}`{_schema(one)}" for kind, one in body.items())
                    + "\n\n"
                )
            parts.append("Responses: " + ", ".join(_responses(operation)) + "\n")
    return "".join(parts)


def _parameters(operation: dict[str, Any]) -> Iterator[str]:
    rows = [
        f"| `{one['name']}` | {one['in']} | {' '.join(one.get('description', '').split())} |\n"
        for one in operation.get("parameters", [])
    ]
    if rows:
        yield "| parameter | in | meaning |\n|---|---|---|\n"
        yield from rows
        yield "\n"


def _responses(operation: dict[str, Any]) -> Iterator[str]:
    for status, one in operation["responses"].items():
        schema = next((_schema(c) for c in one.get("content", {}).values()), "")
        yield f"`{status}`{schema}"


def _schema(content: dict[str, Any]) -> str:
    name = content.get("schema", {}).get("$ref", "").rpartition("/")[2]
    return f" {name}" if name else ""


def graph_page() -> str:
    """Return the agent's graph as it is compiled."""
    drawing = build_graph(InMemorySaver()).get_graph().draw_mermaid()
    return (
        "# The agent's graph\n\nOne request is one pass: it enters where the previous one was interrupted "
        "and leaves at the next interrupt or at the end. Drawn from `app/agent/graph.py`; dotted arrows are "
        f"decided in `app/agent/routing.py`.\n\n```mermaid\n{drawing}```\n"
    )


def decisions_page() -> str:
    """Return the list of decision records, with the ones that replaced others."""
    rows = []
    for file in sorted((ROOT / "docs/decisions").glob("[0-9]*.md")):
        title, _, rest = file.read_text("utf-8").partition("\n")
        number, name = file.stem[:4], re.sub(r"^# \d{4}:? ", "", title)
        status = re.search(r"^\*\*(Superseded(?: in part)?) by\*\*.*?(\d{4})", rest, re.MULTILINE)
        note = f"{status[1].lower()} by {status[2]}" if status else ""
        rows.append(f"| {number} | [{name}]({file.name}) | {note} |")
    return (
        "# Decisions\n\nWhy things are as they are. Each record has its context, the decision, the "
        "alternatives and what enforces it. To change a decision, add a record and mark the old one.\n\n"
        "| | decision | status |\n|---|---|---|\n" + "\n".join(rows) + "\n"
    )


PAGES = {
    "reference/settings.md": settings_page,
    "reference/actions.md": actions_page,
    "reference/cli.md": commands_page,
    "reference/http-api.md": http_page,
    "explanation/graph.md": graph_page,
    "decisions/index.md": decisions_page,
}


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the generated pages to the site."""
    for path, make in PAGES.items():
        files.append(File.generated(config, path, content=make()))
    return files
