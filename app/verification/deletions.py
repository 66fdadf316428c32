"""Whether a record that was to be deleted is gone: a dialog closes, a button answers and a message
says so before the server has done anything.
"""

from app.domain.directive import Instruction, Target
from app.domain.page import Node, Observation
from app.page.difference import Difference
from app.page.difference_wording import quote
from app.text.lexicon import does, words
from app.verification.evidence import Evidence, Scene, unclear, yes
from app.verification.readback import counted, mentions, plain
from app.verification.records import LINES

RECORDS = frozenset({"row", "item", "list"})  # groups that stand for a record each


def still_listed(
    goal: Instruction | None, before: Observation, after: Observation, diff: Difference
) -> str:
    """That the record that was to be deleted is listed as often as before; "" where it is not.

    Where the page says that it is done, the record has to have a name of its own to be looked for.
    """
    asked = _deletion(goal)
    if asked is None or asked.all:
        return ""
    name = record_name(asked)
    left, listed = rows_naming(after, name), rows_naming(before, name)
    if not left or left < listed:
        return ""  # a dialog may have covered the list before: then nothing is to be compared
    if diff.successes and (listed > 1 or not _names_one(after, name)):
        return ""
    return f"'{quote(name)}' is still there"


def undeleted(scene: Scene) -> str:
    """Why the page does not show that what was to be deleted is gone; "" where it does.

    It says so, or stands where it stood and lists one fewer, or speaks of the record no more. A dialog that
    came up asks first; another page may only ask, or be about something else.
    """
    before, after, diff = scene.before, scene.after, scene.diff
    asked = _deletion(scene.goal) if scene.ends else None
    if asked is None:
        return ""
    for one in asked.excluding:
        if rows_naming(before, one) and not rows_naming(after, one):
            return f"{quote(one)} was to stay, and is no longer listed"
    if (listed := still_listed(scene.goal, before, after, diff)) or diff.successes:
        return listed
    if diff.opened:
        return f"A dialog opened: {quote(diff.opened[0])}"
    if asked.all:
        return f"The page went to {quote(diff.address.after)}" if diff.address.page else ""
    name = record_name(asked)
    fewer = rows_naming(after, name) < rows_naming(before, name) and _lists_others(scene)
    if fewer or (speaks_of(before, name) and not speaks_of(after, name)):
        return ""
    return f"Nothing on the page shows that {quote(name)} is gone"


def _deletion(goal: Instruction | None) -> Target | None:
    """What a goal ends with deleting."""
    asked = goal.directives[-1] if goal and goal.directives else None
    return asked.target if asked is not None and asked.verb == "delete" else None


def is_proper(name: str) -> bool:
    """Whether it is written as a name is, with a capital letter or a digit."""
    return any(sign.isupper() or sign.isdigit() for sign in name)


def record_name(target: Target) -> str:
    """What the record is called: of "the bill 'Lamp'" the name beside its kind; of "Jas from the list" the
    proper name, and not where it is listed.
    """
    named = is_proper(target.phrase) and not is_proper(target.within or "")
    return target.phrase if named else target.within or target.phrase


def speaks_of(page: Observation, name: str) -> bool:
    """Whether the page has the name anywhere: in its title, a text, a control, or what holds controls."""
    if mentions(page, name) or counted(plain(page.title), name):
        return True
    return any(name.casefold() in node.group.casefold() for node in page.tree)


def rows_naming(page: Observation, name: str) -> int:
    """How many records of the page are named so: a dialog that asks about one is none."""
    groups = {n.group: n for n in page.tree if name.casefold() in n.group.casefold()}
    return sum(any(kind in RECORDS for kind, _ in node.groups) for node in groups.values())


def deleted(scene: Scene, node: Node) -> Evidence | None:
    """The evidence after a click that deletes a record: its line is gone, or is still there.

    The record is the one the control stands in, or that its name or its dialog names. None where
    there is none, or it may have been covered, and where the page does not say that it is done.
    """
    asked, destroys = scene.asked, "destroys" in does(node.name)
    record = _record_of(node, scene.before)
    if record is None or not (destroys or (asked is not None and asked.verb == "delete")):
        return None
    name = record.partition(",")[0]
    was, now = rows_naming(scene.before, record), rows_naming(scene.after, record)
    if now < was and (destroys or _lists_others(scene)):
        return yes(0.9, f"'{quote(name)}' is no longer listed")
    if not (scene.diff.successes and now):
        return None
    told = f"The page says: {quote(scene.diff.successes[0])}; but '{quote(name)}' is still listed"
    return unclear(0.5, told, against=True)


def _lists_others(scene: Scene) -> bool:
    """Whether records are listed that were before: else all of the page may be another."""
    stay = scene.diff.partner.values()
    return any(kind in LINES and label for node in stay for kind, label in node.groups)


def _record_of(node: Node, page: Observation) -> str | None:
    """The label of the record's line: the innermost around the control, or the only one named."""
    own = [label for kind, label in node.groups if kind in LINES and label]
    if own:
        return own[-1]
    around = f" {words(node.name)} {words(node.group)} "
    labels = {label for n in page.tree for kind, label in n.groups if kind in LINES and label}
    named = [label for label in labels if f" {words(label.partition(',')[0])} " in around]
    return named[0] if len(named) == 1 else None


def _names_one(page: Observation, name: str) -> bool:
    """Whether exactly one record begins with that name."""
    wanted = words(name)
    labels = {label for n in page.tree for kind, label in n.groups if kind in RECORDS}
    return sum(words(label.partition(",")[0]) == wanted for label in labels) == 1
