"""What a run knows besides the page: documents, searches, answers, downloads, memory."""

from typing import Literal

from app.domain.base import Value
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
    """What a person answered to a question.

    `fields` were asked for, by their names; `given` is what the answer says for them, `left` are those
    it says to leave empty. `about` is what the question was, where it named no field.
    """

    question: str
    text: str
    hitl_id: str = ""
    about: str = ""
    fields: tuple[str, ...] = ()
    values: dict[str, str] = {}
    left_empty: tuple[str, ...] = ()


class Background(Value):
    """What may be used besides the goal and the page. `knowledge` was found in the team's documents for
    the goal on the page at `known_at`, or for what was looked up since. `handed` holds the outputs of the
    sub-tasks before this one, by name; `read` what `extract` read from pages, by its question; `downloads`
    are the files that the browser saved, oldest first; `hints` are
    sentences from the skills library. `skills`, `choices` and `episodes` are what was learned on
    `site`, for which they were recalled. `approved` and `refused` are what the person said yes and no
    to in this run; `sites` is where the person began ("" for no site), then those of its way where an
    earlier task of the tenant was completed; `acts` are
    what the person did themselves while they had taken over; `advice` is what operators decided of
    something similar.
    """

    memory: tuple[MemoryLine, ...] = ()
    knowledge: tuple[Passage, ...] = ()
    knowledge_url: str = ""
    searches: tuple[WebSearch, ...] = ()
    answers: tuple[GivenAnswer, ...] = ()
    subtask_outputs: dict[str, str] = {}
    extracts: dict[str, str] = {}
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
