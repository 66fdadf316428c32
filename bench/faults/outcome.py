"""The outcome of a run, by what the site's server received and by what the person was told."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from bench.faults.apps import APPS, Goal
from bench.faults.cases import BY_NAME, Case
from bench.faults.site import Submission

Kind = Literal["repaired", "true reason", "wrong reason", "false completed", "twice"]


@dataclass(frozen=True, slots=True)
class Result:
    """One run. `outcome` is decided by the server's counts first: `twice` if more than one submission was
    accepted, `false completed` if the task says so and the records do not. `fired` is false if the run ended
    before its fault occurred. `corrections` are (strategy, source) pairs, `skills` counts uses of something
    learned in an earlier run.
    """

    case: Case
    goal: str
    outcome: Kind
    state: str
    said: str
    fired: bool
    submissions: int
    accepted: int
    round_trips: int
    seconds: float
    corrections: tuple[tuple[str, str], ...] = ()
    steps: tuple[str, ...] = field(default=())
    skills: int = 0

    @property
    def repairable(self) -> bool:
        """Whether it can be resolved without a person."""
        return self.case.fault not in BY_NAME or BY_NAME[self.case.fault].repairable


def judge_run(
    *,
    case: Case,
    goal: Goal,
    state: str,
    said: str,
    seconds: float,
    task: Mapping[str, Any],
    answers: Sequence[Mapping[str, Any]],
    handed: tuple[Submission, ...],
    fired: bool,
    strayed: bool = False,
    skills: int = 0,
) -> Result:
    """Compare the run with the records. `strayed`: it pressed something unrelated on the way."""
    accepted = [one for one in handed if one.accepted]
    return Result(
        case=case,
        goal=goal.words,
        outcome="wrong reason" if strayed else _outcome(case, goal, state, said, accepted),
        state=state,
        said=said,
        fired=fired,
        submissions=len(handed),
        accepted=len(accepted),
        round_trips=len(answers),
        seconds=round(seconds, 1),
        corrections=tuple(_corrections(answers)),
        steps=tuple(_steps(task)),
        skills=skills,
    )


def broken_result(case: Case, said: str) -> Result:
    """A run that did not end by itself; it counts as stopped without a good reason."""
    return Result(case, "", "wrong reason", "broken", said, True, 0, 0, 0, 0.0)


def _outcome(case: Case, goal: Goal, state: str, said: str, accepted: list[Submission]) -> Kind:
    reached = len(accepted) == 1 and _is_meant(case, goal, accepted[0])
    if len(accepted) > 1:
        return "twice"
    if state == "completed":
        return "repaired" if reached else "false completed"
    if accepted and not reached:
        return "wrong reason"  # something else was changed, whatever the message says
    fault = BY_NAME.get(case.fault)
    reason = said.partition("Tried:")[0]
    told = fault is not None and re.search(fault.truth, reason, re.IGNORECASE)
    return "true reason" if told and not fault.repairable else "wrong reason"


def _is_meant(case: Case, goal: Goal, handed: Submission) -> bool:
    """Whether that is the requested effect and nothing else."""
    wanted = dict(goal.values)
    app = APPS[case.app]
    if case.fault == "another format" and app.strict is not None:
        wanted[app.field] = app.strict[1](wanted[app.field])
    same = all(handed.values.get(name) == value for name, value in wanted.items())
    return handed.op == goal.op and handed.row == goal.row and same


def _corrections(answers: Iterable[Mapping[str, Any]]) -> Iterable[tuple[str, str]]:
    for answer in answers:
        told = answer.get("correction")
        if told and told.get("strategy"):
            yield str(told.get("strategy")), str(told.get("source") or "")


def _steps(task: Mapping[str, Any]) -> Iterable[str]:
    for one in task.get("actions") or ():
        said = (one.get("verification") or {}).get("reason") or ""
        error = (one.get("error") or {}).get("code", "")
        what = f"{one.get('stepIndex')} {one.get('action')} [{one.get('description')}]"
        yield f"{what} {one.get('status')} {error} {said}".strip()
