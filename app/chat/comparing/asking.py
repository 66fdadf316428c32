"""The comparison as a model words it, every cell checked against its passages."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

from pydantic import BaseModel, Field

from app.chat.comparing.rows import GENERAL, ORDER, Row, Verdict
from app.chat.comparing.sections import batches
from app.chat.comparing.table import MOST_ROWS, Line
from app.chat.evidence import Citing, Claim
from app.chat.evidence.claims import Cited, said
from app.chat.evidence.facts import adds_nothing
from app.chat.evidence.support import contradict
from app.chat.statements import Held, Statement, amounts_of, differing, marked
from app.chat.statements.relating import contrast, paired
from app.chat.statements.words import terms_of
from app.chat.tools import Asked
from app.domain.chat import Evidence
from app.errors import BudgetReached, ModelFailed
from app.llm.fence import NAME, new_tag
from app.llm.port import Model, ModelRequest
from app.llm.prompting import fill
from app.llm.writing import Writing, joined

TEMPLATE = "comparing.v1"
MAX_OUTPUT = 2_400  # tokens: twelve rows of two cells
LONGEST_NOTE = 120  # characters
MOST_READ = 4 * MOST_ROWS  # of one reply
LONGEST_THEME = 60
NOTE_HELD = 0.75  # part of a note's words that its cells have
LONGEST_MESSAGE = 1_000
LETTERS = "ABCDEF"


class CellCitation(BaseModel):
    """Where a cell stands."""

    passage: str = ""
    quote: str = ""


class Cell(BaseModel):
    """What one document says."""

    document: str = ""
    text: str = ""
    citations: list[CellCitation] = Field(default_factory=list)


class ComparedRow(BaseModel):
    """One theme."""

    theme: str = ""
    cells: list[Cell] = Field(default_factory=list)
    verdict: Literal["agree", "differ", "only"] = "differ"
    note: str = ""


class Compared(BaseModel):
    """What a call found."""

    rows: list[ComparedRow] = Field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Worded:
    """The rows that hold; none where the model was of no help."""

    lines: list[Line]
    citing: Citing
    notices: tuple[str, ...] = ()


async def worded(
    asked: Asked,
    held: Sequence[Held],
    groups: Sequence[Sequence[Statement]],
    rows: Sequence[Row],
    model: Model,
) -> Worded:
    """At most `MOST_CALLS` calls. A model that fails leaves what came before it."""
    citing = Citing([])
    lines: list[Line] = []
    notices: list[str] = []
    calls, whole = batches(held, groups, rows)
    if not whole:
        notices.append(
            "The documents are long: the model read the passages that seemed most telling."
        )
    for passages in calls:
        try:
            reply = await model.ask(request(asked, held, passages, Writing(new_tag())))
        except (ModelFailed, BudgetReached) as error:
            notices.append(f"The model could not be asked: {error.title}.")
            break
        citing.evidence = passages  # a call may cite what it was given alone
        lines += [
            line for row in reply.rows[:MOST_READ] if (line := _line(row, held, citing)) is not None
        ]
    ordered = sorted(_once(lines), key=lambda line: ORDER[line.verdict])
    return Worded(ordered[:MOST_ROWS], citing, tuple(notices))


def request(
    asked: Asked, held: Sequence[Held], passages: Sequence[Evidence], write: Writing
) -> ModelRequest[Compared]:
    """The call for these passages."""
    letters = _letters(held)
    names = [f"{letters[one.document.id]}: {one.document.title}" for one in held]
    said = [f"[{one.ref}] {letters[one.document_id]}\n{one.text}" for one in passages]
    parts = [
        write.trusted("The person asks", asked.plain[:LONGEST_MESSAGE]),
        write.fenced("Documents", *names),
        write.fenced("Passages", *said),
    ]
    return ModelRequest(
        purpose="compare",
        system=system(),
        template=TEMPLATE,
        prompt=joined(parts),
        reply=Compared,
        tier="strong",
        max_output_tokens=MAX_OUTPUT,
    )


def system() -> str:
    """What every such call shares, word for word."""
    return fill(TEMPLATE, fence=NAME, rows=str(MOST_ROWS))


def _letters(held: Sequence[Held]) -> dict[str, str]:
    return {one.document.id: letter for one, letter in zip(held, LETTERS, strict=False)}


def _line(row: ComparedRow, held: Sequence[Held], citing: Citing) -> Line | None:
    """The row with the cells that hold. One that lost a cell tells nothing of what a document lacks."""
    given: dict[str, Cell] = {}
    for cell in row.cells:
        if cell.text.strip():
            given.setdefault(cell.document.strip(" .:").upper(), cell)
    letters = _letters(held)
    kept: list[tuple[str, str] | None] = []
    for one in held:
        cell_of = given.get(letters[one.document.id])
        shown = _cited(cell_of, one, citing) if cell_of else None
        kept.append((cell_of.text, shown) if cell_of and shown else None)
    texts = [one[0] for one in kept if one]
    lost = len(texts) < len(given)
    if not texts or not row.theme.strip() or (len(texts) == 1 and lost):
        return None
    verdict, what = _verdict(row, texts)
    return Line(
        _theme(row.theme, texts, held), tuple(one and one[1] for one in kept), verdict, what
    )


def _theme(theme: str, texts: Sequence[str], held: Sequence[Held]) -> str:
    """A theme names what the cells are about, in a few words, and states nothing."""
    headings = [" ".join(passage.heading_path) for one in held for passage in one.passages]
    named = said(theme)
    few = len(named) <= LONGEST_THEME
    return named if few and adds_nothing(named, *texts, *headings) else GENERAL


def _cited(cell: Cell, held: Held, citing: Citing) -> str | None:
    """The cell with its markers, where a passage of its own document holds it."""
    own = {one.ref for one in held.passages}
    cites = tuple(
        Cited(ref, one.quote.strip())
        for one in cell.citations
        if (ref := one.passage.strip("[] ")) in own
    )
    return marked(citing, Claim(" ".join(cell.text.split()), cites))


def _verdict(row: ComparedRow, texts: Sequence[str]) -> tuple[Verdict, str]:
    """What the cells show goes before what the model says of them."""
    if len(texts) == 1:
        return "only", ""
    unlike = [
        contrast(a, b)
        for one, other in combinations(texts, 2)
        for a, b in paired(amounts_of(one), amounts_of(other))
        if differing(a, b)
    ]
    if unlike:
        return "differ", "; ".join(dict.fromkeys(unlike))
    if row.verdict == "agree" and not any(contradict(*pair) for pair in combinations(texts, 2)):
        return "agree", ""
    return "differ", _note(row.note, texts)


def _note(note: str, texts: Sequence[str]) -> str:
    """The note, where it says nothing that the cells do not."""
    shown = said(note)
    terms = set(terms_of(shown))
    there = terms & set(terms_of(" ".join(texts)))
    held = adds_nothing(shown, *texts) and len(there) >= NOTE_HELD * len(terms)
    return shown if terms and held and len(shown) <= LONGEST_NOTE else ""


def _once(lines: Sequence[Line]) -> list[Line]:
    seen: dict[tuple[str | None, ...], Line] = {}
    for line in lines:
        seen.setdefault(line.cells, line)
    return list(seen.values())
