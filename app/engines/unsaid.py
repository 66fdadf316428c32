"""What a model would enter, choose or press though nothing the person said speaks for it.

A model may have been taken in by what a page, a document or a search told it. What it types is let
pass where the person gave the value, or where they named the field and wanted it read off the page;
what it chooses or presses, where the person's words are about it. The rest waits for a yes that shows
the value. Words are compared by stem and meaning, as the grounder compares them.
"""

from app.domain.action import Action
from app.domain.background import Origin, Provenance
from app.domain.page import Node
from app.domain.plan import Proposal
from app.domain.sites import site_of
from app.engines.ambiguity import is_other_day
from app.engines.disambiguation.pinning import pinned
from app.engines.grounding.label import label
from app.engines.light import is_light_choice, is_light_press, marks_a_decision
from app.engines.provenance.statement import offers_another, rivals, said_otherwise
from app.engines.provenance.trace import is_answer, reads, trace
from app.engines.reasoner import Situation
from app.engines.records import is_other_option, record_of
from app.engines.redaction import SECRET_FIELD, secrets_known
from app.engines.refinement.values import hidden, holds
from app.engines.risk import assess
from app.engines.risk.commands import said as command
from app.engines.risk.controls import container, dismisses, entries, inside, is_opener, is_submit
from app.engines.risk.lexicon import pattern, words
from app.engines.risk.places import is_consent, is_sieve, is_way, tagged
from app.engines.spoken import GENERIC, about, is_only_quoted, telling_words, unquoted
from app.text import patterns

_THEIRS: frozenset[Origin] = frozenset({"goal", "answer"})
_TOGGLES = frozenset({"chk", "rad", "opt", "sel"})
_GIVES = frozenset({"inp", "el", "range"})
_SHORTEST_SECRET = 4  # characters of a secret that is looked for within a longer text
_RECORDS = frozenset({"row", "item"})
_BESIDE = 2  # words between a value and what it is said to be
_SHORT = 3  # words of a command
_TAKES_OUT = pattern(
    """
    export download backup dump herunterlad exportier exporter telecharg descarg exportar baixar
    ייצא ייצוא הורד экспорт скач
    """
)
_ALL = pattern(
    """
    all$ every$ everyone everybody everything alle$ allen$ alles$ tous$ toutes$ todos$ todas$ tudo$
    """
)
# What goes on acting or letting others in once it is made.
_LASTS = pattern(
    """
    filter$ filters$ rule$ rules$ webhook api+key access+key ssh+key token$ tokens$ passkey backup+code
    recovery+code transfer+code auth+code app+password integration plugin extension$ forwarding alias
    share+link public+link delegate regel$ regeln$ schlussel cle+api clave+api chave+api
    """
)
_BEGINS = pattern(
    """
    create$ add$ generate$ get$ new$ install$ enable$ issue$ make$ erstell erzeug anleg hinzufug
    installier creer ajouter generer installer crear anadir generar instalar criar adicionar gerar
    """
)
_WINDOWS = patterns.compile(
    r"\b(tabs?|windows?|fenster|onglets?|pesta[nñ]as?|abas?)\b|לשונית|вкладк", patterns.IGNORECASE
)


def unsaid(proposal: Proposal, situation: Situation) -> bool:
    """Whether nothing that the person said speaks for the action."""
    action, page = proposal.action, situation.page
    if action.name == "closeTab":
        return _WINDOWS.search(situation.told) is None
    node = page.tree.get(action.target or "")
    if node is not None and node in pinned(situation.plan, page):
        return False
    if (
        proposal.dialog is not None
        and proposal.dialog.text
        and _typed_unsaid(proposal.dialog.text, proposal.provenance, None, situation)
    ):
        return True
    if node is None:
        return False
    if action.name == "setValue":
        return _typed_unsaid(str(action.args["text"]), proposal.provenance, node, situation)
    if action.name == "selectOption":
        return _chosen_unsaid(str(action.args["label"]), node, situation)
    if action.name == "setChecked":
        return _switched_unsaid(node, situation)
    return False


def carries_off(proposal: Proposal, situation: Situation) -> bool:
    """Whether it types a secret where none belongs, or a value of another site: asked about also where
    the policy has nobody asked.
    """
    if proposal.action.name != "setValue":
        return False
    node = situation.page.tree.get(proposal.action.target or "")
    if _holds_secret(str(proposal.action.args["text"]), situation) and not _takes_secrets(node):
        return True
    source = proposal.provenance
    if source is None or source.origin not in ("page", "search"):
        return False
    site = site_of(source.ref or "")
    return bool(site) and site != site_of(situation.page.url)


def pressed_unsaid(action: Action, node: Node, situation: Situation) -> bool:
    """Whether a press on this control would change what is stored, and nobody spoke of it."""
    if action.name not in ("click", "clickAt", "pressKey", "dragTo"):
        return False
    page = situation.page
    if node in pinned(situation.plan, page) or is_sieve(node) or is_consent(node):
        return False
    if node.role in _TOGGLES:
        return node.role != "sel" and action.name != "dragTo" and _toggled_unsaid(node, situation)
    name = node.name or node.hint
    if _TAKES_OUT.search(words(name)) and not about(name, situation):
        return True
    if is_opener(node) or _goes_far(node, situation):
        return not is_opener(node)
    return not is_light_press(node, situation) and _acts_unsaid(action, node, name, situation)


def _acts_unsaid(action: Action, node: Node, name: str, situation: Situation) -> bool:
    page = situation.page
    if assess(action, node, page).level == "low":
        return _does_something(node) and not about(name, situation)
    if dismisses(node):
        return False
    if is_submit(node, page):
        return not _submits_what_is_wanted(node, situation)
    return not about(name, situation)


def _goes_far(node: Node, situation: Situation) -> bool:
    """Whether it works on all of something, beyond looking at it, or makes what lasts and lets others in,
    tells of a decision, or offers another value than theirs, and the person did not say so.
    """
    name = words(node.name)
    if node.role not in ("btn", "el") or is_way(node):
        return False
    if record_of(node) is None and offers_another(node.name, situation):
        return True
    lasts = _LASTS.search(name) and _BEGINS.search(name)
    if (lasts or marks_a_decision(name)) and not about(node.name, situation):
        return True
    if not _ALL.search(name) or _ALL.search(words(unquoted(situation.told))):
        return False
    return command(node.name).manner not in ("looks", "dismisses", "declines")


def _does_something(node: Node) -> bool:
    """Whether it is a button of a record that is called by a known word, and not by one for looking; or
    one that closes a thing and is not the way out of a dialog.
    """
    last = node.groups[-1][0] if node.groups else ""
    manner, several = command(node.name).manner, len(words(node.name).split()) > 1
    if manner == "changes" and several and all(kind != "dialog" for kind, _ in node.groups):
        return True
    known = tagged(node.name, "known") and len(words(node.name).split()) <= _SHORT
    return node.role == "btn" and last in _RECORDS and known and manner == "none"


def _typed_unsaid(
    text: str, source: Provenance | None, node: Node | None, situation: Situation
) -> bool:
    if not text.strip() or (node is not None and holds(node, text)):
        return False
    if _holds_secret(text, situation) and not _takes_secrets(node):
        return True
    found = source or trace(text, situation, node=node)
    if found is None:
        return True
    if found.origin in _THEIRS:
        return (
            is_other_day(text, node, situation)
            or _is_from_a_quotation(text, node, situation)
            or (node is not None and _is_for_another(text, node, situation))
        )
    if found.origin == "memory" and found.ref == "user":
        return False
    if not _is_plain(node) and said_otherwise(text, situation):
        return True
    return not _may_be_taken(text, found.origin, node, situation)


def _is_from_a_quotation(text: str, node: Node | None, situation: Situation) -> bool:
    """Whether only a text that the person quotes says so, for a field that they did not speak of."""
    named = node is not None and about(node.name or node.hint, situation)
    return not named and not _is_plain(node) and is_only_quoted(text, situation.told)


def _may_be_taken(text: str, origin: Origin, node: Node | None, situation: Situation) -> bool:
    """Whether a value that the person did not give may be entered unasked, by where it came from."""
    named = node is not None and (
        about(node.name or node.hint, situation) or _is_the_number(node, situation)
    )
    plain = _is_plain(node)
    match origin:
        case "knowledge":
            return named or plain
        case "search":
            return named or (plain and is_answer(text, situation))
        case "memory":
            return False  # the agent's own words, which may be a page's
        case "subtask" if plain:
            return True
        case _:
            return named and reads(situation) and not rivals(text, situation)


def _is_the_number(node: Node, situation: Situation) -> bool:
    """Whether it takes a telephone number, and the person spoke of a number: it goes by that alone."""
    name = words(f"{node.name} {node.hint}")
    takes = node.input_type == "tel" or _PHONE.search(name) is not None
    return takes and _NUMBER.search(words(unquoted(situation.told))) is not None


def _is_for_another(text: str, node: Node, situation: Situation) -> bool:
    """Whether it is a number that the person said beside the name of another field of this page."""
    value = text.strip()
    if not value.replace(".", "").replace(",", "").isdigit() or about(node.name, situation):
        return False
    said = words(situation.told).split()
    places = [at for at, word in enumerate(said) if word == words(value)]
    beside = " ".join(
        word for at in places for word in said[max(0, at - _BESIDE) : at + _BESIDE + 1]
    )
    meant = label(beside).meaning_set | label(beside).stems
    return any(
        set(label(word).stems) & meant
        for other in page_fields(node, situation)
        for word in telling_words(other.name)
    )


def page_fields(node: Node, situation: Situation) -> list[Node]:
    """The other fields that a value may be typed into."""
    return [n for n in situation.page.tree if n.role in _GIVES and n is not node]


def _holds_secret(text: str, situation: Situation) -> bool:
    known = secrets_known(situation)
    return any(one == text or (len(one) >= _SHORTEST_SECRET and one in text) for one in known)


def _takes_secrets(node: Node | None) -> bool:
    return node is not None and (
        hidden(node) or SECRET_FIELD.search(f"{node.name} {node.hint}") is not None
    )


def _is_plain(node: Node | None) -> bool:
    """Whether it is a field in which a wrong word does little: none that says who gets what."""
    if node is None or node.input_type in ("email", "tel", "url", "number"):
        return False
    return _STRICT.search(words(f"{node.name} {node.hint}")) is None


_STRICT = pattern(
    """
    iban account konto compte cuenta conta recipient payee beneficiar empfang destinat benefic amount
    betrag montant importe valor sum$ price preis prix precio bic$ swift routing card$ karte carte$
    tarjeta cartao mail$ email$ courriel correo to$ cc$ bcc$ phone telefon tel$ url$ website address
    adresse direccion endereco forward user$ username login wallet חשבון סכום נמען טלפון כתובת דואר
    счет сумм получател
    """
)


_PHONE = pattern("phone telephone mobile telefon tel$ handy telefono telefone טלפון телефон")
_NUMBER = pattern("number$ numbers$ nummer numero numeros מספר номер")


def _chosen_unsaid(chosen: str, node: Node, situation: Situation) -> bool:
    """Whether neither the option nor, for one of two, its list was spoken of."""
    if is_sieve(node) or holds(node, chosen):
        return False
    source = trace(chosen, situation, node=None)
    if is_light_choice(node):
        return False
    if is_other_option(chosen, node.options, situation.told):
        return True
    if source is not None and source.origin in (*_THEIRS, "knowledge"):
        return False
    return not about(chosen, situation)


def _switched_unsaid(node: Node, situation: Situation) -> bool:
    settled = is_sieve(node) or is_consent(node) or is_light_choice(node)
    return not settled and _toggled_unsaid(node, situation)


def _toggled_unsaid(node: Node, situation: Situation) -> bool:
    if node.role == "chk":
        places = (text for kind, text in node.groups if kind in ("row", "item", "fieldset"))
        return not any(about(text, situation) for text in (node.name, node.hint, *places))
    return _chosen_unsaid(node.name, node, situation)


def _submits_what_is_wanted(node: Node, situation: Situation) -> bool:
    """Whether the form is the one that is being filled, or the person's words are about it."""
    page, form = situation.page, container(node)
    places = [text for _, text in node.groups]
    if any(about(text, situation) for text in (node.name or node.hint, *places)):
        return True
    fields = {field.signature for field in entries(page, form)}
    if any(deed.signature in fields for deed in situation.deeds if deed.action.name in _ENTERING):
        return True
    telling = set(telling_words(node.name)) - GENERIC
    if telling and form is None:
        return False
    return any(about(field.name or field.hint, situation) for field in entries(page, form)) or (
        form is not None and inside(node, form) and not telling
    )


_ENTERING = frozenset({"setValue", "selectOption", "setChecked", "uploadFile"})
