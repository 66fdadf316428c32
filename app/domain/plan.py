"""Plans, the analysis of a goal, and the decision for one step."""

from typing import Literal

from app.domain.access import Effect
from app.domain.action import Action, Provenance
from app.domain.base import Value
from app.domain.directive import Candidate, Directive, Instruction
from app.domain.hitl import ChosenOption, Question
from app.domain.memory import CorrectionSource, RecordedStep
from app.domain.page import DialogDecision
from app.domain.verdict import ExpectedOutcome

StepStatus = Literal["pending", "current", "completed", "skipped"]
PartStatus = Literal["pending", "current", "completed", "skipped", "failed"]
Maker = Literal["rules", "model", "recipe"]

DomMode = Literal["semantic", "skeleton", "hybrid", "full"]
"""Extra observation modes that may be requested from the client, besides the list of controls."""


class PlanStep(Value):
    """One line of the plan. `directive` is the source of a rule-made step.

    `depends_on` are ids of steps that must be done first; `expected` describes how the page shows
    completion; `recorded` is the recipe step it came from, with its parameters filled in. `by_person`: the
    step was handed over, and a person says it is done. `refused`: what the person declined, so that the
    step was skipped. `chosen` is the option a person chose for this step alone.
    """

    id: str
    description: str
    status: StepStatus = "pending"
    directive: Directive | None = None
    depends_on: tuple[str, ...] = ()
    expected: str = ""
    recorded: RecordedStep | None = None
    by_person: bool = False
    refused: bool = False
    chosen: ChosenOption | None = None


class Contingency(Value):
    """What to do if something interrupts the plan: `trigger` is what the page shows then."""

    trigger: str
    steps: tuple[str, ...]
    used: bool = False


class SubTask(Value):
    """A part of a large goal, done in a context of its own.

    `inputs` names the outputs of earlier sub-tasks it needs, `outputs` its own. `reason` says why it was
    reopened or failed.
    """

    id: str
    goal: str
    inputs: tuple[str, ...] = ()
    outputs: tuple[str, ...] = ()
    status: PartStatus = "pending"
    reason: str = ""


class Plan(Value):
    """The steps in order, and the index of the next one (`len(steps)` when all are done).

    A large goal has `subtasks`; the steps are then those of the sub-task at `subtask`.
    """

    steps: tuple[PlanStep, ...] = ()
    current: int = 0
    instruction: Instruction | None = None
    maker: Maker = "rules"
    contingencies: tuple[Contingency, ...] = ()
    subtasks: tuple[SubTask, ...] = ()
    subtask: int = 0

    @property
    def step(self) -> PlanStep | None:
        return self.steps[self.current] if self.current < len(self.steps) else None

    def advanced(self, status: StepStatus = "completed", *, refused: bool = False) -> "Plan":
        """The plan with its current step ended and the next one current; `refused` as in `PlanStep`."""
        steps = list(self.steps)
        if self.current < len(steps):
            ended = {"status": status, "refused": refused}
            steps[self.current] = steps[self.current].model_copy(update=ended)
        following = self.current + 1
        if following < len(steps):
            steps[following] = steps[following].model_copy(update={"status": "current"})
        return self.model_copy(update={"steps": tuple(steps), "current": following})


class Proposal(Value):
    """A proposed action for the current step, with its description and purpose."""

    action: Action
    description: str
    purpose: Literal["work", "explore", "correct"] = "work"
    can_fail: bool = False
    dialog: DialogDecision | None = None
    provenance: Provenance | None = None
    skill: str | None = None  # id of the skill that proposed it


class Decision(Value):
    """What to do for the current step on the current page.

    `act`: execute `proposals` in order (more than one is a chain); `completes_step` says that success
    completes the step. `done`: the step is satisfied already. `ambiguous`: `candidates` match `about`
    equally well. `missing`: what the step needs is not on the page and nothing is left to try; `reason`
    names it. `answer`: `reason` is the answer text.

    Only a model proposes these: `finish`: the goal (or sub-task) is reached, with `reason` for the person,
    the page text `quote` as evidence, and the sub-task's `outputs`. `fail`: it cannot be reached, with the
    `reason`. `look`: observe the page in `mode` first. `search`: search the web for `query` first. `read`:
    answer the question `query` from the page, or run `lookups`. `ask`: ask the person `question` first. A
    `plan` replaces the current plan. `derived` are values with their derivation ("12 = sum: 5, 7").
    `unsent` explains, per chosen action, why it is not sent.
    """

    outcome: Literal[
        "act", "done", "ambiguous", "missing", "answer",
        "finish", "fail", "look", "search", "read", "ask",
    ]  # fmt: skip
    maker: Maker = "rules"
    plan: Plan | None = None
    expected: ExpectedOutcome | None = None
    outputs: dict[str, str] = {}
    quote: str = ""
    derived: tuple[str, ...] = ()
    unsent: tuple[str, ...] = ()
    mode: DomMode | None = None
    query: str = ""
    lookups: tuple[Action, ...] = ()
    question: Question | None = None
    notice: str | None = None  # for the person: a model was unavailable and rules were used instead
    thought: str = ""
    proposals: tuple[Proposal, ...] = ()
    completes_step: bool = True
    confidence: float = 0.0
    candidates: tuple[Candidate, ...] = ()
    about: str = ""
    reason: str = ""
    strategy: str | None = None  # set for a correction: "wait", "dismiss overlay", ...
    source: CorrectionSource | None = None  # origin of a correction
    effect: Effect | None = None  # the gravest effect of its actions, according to the model


class Correction(Value):
    """The strategy chosen after a failure, and the attempt number within the step (from 1)."""

    strategy: str
    attempt: int
    source: CorrectionSource = "strategy"


class Outcome(Value):
    """How a run ended.

    `code` is an error code of `app.errors` if a limit ended it; `hand_over` is the step offered to the
    person, after which the task can continue.
    """

    status: Literal["completed", "failed", "interrupted"]
    message: str
    code: str | None = None
    hand_over: str | None = None


Source = Literal["MEMORY", "PAGE", "WEB_SEARCH", "ASK_USER"]
IntentType = Literal["operation", "conversation", "meta"]


class Complexity(Value):
    """SIMPLE: one clear action on one identifiable element. `reason` is for people."""

    level: Literal["SIMPLE", "COMPLEX"]
    reason: str = ""


class Analysis(Value):
    """What a goal needs before planning, and what the same call already worked out.

    All `required_sources` are to be used. `answer` is set if nothing is to be done on the page
    (conversation, meta); `missing` tells the person what was not understood; `question` must be answered by
    the person first; `search` is what to search the web for. `plan` and `first`, the decision for the first
    step on this page, are set if the same call provided them. `confidence` in 0..1, `missing_fields` and
    `effect`, the gravest that the goal needs, are the planner's own estimates for deciding whether to ask a
    person.
    """

    required_sources: tuple[Source, ...] = ("PAGE",)
    answer: str | None = None
    missing: str | None = None
    question: Question | None = None
    search: str | None = None
    intent_type: IntentType = "operation"
    confidence: float = 1.0
    effect: Effect | None = None
    missing_fields: tuple[str, ...] = ()
    plan: Plan | None = None
    first: Decision | None = None
    outputs: dict[str, str] = {}  # outputs of the previous sub-task, by name
    notice: str | None = None
