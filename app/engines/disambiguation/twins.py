"""Records that go by the same words, taken apart: where one ends and the next begins."""

from collections.abc import Sequence

from app.domain.page import Node, Observation
from app.engines.grounding.surroundings import record

Signature = tuple[str, str, str]


def twins_apart(signature: Signature, page: Observation) -> list[list[Node]]:
    """The controls of the record that such a control stands in; where several records go by the same
    words, those of each, in order.

    Records alike hold as many controls each, with one of this kind; else a new one begins where a
    control comes again.
    """
    held = record(signature[2])
    nodes = [node for node in page.tree if held and record(node.group) == held]
    count = sum(node.signature == signature for node in nodes)
    size, rest = divmod(len(nodes), count) if count else (0, 1)
    if not rest:
        runs = [nodes[at : at + size] for at in range(0, len(nodes), size)]
        if all(sum(n.signature == signature for n in run) == 1 for run in runs):
            return runs
    return _repeats(nodes)


def _repeats(nodes: Sequence[Node]) -> list[list[Node]]:
    runs: list[list[Node]] = []
    seen: set[Signature] = set()
    for node in nodes:
        if not runs or node.signature in seen:
            runs.append([])
            seen = set()
        seen.add(node.signature)
        runs[-1].append(node)
    return runs
