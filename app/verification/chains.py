"""Which actions of a chain the client says were done, and what that makes of the chain."""

from app.domain.action import Chain, ClientReport, PlannedAction
from app.verification.evidence import Evidence, Status, no, unclear, yes

NOT_REACHED = "was not reached"  # how such a reason ends
_TAKEN = 0.75  # `submits`: from here on, what was entered was taken and its fields may be empty
Judged = tuple[PlannedAction, Evidence]


def stopped_at(chain: Chain, report: ClientReport) -> int | None:
    """The index of the action that stopped the chain; None where none did, or nobody knows.

    The browser goes on past an action that may fail, so such a one stops nothing.
    """
    done, last = report.executed_index, len(chain.actions) - 1
    if report.status != "failure" or done is None or done >= last:
        return None
    following = range(max(done + 1, 0), last + 1)
    return next((i for i in following if not chain.actions[i].can_fail), None)


def status_of(index: int, chain: Chain, report: ClientReport) -> Status | None:
    """What the client says of one action; None for those after the one that stopped the chain.

    A failure without an index may be that of any: each is then judged by what the page shows. One
    that says that all went well, or that all failed, against its own index says nothing.
    """
    done, last = report.executed_index, len(chain.actions) - 1
    if done is None:
        return report.status
    if index <= done:
        return "unknown" if report.status == "failure" and index == done == last else "success"
    if report.status != "failure":
        return "unknown"
    stop = stopped_at(chain, report)
    if stop is None or index == stop:
        return "failure"
    return "unknown" if index < stop else None


def combined(judged: list[Judged], chain: Chain) -> Evidence:
    """The evidence of the whole chain.

    A last action that worked (a form taken) makes up for fields that can no longer be read; a last
    one that did not, or of which nothing is known, does not. Neither does a chain that was stopped.
    """
    needed = [e for planned, e in judged if not planned.can_fail] or [e for _, e in judged]
    if not needed:
        return unclear(0.5, "Nothing was sent to the browser")
    last = needed[-1]
    if len(needed) > 1 and last.happened:
        needed = [e for e in needed[:-1] if not _is_superseded(e, last)] + [last]
    if failed := [e for e in needed if e.happened is False]:
        return failed[0]
    if left_open := [e for e in needed if e.happened is None]:
        return left_open[-1]
    for planned in chain.actions[len(judged) :]:
        if not planned.can_fail:
            return no(0.9, not_reached(planned))
    weakest = min(needed, key=lambda e: e.confidence)
    return yes(weakest.confidence, "; ".join(filter(None, dict.fromkeys(e.why for e in needed))))


def told_chain(chain: Chain, report: ClientReport) -> tuple[str, ...]:
    """How far a chain came, in words; nothing where all of it was done."""
    count, stop, done = len(chain.actions), stopped_at(chain, report), report.executed_index
    if count < 2:
        return ()
    if stop is not None:
        failed = chain.actions[stop]
        return (f"{stop} of {count} actions were done; {_name(failed)} failed",)
    if done is not None and done + 1 < count:
        return (f"{done + 1} of {count} actions were done for sure",)
    return ()


def not_reached(planned: PlannedAction) -> str:
    """The reason where all that was begun worked, and that action was not begun."""
    return f"{_name(planned)} {NOT_REACHED}"


def _name(planned: PlannedAction) -> str:
    return planned.description or planned.action.text


def _is_superseded(earlier: Evidence, last: Evidence) -> bool:
    """Whether what a later action did explains that an earlier one cannot be read any more.

    What is read of a field that is gone, or empty again, is less than what its submit shows.
    """
    taken = last.confidence >= _TAKEN
    return earlier.overlooked and taken if earlier.happened else earlier.overlooked or taken
