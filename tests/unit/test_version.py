"""One version: the package's, which the extension's manifest repeats because Chrome reads it there."""

import json
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_the_extension_has_the_version_of_the_package():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    manifest = json.loads((ROOT / "extension/manifest.json").read_text("utf-8"))
    assert manifest["version"] == project["version"]
