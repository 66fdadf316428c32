"""What a run knows besides the page: documents, searches, answers, downloads, memory."""

from typing import Literal

from app.domain.base import Value, renamed_field
from app.domain.hitl import Approval, UserAction
from app.domain.memory import Advice, Recollection, SiteChoice, Skill

_UNITS = ("bytes", "KB", "MB", "GB")


class Download(Value):
    """One as the task keeps it. `url` is that of the page where the page made it; `text` what is in it, as
    Markdown and as far as it is kept, "" where nothing was read: `unread` says why, where that is known.
    """

    name: str
    url: str
    size: int | None = None
    text: str = ""
    unread: str = ""

    @property
    def lines(self) -> list[str]:
        """The text, line by line."""
        return self.text.splitlines()

    @property
    def summary(self) -> str:
        """Its name and what is known of it, on a line: "report.csv, 1.2 KB, 34 lines"."""
        parts = [self.name, format_size(self.size) if self.size is not None else ""]
        parts += [f"{len(self.lines)} lines" if self.text else f"not read: {self.unread}"]
        return ", ".join(filter(None, parts if self.text or self.unread else parts[:-1]))


def format_size(size: int) -> str:
    """So many bytes, as a person says it."""
    scaled, unit = float(size), 0
    while scaled >= 1_000 and unit < len(_UNITS) - 1:
        scaled, unit = scaled / 1_000, unit + 1
    return (
        f"{scaled:.1f} {_UNITS[unit]}" if unit and scaled < 100 else f"{scaled:.0f} {_UNITS[unit]}"
    )


class MemoryLine(Value):
    """One line of the conversation before this goal, oldest first."""

    role: Literal["user", "assistant"]
    content: str


class Passage(Value):
    """A piece of the team's documents. `score` in 0..1; `label` is how it is cited, as in
    "Handbook, page 3". `own`: it is the team's, and not what everybody can read. `vouched`: somebody of the
    team handed it in, so that its values count as the team's; what was read off a page or the web does not.
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
        """How a person is told where it stands."""
        return self.label or self.title


class WebResult(Value):
    """One page that a web search found; `text` is its excerpt."""

    title: str
    url: str
    text: str


class WebSearch(Value):
    """A search of the web and what came of it.

    `need` is what was to be found out, `query` the last query sent, `tries` how many were. Where
    `solved`, `answer` says what was found, in words. `unavailable` says why nothing could be searched.
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

    `fields` are the names of the fields asked for, `values` what the answer says for them, `left_empty` those
    it says to leave empty. `about` is the subject of a question that names no field.
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
      looked up since.
    - `subtask_outputs`: outputs of earlier sub-tasks, by name. `extracts`: what `extract` read from pages, by
      its question. `downloads`: files that the browser saved, oldest first. `hints`: sentences from the
      skills library.
    - `skills`, `choices`, `episodes`: what was learned on `site`, the site they were loaded for.
    - `approved`, `refused`: what the person said yes and no to in this run.
    - `sites`: the site where the person began ("" for none), then those of the run's sites where an earlier
      task of the tenant was completed.
    - `acts`: what the person did while they had taken over. `advice`: operators' decisions on similar tasks.
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
