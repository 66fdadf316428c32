"""What a run knows besides the page, and the Reasoner port, which proposes. The callers decide."""

from dataclasses import dataclass
from datetime import date
from typing import Literal, Protocol

from app.domain.access import Effect
from app.domain.action import ActionRecord, Chain
from app.domain.base import Value, renamed_field
from app.domain.directive import Instruction
from app.domain.hitl import Approval, UserAction
from app.domain.memory import Advice, Recollection, SiteChoice, Skill
from app.domain.page import Observation
from app.domain.plan import Analysis, Decision, Plan, Proposal
from app.domain.verdict import (
    AnswerMeaning,
    Critique,
    EffectReview,
    ExpectedOutcome,
    ModelOpinion,
    RePlan,
    Verdict,
)

_UNITS = ("bytes", "KB", "MB", "GB")


class Download(Value):
    """A download as the task keeps it.

    `url` is the address of the page if the page generated it. `text` is its content as Markdown, possibly
    cut; "" if it was not read, with the reason in `unread` if known.
    """

    name: str
    url: str
    size: int | None = None
    text: str = ""
    unread: str = ""

    @property
    def lines(self) -> list[str]:
        return self.text.splitlines()

    @property
    def summary(self) -> str:
        """The name and known facts on one line: "report.csv, 1.2 KB, 34 lines"."""
        parts = [self.name, format_size(self.size) if self.size is not None else ""]
        parts += [f"{len(self.lines)} lines" if self.text else f"not read: {self.unread}"]
        return ", ".join(filter(None, parts if self.text or self.unread else parts[:-1]))


def format_size(size: int) -> str:
    scaled, unit = float(size), 0
    while scaled >= 1_000 and unit < len(_UNITS) - 1:
        scaled, unit = scaled / 1_000, unit + 1
    return (
        f"{scaled:.1f} {_UNITS[unit]}" if unit and scaled < 100 else f"{scaled:.0f} {_UNITS[unit]}"
    )


class MemoryLine(Value):
    """One line of the conversation before this goal."""

    role: Literal["user", "assistant"]
    content: str


class Passage(Value):
    """A passage of the team's documents.

    `score` is in 0..1; `label` is its citation, such as "Handbook, page 3". `own`: it belongs to the team
    and is not public knowledge. `vouched`: a team member uploaded it, so its values count as the team's;
    text read from pages or the web is not vouched for.
    """

    text: str
    title: str
    url: str | None = None
    score: float = 0.0
    label: str = ""
    document_id: str = ""
    own: bool = True
    vouched: bool = True

    @property
    def cited(self) -> str:
        return self.label or self.title


class WebResult(Value):
    """A page found by a web search; `text` is its excerpt."""

    title: str
    url: str
    text: str


class WebSearch(Value):
    """A web search and its result.

    `need` is the information wanted, `query` the last query sent, `tries` the number of queries. If
    `solved`, `answer` states the finding. `unavailable` is the reason why no search was possible.
    """

    need: str
    query: str = ""
    results: tuple[WebResult, ...] = ()
    solved: bool = False
    answer: str = ""
    tries: int = 0
    unavailable: str | None = None


class GivenAnswer(Value):
    """A person's answer to a question.

    `fields` are the names of the requested fields, `values` their answers, `left_empty` those to leave
    empty. `about` is the subject of a question that names no field.
    """

    question: str
    text: str
    hitl_id: str = ""
    about: str = ""
    fields: tuple[str, ...] = ()
    values: dict[str, str] = renamed_field({}, "values", stored="given")
    left_empty: tuple[str, ...] = renamed_field((), "left_empty", stored="left")


class Background(Value):
    """What a run may use besides the goal and the page.

    - `knowledge`: passages of the team's documents, found for the goal on the page `knowledge_url`, or
      looked up later.
    - `subtask_outputs`: outputs of earlier sub-tasks, by name. `extracts`: results of `extract`, by
      question. `downloads`: files that the browser saved, oldest first. `hints`: sentences from the skills
      library.
    - `skills`, `choices`, `episodes`: what was learned on `site`, the site they were loaded for.
    - `approved`, `refused`: what the person approved and refused in this run.
    - `sites`: the site where the person began ("" for none), then the sites of this run on which an
      earlier task of the tenant was completed.
    - `acts`: what the person did during a takeover. `advice`: operators' decisions on similar tasks.
    """

    memory: tuple[MemoryLine, ...] = ()
    knowledge: tuple[Passage, ...] = ()
    knowledge_url: str = renamed_field("", "knowledge_url", stored="known_at")
    searches: tuple[WebSearch, ...] = ()
    answers: tuple[GivenAnswer, ...] = ()
    subtask_outputs: dict[str, str] = renamed_field({}, "subtask_outputs", stored="handed")
    extracts: dict[str, str] = renamed_field({}, "extracts", stored="read")
    downloads: tuple[Download, ...] = ()
    hints: tuple[str, ...] = ()
    site: str = ""
    skills: tuple[Skill, ...] = ()
    choices: tuple[SiteChoice, ...] = ()
    episodes: tuple[Recollection, ...] = ()
    approved: tuple[Approval, ...] = ()
    refused: tuple[Approval, ...] = ()
    sites: tuple[str, ...] = ()
    acts: tuple[UserAction, ...] = ()
    advice: tuple[Advice, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """The state of a run: the goal, the plan, the current page, and the actions so far (oldest first).

    `effect` is the goal's gravest effect according to the model; None if unknown. `verdict` is the result
    of the last chain, `before` the packed page it was chosen on; `shown_before` the packed page before the
    last submission or navigation. `refused` says why the previous decision for this page was not sent, if
    it is requested again; `unsent` what was left out of it, and why; `seeing` the result of its request for
    another observation mode, `looked_up` of its lookups. If the plan has sub-tasks, `records` are those of
    the current one only. `rules_only`: do not call a model, because the caller has an alternative if rules
    are unsure, or replays a recipe. `today` is the date that "tomorrow" is relative to. `replanning`: the
    page differs from the one that the plan was made for.
    """

    goal: str
    page: Observation
    effect: Effect | None = None
    instruction: Instruction | None = None
    plan: Plan = Plan()
    records: tuple[ActionRecord, ...] = ()
    background: Background = Background()
    verdict: Verdict | None = None
    before: bytes = b""
    shown_before: bytes = b""
    refused: str | None = None
    unsent: tuple[str, ...] = ()
    seeing: str = ""
    looked_up: str = ""
    rules_only: bool = False
    today: date | None = None
    replanning: RePlan | None = None

    @property
    def stated_goal(self) -> str:
        """The goal in the person's own words; a sub-task's goal is in a model's."""
        if not self.plan.subtasks:
            return self.goal
        return self.instruction.text if self.instruction else ""

    @property
    def stated_text(self) -> str:
        """Everything the person said for this task: the goal and their later answers."""
        return "\n".join((self.stated_goal, *(answer.text for answer in self.background.answers)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Transition:
    """A transition for a model to judge: the page `before` the `chain`, and what tier 1 `found`.

    `tier` 2 is a short question about this chain, 3 a full one about the goal. The page after it is the
    situation's; the situation's plan and records are those before the verdict.
    """

    before: Observation
    chain: Chain
    found: Verdict
    tier: Literal[2, 3]
    last_step: bool


class Reasoner(Protocol):
    """Proposes; raises `ModelFailed` if the model is unavailable."""

    async def understand(self, goal: str, page: Observation) -> Instruction:
        """Parse the goal: its kind and its directives."""
        ...

    async def analyse(self, situation: Situation) -> Analysis:
        """Determine what the goal needs before planning, with anything else the same call provides."""
        ...

    async def plan(self, situation: Situation) -> Plan:
        """Plan steps from this page to the goal (or the current sub-task's)."""
        ...

    async def refine(self, situation: Situation) -> Decision:
        """Decide what to do for the current step or, if no step is left, whether the goal is reached."""
        ...

    async def predict(
        self, situation: Situation, proposals: tuple[Proposal, ...]
    ) -> ExpectedOutcome:
        """Predict checkable outcomes of the proposals."""
        ...

    async def judge(self, situation: Situation, transition: Transition) -> ModelOpinion:
        """Judge the last chain if tier 1 could not."""
        ...

    async def correct(self, situation: Situation, reason: str) -> Decision:
        """Propose an alternative after the last action failed for `reason`."""
        ...

    async def criticise(self, situation: Situation, refinement: Decision) -> Critique:
        """Check that the decision makes sense for its step."""
        ...

    async def examine(
        self, situation: Situation, acts: tuple[str, ...], surroundings: tuple[str, ...]
    ) -> EffectReview:
        """Judge what these described acts would do now, and whether the person's words ask for exactly
        that. `surroundings` is all text and questions around their controls on the page.
        """
        ...

    async def hear(self, situation: Situation, question: str, answer_text: str) -> AnswerMeaning:
        """Interpret an answer to an approval question that is neither yes nor no."""
        ...

    async def answer(self, situation: Situation, question: str) -> str | None:
        """Answer a question from the page; None if the page does not say."""
        ...

    async def weigh(self, search: WebSearch) -> WebSearch:
        """Judge whether the results satisfy the need: `solved` and `answer`, or a better `query`."""
        ...
