"""The extension's folder and id, and copies of it with host permissions."""

import base64
import hashlib
import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from app.text import patterns

EXTENSION_DIR = Path(__file__).resolve().parents[3] / "extension"
_LEFT_OUT = shutil.ignore_patterns("node_modules", "test", "*.map")


def extension_id(manifest: dict[str, Any]) -> str:
    """The id that Chromium derives: SHA-256 of the DER key, 32 hex digits written as a to p.

    Raises `ValueError` for a manifest without a `key`, whose id would depend on its path.
    """
    key = manifest.get("key")
    if not key:
        raise ValueError("The extension's manifest has no `key`, so its id is not fixed.")
    digest = hashlib.sha256(base64.b64decode(key)).hexdigest()[:32]
    return "".join(chr(ord("a") + int(digit, 16)) for digit in digest)


def read_manifest(folder: Path = EXTENSION_DIR) -> dict[str, Any]:
    manifest: dict[str, Any] = json.loads((folder / "manifest.json").read_text("utf-8"))
    return manifest


def granted_copy(source: Path, target: Path, hosts: Sequence[str]) -> str:
    """Copy the extension with permission for `hosts`; returns its id.

    A script cannot click the prompt for `optional_host_permissions`, so the copy requires these hosts
    at installation. The optional permissions stay optional.
    """
    shutil.copytree(source, target, ignore=_LEFT_OUT)
    manifest = read_manifest(target)
    manifest["host_permissions"] = list(
        dict.fromkeys([*manifest.get("host_permissions", []), *hosts])
    )
    (target / "manifest.json").write_text(json.dumps(manifest, indent=2), "utf-8")
    return extension_id(manifest)


def page_scripts(folder: Path = EXTENSION_DIR) -> list[Path]:
    """The scripts injected into a page, in the order of `PAGE_FILES` in page/manifest.js."""
    manifest = (folder / "page" / "manifest.js").read_text("utf-8")
    return [folder / name for name in patterns.findall(r'"(page/[\w/]+\.js)"', manifest)]
