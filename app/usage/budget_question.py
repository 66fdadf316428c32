"""The budget warning, and the question asked when a limit is reached."""

from app.domain.hitl import Option, Question
from app.domain.metrics.budget import CENT, BudgetIncrease, BudgetStatus, format_usd, usd_to_nano
from app.usage.allowance import Allowance, BudgetBound, BudgetStop

TENTH = 10  # by which a user may exceed a monthly limit if no limit per task is set

WHOSE = {
    "task": "this task's budget",
    "user": "your budget for this month",
    "tenant": "your team's budget for this month",
}


def create_budget_question(
    stop: BudgetStop, allowance: Allowance, *, node: str, operator: bool
) -> Question:
    """Ask whether to spend more. Only an operator can raise a monthly limit: other users are told whom
    to ask, and may continue without the model or stop.
    """
    bound = stop.bound
    more = _amount(stop, allowance)
    lift = BudgetIncrease(
        scope=bound.scope, until_nano=max(stop.limit, stop.spent) + more, month=bound.month
    )
    spends = Option(id="more", label=f"Spend up to {format_usd(more)} more on this task")
    others = (
        Option(id="rules", label="Go on without the model"),
        Option(id="stop", label="Stop here"),
    )
    may = operator or bound.scope == "task"
    text = _text(stop) if may else f"{_text(stop)} An operator of your team can let it spend more."
    return Question(
        text=text,
        kind="clarification",
        source="budget",
        return_to=f"{node}/spend",
        options=(spends, *others) if may else others,
        further=() if may else (spends,),
        about=bound.scope,
        lift=lift,
    )


def budget_warning(standing: BudgetStatus) -> str:
    """The warning shown once when a limit is near."""
    spent, limit = usd_to_nano(standing.spent_usd), usd_to_nano(standing.limit_usd)
    whose = WHOSE[standing.scope]
    return f"{whose[0].upper()}{whose[1:]}: {format_usd(spent)} of {format_usd(limit)} are spent."


def _text(stop: BudgetStop) -> str:
    whose = WHOSE[stop.bound.scope]
    spent = f"{format_usd(stop.spent)} of {format_usd(stop.limit)} are spent"
    if stop.spent >= stop.limit:
        return f"{whose[0].upper()}{whose[1:]} is used up: {spent}. How shall this task go on?"
    need = f"it takes about {format_usd(stop.need)}"
    return f"One more call would pass {whose}: {spent}, and {need}. How shall this task go on?"


def _amount(stop: BudgetStop, allowance: Allowance) -> int:
    """The amount to add: a task limit again; for a monthly limit, a task's limit or a tenth of the
    month's.
    """
    task = next((one for one in allowance.bounds if one.scope == "task"), None)
    given = task.limit if task is not None else _tenth(stop.bound)
    return max(given, 2 * stop.need)


def _tenth(bound: BudgetBound) -> int:
    return max(CENT, bound.limit // TENTH)
