"""A server imports nothing at start that only documents or MCP clients need."""

import subprocess
import sys

import pytest

pytestmark = pytest.mark.slow

HEAVY = (
    "bs4", "lxml", "mcp", "odfdo", "pptx", "py3langid",
    "pypdfium2", "python_calamine", "readability", "sharepoint2text", "taskiq", "Stemmer",
)  # fmt: skip


def test_optional_dependencies_are_not_imported_at_start() -> None:
    asked = f"import sys, app.main; print([one for one in {HEAVY} if one in sys.modules])"
    told = subprocess.run(
        [sys.executable, "-c", asked], capture_output=True, text=True, timeout=120, check=True
    )
    assert told.stdout.strip() == "[]"


def test_commands_silence_the_logging_of_libraries() -> None:
    """One of the libraries configures the logging of every process that imports it."""
    asked = (
        "import logging, app.cli; from app.llm.embedder import WordLlama; "
        "WordLlama().embed_batch(['a']); print(logging.root.handlers, logging.root.level)"
    )
    told = subprocess.run(
        [sys.executable, "-c", asked], capture_output=True, text=True, timeout=120, check=True
    )
    assert told.stdout.strip() == "[] 30"
