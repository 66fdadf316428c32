"""Every paid call goes through the accounting hook."""

import ast
import inspect
import re
from functools import cache
from pathlib import Path

import pytest

from app.adapters import open_production
from app.domain.metrics.usage import UsageHook
from app.llm.embedder import AccountedEmbedder, WordLlama, open_embedder
from app.llm.providers.choice import open_model
from app.llm.providers.guarded_model import GuardedModel
from app.search.choice import open_search
from app.search.tavily import TavilySearch
from app.skills.recall import Embedder
from app.usage.meter import ACTION_TYPES

APP = Path(__file__).parents[2] / "app"
SOURCES = {path.relative_to(APP.parent).as_posix(): path for path in APP.rglob("*.py")}
PURPOSE = re.compile(r'^ +purpose="(\w+)",$', re.MULTILINE)
# What may call a vendor that charges, and what constructs it.
VENDORS = {
    "google": {
        "app/llm/providers/gemini.py",
        "app/llm/providers/gemini_embeddings.py",
    },
    "openai": {"app/llm/providers/openai_compatible.py"},
    "tavily": {"app/search/tavily.py", "app/search/choice.py"},
}
MAKERS = {
    "GeminiTransport": {"app/llm/providers/choice.py", "app/llm/providers/gemini.py"},
    "OpenAITransport": {"app/llm/providers/choice.py"},
    "GuardedModel": {"app/llm/providers/choice.py"},
    "TavilySearch": {"app/search/choice.py"},
    "WordLlama": {"app/adapters.py"},
    "AccountedEmbedder": {"app/adapters.py", "app/llm/embedder.py"},
    "GeminiEmbeddings": {"app/llm/embedder.py"},
    "CallUsage": {
        "app/llm/providers/guarded_model.py",
        "app/llm/providers/gemini_embeddings.py",
        "app/search/tavily.py",
    },
    "UsageRecord": {"app/usage/meter.py"},
    "usage_row": {"app/usage/service.py"},
    "UsageWriter": {"app/usage/service.py"},
}


@cache
def names() -> dict[str, tuple[set[str], set[str]]]:
    """The packages that each file imports, and the plain names it calls."""
    found = {}
    for name, path in SOURCES.items():
        imported: set[str] = set()
        called: set[str] = set()
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                imported |= {one.name.partition(".")[0] for one in node.names}
            elif isinstance(node, ast.ImportFrom):
                imported.add((node.module or "").partition(".")[0])
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                called.add(node.func.id)
        found[name] = (imported, called)
    return found


@pytest.mark.parametrize(
    "making",
    [GuardedModel, TavilySearch, AccountedEmbedder, open_model, open_embedder, open_search],
)
def test_paid_adapters_require_the_hook(making: object) -> None:
    hook = inspect.signature(making).parameters["hook"]  # type: ignore[arg-type]
    assert hook.default is inspect.Parameter.empty
    assert hook.annotation is UsageHook


@pytest.mark.parametrize("vendor", VENDORS)
def test_only_accounted_adapters_import_a_vendor(vendor: str) -> None:
    known = {name for name, (imported, _) in names().items() if vendor in imported}
    assert known == VENDORS[vendor]


@pytest.mark.parametrize("made", MAKERS)
def test_adapters_are_constructed_in_one_place(made: str) -> None:
    assert {name for name, (_, called) in names().items() if made in called} == MAKERS[made]


def test_a_vector_source_is_no_embedder_without_accounting() -> None:
    methods = {name for name in dir(Embedder) if not name.startswith("_")}
    assert methods <= set(dir(AccountedEmbedder))
    assert not methods <= set(dir(WordLlama))


def test_the_composition_root_passes_one_hook_to_all() -> None:
    source = inspect.getsource(open_production)
    for made in ("open_model(", "open_search(", "AccountedEmbedder("):
        assert re.search(rf"{re.escape(made)}[^\n]*\busage\.record\b", source), made


def test_every_purpose_has_a_usage_name() -> None:
    asks = [SOURCES[name] for name in SOURCES if name.startswith(("app/reasoners/", "app/chat/"))]
    found = {one for path in asks for one in PURPOSE.findall(path.read_text("utf-8"))}
    assert found
    assert found <= set(ACTION_TYPES)


def test_only_the_writer_adds_usage_rows() -> None:
    adding = {
        name
        for name, path in SOURCES.items()
        if re.search(r"\busage\.add\(", path.read_text("utf-8"))
    }
    assert adding == {"app/usage/service.py"}
    named = {
        name for name, path in SOURCES.items() if "token_usage_logs" in path.read_text("utf-8")
    }
    assert named == {"app/store/usage.py", "app/store/mongo/indexes.py"}
