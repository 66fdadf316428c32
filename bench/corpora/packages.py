"""Fetch archives with the registries' own clients; verify and unpack each once."""

import hashlib
import subprocess
import sys
import tarfile
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

NEWEST = "3.13"


@dataclass(frozen=True, slots=True)
class Package:
    """An archive of a registry; `file` is its name as fetched."""

    registry: Literal["pypi", "npm", "debian"]
    name: str
    version: str
    file: str
    sha256: str


def unpack(package: Package, cache: Path) -> Path:
    """The folder of its files. Raises `SystemExit` if the archive has another checksum."""
    root = cache / package.sha256[:16]
    if root.is_dir():
        return root
    cache.mkdir(parents=True, exist_ok=True)
    archive = cache / package.file
    if not archive.exists():
        subprocess.run(_fetching(package), cwd=cache, check=True, stdout=subprocess.DEVNULL)
    if hashlib.sha256(archive.read_bytes()).hexdigest() != package.sha256:
        raise SystemExit(f"{package.file} is not the file the questions were written for")
    making = cache / f"{root.name}.making"
    _unpack(archive, making)
    return making.rename(root)


def _fetching(package: Package) -> list[str]:
    """The command that fetches it into the working directory."""
    if package.registry == "debian":
        return ["apt-get", "download", "-q", f"{package.name}={package.version}"]
    if package.registry == "npm":
        return ["npm", "pack", "--silent", f"{package.name}@{package.version}"]
    # Nothing in it is executed: a wheel may be for a newer Python.
    wheel = package.file.endswith(".whl")
    kind = (
        ["--only-binary", ":all:", "--python-version", NEWEST]
        if wheel
        else ["--no-binary", package.name]
    )
    pip = [sys.executable, "-m", "pip", "download", "-q", "--no-deps"]
    return [*pip, *kind, f"{package.name}=={package.version}"]


def _unpack(archive: Path, root: Path) -> None:
    if archive.suffix == ".deb":
        subprocess.run(["dpkg-deb", "-x", str(archive), str(root)], check=True)
    elif archive.suffix in (".whl", ".zip"):
        with zipfile.ZipFile(archive) as file:
            file.extractall(root)
    else:
        with tarfile.open(archive) as file:
            file.extractall(root, filter="data")
