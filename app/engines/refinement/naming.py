"""Controls and pages in the words a person would use for them."""

from collections.abc import Iterable

from app.domain.page import Node, Observation
from app.engines.planning.wording import ROLE_WORDS, listed, quoted

MOST_NAMED = 6  # controls listed when something is missing; a line of the panel holds about as many


def called(node: Node) -> str:
    """A control with its kind: "the 'Save' button"."""
    kind = ROLE_WORDS.get(node.role, "control")
    if not node.name:
        return f"the {node.hint or node.input_type or ''} {kind}".replace("  ", " ")
    return f"the {quoted(node.name)} {kind}"


def place(page: Observation) -> str:
    """The page by its title, else its address."""
    return quoted(page.title) if page.title else page.url


def offered(nodes: Iterable[Node]) -> str:
    """The first few controls of a page by name, each once."""
    names = dict.fromkeys(node.name for node in nodes if node.name and node.role != "txt")
    shown = [quoted(name) for name in list(names)[:MOST_NAMED]]
    return listed(shown) if shown else "nothing to act on"


def not_here(what: str, page: Observation, tried: Iterable[str] = ()) -> str:
    """What was looked for, where, what was opened for it, and what is here instead."""
    return (
        f"I looked for {what} on {place(page)} and found nothing that fits{not_after(tried)}. "
        f"What is here: {offered(page.tree)}.{out_of_reach(page)}"
    )


def not_after(tried: Iterable[str]) -> str:
    """What was opened in vain, as the end of a sentence."""
    opened = [_lowered(line) for line in dict.fromkeys(tried)]
    return f", not after {listed(opened)} either" if opened else ""


def out_of_reach(page: Observation) -> str:
    """Where else it may be, as a further sentence; empty when all of the page can be read."""
    hosts = dict.fromkeys(one.origin.partition("://")[2] or one.origin for one in page.unreachable)
    if not hosts:
        return ""
    frames = "a frame" if len(page.unreachable) == 1 else "the frames"
    return (
        f" It may be in {frames} of {listed(list(hosts)[:MOST_NAMED])} that Tabwright may not read."
    )


def _lowered(line: str) -> str:
    return f"“{line}”"
