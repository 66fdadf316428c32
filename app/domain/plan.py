"""Plans, what is expected of an action, and what came of it."""

from typing import Literal

from app.domain.action import Action, PlannedAction
from app.domain.background import Provenance
from app.domain.base import Value
from app.domain.correction import CorrectionSource
from app.domain.dialog import DialogDecision
from app.domain.directive import Directive, Instruction
from app.domain.effect import Effect
from app.domain.grounding import Candidate
from app.domain.question import Chosen, Question
from app.domain.recipe import RecordedStep
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
    chosen: Chosen | None = None


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


ActStatus = Literal["pending", "success", "failure", "unknown"]


class Deed(Value):
    """One action that was sent to the browser, and what came of it: the run's own memory.

    `step` is the index of the plan step it served, `fingerprint` that of the page it was taken on.
    `signature` is the (role, name, group) of the element acted on.
    """

    action: Action
    action_id: str = ""
    description: str = ""
    step: int = 0
    fingerprint: str = ""
    signature: tuple[str, str, str] | None = None
    status: ActStatus = "pending"
    purpose: Literal["work", "explore", "correct"] = "work"
    note: str = ""
    url: str = ""
    replaced: str = ""  # what the field held before; nothing of a password
    error: str = ""  # why it failed: the client's code, or VERIFICATION_FAILED
    strategy: str = ""  # of a correction
    skill: str | None = None  # the skill that proposed it
    chain: int = (
        0  # the which-th chain of the task it was sent in, from 1; 0 where that is not known
    )
    ends_step: bool = True  # the step is done when it works: it is the last of a chain that says so


class Proposal(Value):
    """An action proposed for the current step, in words and with what it is for."""

    action: Action
    description: str
    purpose: Literal["work", "explore", "correct"] = "work"
    can_fail: bool = False
    dialog: DialogDecision | None = None
    provenance: Provenance | None = None
    skill: str | None = None  # the id of the skill that proposes it


class Refinement(Value):
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


class Chain(Value):
    """What was sent to the browser last, with what was expected of it."""

    actions: tuple[PlannedAction, ...] = ()
    expected: ExpectedOutcome = ExpectedOutcome()
    completes_step: bool = True
    purpose: Literal["work", "explore", "correct"] = "work"


class Report(Value):
    """What the client says of the actions it was sent.

    `unknown`: it cannot say whether the action happened. `executed_index` is that of the last one that
    succeeded in a chain, -1 when none did, None when the client did not say; `executed` are those that
    did, where not all of them. `unanswered`: its last click was done, and nothing in the page answered it.
    """

    status: Literal["success", "failure", "unknown"] = "success"
    error_code: str | None = None
    error_message: str | None = None
    executed_index: int | None = None
    executed: tuple[str, ...] | None = None
    unanswered: bool = False


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
