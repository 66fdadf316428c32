"""What a person is not asked, whatever a page would like to know."""

import re

from app.domain.page import Observation
from app.domain.question import Question
from app.engines.redaction import SECRET_FIELD

_ADDRESS = re.compile(
    r"https?:|www\.|\w@\w|\b[\w-]+\.(?:com|net|org|io|example|ru|cn|xyz|info)\b", re.I
)


def improper(question: Question, page: Observation) -> str | None:
    """Why the question is not put; None when it may be.

    A secret is asked for only where the page has a field for one. A question sends nobody anywhere:
    a person takes it for the agent's own words.
    """
    if question.kind == "approval":
        return None  # in our own words, of an action that is shown as it is
    for field in question.fields:
        if _ADDRESS.search(field):
            return f"A person is not sent anywhere by a question: '{field}'"
        if SECRET_FIELD.search(field) and not _takes_secret(page):
            return f"No field of this page takes what was to be asked for: '{field}'"
    return None


def worded(question: Question, page: Observation) -> Question:
    """The question, with the site named to which a secret would go."""
    if not any(SECRET_FIELD.search(field) for field in question.fields):
        return question
    host = re.sub(r"^\w+://|[/?#].*$", "", page.url)
    told = f"It will be entered on {host}."
    if told in question.text:
        return question
    return question.model_copy(update={"text": f"{told} {question.text}"})


def _takes_secret(page: Observation) -> bool:
    return any(
        node.role == "inp"
        and (node.input_type == "password" or SECRET_FIELD.search(f"{node.name} {node.hint}"))
        for node in page.tree
    )
