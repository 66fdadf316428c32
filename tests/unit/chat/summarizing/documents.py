"""Documents for summaries, cut at their headings, and a model that says what it was told to."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime

from app.chat.tools import Asked, Tools
from app.domain.chat import DocumentRef
from app.domain.knowledge import Chunk, Placed
from app.domain.policy import Policy
from app.errors import NotFound
from knowledge.port import Part

THEN = datetime(2026, 11, 1, tzinfo=UTC)


def parts(text: str, document_id: str = "d1") -> list[Part]:
    """A part for each piece between empty lines, `# ` lines begin sections."""
    made: list[Part] = []
    section: tuple[str, ...] = ()
    for piece in text.strip().split("\n\n"):
        if piece.startswith("# "):
            section = (piece[2:].strip(),)
            continue
        made.append(part(piece, section, len(made), document_id))
    return made


def part(
    text: str, section: tuple[str, ...] = (), number: int = 0, document_id: str = "d1"
) -> Part:
    chunk_id = f"{document_id}-{number}"
    kind = "table" if text.startswith("|") else "code" if text.startswith("```") else "prose"
    chunk = Chunk(
        chunk_id=chunk_id,
        tenant="t",
        document_id=document_id,
        text=text,
        heading_path=section,
        kind=kind,
        tokens=len(text) // 4,
        created_at=THEN,
    )
    return Part(chunk=chunk, placed=Placed(chunk_id=chunk_id, start=0, end=len(text)))


class Documents:
    """The documents of a tenant by their ids."""

    def __init__(self, **kept: Sequence[Part]) -> None:
        self.kept = kept

    async def titles(self, tenant):
        return []

    async def resolve(self, tenant, query, policy):
        raise AssertionError("a summary reads whole documents")

    async def parts(self, tenant, document_id):
        if document_id not in self.kept:
            raise NotFound("no such document")
        return self.kept[document_id]


class Told:
    """A model: each call is answered by the next of what it was told, or fails with it."""

    names = {"fast": "told", "strong": "told"}

    def __init__(self, *replies: Callable | Exception) -> None:
        self.replies = list(replies)
        self.requests = []

    async def ask(self, request):
        self.requests.append(request)
        reply = self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]
        if isinstance(reply, Exception):
            raise reply
        return request.reply.model_validate(reply(request))


def tools(documents: Documents, model=None) -> Tools:
    return Tools(tenant="t", documents=documents, policy=Policy(tenant="t"), model=model)


def asked(message: str, *documents: tuple[str, str]) -> Asked:
    named = documents or (("d1", "Handbook"),)
    refs = tuple(DocumentRef(id=one, title=title) for one, title in named)
    return Asked(message=message, plain=message, documents=refs)


HANDBOOK = """
# Leave

Every employee has 25 days of paid leave in a calendar year.
Leave is requested in the portal at least two weeks before it begins.
Managers answer a request within three working days.

Unused leave of up to five days is carried over to the next year.
However, it expires at the end of March.

# Expenses

Employees are reimbursed for travel that a manager has approved.
Receipts must be handed in within 30 days of the journey.
Meals are paid up to 40 euros a day.

Click here to download the form.

# Security

Passwords must have at least 14 characters and are kept in the password manager.
Laptops are encrypted and locked when nobody sits before them.
A lost device is reported to the help desk within one hour.

# Working hours

The core hours are from 10 to 15 o'clock on working days.
Employees may work from home on up to three days a week.
Overtime is compensated with time off in the same quarter.

# Table of contents

Leave, expenses, security and working hours are all in this handbook.
"""
