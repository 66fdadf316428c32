"""What a run knows besides the page: documents, searches, answers, downloads, memory."""

from typing import Literal

from app.domain.base import Value, renamed_field
from app.domain.hitl import Approval, UserAction
from app.domain.memory import Advice, Recollection, SiteChoice, Skill

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
        """The lines of the text."""
        return self.text.splitlines()

    @property
    def summary(self) -> str:
        """The name and known facts on one line: "report.csv, 1.2 KB, 34 lines"."""
        parts = [self.name, format_size(self.size) if self.size is not None else ""]
        parts += [f"{len(self.lines)} lines" if self.text else f"not read: {self.unread}"]
        return ", ".join(filter(None, parts if self.text or self.unread else parts[:-1]))


def format_size(size: int) -> str:
    """Format a size in bytes for people."""
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
        """The citation shown to people."""
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
