"""Web results are kept apart from the documents, and private data is not sent."""

from datetime import datetime

from tests.fakes.scripted import asks_for
from tests.fakes.tavily import found
from tests.integration.chat.chat_desk import ChatDesk, Json
from tests.integration.chat.test_bad_input import answer, judged
from tests.integration.desk import Served

OWN = "Guests pay eight euros for lunch."
LAW = "The law allows nine euros for lunch."
PAGE = ("Law of lunch", "https://law.example/lunch", LAW)
PRIVATE = ("ann@corp.example", "0958", "4111", "hunter2secret", "DE89")
ASKED = (
    "May lunch cost more by law? I am ann@corp.example, +44 20 7946 0958, my card is 4111 1111 1111 1111, "
    "my account DE89 3704 0044 0532 0130 00, my password is hunter2secret"
)


def claim(text: str, *words: tuple[str, str]) -> Json:
    return {"text": text, "quotes": [{"source": ref, "words": one} for ref, one in words]}


def test_the_web_is_cited_apart_and_told_nothing_private(chat: ChatDesk, served: Served) -> None:
    id_ = chat.put("lunch.md", f"# Canteen\n\n{OWN} The safe opens with falcon.\n")
    both = claim("Lunch at eight euros keeps to the nine of the law.", ("P1", OWN), ("W2", LAW))
    told = answer(claim(OWN, ("P1", OWN)), claim(LAW, ("W2", LAW)), both)
    served.gemini.clear()
    served.gemini.when(asks_for("claims", "answered"), told)
    served.gemini.when(asks_for("verdicts"), judged)
    served.tavily.clear()
    served.tavily.always(found(PAGE))
    end = chat.say(ASKED, action="inquire", tagged_doc_ids=[id_], enable_web_search=True).end
    (query,) = served.tavily.queries
    assert "May lunch cost more by law" in query
    assert not [one for one in (*PRIVATE, "falcon") if one in query]
    assert end["web_query"] == query
    day = datetime.now().astimezone().date()
    own, head, web = end["response"].partition(f"**law.example, {day}**")
    assert head
    assert own.strip() == f"{OWN} [1]"
    assert web.split() == f"{LAW} [2] {both['text']} [1][2]".split()
    assert [(one["kind"], one["url"]) for one in end["citations"]] == [
        ("document", None),
        ("web", "https://law.example/lunch"),
    ]
    assert end["citations"][1]["label"] == f"law.example, {day}"
    served.gemini.check()


def test_a_text_to_audit_goes_nowhere(chat: ChatDesk, served: Served) -> None:
    id_ = chat.put("lunch.md", f"# Canteen\n\n{OWN}\n")
    served.gemini.clear()
    served.gemini.when(
        asks_for("audited", "rules"), {"audited": ["T"], "rules": [], "language": "en"}
    )
    served.tavily.clear()
    served.tavily.always(found(PAGE))
    said = "Check this: Our guests from Falcon and Sons pay nine euros."
    chat.say(said, action="audit", tagged_doc_ids=[id_], enable_web_search=True)
    assert served.tavily.queries == ["Check this:"]
