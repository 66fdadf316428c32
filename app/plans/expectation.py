"""Checks expectations against observations."""

from app.domain.page import MASK, Node, Observation
from app.domain.verdict import ExpectedOutcome, NextGoal
from app.text.lexicon import words


def check_expectation(
    expected: ExpectedOutcome, after: Observation, before: Observation | None = None
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Describe the met and the unmet expectations. The address is checked only with `before`."""
    told = [*_address(expected, after, before), *_values(expected, after), *_texts(expected, after)]
    if expected.next_goal is not None:
        told.append(
            (meets_goal(expected.next_goal, after), f"next: {expected.next_goal.description}")
        )
    return (
        tuple(text for is_met, text in told if is_met),
        tuple(text for is_met, text in told if not is_met),
    )


def meets_goal(goal: NextGoal, page: Observation) -> bool:
    """Whether the page has a control of that role and name; without a role, a heading also counts."""
    wanted = words(goal.text or "")
    if goal.role is None and any(_are_in(wanted, words(line)) for line in _headings(page)):
        return True
    return any(
        (goal.role is None or node.role == goal.role) and _goes_by(node, wanted)
        for node in page.tree.nodes
    )


def _headings(page: Observation) -> tuple[str, ...]:
    return tuple(line[2:] for line in page.summary.splitlines() if line.startswith("# "))


def _goes_by(node: Node, wanted: str) -> bool:
    known = f"{words(node.name)} {words(node.hint)} {words(node.value or '')}"
    return not wanted or _are_in(wanted, known)


def _are_in(wanted: str, known: str) -> bool:
    return all(f" {word} " in f" {known} " for word in wanted.split())


def _address(
    expected: ExpectedOutcome, after: Observation, before: Observation | None
) -> list[tuple[bool, str]]:
    if before is None or expected.url_should_change is None:
        return []
    text = "the address changes" if expected.url_should_change else "the address stays"
    return [((before.url != after.url) is expected.url_should_change, text)]


def _values(expected: ExpectedOutcome, after: Observation) -> list[tuple[bool, str]]:
    told = []
    for node_id, value in expected.values.items():
        node = after.tree.get(node_id)
        label = (node.name or node.role) if node is not None else f"element {node_id}"
        is_held = node is not None and _same(node, value)
        told.append((is_held, f"{label} holds {'something' if value == MASK else repr(value)}"))
    return told


def _same(node: Node, value: str) -> bool:
    held = node.value or ""
    if value == MASK or held == MASK:
        return bool(held) == bool(value)
    return " ".join(held.casefold().split()) == " ".join(value.casefold().split())


def _texts(expected: ExpectedOutcome, after: Observation) -> list[tuple[bool, str]]:
    if not expected.elements and not expected.gone:
        return []
    shown = _shown(after)
    there = [(f" {words(t)} " in shown, f"'{t}' is there") for t in expected.elements]
    return there + [(f" {words(t)} " not in shown, f"'{t}' is gone") for t in expected.gone]


def page_shows(page: Observation, text: str) -> bool:
    """Whether the page contains those words."""
    return f" {words(text)} " in _shown(page)


def has_unmet_text(expected: ExpectedOutcome, after: Observation) -> bool:
    """Whether an expected appearance or disappearance of a text did not happen."""
    return any(not is_met for is_met, _ in _texts(expected, after))


def _shown(page: Observation) -> str:
    said = (*(n.name for n in page.tree.nodes), page.title, page.summary, *page.successes)
    return f" {' '.join(words(text) for text in (*said, *page.errors))} "
