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
"""What the client may be asked to look at the page in, besides the list of its controls."""


class PlanStep(Value):
    """One line of the plan. `directive` is what a rule-made step was read from.

    `depends_on` are ids of steps that must be done before; `expected` is how the page shows that
    this one is done; `recorded` is what a recipe's step was read from, its parameters filled in.
    `by_person`: it was handed over, and a person says that it is done. `refused`: it was left out, with
    what a person said no to. `chosen` is which of several a person meant, for this step alone.
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
    """What to do should something come in between: `trigger` is what the page then shows."""

    trigger: str
    steps: tuple[str, ...]
    used: bool = False


class SubTask(Value):
    """A part of a large goal, done with a context of its own.

    `inputs` names outputs of earlier sub-tasks that it needs, `outputs` what it hands on. `reason`
    says why it was opened a second time, or has failed.
    """

    id: str
    goal: str
    inputs: tuple[str, ...] = ()
    outputs: tuple[str, ...] = ()
    status: PartStatus = "pending"
    reason: str = ""


class Plan(Value):
    """The steps, in order, and which one is next (`len(steps)` when all are done).

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
        """The current step."""
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
    """An action proposed for the current step, in words and with what it is for."""

    action: Action
    description: str
    purpose: Literal["work", "explore", "correct"] = "work"
    can_fail: bool = False
    dialog: DialogDecision | None = None
    provenance: Provenance | None = None
    skill: str | None = None  # the id of the skill that proposes it


class Decision(Value):
    """What to do for the current step on the page as it is.

    `act`: `proposals` are to be executed in order (more than one is a chain); `completes_step` says
    that the step is done when they succeed. `done`: the step holds already, nothing to do.
    `ambiguous`: `candidates` fit `about` equally. `missing`: what the step needs is not here, and nothing is
    left to try; `reason` says what was missing. `answer`: `reason` is the text that answers.

    Only a model proposes these: `finish`: the goal (or the sub-task) is reached, `reason` says so to
    the person, `quote` is the text that shows it, `outputs` are what the sub-task hands on. `fail`: it
    cannot be reached, `reason` says why. `look`: the page must be seen in `mode` first. `search`:
    `query` must be found out on the web first. `read`: `query` is a question to answer from the page, or
    `lookups` are actions that are.
    `ask`: `question` must be answered first. `plan`, where it is set, replaces the plan. `derived` are
    values with what they were worked out of ("12 = sum: 5, 7"). `unsent` says of each action that was
    chosen and is not sent why it is not.
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
    notice: str | None = None  # for the person: that a model was away, and rules went on
    thought: str = ""
    proposals: tuple[Proposal, ...] = ()
    completes_step: bool = True
    confidence: float = 0.0
    candidates: tuple[Candidate, ...] = ()
    about: str = ""
    reason: str = ""
    strategy: str | None = (
        None  # named when this corrects a failure: "wait", "dismiss overlay", ...
    )
    source: CorrectionSource | None = None  # of a correction: where it came from
    effect: Effect | None = None  # the gravest that its actions have, as the model says


class Correction(Value):
    """The strategy chosen after a failure, and the which-th try of the step it is (from 1)."""

    strategy: str
    attempt: int
    source: CorrectionSource = "strategy"


class Outcome(Value):
    """How a run ended. `code` is an error code of `app.errors` when a limit ended it; `hand_over` is
    the step that a person is offered to do, after which the task can go on.
    """

    status: Literal["completed", "failed", "interrupted"]
    message: str
    code: str | None = None
    hand_over: str | None = None


Source = Literal["MEMORY", "PAGE", "WEB_SEARCH", "ASK_USER"]


IntentType = Literal["operation", "conversation", "meta"]


class Complexity(Value):
    """SIMPLE: one clear action on one identifiable element. `reason` in plain words."""

    level: Literal["SIMPLE", "COMPLEX"]
    reason: str = ""


class Analysis(Value):
    """What a goal needs before it can be planned, and what was already worked out with it.

    `required_sources` are all to be used. `answer` is set when nothing is to be done on the page
    (conversation, meta); `missing` says, in words for the person, what could not be understood;
    `question` must be answered by the person first; `search` is what to find out on the web.
    `plan` and `first`, the step's first refinement on this same page, are set when the call that
    analysed gave them too. `confidence` in 0..1, `missing_fields`, and `effect`, the gravest that the goal
    needs, are the planner's own view, for the gate to people.
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
    outputs: dict[str, str] = {}  # what the sub-task before the current one hands on, by name
    notice: str | None = None
