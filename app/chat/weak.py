"""The question that is asked where the documents say little."""

from app.chat.tools import Asked, Tools
from app.domain.question import Option, Question

SAID = "The documents say little about this. How shall I go on?"
SAID_OF = "What you named says little about this. How shall I go on?"


def question_of(asked: Asked, tools: Tools) -> Question:
    """Other documents, the web where it can be searched, or what there is."""
    options = [Option(id="tag_docs", label="Choose documents")]
    if tools.search is not None and tools.search.available is None:
        options.append(Option(id="web_search", label="Search the web"))
    options.append(Option(id="continue", label="Continue anyway"))
    return Question(
        text=SAID_OF if asked.documents or asked.sets else SAID,
        kind="clarification",
        source="retrieval",
        return_to="inquire/weak",
        options=tuple(options),
    )
