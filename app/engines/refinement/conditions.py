"""Whether what a step depends on is on the page: "if a cookie banner shows"."""

from app.engines.grounding.label import label
from app.engines.refinement.case import Case

# Kinds of things that come up in front of a page; a kind alone asks for any of them.
COVERS = frozenset(
    {
        "banner", "popup", "pop-up", "dialog", "dialogue", "modal", "window", "overlay", "prompt",
        "notice", "message", "box", "confirmation", "notification", "alert",
    }
)  # fmt: skip


# States that a list shows by ticks and not in words.
TICKED = frozenset({"completed", "done", "finished", "ticked", "selected"})


def met(case: Case, condition: str) -> bool:
    """Whether the page shows it, in a control, in the heading of a group or in its text."""
    words = condition.split()
    telling = [word for word in words if word.lower() not in COVERS]
    if TICKED & {word.lower() for word in words}:
        return any("checked" in node.states for node in case.tree) or _said(case, telling)
    if not telling:
        return any(_in_front(node.states, node.groups) for node in case.tree) or _said(case, words)
    return _said(case, telling)


def _in_front(states: frozenset[str], groups: tuple[tuple[str, str], ...]) -> bool:
    return "modal" in states or any(kind == "dialog" for kind, _ in groups)


def _said(case: Case, words: list[str]) -> bool:
    wanted = label(" ".join(words)).stems
    texts = [*case.page.summary.splitlines(), *case.page.successes]
    texts += [f"{node.name} {node.group}" for node in case.tree]
    return bool(wanted) and any(set(wanted) <= set(label(text).stems) for text in texts)
