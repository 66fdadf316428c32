"""One state of the panel: the run in the journal, and what is done to get there."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class State:
    """One state: the run in the journal, and what is done in the panel to get there."""

    name: str
    view: dict[str, Any] | None = None
    settings: str = "paired"  # paired | none | dead
    room: str = ""  # a test id to click
    then: str = ""  # another one
    ready: str = "goal-input"  # the test id that is there when it is reached
    tab: str = "page"
    document: str = "panel"
    past: bool = True
    ask: str = ""  # written there, with Enter
    opened: bool = False  # the first document is about to be deleted
    documents: str = "some"  # some | jobs
    opens: bool = False  # something opens in the tab
    chat: str = ""  # a scene of the conversation, whose tab is shown then
    alike: bool = False  # it is made of what other states are made of
    asked: Callable[[], list[dict[str, Any]]] = list  # what other assistants ask for
    decision: str = ""  # of the operator that is asked
