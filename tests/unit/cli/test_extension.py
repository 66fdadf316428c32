"""The extension's id and copies of it."""

import json
from pathlib import Path

import pytest

from app.cli.browser import EXTENSION_DIR, copy_with_access, extension_id, read_manifest
from app.settings import EXTENSION_ID


def test_id_is_derived_from_the_manifest_key() -> None:
    assert extension_id(read_manifest()) == EXTENSION_ID


def test_id_requires_a_manifest_key() -> None:
    with pytest.raises(ValueError, match="key"):
        extension_id({"name": "x"})


def test_copy_has_access_to_the_sites_and_the_original_is_unchanged(tmp_path: Path) -> None:
    before = (EXTENSION_DIR / "manifest.json").read_bytes()
    site = "https://example.org/*"
    assert copy_with_access(EXTENSION_DIR, tmp_path / "copy", [site, site]) == EXTENSION_ID
    copied = json.loads((tmp_path / "copy" / "manifest.json").read_text())
    assert copied["host_permissions"] == [site]
    assert not (tmp_path / "copy" / "node_modules").exists()
    assert (EXTENSION_DIR / "manifest.json").read_bytes() == before
