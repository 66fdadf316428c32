"""The tests that the threat model names for each claim exist, and the deployment names nothing twice."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SAID = (ROOT / "SECURITY.md").read_text()


@pytest.mark.parametrize("path", sorted(set(re.findall(r"`((?:tests|docs|app)/[^`]+)`", SAID))))
def test_the_evidence_of_each_claim_exists(path: str) -> None:
    assert (ROOT / path).exists()


@pytest.mark.parametrize("module", sorted(set(re.findall(r"`python -m (bench\.\w+)", SAID))))
def test_documented_modules_exist(module: str) -> None:
    place = ROOT / module.replace(".", "/")
    assert place.with_suffix(".py").is_file() or (place / "__main__.py").is_file()


def test_compose_names_no_variable_twice() -> None:
    """Compose rejects the whole file otherwise."""
    lines = (ROOT / "docker-compose.yml").read_text().splitlines()
    named = [line.strip() for line in lines if re.fullmatch(r"\s+- [A-Z_]+", line)]
    assert sorted(set(named)) == sorted(named)
