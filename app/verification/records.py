"""Checks entered and deleted records in the page's lists, since a success message may be wrong."""

from collections import defaultdict
from collections.abc import Iterable

from app.domain.directive import Instruction, Target
from app.domain.page import Node, Observation
from app.page import RECORDS, Difference, enclosing_form, fields_in, is_message, quote
from app.text import patterns
from app.text.lexicon import does, words
from app.verification.evidence import Evidence, Scene, success, unclear
from app.verification.readback import count_mentions, count_occurrences, normalize_text


def explain_still_listed(
    goal: Instruction | None, before: Observation, after: Observation, diff: Difference
) -> str:
    """Return why the deleted record counts as still listed; "" if it does not."""
    target = _deletion_target(goal)
    if target is None or target.all:
        return ""
    name = record_name(target)
    new_count, old_count = count_rows_naming(after, name), count_rows_naming(before, name)
    if not new_count or new_count < old_count:
        return ""  # a dialog may have covered the list before, leaving nothing to compare
    if diff.successes and (old_count > 1 or not _names_single_record(after, name)):
        return ""
    return f"'{quote(name)}' is still there"


def explain_undeleted(scene: Scene) -> str:
    """Return why the page does not show the deletion; "" if it does.

    A page shows a deletion by reporting it, by listing one record fewer in the same place, or by no
    longer mentioning the record. A new dialog only asks; another page may only ask, or be
    unrelated.
    """
    before, after, diff = scene.before, scene.after, scene.diff
    target = _deletion_target(scene.goal) if scene.ends_goal else None
    if target is None:
        return ""
    for kept_name in target.excluding:
        if count_rows_naming(before, kept_name) and not count_rows_naming(after, kept_name):
            return f"{quote(kept_name)} should stay, but is no longer listed"
    if (listed := explain_still_listed(scene.goal, before, after, diff)) or diff.successes:
        return listed
    if diff.opened:
        return f"A dialog opened: {quote(diff.opened[0])}"
    if target.all:
        return f"The page went to {quote(diff.address.url)}" if diff.address.is_other_page else ""
    name = record_name(target)
    fewer = count_rows_naming(after, name) < count_rows_naming(before, name)
    if (fewer and _has_other_records(scene)) or (
        mentions_name(before, name) and not mentions_name(after, name)
    ):
        return ""
    return f"Nothing on the page shows that {quote(name)} is gone"


def _deletion_target(goal: Instruction | None) -> Target | None:
    last = goal.directives[-1] if goal and goal.directives else None
    return last.target if last is not None and last.verb == "delete" else None


def is_proper_name(name: str) -> bool:
    """Whether the text looks like a name: it has a capital letter or a digit."""
    return any(sign.isupper() or sign.isdigit() for sign in name)


def record_name(target: Target) -> str:
    """Return the record's name: 'Lamp' for "the bill 'Lamp'", "Jas" for "Jas from the list"."""
    is_phrase_name = is_proper_name(target.phrase) and not is_proper_name(target.within or "")
    return target.phrase if is_phrase_name else target.within or target.phrase


def mentions_name(page: Observation, name: str) -> bool:
    if count_mentions(page, name) or count_occurrences(normalize_text(page.title), name):
        return True
    return any(name.casefold() in node.group.casefold() for node in page.tree)


def count_rows_naming(page: Observation, name: str) -> int:
    """Count the records with the name, without dialogs that ask about one."""
    groups = {n.group: n for n in page.tree if name.casefold() in n.group.casefold()}
    return sum(any(kind in _LISTED for kind, _ in node.groups) for node in groups.values())


def judge_deletion(scene: Scene, node: Node) -> Evidence | None:
    """Judge a click that deletes a record by whether its row is gone.

    The record is around the control, or named by the control or its dialog. Returns None without a
    record, if it may have been covered, or if the page does not report the deletion.
    """
    directive, destroys = scene.directive, "destroys" in does(node.name)
    record = _record_of(node, scene.before)
    if record is None or not (destroys or (directive is not None and directive.verb == "delete")):
        return None
    name = record.partition(",")[0]
    old_count, new_count = (
        count_rows_naming(scene.before, record),
        count_rows_naming(scene.after, record),
    )
    if new_count < old_count and (destroys or _has_other_records(scene)):
        return success(0.9, f"'{quote(name)}' is no longer listed")
    if not (scene.diff.successes and new_count):
        return None
    reason = f"The page says: {quote(scene.diff.successes[0])}; but '{quote(name)}' is still listed"
    return unclear(0.5, reason, contradicted=True)


def _has_other_records(scene: Scene) -> bool:
    """Whether other records are still listed; otherwise the whole page may have changed."""
    stay = scene.diff.partner.values()
    return any(kind in RECORDS and label for node in stay for kind, label in node.groups)


def _record_of(node: Node, page: Observation) -> str | None:
    """Return the label of the record's row: the innermost around the control, or the one named."""
    own = [label for kind, label in node.groups if kind in RECORDS and label]
    if own:
        return own[-1]
    around = f" {words(node.name)} {words(node.group)} "
    labels = {label for n in page.tree for kind, label in n.groups if kind in RECORDS and label}
    matching = [label for label in labels if f" {words(label.partition(',')[0])} " in around]
    return matching[0] if len(matching) == 1 else None


def _names_single_record(page: Observation, name: str) -> bool:
    name_words = words(name)
    labels = {label for n in page.tree for kind, label in n.groups if kind in _LISTED}
    return sum(words(label.partition(",")[0]) == name_words for label in labels) == 1


_LISTED = RECORDS | {"list"}
_NAVIGATION_GROUPS = frozenset({"nav", "menu", "tablist", "toolbar"})
_PAGED = patterns.compile(r"\d+\s*[-–—]\s*\d+\s*\w+\s*\d+|lines in all")  # noqa: RUF001
_NEXT = patterns.compile(
    r"(?:next|previous|last|first)(?: page)?|(?:load|show|view) more|page \d+|\d+"
)
_FEW = 15  # lines; a longer list may continue out of view
_STEM = 4  # letters of a common prefix of related words: "task", "Tasks"
_LEAST_CHARS = 3  # characters; a shorter text is on most pages


def form_fields(scene: Scene, target: Node | None) -> tuple[Node, ...]:
    """Return the fields beside the control, or beside the first target of the chain."""
    if target is None:
        ids = {a.action.target for a in scene.chain.actions}
        target = next((n for n in scene.before.tree if n.id in ids), None)
    return fields_in(scene.before, enclosing_form(target)) if target is not None else ()


def is_form_gone(scene: Scene, target: Node | None) -> bool:
    fields, partner = form_fields(scene, target), scene.diff.partner
    if not fields:
        return target is not None and bool(scene.diff.closed) and target.id not in partner
    return all(partner.get(n.id) is None for n in fields)


def submitted_texts(scene: Scene, target: Node | None) -> list[str]:
    """Return the texts of the submitted form, longest first, without passwords."""
    values = [n.value for n in form_fields(scene, target) if n.role == "inp" and n.value]
    values += _entered_texts(scene)
    texts = {text for text in values if len(text.strip()) >= _LEAST_CHARS and "•" not in text}
    return sorted(texts, key=lambda text: (-len(text), text))


def _entered_texts(scene: Scene) -> list[str]:
    secret = {n.id for n in scene.before.tree if n.input_type == "password"}
    return [
        str(a.action.args.get("text", a.action.args.get("label", "")))
        for a in scene.chain.actions
        if a.action.name in ("setValue", "selectOption") and a.action.target not in secret
    ]


def appeared_as_record(scene: Scene, text: str) -> bool:
    """Whether the text appeared as a record: in a row's control, or in a line of a table or list."""
    for node in (*scene.diff.added, *(c.after for c in scene.diff.changed)):
        kind, label = node.groups[-1] if node.groups else ("", "")
        listed = node.role == "row" or kind in RECORDS
        content = normalize_text(f"{node.name} {label}")
        if listed and normalize_text(text) in content and not is_message(node):
            return True
    return any(
        _is_line(line) and count_occurrences(normalize_text(line), text)
        for line in scene.diff.text_added
    )


def find_missing_record(scene: Scene, target: Node | None) -> str | None:
    """Return an entered text that is missing in its list; None if no such list is visible.

    The list has a heading or columns that match the form, the message or the step. Texts listed
    earlier must still be there.
    """
    own = {one.value for one in scene.history.entered} | set(_entered_texts(scene))
    texts = [text for text in submitted_texts(scene, target) if text in own]
    if any(appeared_as_record(scene, text) for text in texts):
        return None
    about = [*scene.diff.successes, *((target.name, target.group) if target is not None else ())]
    about += [field.name for field in form_fields(scene, target) if field.role == "inp"]
    if scene.directive is not None and scene.directive.target is not None:
        about.append(scene.directive.target.phrase)
    was = _list_lines(scene.before)
    missing = None
    for heading, lines in _list_lines(scene.after).items():
        if _stems([heading]).isdisjoint(_stems(about)):
            continue
        if any(count_occurrences(normalize_text(line), text) for line in lines for text in texts):
            return None
        if lines <= was.get(heading, lines):
            missing = next(iter(texts), None)
    return missing


def _list_lines(page: Observation) -> dict[str, set[str]]:
    """Return the lines of lists by heading, with the first line of each table."""
    found: dict[str, set[str]] = defaultdict(set)
    heading = columns = ""
    for line in page.summary.splitlines():
        if line.startswith("# "):
            heading, columns = line, ""
        elif " | " in line and not columns:
            columns = line
        elif _is_line(line):
            found[f"{heading} {columns}"].add(line)
    for node in page.tree:
        around = [label for kind, label in node.groups if kind not in RECORDS]
        labels = [label for kind, label in node.groups if kind in RECORDS and label]
        if labels and not _NAVIGATION_GROUPS.intersection(kind for kind, _ in node.groups):
            found[f"{page.title} {' '.join(around)}"].add(labels[-1])
    return {heading: lines for heading, lines in found.items() if len(lines) > 1 or "|" in heading}


def _stems(texts: Iterable[str]) -> set[str]:
    found = (word for text in texts for word in words(text).split())
    return {word[:_STEM] for word in found if len(word) >= _STEM}


def may_be_elsewhere(page: Observation) -> bool:
    """Whether the list may be incomplete: paginated, filtered, or continued out of view."""
    lines = sum(_is_line(line) for line in page.summary.splitlines())
    if lines > _FEW or page.scrollables or page.scroll not in ("", "0%"):
        return True
    return bool(_PAGED.search(page.summary)) or any(_hints_at_more(node) for node in page.tree)


def _hints_at_more(node: Node) -> bool:
    if node.role in ("btn", "link"):
        return _NEXT.fullmatch(words(node.name)) is not None
    return bool(node.value) and (node.input_type == "search" or "filter" in words(node.name))


def _is_line(line: str) -> bool:
    return " | " in line or line.startswith("- ")
