"""What becomes of what is sent to LangFuse, by its answer."""

from typing import Literal

# `away`: it may be taken later; `too_much`: it, or a part of it, will never be taken as it is;
# `refused`: a part of it is lost, the rest was taken.
Why = Literal["away", "too_much", "refused"]

NEVER_TAKEN = frozenset({400, 413, 422})


class Lost(Exception):
    """LangFuse did not take it. `answered`: a server said so; `count` is how much was `refused`."""

    def __init__(self, why: Why, *, answered: bool = False, told: str = "", count: int = 0) -> None:
        super().__init__(told or why)
        self.why = why
        self.answered = answered
        self.count = count


def answered(status: int) -> None:
    """Nothing for a status that takes it. Raises `Lost`."""
    if not 200 <= status < 300:
        why: Why = "too_much" if status in NEVER_TAKEN else "away"
        raise Lost(why, answered=True, told=f"it answered {status}")


def lost(error: Exception) -> Lost:
    """For a connection that was not made, or cut. Only the kind of error is told."""
    return Lost("away", told=type(error).__name__)
