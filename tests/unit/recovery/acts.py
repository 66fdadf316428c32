"""Action records of a run."""

from app.domain.action import ActionRecord, action
from app.recovery import assess_chain, settle_chain


def record(name="click", *args, page="a", step=0, status="success", **more):
    args = args or ("1",)
    return ActionRecord(
        action=action(name, *args),
        description=more.pop("description", name),
        step=step,
        fingerprint=page,
        status=status,
        signature=more.pop("signature", ("btn", f"B{args[0]}", "")),
        **more,
    )


def press(label, *, role="btn", group="", page="a", **more):
    """A click on something of that name."""
    more.setdefault("description", f"Click {label}")
    return record("click", "1", signature=(role, label, group), page=page, **more)


def pages(count, start=0):
    """So many pages that look different."""
    return [f"p{at}" for at in range(start, start + count)]


def judge_chain(standing, page, report):
    """The result of a chain by tier 1 alone."""
    look = assess_chain(standing, page, report)
    return settle_chain(look, look.verdict())
