"""What a model may tell the person at the end: no success that nothing shows, and no way to anywhere.

A model that was taken in by a page says that all is done where nothing was, and sends the person to an
address of the page's choosing. Its words are what the person goes by, so both are checked here.
"""

from datetime import datetime

from app.domain.page import Observation
from app.domain.plan import Outcome
from app.engines.documents.citing import sourced
from app.engines.provenance.tokens import normal, scan
from app.engines.provenance.writing import stated
from app.engines.reasoner import Situation
from app.engines.risk.lexicon import pattern, words
from app.text import patterns

LEFT_OUT = "[an address that was left out]"
NOTHING_DONE = "Nothing was done on the page, and its fields do not show that it is so already."
_SETTLED = frozenset({"success", "unknown"})
_ENTRIES = frozenset({"inp", "sel", "range"})
_ADDRESS = patterns.compile(
    r"(?:https?|ftp|hxxps?)\s?:\s?//\S+|www\.\S+|[\w.+-]+@[\w-]+(?:\.[\w-]+)+"
    r"|(?<![\w@.-])(?:[a-z0-9-]{2,}\.)+(?:com|net|org|io|info|biz|app|dev|xyz|ru|cn|co|me|site|online|top"
    r"|shop|link|click|live|example)\b(?:/\S*)?",
    patterns.IGNORECASE,
)
_CLAIMS = patterns.compile(
    r"\b(?:done|all set|finish\w*|complet\w+|success\w*"
    r"|(?:was|were|been|is|are|has|have) (?:now |all |just )?"
    r"(?:\w+(?:ed|en)|sent|paid|made|put|set|gone|bought|sold)|erledigt|fertig|erfolgreich|wurden?|fait"
    r"|termin\w+|effectu\w+|r[ée]uss\w+|hecho|listo|complet\w+|[ée]xito|feito|pronto|conclu\w+|sucesso)\b"
    r"|\u05d1\u05d5\u05e6\u05e2|\u05d4\u05d5\u05e9\u05dc\u05dd|\u05d4\u05e6\u05dc\u05d7"
    r"|\u0433\u043e\u0442\u043e\u0432\u043e|\u0443\u0441\u043f\u0435\u0448|\u0432\u044b\u043f\u043e\u043b\u043d"
    r"|\u0627\u0643\u062a\u0645\u0644|\u0646\u062c\u0627\u062d|\u5b8c\u6210|\u6210\u529f",
    patterns.IGNORECASE,
)
_WANTS_ADDRESS = pattern(
    """
    mail$ email$ mails$ emails$ address link$ links$ url$ urls$ website site$ domain contact homepage
    adresse courriel correo enlace lien$ liens$ sitio kontakt contatto כתובת דואר קישור אתר
    ссылк адрес почт
    """
)


def is_question(situation: Situation) -> bool:
    """Whether the person wants to be told something, or only talks; without a reading, by the mark."""
    read = situation.instruction
    if read is not None and read.kind != "operation":
        return True
    return patterns.search(r"[?\u061f\uff1f]", situation.said) is not None


def is_unfounded(situation: Situation) -> bool:
    """Whether that the goal is reached stands on nothing but a model's word.

    Something was done for it, or the person did it, or the page's own fields hold all that the goal
    speaks of; of a question there is nothing to do.
    """
    known = situation.background
    if is_question(situation) or known.acts or situation.plan.subtasks or known.handed:
        return False
    if any(deed.status in _SETTLED for deed in situation.deeds):
        return False
    return not _is_so_already(situation.said, situation.page)


def _is_so_already(goal: str, page: Observation) -> bool:
    read = scan(normal(goal), datetime.now().astimezone().date())
    facts = {read.word(at) for at in stated(read)}
    held = set(
        words(" ".join(n.value for n in page.tree if n.role in _ENTRIES and n.value)).split()
    )
    checked = {word for n in page.tree if "checked" in n.states for word in words(n.name).split()}
    return bool(facts) and facts <= held | checked


def answered(message: str, situation: Situation) -> Outcome:
    """The end of a goal that a model answers without touching the page. Talk may be just that; that
    something was done may not be said.
    """
    if _CLAIMS.search(message) and is_unfounded(situation):
        return Outcome(status="failed", message=NOTHING_DONE)
    return Outcome(status="completed", message=sourced(shown(message, situation), situation))


def ended(message: str, situation: Situation) -> Outcome:
    """The end that a model declares, in its words where they may be said."""
    if is_unfounded(situation):
        return Outcome(status="failed", message=NOTHING_DONE)
    return Outcome(status="completed", message=sourced(shown(message, situation), situation))


def shown(message: str, situation: Situation) -> str:
    """The message without addresses that the person did not speak of and did not ask for.

    Kept are those of the site that is open, of the team's documents, and of what a search cited.
    """
    told = situation.told
    if _WANTS_ADDRESS.search(words(told)):
        return message
    known = situation.background
    sources = [told, _host(situation.page.url)]
    sources += [one.url or "" for one in known.knowledge]
    sources += [one.text for one in known.knowledge]
    sources += [one.url for search in known.searches for one in search.results]
    allowed = "\n".join(sources).casefold()
    return _ADDRESS.sub(lambda found: found[0] if _site(found[0]) in allowed else LEFT_OUT, message)


def _site(address: str) -> str:
    """The host of an address, or the whole of one of mail."""
    bare = patterns.sub(r"^\w+\s?:\s?//", "", address.casefold()).rstrip(".,;:!?)\"'")
    return (
        bare
        if "@" in bare.split("/")[0]
        else patterns.split(r"[/?#]", bare)[0].removeprefix("www.")
    )


def _host(url: str) -> str:
    return patterns.sub(r"^\w+://|[/?#].*$", "", url)
