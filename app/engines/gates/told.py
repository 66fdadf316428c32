"""What was answered, and what it comes to in a field of the page."""

from collections.abc import Iterable, Sequence

from app.domain.background import Background
from app.domain.page import Node, Observation
from app.domain.plan import Proposal
from app.engines.asking import LONGEST_FIELD, plain
from app.engines.gates.facts import Facts, read
from app.engines.gates.kinds import wanted
from app.engines.gates.sayings import folded
from app.engines.refinement.dates import counts_from_today
from app.engines.refinement.values import setting
from app.engines.risk.lexicon import pattern, words

# A list's first line that stands for no choice.
_UNCHOSEN = pattern(
    """
    select$ select_an$ select_a select_one select_your choose$ choose_a choose_one choose_your
    please_select please_choose pick_a pick_one none_selected no_selection not_selected
    bitte_wahlen bitte_auswahlen auswahlen$ wahlen_sie choisir$ choisissez selectionner selectionnez
    seleccione seleccionar elija elige_un selecione selecionar escolha בחר$ בחרו בחירה$
    """
)


def facts_of(fields: Sequence[str], text: str, page: Observation) -> Facts:
    """What an answer says for these fields, of which the page knows what they take."""
    return read([wanted(name, page) for name in fields], text) if fields else Facts()


def known(background: Background) -> dict[str, str]:
    """What was answered, by the name of its field; what was said last counts."""
    return {name: value for one in background.answers for name, value in one.given.items()}


def times_asked(name: str, background: Background) -> int:
    """How often the field was asked for without a value coming of it."""
    return sum(
        name in one.fields and name not in one.given and name not in one.left and not one.given
        for one in background.answers
    )


def entering(node: Node, value: str) -> Proposal | None:
    """The answer, entered in that control; None where it does not take it."""
    if counts_from_today(node, value):
        return None
    made = setting(node, value)
    return None if made is None else Proposal(action=made[0], description=made[1])


def called(node: Node) -> str:
    """A field as a question names it."""
    return plain(node.name or node.hint, LONGEST_FIELD).rstrip(" *:")


def is_empty(node: Node) -> bool:
    """Whether nothing was entered or chosen; a line that only says "Choose…" is no choice."""
    if node.role == "chk":
        return "checked" not in node.states
    value = (node.value or "").strip()
    if node.role == "sel" and value:
        bare = not any(one.isalnum() for one in value)
        return "invalid" in node.states or bare or _UNCHOSEN.match(words(value)) is not None
    return not value


def is_choice(line: str) -> bool:
    """Whether a line of a list is something to choose."""
    return bool(words(line)) and not _UNCHOSEN.match(words(line))


def same_name(name: str, told: Iterable[str]) -> str | None:
    """The name of the field that this one is, as it was asked for; None where it was not."""
    said = folded(name)
    return next((one for one in told if folded(one) == said), None) if said else None


def left_out(name: str, background: Background) -> bool:
    """Whether the person said, when asked last, to leave it empty."""
    about = [one for one in background.answers if name in one.fields]
    return bool(about) and name in about[-1].left
