"""Tests and benches use names of the page scripts' namespace that TypeScript does not check for them."""

import re

from tests.arch.sources import ROOT, files, name

MEMBER = re.compile(r"__tabwright\??\.(\w+)")
DECLARED = re.compile(r"^  (?:readonly )?(\w+)\??[:(<]", re.MULTILINE)


def test_members_read_by_tests_and_benches_are_declared() -> None:
    types = (ROOT / "extension/types/page.d.ts").read_text("utf-8")
    declared = set(DECLARED.findall(types[types.index("interface PageNamespace") :]))
    unknown = {
        f"{name(path)}: {member}"
        for path in files("*.py", "*.js")
        if name(path).startswith(("tests/", "bench/"))
        for member in MEMBER.findall(path.read_text("utf-8"))
        if member not in declared
    }
    assert not unknown
