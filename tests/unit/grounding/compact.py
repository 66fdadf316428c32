"""Compact trees.

A line is `id role name {key=value; ...}` with keys v (value), s (states), t (input type), o (options,
parted by "/"), h (hint), box, occ; a line that starts with "@" sets the group of those below it.
"""

import re

from app.domain.page import Node, Tree

_LINE = re.compile(r"^(\S+) (\S+) ?(.*?)\s*(?:\{(.*)\})?$")


def tree(text: str) -> Tree:
    nodes, group = [], ""
    for line in filter(None, map(str.strip, text.splitlines())):
        if line.startswith("@"):
            group = line[1:].strip()
            continue
        found = _LINE.match(line)
        assert found, line
        key, role, name, rest = found.groups()
        given = dict(part.strip().split("=", 1) for part in (rest or "").split(";") if "=" in part)
        nodes.append(
            Node(
                id=key,
                role=role,
                name=name,
                group=group,
                value=given.get("v"),
                states=frozenset(filter(None, given.get("s", "").split(","))),
                input_type=given.get("t"),
                options=tuple(filter(None, given.get("o", "").split("/"))),
                hint=given.get("h", ""),
                box=tuple(map(float, given["box"].split(","))) if "box" in given else None,
                occluded="occ" in given,
            )
        )
    return Tree.of(nodes)
