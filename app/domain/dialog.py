"""Dialogs of the browser itself: `alert`, `confirm`, `prompt` and their like."""

from typing import Literal

from app.domain.base import Value

DialogKind = Literal["alert", "confirm", "prompt", "print", "beforeunload"]


class DialogDecision(Value):
    """How dialogs that an action brings up are answered; `text` is for a prompt. With `about` given,
    only what is made of these words is accepted; any other is dismissed, as if nothing was decided.
    """

    accept: bool
    text: str | None = None
    about: tuple[str, ...] | None = None


class DialogSeen(Value):
    """A dialog that came up, and how it was answered. `foreseen`: by a decision made before."""

    kind: DialogKind
    message: str = ""
    accepted: bool = False
    foreseen: bool = False

    @property
    def stopped(self) -> bool:
        """Whether it asked for leave to go on and got none: what was asked about did not happen."""
        return self.kind in ("confirm", "prompt") and not self.accepted
