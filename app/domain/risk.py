"""What an action may do that is hard to undo."""

from typing import Literal

from app.domain.base import Value

Effect = Literal[
    "destroys",  # deletes, cancels, revokes
    "spends",  # pays, orders, books, transfers
    "tells",  # sends a message, publishes, shares, invites
    "decides",  # approves, signs, merges, deploys
    "grants",  # changes access, roles, passwords, keys
    "leaves",  # signs out
    "irreversible",  # a form that says it cannot be undone
    "outside",  # goes to a site that the person did not name and the tenant did not allow
    "new_site",  # acts for the first time on a site that the run came to by itself
]
Level = Literal["low", "medium", "high"]


class Risk(Value):
    """How hard an action is to undo: `high` is to be agreed to by a person, `medium` changes what is
    stored and can be changed back. `reason` says why in words, `evidence` is the text it was read from.
    """

    level: Level = "low"
    effects: tuple[Effect, ...] = ()
    reason: str = ""
    evidence: str = ""
